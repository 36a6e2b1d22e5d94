"""The numbers whose history is asked for, at each release or commit: times, their lines, C, m*."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from jitcost.questions import breakeven
from jitcost.questions.groups import Benchmark, backend_order, benchmark_groups, k_of, law_of
from jitcost.questions.releases import Axis, at_common_sizes
from jitcost.questions.timed import fit_of, is_time, sizes_of, times_of
from jitcost.stats.times import Kind, Time

__all__ = ["QUANTITIES", "Number", "Quantity", "compiling", "numbers"]

Quantity = Literal["time", "call cost", "element cost", "C", "m*"]
QUANTITIES: tuple[Quantity, ...] = ("time", "call cost", "element cost", "C", "m*")


@dataclass(frozen=True)
class Number:
    """A number with its interval, and where it belongs.

    Attributes
    ----------
    of : Benchmark
    backend : str or None
    quantity : str
        One of `QUANTITIES`.
    n : float or None
        The size that it is at; None for what belongs to all sizes.
    time : Time
        Seconds; of m*, calls, infinite for never.
    judged : Time or None
        What ratios are made of, where it is one that is compared: a cell's time, or C. None for what is
        made of several times.
    """

    of: Benchmark
    backend: str | None
    quantity: Quantity
    n: float | None
    time: Time
    judged: Time | None = None


def numbers(cells: pl.DataFrame, axis: Axis) -> Iterator[Number]:
    """Yield each number at each value of the axis.

    Parameters
    ----------
    cells : polars.DataFrame
        Of what is on the axis.
    axis : Axis
        Lines go through those sizes that are common to its values.
    """
    yield from _times(cells)
    yield from _lines(at_common_sizes(cells, axis))
    yield from compiling(cells)


def _times(cells: pl.DataFrame) -> Iterator[Number]:
    for of, group in benchmark_groups(cells, "SteadyState"):
        times = times_of(group)
        for backend in backend_order(group):
            for n, time in sizes_of(times, backend).items():
                yield Number(of, backend, "time", n, time, time)


def _lines(cells: pl.DataFrame) -> Iterator[Number]:
    for of, group in benchmark_groups(cells, "SteadyState"):
        times = times_of(group)
        for backend in backend_order(group):
            own = sizes_of(times, backend)
            law = law_of(group, backend)
            line = fit_of(own, k_of(of), law).line
            if line is None:
                continue
            kind: Kind = "of processes" if all(t.numbers for t in own.values()) else "of samples"
            k = line.k
            call = Time(line.call_cost, k * line.c0_low, k * line.c0_high, kind)
            element = Time(line.element_cost, k * line.c1_low, k * line.c1_high, kind)
            yield Number(of, backend, "call cost", None, call)
            if law == "n":  # what a unit of another law costs is no element's cost
                yield Number(of, backend, "element cost", None, element)


def compiling(cells: pl.DataFrame) -> Iterator[Number]:
    """Yield C and m* of each compiled backend, at each size that has a first call."""
    firsts = {
        repr(of.subject): times_of(group) for of, group in benchmark_groups(cells, "FirstCall")
    }
    for row in breakeven.ask(cells):
        of = row.of
        first = firsts[repr(of.subject)][row.backend, row.n]
        cost = Time(row.cost, row.cost_low, row.cost_high, first.kind)
        each = tuple(number - row.t_compiled for number in first.numbers)
        judged = Time(cost.value, cost.low, cost.high, cost.kind, each)
        comparable = is_time(cost) and all(number > 0 for number in each)
        yield Number(of, row.backend, "C", row.n, cost, judged if comparable else None)
        calls = math.inf if row.calls is None else float(row.calls)
        low, high = row.calls_low, row.calls_high
        if row.verdict == "never":  # significantly: neither bound has an end
            yield Number(of, row.backend, "m*", row.n, Time(calls, calls, calls, row.interval))
        else:
            end = None if row.interval == "none" else math.inf if high is None else float(high)
            bounds = None if low is None else float(low), end
            yield Number(of, row.backend, "m*", row.n, Time(calls, *bounds, row.interval))
