"""What all cells of a full run come to: how often each backend wins, and how good predictions are."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from jitcost.questions import compare, predict
from jitcost.questions.groups import benchmark_groups, by_benchmark
from jitcost.questions.timed import is_time, times_of
from jitcost.stats.times import ratio

__all__ = ["duel", "predicted", "tally"]


@dataclass(frozen=True)
class Tally:
    """How often a backend is among the fastest.

    Attributes
    ----------
    backend : str
    among : int
        At how many sizes, over all workloads, it is not significantly slower than the fastest.
    alone : int
        At how many of these it is the only one.
    measured : int
        At how many it was timed beside another.
    """

    backend: str
    among: int
    alone: int
    measured: int


def tally(cells: pl.DataFrame) -> list[Tally]:
    """Return how often each backend is among the fastest, the most often first.

    What rests on no interval counts as measured, and as no win.
    """
    found: dict[str, list[int]] = {}
    answer = compare.ask(cells)
    for rows in by_benchmark(answer):
        for at_n in _by_size(rows):
            if len(at_n) < 2:
                continue
            best = [row.backend for row in at_n if row.best and not row.provisional]
            for row in at_n:
                counts = found.setdefault(row.backend, [0, 0, 0])
                counts[0] += row.backend in best
                counts[1] += best == [row.backend]
                counts[2] += 1
    made = [Tally(backend, *counts) for backend, counts in found.items()]
    return sorted(made, key=lambda one: (-one.among, -one.alone, one.backend))


def _by_size(rows: Sequence[compare.Row]) -> list[list[compare.Row]]:
    by_size: dict[float, list[compare.Row]] = {}
    for row in rows:
        by_size.setdefault(row.n, []).append(row)
    return list(by_size.values())


@dataclass(frozen=True)
class Duel:
    """How one backend's times compare with another's, over all cells that both have.

    Attributes
    ----------
    cells : int
    faster, slower : int
        In how many cells the one is significantly so; where there are no intervals in none.
    middle : float
        The median of the ratios, the one's times over the other's.
    """

    cells: int
    faster: int
    slower: int
    middle: float


def duel(cells: pl.DataFrame, one: str, other: str) -> Duel | None:
    """Return how two backends compare; None where no cell has both.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one origin.
    one, other : str
    """
    ratios = [
        ratio(times[one, n], times[other, n])
        for _, group in benchmark_groups(cells, "SteadyState")
        for times in (times_of(group),)
        for backend, n in times
        if backend == one and is_time(times[one, n]) and is_time(times.get((other, n)))
    ]
    if not ratios:
        return None
    significant = [found.value > 1 for found in ratios if found.significant()]
    middle = statistics.median(found.value for found in ratios)
    return Duel(len(ratios), significant.count(False), significant.count(True), middle)


@dataclass(frozen=True)
class Predicted:
    """How far times are from what their neighbouring sizes predict.

    Attributes
    ----------
    count : int
    median, largest : float
        Of the distances, as shares of the measured time.
    """

    count: int
    median: float
    largest: float


def predicted(cells: pl.DataFrame) -> Predicted | None:
    """Return how good interpolation between sizes is; None where there is none.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one origin.
    """
    errors = [
        abs(row.error)
        for row in predict.ask(cells)
        if row.by == "interpolation" and row.error is not None
    ]
    return Predicted(len(errors), statistics.median(errors), max(errors)) if errors else None
