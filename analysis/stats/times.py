"""One cell's time, whatever is known of where it comes from: its processes, or its samples alone.

Every comparison of two cells goes through here. Where the processes of both are known, it is theirs;
files that hold none give the interval that came with them, which is one *of samples*: it says how well a
process agrees with itself, and is too narrow for what another process would read. Comparisons of such
cells go by the bounds, and carry the label along.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jitcost.stats import breakeven, crossings, ratios, stars
from jitcost.stats.breakeven import BreakEven
from jitcost.stats.crossings import Crossings
from jitcost.stats.intervals import Interval, interval
from jitcost.stats.ratios import Ratio

__all__ = ["Kind", "Starred", "Time", "break_even", "crossovers", "of_processes", "of_samples"]
__all__ += ["ratio", "starred"]

Kind = Literal["of processes", "of samples", "none"]


@dataclass(frozen=True)
class Time:
    """A cell's time.

    Attributes
    ----------
    value : float
        Seconds per call.
    low, high : float or None
        The bounds of its interval, seconds; None where there is none.
    kind : {"of processes", "of samples", "none"}
        What the interval is of.
    numbers : tuple of float
        Each process's fastest sample, seconds; empty where the processes are not known.
    """

    value: float
    low: float | None
    high: float | None
    kind: Kind
    numbers: tuple[float, ...] = ()

    @property
    def processes(self) -> int | None:
        """How many processes it comes from; None where that is not known."""
        return len(self.numbers) or None

    def bounds(self) -> tuple[float, float]:
        """Return the interval; from 0 on without an upper end where there is none."""
        return self.low or 0.0, math.inf if self.high is None else self.high

    def as_interval(self) -> Interval:
        """Return it without its processes, as `interpolate` takes it."""
        count = len(self.numbers)
        kind: Literal["of processes", "none"] = "none" if self.kind == "none" else "of processes"
        return Interval(self.value, self.low, self.high, count, kind, None)


def of_processes(numbers: Sequence[float]) -> Time:
    """Return the time of a cell from one number for each process."""
    found = interval(numbers)
    return Time(found.value, found.low, found.high, found.kind, tuple(numbers))


def of_samples(value: float, low: float | None, high: float | None) -> Time:
    """Return the time of a cell of which the processes are not known, with the file's own interval."""
    return Time(value, low, high, "none" if low is None and high is None else "of samples")


def _are_known(*times: Time) -> bool:
    return all(time.numbers for time in times)


def ratio(first: Time, second: Time) -> Ratio:
    """Return first / second: by processes, or from the bounds of both intervals (and no p)."""
    if _are_known(first, second):
        return ratios.ratio(first.numbers, second.numbers)
    value = first.value / second.value
    (low, high), (other_low, other_high) = first.bounds(), second.bounds()
    if other_low <= 0 or math.isinf(high):
        return Ratio(value, None, None, None, None, None, (0, 0))
    return Ratio(value, low / other_high, high / other_low, None, None, None, (0, 0))


@dataclass(frozen=True)
class Starred:
    """The backends that are not significantly slower than the fastest.

    Attributes
    ----------
    names : tuple of str
    provisional : bool
        Whether the star stands for the smallest number alone: there are too few processes to judge.
    """

    names: tuple[str, ...]
    provisional: bool


def starred(times: Mapping[str, Time]) -> Starred:
    """Return which backends of one size are starred.

    Of samples: those whose intervals reach the fastest's. Where that has none, the smallest number
    is starred alone, provisionally.
    """
    if _are_known(*times.values()):
        found = stars.stars({name: time.numbers for name, time in times.items()})
        return Starred(found.starred, found.provisional)
    smallest = min(time.value for time in times.values())
    equal = [time for time in times.values() if time.value == smallest]
    bound = min(time.bounds()[1] for time in equal)
    names = tuple(
        name
        for name, time in times.items()
        if time.value == smallest or (time.low is not None and time.low <= bound < math.inf)
    )
    return Starred(names, provisional=math.isinf(bound))


def crossovers(first: Mapping[float, Time], second: Mapping[float, Time]) -> Crossings:
    """Return where two measured curves cross; see `stats.crossings`.

    Parameters
    ----------
    first, second : mapping of float to Time
        By size; sizes of one alone are passed over.
    """
    return crossings.crossings(
        {n: ratio(first[n], second[n]) for n in sorted(first.keys() & second.keys())}
    )


def break_even(first_call: Time, interpreted: Time, compiled: Time) -> BreakEven:
    """Return the break-even number of calls, from the first call and two times in steady state.

    C is the first call less one in steady state. Of samples: from the best and the worst combination
    of the bounds.
    """
    if _are_known(first_call, interpreted, compiled):
        costs = [number - compiled.value for number in first_call.numbers]
        return breakeven.break_even(costs, interpreted.numbers, compiled.numbers)
    cost, saving = first_call.value - compiled.value, interpreted.value - compiled.value
    calls = max(1, math.ceil(cost / saving)) if saving > 0 else None
    (f_low, f_high), (i_low, i_high), (c_low, c_high) = (
        time.bounds() for time in (first_call, interpreted, compiled)
    )
    if math.isinf(f_high + i_high + c_high):
        return BreakEven("cannot tell", calls, None, None, saving, None, None, cost)
    least, most = i_low - c_high, i_high - c_low
    if most < 0:
        return BreakEven("never", None, math.inf, math.inf, saving, least, most, cost)
    low = max(1.0, math.ceil((f_low - c_high) / most)) if most > 0 else math.inf
    high = max(1.0, math.ceil((f_high - c_low) / least)) if least > 0 else math.inf
    verdict: Literal["pays", "cannot tell"] = "pays" if least > 0 else "cannot tell"
    return BreakEven(verdict, calls, float(low), float(high), saving, least, most, cost)
