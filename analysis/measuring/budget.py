"""What fits into the time that a person gives: which sizes, first calls and processes.

A scout has found out how long each kernel's start, first call and call take. By rule, in this order, and
each said in a line: a size is left out whose calls take more than its share; first calls are taken at
fewer sizes; fewer processes, three at least; the largest sizes go. What is left may take longer than
there is time: fewer than three processes have no interval, and none starts faster for having less to do.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from jitcost.units import format_seconds, size_text

__all__ = ["CALLS", "FEWEST", "Known", "Plan", "common", "largest_call", "plan"]

T = TypeVar("T")

# About so many calls of each size a process makes besides its samples.
CALLS = 8

# Fewer processes have no interval.
FEWEST = 3

# Of a call that takes longer, two samples are enough.
_SLOW, _SAMPLES, _SAMPLES_OF_SLOW = 0.1, 4, 2

# A size that takes less than this share of its process is not left out: its start takes the rest.
_WORTH = 0.25

# Seconds that a batch takes at least, and about what finding out its length costs.
_BATCH, _FINDING = 0.011, 0.02


@dataclass(frozen=True)
class Known:
    """What the scout has found out about one kernel.

    Attributes
    ----------
    name : str
        What a line calls it.
    start : float
        Seconds until it can begin.
    calls, firsts : mapping of float to float
        Seconds of a call, and of a fresh kernel's first call, by n.
    compiles : bool
        Whether a fresh kernel has to be compiled: only then a first call is another thing than a call.
    """

    name: str
    start: float
    calls: Mapping[float, float]
    firsts: Mapping[float, float]
    compiles: bool


@dataclass(frozen=True)
class Plan:
    """What is measured.

    Attributes
    ----------
    processes : int
        Of each kernel.
    sizes : tuple of tuple of float
        The n that each kernel is timed at, in the kernels' order.
    firsts : tuple of tuple of float
        Those at which first calls are taken.
    first_calls : tuple of int
        At how many of these each process takes one, in turns.
    lines : tuple of str
        What does not fit, and why.
    seconds : float
        How long it is going to take.
    """

    processes: int
    sizes: tuple[tuple[float, ...], ...]
    firsts: tuple[tuple[float, ...], ...]
    first_calls: tuple[int, ...]
    lines: tuple[str, ...]
    seconds: float


def samples(seconds: float) -> int:
    """Return how many samples are taken of a call that takes so long."""
    return _SAMPLES_OF_SLOW if seconds > _SLOW else _SAMPLES


def largest_call(budget: float, kernels: int, processes: int, sizes: int) -> float:
    """Return the seconds that a call may take: more are not its share of the whole."""
    return budget / (CALLS * kernels * processes * sizes)


def plan(
    known: Sequence[Known],
    budget: float,
    left: float,
    processes: int,
    *,
    first_calls: bool = True,
) -> Plan:
    """Choose what to measure.

    Parameters
    ----------
    known : sequence of Known
    budget : float
        Seconds that the whole may take, of which each size of each kernel has its share.
    left : float
        Seconds that are left of it.
    processes : int
        How many of each kernel a person has asked for.
    first_calls : bool
        Whether first calls are wanted.
    """
    sizes = max((len(one.calls) for one in known), default=1)
    largest = largest_call(budget, max(1, len(known)), processes, max(1, sizes))
    kept, lines = [], []
    for one in known:
        fitting = [n for n in sorted(one.calls) if one.calls[n] <= largest]
        fitting = fitting or sorted(one.calls)[:1]
        kept.append(tuple(fitting))
        out = [n for n in sorted(one.calls) if n not in fitting]
        if out:
            lines.append(
                f"{one.name} is left out from n = {size_text(out[0])} on: a call takes "
                f"{format_seconds(one.calls[out[0]])}, and for all to fit into {budget:g} s (--time) it "
                f"may take {format_seconds(largest)}"
            )
    firsts = [its if first_calls else () for its in kept]
    found = Plan(processes, tuple(kept), tuple(firsts), tuple(map(len, firsts)), tuple(lines), 0.0)
    return _fitted(known, found, left)


def common(
    kernels: Sequence[Hashable], sizes: Sequence[tuple[float, ...]]
) -> tuple[tuple[float, ...], ...]:
    """Return the sizes that all states of a kernel have: at others there is nothing to compare.

    Parameters
    ----------
    kernels : sequence of hashable
        The same for each state of one kernel.
    sizes : sequence of tuple of float
        Those of each.
    """
    shared: dict[Hashable, set[float]] = {}
    for kernel, its in zip(kernels, sizes, strict=True):
        shared[kernel] = shared.get(kernel, set(its)) & set(its)
    return tuple(
        tuple(n for n in its if n in shared[kernel])
        for kernel, its in zip(kernels, sizes, strict=True)
    )


def _fitted(known: Sequence[Known], found: Plan, left: float) -> Plan:
    """Take away until it fits."""
    asked, wanted = found.processes, found.sizes
    while (seconds := _cost(known, found)) > left:
        fewer = _with_fewer_first_calls(known, found)
        if fewer is None and found.processes > FEWEST:
            fewer = _with_fewer_processes(found)
        if fewer is None:
            fewer = _with_fewer_sizes(known, found)
        if fewer is None:
            break
        found = fewer
    lines = list(found.lines)
    for one, all_its, its in zip(known, found.sizes, found.firsts, strict=True):
        if one.compiles and 0 < len(its) < len(all_its):
            lines.append(
                f"{one.name}: first calls at {len(its)} of {len(all_its)} sizes only, since one takes "
                f"{format_seconds(max(one.firsts.values()))}"
            )
    gone = {
        n: [
            one.name
            for one, before, after in zip(known, wanted, found.sizes, strict=True)
            if n in before and n not in after
        ]
        for n in sorted({n for its in wanted for n in its})
    }
    lines += [
        f"time is short: {', '.join(names)} left out at n = {size_text(n)}"
        for n, names in gone.items()
        if names
    ]
    if seconds > left:
        lines.append(
            f"{found.processes} processes of each kernel take about {seconds:.0f} s, longer than there "
            "is time: fewer have no interval"
        )
    if found.processes < asked:
        lines.append(
            f"{found.processes} processes of each kernel instead of {asked}: time is short (--time)"
        )
    return replace(found, lines=tuple(lines), seconds=seconds)


def _cost(known: Sequence[Known], found: Plan) -> float:
    """Return about how many seconds a plan takes."""
    total = 0.0
    for one, sizes, first_calls in zip(known, found.sizes, found.first_calls, strict=True):
        per_call = [one.calls[n] for n in sizes]
        first = max((one.firsts[n] for n in sizes), default=0.0)
        warm = first if one.compiles else 0.0
        steady = sum(map(_steady, per_call))
        total += one.start + warm + first_calls * first * one.compiles + steady
    return found.processes * total


def _steady(call: float) -> float:
    """Return about how many seconds the samples of one size take."""
    return (1 + (call > _BATCH)) * call + _FINDING + samples(call) * max(_BATCH, call)


def _with_fewer_first_calls(known: Sequence[Known], found: Plan) -> Plan | None:
    """Take one first call less in each process of the kernel whose first calls take the longest."""
    costs = [
        first_calls * max((one.firsts[n] for n in sizes), default=0.0)
        if one.compiles and first_calls > 1
        else 0.0
        for one, sizes, first_calls in zip(known, found.sizes, found.first_calls, strict=True)
    ]
    worst = max(range(len(costs)), key=costs.__getitem__, default=None)
    if worst is None or costs[worst] < 0.1:
        return None
    first_calls = found.first_calls[worst] - 1
    sizes = found.sizes[worst]
    # Each of the sizes that have first calls has them in three processes at least.
    count = max(1, min(len(sizes), first_calls * found.processes // FEWEST))
    return replace(
        found,
        firsts=_replaced(found.firsts, worst, _spread(sizes, count)),
        first_calls=_replaced(found.first_calls, worst, min(first_calls, count)),
    )


def _with_fewer_processes(found: Plan) -> Plan:
    """Take a process of each kernel; the first calls that are left are of fewer sizes then."""
    processes = found.processes - 1
    counts = [
        max(1, min(len(its), each * processes // FEWEST)) if its else 0
        for its, each in zip(found.firsts, found.first_calls, strict=True)
    ]
    return replace(
        found,
        processes=processes,
        firsts=tuple(
            _spread(its, n) if n else () for its, n in zip(found.firsts, counts, strict=True)
        ),
        first_calls=tuple(map(min, found.first_calls, counts)),
    )


def _with_fewer_sizes(known: Sequence[Known], found: Plan) -> Plan | None:
    """Leave out the size whose calls take the longest, but for each kernel's smallest."""
    candidates = [
        (one.calls[sizes[-1]], place)
        for place, (one, sizes) in enumerate(zip(known, found.sizes, strict=True))
        if len(sizes) > 1
        and _steady(one.calls[sizes[-1]])
        > _WORTH * (one.start + sum(_steady(one.calls[n]) for n in sizes))
    ]
    if not candidates:
        return None
    _, place = max(candidates)
    sizes = found.sizes[place]
    firsts = found.firsts[place] and (
        tuple(n for n in found.firsts[place] if n != sizes[-1]) or sizes[:1]
    )
    return replace(
        found,
        sizes=_replaced(found.sizes, place, sizes[:-1]),
        firsts=_replaced(found.firsts, place, firsts),
        first_calls=_replaced(found.first_calls, place, min(found.first_calls[place], len(firsts))),
    )


def _spread(sizes: tuple[float, ...], count: int) -> tuple[float, ...]:
    """Return so many of the sizes, the ends among them."""
    if count == 1:
        return sizes[-1:]
    step = (len(sizes) - 1) / (count - 1)
    return tuple(sizes[math.floor(i * step + 0.5)] for i in range(count))


def _replaced(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
