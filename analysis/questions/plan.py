"""Which backend for m calls of a workload at size n? The first call, and m - 1 in steady state.

Between measured sizes times are interpolated; beyond them they are the model's, and said to be.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from jitcost import backends
from jitcost.backends import UnknownNameError, workloads
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions import known_times
from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, by_benchmark, origin_text
from jitcost.questions.known_times import Estimate, NoEstimateError, Source
from jitcost.questions.settling import ANY_SIZE, bench_command, missing_sizes
from jitcost.stats.times import of_samples, starred

__all__ = ["Options", "Row", "Source", "absent", "ask", "deciding", "unmeasured"]

# From the most to the least trustworthy.
_SOURCES: tuple[Source, ...] = ("measured", "interpolated", "model", "nearest")


@dataclass(frozen=True)
class Options:
    """What is planned.

    Attributes
    ----------
    workload : str
        Its name, or that of somebody else's benchmark.
    n : int
        The size of each call.
    calls : int
        How many calls.
    """

    workload: str
    n: int
    calls: int


@dataclass(frozen=True)
class Row:
    """How long one backend takes.

    Attributes
    ----------
    of : Benchmark
    backend : str
    n, calls : int
        As they were asked for.
    first_call, steady_state : float or None
        Seconds; None, here and below, where nothing can be said.
    total : float or None
        Seconds of all calls.
    total_low, total_high : float or None
        Its interval: that of a sum of two independent times (Zou and Donner 2008); None where one of
        them has none.
    source : {"measured", "interpolated", "model", "nearest"} or None
        The less trustworthy one of the two times'; see `jitcost.questions.known_times.Estimate`.
    note : str or None
        What to mind about the first call.
    reason : str or None
        Why nothing can be said.
    candidate : bool
        Whether the backend runs this size at all.
    to_measure : tuple of int or None
        Of a candidate of the suite's of which nothing can be said: the sizes at which a measurement
        would tell; empty: all that there are. None for every other row.
    best : bool
        The smallest total, and those whose intervals reach its interval (overlap is no test). Nobody,
        while there is a candidate of which nothing can be said.
    provisional : bool
        Whether it is the best though not every candidate has an interval.
    """

    of: Benchmark
    backend: str
    n: int
    calls: int
    first_call: float | None = None
    steady_state: float | None = None
    total: float | None = None
    total_low: float | None = None
    total_high: float | None = None
    source: Source | None = None
    note: str | None = None
    reason: str | None = None
    candidate: bool = True
    to_measure: tuple[int, ...] | None = None
    best: bool = False
    provisional: bool = False


def ask(cells: pl.DataFrame, options: Options) -> Answer[Row]:
    """Plan the calls.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark and backend.

    Raises
    ------
    BadCallError
        If there is no such workload, neither in the suite nor among the cells, or the numbers are not
        whole ones of at least 1.
    NothingFoundError
        If nothing can be said of any backend; says why of each.
    """
    try:
        if known_times.of_workload(cells, options.workload).is_empty():
            workloads.get(options.workload)
        n, calls = map(workloads.checked_size, (options.n, options.calls))
    except (UnknownNameError, ValueError) as error:
        raise BadCallError(str(error)) from None
    known = known_times.ask(cells, known_times.Options(options.workload))
    rows = [
        row
        for members in by_benchmark(known)
        for row in _with_best([_row(its, n, calls) for its in members])
    ]
    if rows and all(row.total is None for row in rows):
        origins = [row.of.origin for row in rows]
        reasons = dict.fromkeys(
            f"{backends.heading(row.backend)}{origin_text(row.of.origin, origins)}: {row.reason}"
            for row in rows
        )
        run = f"; run {command}" if (command := deciding(rows)) else ""
        raise NothingFoundError(f"nothing can be said of n = {n}; {'; '.join(reasons)}{run}")
    return Answer(tuple(rows))


def deciding(rows: Iterable[Row]) -> str | None:
    """Return the command that measures what these rows lack; None where nothing is, or is known to."""
    lacking = [row for row in rows if row.to_measure is not None]
    if not lacking:
        return None
    names = dict.fromkeys(row.backend for row in lacking)
    wanted = [row.to_measure or ANY_SIZE for row in lacking]
    sizes = ANY_SIZE if ANY_SIZE in wanted else sorted(set().union(*wanted))
    return bench_command(str(lacking[0].of.workload), names, sizes)


def unmeasured(rows: Sequence[Row | known_times.Row]) -> list[str]:
    """Return the backends that have no rows: nothing of them was measured here.

    Parameters
    ----------
    rows : sequence of Row
        Of one benchmark. Of what is no workload of the suite's nobody knows who could run it.
    """
    if rows[0].of.spec is None:
        return []
    present = {row.backend for row in rows}
    return [name for name in backends.names() if name not in present]


def absent(rows: Sequence[Row]) -> list[str]:
    """Return those of them that run this size."""
    spec, n = rows[0].of.spec, rows[0].n
    return [name for name in unmeasured(rows) if spec is not None and spec.why_not(name, n) is None]


def _with_best(rows: Sequence[Row]) -> Iterator[Row]:
    if any(row.candidate and row.total is None for row in rows):
        yield from rows
        return
    totals = {
        row.backend: of_samples(row.total, row.total_low, row.total_high)
        for row in rows
        if row.total is not None
    }
    if not totals:
        yield from rows
        return
    found = starred(totals)
    provisional = any(time.kind == "none" for time in totals.values())
    for row in rows:
        best = row.backend in found.names
        yield replace(row, best=best, provisional=best and provisional)


def _row(known: known_times.Row, n: int, calls: int) -> Row:
    nothing = Row(known.of, known.backend, n, calls)
    spec = known.of.spec
    if spec is not None and (why := spec.why_not(known.backend, n)) is not None:
        return replace(nothing, reason=why, candidate=False)
    found, missing = {}, []
    for what, at in {"first call": known.first_at, "steady state": known.steady.at}.items():
        try:
            found[what] = at(n)
        except NoEstimateError as error:
            missing.append(f"{what} {error}")
    if missing:
        return replace(
            nothing, reason="; ".join(missing), to_measure=_to_measure(known, n, found.keys())
        )
    one, further = found["first call"], found["steady state"]
    low, high = _bounds(one, further, calls - 1)
    return replace(
        nothing,
        first_call=one.time,
        steady_state=further.time,
        total=one.time + (calls - 1) * further.time,
        total_low=low,
        total_high=high,
        source=max(one.source, further.source, key=_SOURCES.index),
        note=one.note,
    )


def _to_measure(known: known_times.Row, n: int, found: Container[str]) -> tuple[int, ...] | None:
    if known.of.spec is None:
        return None
    lacks_first = "first call" not in found
    return missing_sizes(n, known.steady.ladder, known.first.ladder, lacks_first=lacks_first)


def _bounds(one: Estimate, further: Estimate, more: int) -> tuple[float | None, float | None]:
    """Join two distances to their bounds in squares, on either side."""
    if one.low is None or one.high is None or further.low is None or further.high is None:
        return None, None
    total = one.time + more * further.time
    below = math.hypot(one.time - one.low, more * (further.time - further.low))
    above = math.hypot(one.high - one.time, more * (further.high - further.time))
    return total - below, total + above
