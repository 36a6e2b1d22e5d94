"""After how many calls has compiling paid? m* = C / (t_interpreted - t_compiled), rounded up."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import polars as pl

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    baseline_of,
    benchmark_groups,
    by_backend_and_size,
    interval,
    require_baseline,
    steady_and_first,
)
from jitcost.stats.payback import Bounded, payback

__all__ = ["Options", "Row", "Verdict", "ask"]

Verdict = Literal["pays", "may pay", "never"]

# What calls are replayed against, in the benchmarks of kind `Replay`.
_REPLAYED_AGAINST = "numpy"


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The interpreted backend; None: the one that the workload's spec names.
    """

    baseline: str | None = None


@dataclass(frozen=True)
class Row:
    """When a compiled backend has paid at one size.

    Attributes
    ----------
    of : Benchmark
        In steady state; the first calls are of the same workload, options and origin.
    backend, baseline : str
        The compiled one, and the interpreted one.
    n : float
        The size.
    cost, cost_low, cost_high : float
        C, seconds: the first call of a fresh kernel less one in steady state, and its bounds.
    t_interpreted, t_compiled : float
        Seconds per call in steady state.
    calls, calls_low, calls_high : int or None
        m*, and its smallest and largest value within the three intervals; None: never.
    verdict : str
        `pays` by all bounds, `may pay` or `never`.
    replayed : float or None
        After how many calls, made one by one, it really had; None where that was not measured.
    replay_inside : bool or None
        Whether that lies within the interval; None without either.
    """

    KEYS: ClassVar[Mapping[str, str]] = {
        "cost": "C",
        "cost_low": "C_low",
        "cost_high": "C_high",
    }

    of: Benchmark
    backend: str
    baseline: str
    n: float
    cost: float
    cost_low: float
    cost_high: float
    t_interpreted: float
    t_compiled: float
    calls: int | None
    calls_low: int | None
    calls_high: int | None
    verdict: Verdict
    replayed: float | None = None
    replay_inside: bool | None = None

    @property
    def saving(self) -> float:
        """What each call saves, seconds."""
        return self.t_interpreted - self.t_compiled


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Say when compiling has paid.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, compiled backend and size, where it has a first call and a baseline. All three
        times are of one origin and size.

    Raises
    ------
    BadCallError
        If the baseline that is asked for was not timed.
    """
    require_baseline(cells, options.baseline)
    replays = list(benchmark_groups(cells, "Replay"))
    rows = []
    for of, steady, first in steady_and_first(cells):
        baseline = options.baseline or baseline_of(of)
        replayed = {
            key: float(cell["value"])
            for other, group in replays
            if of.beside(other) and baseline == _REPLAYED_AGAINST
            for key, cell in by_backend_and_size(group).items()
        }
        rows += [
            _held_against(row, replayed.get((row.backend, row.n)))
            for row in _rows(of, steady, first, baseline)
        ]
    return Answer(tuple(rows))


def _held_against(row: Row, replayed: float | None) -> Row:
    if replayed is None or row.calls_low is None:
        return dataclasses.replace(row, replayed=replayed)
    inside = row.calls_low <= replayed <= (row.calls_high or math.inf)
    return dataclasses.replace(row, replayed=replayed, replay_inside=inside)


def _rows(of: Benchmark, steady: pl.DataFrame, first: pl.DataFrame, baseline: str) -> Iterator[Row]:
    times, firsts = by_backend_and_size(steady), by_backend_and_size(first)
    compiled = backends.compiled()
    for backend in filter(compiled.__contains__, backend_order(steady)):
        for n in steady["n"].unique().sort():
            cells = firsts.get((backend, n)), times.get((baseline, n)), times.get((backend, n))
            if all(cells):
                first_call, interpreted, its = (_bounded(cell) for cell in cells if cell)
                yield _row(of, backend, baseline, float(n), first_call, interpreted, its)


def _bounded(cell: Mapping[str, Any]) -> Bounded:
    return Bounded(cell["value"], *interval(cell))


def _row(
    of: Benchmark,
    backend: str,
    baseline: str,
    n: float,
    first: Bounded,
    interpreted: Bounded,
    compiled: Bounded,
) -> Row:
    paid = payback(first, interpreted, compiled)
    return Row(
        of,
        backend,
        baseline,
        n,
        *paid.cost,
        interpreted.value,
        compiled.value,
        paid.calls,
        paid.calls_low,
        paid.calls_high,
        "never" if paid.calls is None else "pays" if paid.calls_high is not None else "may pay",
    )
