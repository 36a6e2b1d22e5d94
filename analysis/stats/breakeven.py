"""After how many calls compiling has paid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jitcost.stats.intervals import FEWEST
from jitcost.stats.yuen import RESOLUTION, TrimmedMean, difference, trimmed_mean

__all__ = ["BreakEven", "break_even"]


@dataclass(frozen=True)
class BreakEven:
    """The break-even number of calls m* = C / (t_interpreted - t_compiled).

    Attributes
    ----------
    verdict : {"pays", "never", "cannot tell"}
        Whether a call is significantly faster once compiled, significantly slower, or neither.
    calls : int or None
        m*, rounded up and at least 1: from so many calls on, compiling has paid. None where the saving
        is not above zero.
    low, high : float or None
        95 % interval of m*, whole numbers; `high` is infinite unless it pays, and both are if it never
        does. None where a time has fewer than three processes.
    saving : float
        t_interpreted - t_compiled, seconds a call; of the trimmed means.
    saving_low, saving_high : float or None
        Its 95 % interval.
    compile_cost : float
        C, seconds; exp of the trimmed mean of the logarithms.
    """

    verdict: Literal["pays", "never", "cannot tell"]
    calls: int | None
    low: float | None
    high: float | None
    saving: float
    saving_low: float | None
    saving_high: float | None
    compile_cost: float


def break_even(
    compile_costs: Sequence[float], interpreted: Sequence[float], compiled: Sequence[float]
) -> BreakEven:
    """Return the break-even of a compiled backend with an interpreted one.

    The saving's interval is Yuen's (1974), of the times themselves: it may be zero or less, and has no
    logarithm. The quotient's interval joins the two distances of log C and log S to their bounds in
    squares, each from the side that moves m* the same way (Zou and Donner 2008, MOVER).

    Parameters
    ----------
    compile_costs : sequence of float
        C of each process, seconds: its first call less one steady-state call.
    interpreted, compiled : sequence of float
        The processes' numbers, positive seconds of one call, of one origin and size.

    Raises
    ------
    ValueError
        If a list is empty, or holds what is not a finite number or, of the calls, not positive.
    """
    for numbers in (compile_costs, interpreted, compiled):
        if not numbers or not np.all(np.isfinite(numbers)):
            raise ValueError("costs and times have to be finite, and there has to be one of each")
    if min(*interpreted, *compiled) <= 0:
        raise ValueError("times have to be positive")
    found = difference(_times(interpreted), _times(compiled))
    saving = float(found.estimate)
    cost, cost_low, cost_high = _compile_cost(compile_costs)
    calls = max(1, math.ceil(cost / saving)) if saving > 0 else None
    if min(map(len, (compile_costs, interpreted, compiled))) < FEWEST:
        return BreakEven("cannot tell", calls, None, None, saving, None, None, cost)
    half = float(found.half_width())
    least, most = saving - half, saving + half
    if most < 0:
        return BreakEven("never", None, math.inf, math.inf, saving, least, most, cost)
    # m* = C / S is least at the largest saving, and of a saving that is nearly nothing not bounded.
    if saving > 0:
        low = cost / saving / math.exp(math.hypot(_log(cost, cost_low), _log(most, saving)))
    else:
        low = cost_low / most  # nothing in the middle to measure from: both bounds at once
    high = math.inf
    if least > 0 and cost > 0:
        high = cost / saving * math.exp(math.hypot(_log(cost_high, cost), _log(saving, least)))
    elif least > 0:
        high = cost_high / least
    verdict: Literal["pays", "cannot tell"] = "pays" if least > 0 else "cannot tell"
    return BreakEven(verdict, calls, _whole(low), _whole(high), saving, least, most, cost)


def _times(numbers: Sequence[float]) -> TrimmedMean:
    return trimmed_mean(numbers, RESOLUTION * float(np.median(numbers)))


def _compile_cost(costs: Sequence[float]) -> tuple[float, float, float]:
    """Return C and its interval, seconds; the bounds of fewer than three processes are NaN."""
    if min(costs) > 0:
        logs = trimmed_mean(np.log(costs))
        low, high = logs.interval()
        return math.exp(logs.mean), math.exp(low), math.exp(high)
    # A first call that took less than a later one: there is next to nothing to pay back, and that has
    # no logarithm. The times themselves are good enough for it.
    plain = trimmed_mean(costs, RESOLUTION * float(np.median(np.abs(costs))))
    low, high = plain.interval()
    return max(0.0, float(plain.mean)), max(0.0, float(low)), max(0.0, float(high))


def _log(upper: float, lower: float) -> float:
    """Return log(upper / lower), infinite if the lower is zero."""
    return math.log(upper / lower) if lower > 0 else math.inf


def _whole(calls: float) -> float:
    return calls if math.isinf(calls) else float(max(1, math.ceil(calls)))
