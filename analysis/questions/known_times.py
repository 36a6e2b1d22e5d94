"""What is known of a call's time at any size: measured points, and the fit between them.

It is what a plan is made from, and what the page's planner computes with.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    interval,
    k_of,
    steady_and_first,
)
from jitcost.stats.model import Fit, fit

__all__ = ["KnownTimes", "Measured", "Options", "Row", "ask", "sizes"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    workload : str or None
        None: every one.
    """

    workload: str | None = None


@dataclass(frozen=True)
class Measured:
    """A time at one size.

    Attributes
    ----------
    n : float
        The size.
    time, low, high : float
        Seconds per call, with the interval (99 %).
    """

    n: float
    time: float
    low: float
    high: float


@dataclass(frozen=True)
class KnownTimes:
    """One backend's times over the sizes.

    Attributes
    ----------
    points : tuple of Measured
        By increasing size.
    k : int
        Number of operations.
    """

    points: tuple[Measured, ...]
    k: int

    def fit(self) -> Fit:
        """Return the model through all points."""
        return fit(
            [point.n for point in self.points], [point.time for point in self.points], self.k
        )


@dataclass(frozen=True)
class Row:
    """One backend's first calls and calls in steady state.

    Attributes
    ----------
    of : Benchmark
    backend : str
    first, steady : KnownTimes
        Either may be without points.
    """

    of: Benchmark
    backend: str
    first: KnownTimes
    steady: KnownTimes


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Return what is known of each workload with first calls.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark and backend.
    """
    if options.workload is not None:
        cells = cells.filter(workload=options.workload)
    return Answer(
        tuple(
            Row(of, backend, *(_times(group, backend, k_of(of)) for group in (first, steady)))
            for of, steady, first in steady_and_first(cells)
            for backend in backend_order(steady)
        )
    )


def _times(group: pl.DataFrame, backend: str, k: int) -> KnownTimes:
    cells = group.filter(backend=backend).iter_rows(named=True)
    return KnownTimes(
        tuple(Measured(cell["n"], cell["value"], *interval(cell)) for cell in cells), k
    )


def sizes(rows: Iterable[Row]) -> list[float]:
    """Return the sizes at which some backend has both times, increasing."""
    both = [
        {point.n for point in row.first.points} & {point.n for point in row.steady.points}
        for row in rows
    ]
    return sorted(set().union(*both))
