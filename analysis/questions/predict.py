"""How good are predictions? Every second size is left out, and predicted from the others in two ways.

A plan interpolates between measured sizes, and takes the model beyond them: a prediction is worth the
error that such predictions have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, backend_order, benchmark_groups, k_of, law_of
from jitcost.questions.timed import Time, fit_of, sizes_of, times_of
from jitcost.stats.candidates import Law
from jitcost.stats.interpolate import interpolate

__all__ = ["By", "Options", "Row", "ask"]

By = Literal["interpolation", "model"]


@dataclass(frozen=True)
class Options:
    """What may be asked for: nothing."""


@dataclass(frozen=True)
class Row:
    """One size that was predicted from the others.

    Attributes
    ----------
    of : Benchmark
    backend : str
    n : float
        The size.
    measured : float
        Seconds per call.
    predicted : float or None
        Seconds per call; None where the other sizes have no model.
    error : float or None
        predicted / measured - 1.
    by : {"interpolation", "model"}
        From the sizes next to it, or by the fit to all others.
    verdict, reason : str, str or None
        Of the fit to the other sizes: see `jitcost.questions.fit`.
    """

    of: Benchmark
    backend: str
    n: float
    measured: float
    predicted: float | None
    error: float | None
    by: By
    verdict: str
    reason: str | None


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:  # noqa: ARG001
    """Predict every second size from the others.

    The smallest and the largest size are among the others where the number of sizes is odd; what lies
    outside of the others' range is not predicted.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, backend, size and way.
    """
    return Answer(
        tuple(
            row
            for of, group in benchmark_groups(cells, "SteadyState")
            for backend in backend_order(group)
            for row in _rows(
                of, backend, sizes_of(times_of(group), backend), law_of(group, backend)
            )
        )
    )


def _rows(of: Benchmark, backend: str, times: dict[float, Time], law: Law) -> Iterator[Row]:
    kept = {n: times[n] for n in sorted(times)[::2]}
    found = fit_of(kept, k_of(of), law)
    intervals = {n: time.as_interval() for n, time in kept.items()}
    for n in sorted(times)[1::2]:
        measured, between = times[n].value, interpolate(intervals, n)
        if between is None:
            continue
        for by, predicted in _predictions(between.value, found.time(n)):
            error = None if predicted is None else predicted / measured - 1
            yield Row(of, backend, n, measured, predicted, error, by, found.verdict, found.reason)


def _predictions(between: float, by_model: float | None) -> tuple[tuple[By, float | None], ...]:
    return ("interpolation", between), ("model", by_model)
