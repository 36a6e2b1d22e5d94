"""How good are predictions by the model? Every second size is fitted, and the others are predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, backend_order, benchmark_groups, k_of
from jitcost.stats.model import fit

__all__ = ["Options", "Row", "ask"]


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
    measured, predicted : float, float or None
        Seconds per call; None where the fitted sizes allow no fit.
    error : float or None
        predicted / measured - 1.
    verdict, reason : str, str or None
        Of the fit to the other sizes: see `jitcost.questions.fit`.
    """

    of: Benchmark
    backend: str
    n: float
    measured: float
    predicted: float | None
    error: float | None
    verdict: str
    reason: str | None


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:  # noqa: ARG001
    """Predict every second size from the others.

    The smallest and the largest size are among those that are fitted where the number of sizes is
    odd; what lies outside the fitted range is not predicted.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, backend and size.
    """
    return Answer(
        tuple(
            row
            for of, group in benchmark_groups(cells, "SteadyState")
            for backend in backend_order(group)
            for row in _rows(of, backend, group.filter(backend=backend))
        )
    )


def _rows(of: Benchmark, backend: str, points: pl.DataFrame) -> Iterator[Row]:
    sizes, times = points["n"].to_list(), points["value"].to_list()
    found = fit(sizes[::2], times[::2], k_of(of))
    for n, measured in zip(sizes[1::2], times[1::2], strict=True):
        piece = found.piece(n)
        if measured <= 0 or (piece is None and found.verdict != "no fit"):
            continue
        predicted = None if piece is None else piece.time(n)
        error = None if predicted is None else predicted / measured - 1
        yield Row(of, backend, n, measured, predicted, error, found.verdict, found.reason)
