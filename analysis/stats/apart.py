"""The runs that the steps of a series leave out: alone, far from the level that they are counted to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jitcost.stats.scatter import residuals, scatter
from jitcost.stats.steps import ALONE, LEAST, Step, levels

__all__ = ["Apart", "apart"]

# Two-sided, of intervals and, divided among all runs, of the test.
_LEVEL = 0.05


@dataclass(frozen=True)
class Apart:
    """One run that differs from the level around it.

    Attributes
    ----------
    position : int
        Of the run, from 0.
    ratio, low, high : float
        The run / the median of its level, with a 95 % interval.
    p : float
        Two-sided, times the number of runs that it may have been.
    runs : int
        How many others the level has.
    """

    position: int
    ratio: float
    low: float
    high: float
    p: float
    runs: int


def apart(
    values: Sequence[float], steps: Sequence[Step], least: float = LEAST
) -> tuple[Apart, ...]:
    """Return the runs that differ from their level by `least` or more, and significantly.

    Parameters
    ----------
    values : sequence of float, shape (runs,)
        Positive, one for each run, in order.
    steps : sequence of Step
        Those of the series, as `jitcost.stats.steps.steps` returns them.
    least : float
        0.05 for 5 %; downwards the factor that undoes it.

    Notes
    -----
    By how much runs differ is told by the others alone, and of them by those that are within a factor
    of `ALONE` of their levels: two releases that are five times as slow would hide one another.

    Examples
    --------
    >>> (one,) = apart([1.0, 1.01, 3.0, 1.0, 1.01, 0.99, 1.0], ())
    >>> one.position, round(one.ratio, 3)
    (2, 3.0)
    """
    divided = levels(values, steps)
    away = residuals(divided)
    sizes = [len(its) for its in divided for _ in its]
    found = []
    for position, (residual, size) in enumerate(zip(away, sizes, strict=True)):
        if abs(residual) < math.log1p(least) or size == 1:
            continue
        others = [
            other
            for place, other in enumerate(away)
            if place != position and abs(other) < math.log(ALONE)
        ]
        differing = scatter(others, parameters=len(divided))
        if abs(residual) <= differing.half_width(1, size - 1, _LEVEL / len(away)):
            continue
        half = differing.half_width(1, size - 1, _LEVEL)
        ratio, low, high = map(math.exp, (residual, residual - half, residual + half))
        p = min(1.0, differing.p(residual, 1, size - 1) * len(away))
        found.append(Apart(position, ratio, low, high, p, size - 1))
    return tuple(found)
