"""At which n does another backend become the faster one? Nothing outside the measured sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    baseline_of,
    benchmark_groups,
    require_baseline,
)
from jitcost.questions.timed import sizes_of, times_of
from jitcost.stats.times import Kind, crossovers

__all__ = ["Options", "Row", "ask"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The backend that each other is held against; None: see `jitcost.questions.groups.baseline_of`.
    """

    baseline: str | None = None


@dataclass(frozen=True)
class Row:
    """One crossing of a backend's times with the baseline's.

    Attributes
    ----------
    of : Benchmark
    baseline : str
    faster_below, faster_above : str
        One of them is the baseline.
    n : float or None
        Where they cross, interpolated on logarithmic axes between neighbouring measured sizes; None
        where the two are not significantly different at sizes between: it cannot be told where.
    n_low, n_high : float
        The nearest measured sizes at which the two differ significantly, each in its way.
    interval : {"of processes", "of samples"}
        What the intervals are of that this goes by.
    undecided : tuple of tuple of float
        Every run of measured sizes, the first and the last, at which these two are not significantly
        different.
    """

    of: Benchmark
    baseline: str
    faster_below: str
    faster_above: str
    n: float | None
    n_low: float
    n_high: float
    interval: Kind
    undecided: tuple[tuple[float, float], ...]

    @property
    def backend(self) -> str:
        """The one that is not the baseline."""
        return self.faster_above if self.faster_below == self.baseline else self.faster_below


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Return every crossing with the baseline's times.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, backend and size.

    Raises
    ------
    BadCallError
        If the baseline that is asked for was not timed.
    """
    require_baseline(cells, options.baseline)
    return Answer(
        tuple(
            row
            for of, group in benchmark_groups(cells, "SteadyState")
            for row in _rows(of, group, options.baseline or baseline_of(of, group))
        )
    )


def _rows(of: Benchmark, group: pl.DataFrame, baseline: str) -> Iterator[Row]:
    times = times_of(group.filter(pl.col("n") > 0))
    base = sizes_of(times, baseline)
    for backend in backend_order(group):
        its = sizes_of(times, backend)
        if backend == baseline or not its.keys() & base.keys():
            continue
        found = crossovers(its, base)
        known = all(time.numbers for time in (*its.values(), *base.values()))
        for one in found.crossings:
            pair = (backend, baseline) if one.first_faster_below else (baseline, backend)
            yield Row(
                *(of, baseline, *pair, one.n_at, one.n_low, one.n_high),
                "of processes" if known else "of samples",
                found.undecided,
            )
