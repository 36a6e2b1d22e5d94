"""Whether a series has changed little by little, and not in steps: its drift.

Twenty changes of 2 % each are none of them a step, and make a kernel half as slow again.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jitcost.stats.scatter import about_medians, scatter
from jitcost.stats.steps import LEAST, Step, levels

__all__ = ["Drift", "drift", "thirds"]

# Three in a third: the median of fewer follows a single one that was disturbed.
_FEWEST_RUNS = 9

_LEVEL = 0.05


@dataclass(frozen=True)
class Drift:
    """How far a series has moved from its first third to its last.

    Attributes
    ----------
    ratio, low, high : float
        Last / first, of the medians (of logarithms) of the thirds, with a 95 % interval.
    p : float
        Two-sided.
    runs : int
        In each of the two.
    """

    ratio: float
    low: float
    high: float
    p: float
    runs: int


def thirds(runs: int) -> tuple[slice, slice]:
    """Return where the first and the last third of a series are; what does not divide is between."""
    return slice(0, runs // 3), slice(runs - runs // 3, runs)


def drift(
    values: Sequence[float], least: float = LEAST, steps: Sequence[Step] = ()
) -> Drift | None:
    """Return the drift of a series; None where it is none, and of fewer than nine runs.

    It is one where the medians of the first and the last third differ by `least` or more, and
    significantly: t, from the residuals about Tukey's resistant line (1977), which goes through these
    medians, by the rule of `jitcost.stats.scatter`. A step is a drift, too: where a series has any, the
    line has to leave less of it than they do.

    Parameters
    ----------
    values : sequence of float, shape (runs,)
        Positive, one for each run, in order.
    least : float
        0.05 for 5 %; downwards the factor that undoes it.
    steps : sequence of Step
        Those of the series, as `jitcost.stats.steps.steps` returns them.

    Examples
    --------
    >>> slower = drift([1.02**run for run in range(9)])
    >>> round(slower.ratio, 3), slower.runs  # of the runs 1 and 7
    (1.126, 3)
    """
    if len(values) < _FEWEST_RUNS:
        return None
    logs = np.log(values)
    first, last = thirds(len(values))
    places = np.arange(len(values))
    height = statistics.median(logs[last]) - statistics.median(logs[first])
    slope = height / (places[last].mean() - places[first].mean())
    around = logs - slope * places
    found = scatter((around - np.median(around)).tolist(), parameters=2)
    runs = len(values) // 3
    normal = found.unwinsorised()
    half = normal.half_width(runs, runs, _LEVEL)
    if steps and about_medians(levels(values, steps)).variance <= found.variance:
        return None
    if abs(height) < math.log1p(least) or abs(height) <= half:
        return None
    ratio, low, high = map(math.exp, (height, height - half, height + half))
    return Drift(ratio, low, high, normal.p(height, runs, runs), runs)
