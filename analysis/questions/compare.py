"""Which backend wins where? The time per call by n, the best, and each one's ratio to the baseline."""

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
    interval,
    require_baseline,
)

__all__ = ["Options", "Row", "ask"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The backend that ratios are to; None: the one that the workload's spec names.
    """

    baseline: str | None = None


@dataclass(frozen=True)
class Row:
    """One backend's time at one size.

    Attributes
    ----------
    of : Benchmark
    baseline : str
        The backend that the ratio is to.
    n : float
        The size.
    backend : str
    time, low, high : float
        Seconds per call in steady state, with the interval (99 %, asv's).
    ratio : float or None
        To the baseline's time at this size; None where it has none.
    best : bool
        The fastest, or not significantly slower: the intervals overlap.
    """

    of: Benchmark
    baseline: str
    n: float
    backend: str
    time: float
    low: float
    high: float
    ratio: float | None
    best: bool


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Compare the backends at each size of each workload.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, size and backend.

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
            for (n,), at_n in group.group_by("n", maintain_order=True)
            for row in _at(of, options.baseline or baseline_of(of), float(n), at_n)
        )
    )


def _at(of: Benchmark, baseline: str, n: float, at_n: pl.DataFrame) -> Iterator[Row]:
    cells = {cell["backend"]: cell for cell in at_n.iter_rows(named=True)}
    base = cells.get(baseline)
    best = min(cells.values(), key=lambda cell: (cell["value"], interval(cell)[1]))
    _, best_high = interval(best)
    for backend in backend_order(at_n):
        low, high = interval(cells[backend])
        seconds = cells[backend]["value"]
        ratio = seconds / base["value"] if base and base["value"] > 0 else None
        yield Row(of, baseline, n, backend, seconds, low, high, ratio, best=low <= best_high)
