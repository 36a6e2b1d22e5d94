"""After how many calls a compile cost is saved, with bounds from the bounds of the three times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Bounded", "Payback", "break_even", "payback"]


class Bounded(NamedTuple):
    """A number with an interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Payback:
    """When compiling has paid.

    Attributes
    ----------
    cost : Bounded
        C, the first call less one call in steady state, seconds.
    calls : int or None
        m*; None: never.
    calls_low : int or None
        By the bounds that are best for compiling; None: never, even so.
    calls_high : int or None
        By the worst; None: it may never pay.
    """

    cost: Bounded
    calls: int | None
    calls_low: int | None
    calls_high: int | None


def break_even(compile_cost: float, interpreted: float, compiled: float) -> int | None:
    """Return the number of calls after which compiling has paid, or None for never.

    Parameters
    ----------
    compile_cost, interpreted, compiled : float
        C and the two times per call in steady state, seconds.

    Returns
    -------
    int or None
        The smallest m with `C + m t_compiled <= m t_interpreted`, at least 1; the article's
        `m > C / (t_interpreted - t_compiled)`.
    """
    saving = interpreted - compiled
    return max(1, math.ceil(compile_cost / saving)) if saving > 0 else None


def payback(first: Bounded, interpreted: Bounded, compiled: Bounded) -> Payback:
    """Return when compiling has paid, by the times and by the bounds of their intervals.

    Parameters
    ----------
    first, interpreted, compiled : Bounded
        The first call of a fresh kernel, and the two calls in steady state, seconds. An upper bound
        that is not known is infinite.

    Returns
    -------
    Payback
    """
    cost = Bounded(
        first.value - compiled.value, first.low - compiled.high, first.high - compiled.low
    )
    # The best and the worst combination of the bounds. An unknown bound leaves any number possible.
    known = all(math.isfinite(time.high) for time in (first, interpreted, compiled))
    return Payback(
        cost,
        break_even(cost.value, interpreted.value, compiled.value),
        break_even(cost.low, interpreted.high, compiled.low) if known else 1,
        break_even(cost.high, interpreted.low, compiled.high) if known else None,
    )
