"""What times grow like at the largest sizes, where no model holds: the slope on logarithmic axes.

Caches and page faults bend the times of an n x n matrix by a third and more, and a law that has to hold
to 5 % is then rejected, as it should be. That its times are quadratic can still be told: the powers are
far apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from jitcost.stats.candidates import LAWS, Law, growth
from jitcost.stats.size_means import SizeMeans

__all__ = ["Exponent", "exponent"]

# The shortest stretch that says anything: a decade, less what rounding sizes leaves of it.
_DECADE = 9.8

# By how much the cost of an element may change along the stretch, from one cache to the next one.
_DRIFT = 1.5

# How many times the smallest size's time that of the stretch's first size has to be: below, the fixed
# cost may be all of both.
_RISE = 2.0

# n log n with a jump passes for n: up to four such curves of 100 would be called linear.
_TOLD: tuple[Law, ...] = ("n^2", "n^3")


@dataclass(frozen=True)
class Exponent:
    """The exponent p of a growth like n^p, over the upper sizes.

    Attributes
    ----------
    value : float
        The slope of log t over log n from the first to the last size of the stretch.
    low, high : float
        Between what it lies; see `exponent`.
    n_from, n_to : float
        The stretch: its first size, and the largest one.
    law : {"n^2", "n^3"} or None
        The law of `LAWS` whose slope over the stretch lies between `low` and `high`, if it is the only
        one. n and n log n are never told: they are too near to each other.
    """

    value: float
    low: float
    high: float
    n_from: float
    n_to: float
    law: Law | None


def exponent(means: SizeMeans) -> Exponent | None:
    """Estimate the exponent over the stretch of sizes, a decade or more, that tells most of it.

    Between `low` and `high` lie the slope of the times, and that of the times less a fixed cost as large
    as the smallest size's whole time; and the slopes of the stretch's lower and upper half, which are
    far apart on a curve that has not reached its law yet. Each has its 95 % interval of Student's t,
    from what processes differ by. On either side comes what moves the slope if the cost of an element
    changes by a half along the stretch, as from one cache to the next one.

    A stretch has three sizes or more, ends at the largest one and begins above the smallest one. Of
    several the one is taken that leaves least between.

    Parameters
    ----------
    means : SizeMeans
        Of one curve.

    Returns
    -------
    Exponent or None
        None where there is no such stretch, or nothing is known of how much processes differ.
    """
    if not means.freedom:
        return None
    return min(_stretches(means), key=lambda found: found.high - found.low, default=None)


def _stretches(means: SizeMeans) -> Iterator[Exponent]:
    last = means.sizes.size - 1
    n_to = float(means.sizes[last])
    for first in range(1, last - 1):
        n_from = float(means.sizes[first])
        fixed = math.exp(means.logarithms[0] - means.logarithms[first])
        if n_to < _DECADE * n_from or _RISE * fixed > 1:
            continue
        distance = math.log(n_to / n_from)
        middle = _middle(means, first)
        (value, half), *halves = (
            _slope(means, *ends) for ends in ((first, last), (first, middle), (middle, last))
        )
        rise = math.exp(means.logarithms[last] - means.logarithms[first])
        steeper = math.log((rise - fixed) / (1 - fixed)) / distance if rise > 1 else value
        slopes = [(value, half), (steeper, half), *halves]
        drift = math.log(_DRIFT) / distance
        low = min(slope - error for slope, error in slopes) - drift
        high = max(slope + error for slope, error in slopes) + drift
        yield Exponent(value, low, high, n_from, n_to, _only_law(low, high, n_from, n_to))


def _only_law(low: float, high: float, n_from: float, n_to: float) -> Law | None:
    """Return the law that these bounds leave, if it is one only that can be told."""
    left = [law for law in LAWS if low <= _slope_of(law, n_from, n_to) <= high]
    return left[0] if len(left) == 1 and left[0] in _TOLD else None


def _slope_of(law: Law, n_from: float, n_to: float) -> float:
    """Return a law's own slope between two sizes; infinite from a size at which it is 0."""
    first, last = float(growth(law, n_from)), float(growth(law, n_to))
    return math.log(last / first) / math.log(n_to / n_from) if first > 0 else math.inf


def _middle(means: SizeMeans, first: int) -> int:
    """Return the size that halves a stretch best, on a logarithmic axis, and is neither of its ends."""
    logarithms = np.log(means.sizes[first:])
    half = (logarithms[0] + logarithms[-1]) / 2
    return first + 1 + int(np.argmin(np.abs(logarithms[1:-1] - half)))


def _slope(means: SizeMeans, one: int, other: int) -> tuple[float, float]:
    """Return the slope between two sizes, and half the width of its 95 % interval."""
    distance = math.log(means.sizes[other] / means.sizes[one])
    error = math.sqrt(means.variances[one] + means.variances[other])
    half = float(special.stdtrit(means.freedom, 0.975)) * error / distance
    return float(means.logarithms[other] - means.logarithms[one]) / distance, half
