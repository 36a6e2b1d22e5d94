"""Which backend for m calls of a workload at size n? The first call, and m - 1 in steady state.

Between measured sizes by the fit, outside them never.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from jitcost import backends
from jitcost.backends import UnknownNameError, workloads
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions import known_times
from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, by_benchmark, origin_text
from jitcost.questions.known_times import KnownTimes
from jitcost.units import size_text

__all__ = ["Options", "Row", "Source", "ask"]

Source = Literal["measured", "fit"]


@dataclass(frozen=True)
class Options:
    """What is planned.

    Attributes
    ----------
    workload : str
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
    total, total_low, total_high : float or None
        Seconds of all calls, with the sum of the intervals' bounds.
    source : str or None
        `measured`, or `fit` where one of the two times is not.
    reason : str or None
        Why nothing can be said.
    best : bool
        The fastest, or not significantly slower: the intervals overlap.
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
    reason: str | None = None
    best: bool = False


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
        If there is no such workload, or the numbers are not whole ones of at least 1.
    NothingFoundError
        If nothing can be said of any backend; says why of each.
    """
    try:
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
    if rows and not any(row.best for row in rows):
        origins = [row.of.origin for row in rows]
        reasons = dict.fromkeys(
            f"{backends.heading(row.backend)}{origin_text(row.of.origin, origins)}: {row.reason}"
            for row in rows
        )
        raise NothingFoundError(f"nothing can be said of n = {n}; {'; '.join(reasons)}")
    return Answer(tuple(rows))


def _with_best(rows: Sequence[Row]) -> Iterator[Row]:
    totals = [(row.total, row.total_high) for row in rows if row.total is not None]
    bound = min(totals)[1] if totals else None
    for row in rows:
        best = bound is not None and row.total_low is not None and row.total_low <= bound
        yield replace(row, best=best)


@dataclass(frozen=True)
class _Estimate:
    """A time at one size, seconds, with its interval and where it comes from."""

    time: float
    low: float
    high: float
    source: Source


class _NoEstimateError(Exception):
    """Why a time cannot be told."""


def _row(known: known_times.Row, n: int, calls: int) -> Row:
    try:
        one, further = _estimate(known.first, n, drawn=True), _estimate(known.steady, n)
    except _NoEstimateError as error:
        return Row(known.of, known.backend, n, calls, reason=str(error))
    more = calls - 1
    return Row(
        known.of,
        known.backend,
        n,
        calls,
        one.time,
        further.time,
        one.time + more * further.time,
        one.low + more * further.low,
        one.high + more * further.high,
        "fit" if "fit" in (one.source, further.source) else "measured",
    )


def _estimate(known: KnownTimes, n: int, *, drawn: bool = False) -> _Estimate:
    """Return the measured time, or the fit's; where drawn is allowed, else one between neighbours.

    A first call is mostly compiling, which hardly depends on n, and is measured at few sizes.
    """
    for point in known.points:
        if point.n == n:
            return _Estimate(point.time, point.low, point.high, "measured")
    if not known.points:
        raise _NoEstimateError("not measured")
    least, most = known.points[0].n, known.points[-1].n
    if not least <= n <= most:
        extent = f"n = {size_text(least)} to {size_text(most)}"
        raise _NoEstimateError(f"measured for {extent} only")
    found = known.fit()
    piece = found.piece(n)
    if piece is None or piece.time(n) <= 0:
        if drawn:
            return _between(known, n)
        raise _NoEstimateError(f"not measured at this n, and no fit: {found.reason}")
    return _Estimate(piece.time(n), *piece.interval(n), "fit")


def _between(known: KnownTimes, n: int) -> _Estimate:
    below = max((point for point in known.points if point.n < n), key=lambda point: point.n)
    above = min((point for point in known.points if point.n > n), key=lambda point: point.n)
    share = (n - below.n) / (above.n - below.n)
    time = below.time + share * (above.time - below.time)
    return _Estimate(time, min(below.low, above.low), max(below.high, above.high), "fit")
