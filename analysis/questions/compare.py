"""Which backend wins where? The time per call by n, the best, and each one's ratio to the baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    baseline_of,
    benchmark_groups,
    require_baseline,
)
from jitcost.questions.timed import Time, is_time, time_of
from jitcost.stats.ratios import processes_needed
from jitcost.stats.times import Kind, ratio, starred

__all__ = ["Options", "Row", "ask"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The backend that ratios are to; None: see `jitcost.questions.groups.baseline_of`.
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
        The size; NaN where the benchmark has none.
    backend : str
    time : float
        Seconds per call in steady state, see `jitcost.questions.timed`.
    low, high : float or None
        Its interval; None where there is none.
    interval : {"of processes", "of samples", "none"}
        What the interval is of.
    processes : int or None
        How many the time comes from; None where that is not known.
    ratio : float or None
        To the baseline at this size: the number that its interval is about, see
        `jitcost.stats.ratios`, and not the quotient of the two times to the last digit. None where the
        baseline has no time.
    ratio_low, ratio_high : float or None
        Its 95 % interval; None where there is none, and of the baseline itself.
    best : bool
        The fastest, or not significantly slower: see `jitcost.stats.stars`.
    provisional : bool
        Whether it is the best for its number alone: there is no interval to judge by.
    processes_needed : int or None
        Of what is not significantly different from the fastest and is not it: how many processes each
        of the two would show the difference that there seems to be; None where that cannot be told.
    numbers : tuple of float
        Each process's number, seconds, in the order of the processes; empty where they are not known.
    """

    of: Benchmark
    baseline: str
    n: float
    backend: str
    time: float
    low: float | None
    high: float | None
    interval: Kind
    processes: int | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    best: bool
    provisional: bool
    processes_needed: int | None
    numbers: tuple[float, ...]


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
    # A workload's cell whose size is no number is told apart from others by nothing that is known.
    sized = pl.col("n").is_not_null() | pl.col("workload").is_null()
    timed = cells.filter(sized, pl.col("backend").is_not_null(), state="value")
    return Answer(
        tuple(
            row
            for of, group in benchmark_groups(timed, "SteadyState", whole=True)
            for (n,), at_n in group.group_by("n", maintain_order=True)
            for row in _at(of, options.baseline or baseline_of(of, group), _number(n), at_n)
        )
    )


def _number(n: Any) -> float:
    return math.nan if n is None else float(n)


def _at(of: Benchmark, baseline: str, n: float, at_n: pl.DataFrame) -> Iterator[Row]:
    times = {cell["backend"]: time_of(cell) for cell in at_n.iter_rows(named=True)}
    found = starred(times)
    fastest = min(found.names, key=lambda name: times[name].value)
    for backend in backend_order(at_n):
        its, best = times[backend], backend in found.names
        yield Row(
            *(of, baseline, n, backend, its.value, its.low, its.high, its.kind, its.processes),
            *_ratio(times, backend, baseline),
            best=best,
            provisional=best and found.provisional,
            processes_needed=_needed(its, times[fastest]) if best and backend != fastest else None,
            numbers=its.numbers,
        )


def _ratio(
    times: Mapping[str, Time], backend: str, baseline: str
) -> tuple[float | None, float | None, float | None]:
    one, base = times[backend], times.get(baseline)
    if base is None or not is_time(base) or not is_time(one):
        return None, None, None
    if backend == baseline:
        return 1.0, None, None
    found = ratio(one, base)
    return found.value, found.low, found.high


# Of backends that are further apart than this nobody asks which is the faster one: what hides it is a
# disturbed measurement, and no more of its processes.
_WORTH = 0.25


def _needed(slower: Time, fastest: Time) -> int | None:
    """Return the processes that the difference needs, if it is what it looks like."""
    if not slower.numbers or not fastest.numbers:
        return None
    share = ratio(slower, fastest).value - 1
    return processes_needed(slower.numbers, fastest.numbers, share) if 0 < share <= _WORTH else None
