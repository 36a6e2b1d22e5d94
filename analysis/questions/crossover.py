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
    by_backend_and_size,
    interval,
    require_baseline,
)
from jitcost.stats.signs import Point, sign_changes

__all__ = ["Options", "Row", "ask"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The backend that each other is held against; None: the one that the workload's spec names.
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
    n : float
        Where they cross, interpolated between measured sizes on logarithmic axes.
    n_low, n_high : float
        The nearest measured sizes at which the two differ significantly.
    """

    of: Benchmark
    baseline: str
    faster_below: str
    faster_above: str
    n: float
    n_low: float
    n_high: float

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
            for row in _rows(of, group, options.baseline or baseline_of(of))
        )
    )


def _rows(of: Benchmark, group: pl.DataFrame, baseline: str) -> Iterator[Row]:
    for backend in backend_order(group):
        if backend != baseline:
            for found in sign_changes(_ratios(group, backend, baseline)):
                pair = (baseline, backend) if found.falls else (backend, baseline)
                yield Row(of, baseline, *pair, found.n, found.n_low, found.n_high)


def _ratios(group: pl.DataFrame, backend: str, baseline: str) -> list[Point]:
    times = by_backend_and_size(group)
    points = []
    for n in group["n"].unique().sort():
        one, base = times.get((backend, n)), times.get((baseline, n))
        if n > 0 and one and base and min(one["value"], base["value"]) > 0:
            (low, high), (base_low, base_high) = interval(one), interval(base)
            differs = low > base_high or high < base_low
            points.append(Point(n, one["value"] / base["value"], differs))
    return points
