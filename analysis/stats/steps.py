"""Where a series of runs changes for good: its steps, each with its size and an interval.

The places are those that asv finds (`asv.step_detect`: the piecewise constant series with the least sum
of absolute deviations, at a price for each step), here on logarithms: a change is a factor. What asv
finds is then held against what is known of runs: one that stands alone is no step, and a step has to
be significant.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jitcost.stats.scatter import Scatter, about_medians

__all__ = ["ALONE", "FEWEST_RUNS", "LEAST", "Step", "levels", "steps"]

# In fewer, how much runs differ is hardly known; of five flat ones with one run in eight slowed, asv's
# rule alone divides every second series.
FEWEST_RUNS = 5

# The smallest change that is told, as a share: runs of one machine differ by 3 % with nothing changed.
LEAST = 0.05

# Nothing that disturbs all of a run, and not single processes of it, was seen to take this factor.
ALONE = 2.0

# What a step costs, in units of log(runs) / runs. asv takes 4, and has no other test: of 30 runs that
# differ by 2 % it then misses every second step of 10 %. With this, and the tests below, hardly one.
_PRICE = 2.5

# A level of no more runs from which a series comes back is none: where one run in eight is slowed, every
# third series of 30 holds two in a row, and they would be most of what is told.
_EXCURSION = 2

# Two-sided, of intervals and, divided among all places, of the test.
_LEVEL = 0.05


@dataclass(frozen=True)
class Step:
    """One change of level.

    Attributes
    ----------
    position : int
        Of the first run of the new level, from 0.
    ratio : float
        After / before: of the medians (of logarithms) of the runs as far as the neighbouring steps.
    low, high : float
        Its 95 % interval: t, from the residuals of all runs about their levels.
    runs_before, runs_after : int
        How many these are, with those that were set aside.
    p : float
        Two-sided, times the number of places where the step may have been.
    """

    position: int
    ratio: float
    low: float
    high: float
    runs_before: int
    runs_after: int
    p: float


def steps(
    values: Sequence[float], least: float = LEAST, alone: float = math.inf
) -> tuple[Step, ...]:
    """Return the steps of a series.

    - What is smaller than `least` is none, nor what is not significant (t, at 5 % over the number of
      places where it may have been): the levels on its sides are one.
    - A run that stands alone above both of its neighbouring levels, or below both, is an outlier and
      belongs to the nearer of them, or to the longer, where these agree to within `least`.
    - Two runs from which a series comes back to within `least` belong to the levels around them.
    - One alone at the first or the last place may be either, and nothing in the series tells which. It
      is taken for an outlier unless it is `alone` times as large as its neighbours, or as small.

    Parameters
    ----------
    values : sequence of float, shape (runs,)
        One positive number for each run, in order, all in one unit.
    least : float
        0.05 for 5 %; a step down counts as the factor that undoes it.
    alone : float
        Infinite where the next run will tell; `ALONE` where there will be none.

    Returns
    -------
    tuple of Step
        In order; none of fewer than `FEWEST_RUNS`.

    Raises
    ------
    ValueError
        If a value is not positive and finite, `least` is negative, or `alone` is below 1.

    Notes
    -----
    The interval is that of a difference of medians of normal logarithms, from one scatter for the whole
    series (`jitcost.stats.scatter`). Its coverage is in analysis/STATISTICS.md. `p` has the places
    counted, and nothing else: who looks at many series has to count these as well.

    Examples
    --------
    >>> [(step.position, step.ratio) for step in steps([1.0, 1.01, 1.0, 2.0, 2.02, 2.0])]
    [(3, 2.0)]
    >>> steps([1.0, 1.01, 1.0, 3.0, 1.0, 1.01, 1.0])
    ()
    """
    if not all(0 < value < math.inf for value in values):
        raise ValueError("the values have to be positive and finite")
    if least < 0 or alone < 1:
        raise ValueError("the least change has to be a share, and what stands alone a factor")
    if len(values) < FEWEST_RUNS:
        return ()
    levels = _Levels(np.log(values).tolist())
    while (place := levels.to_be_joined(math.log1p(least), math.log(alone))) is not None:
        levels.join(place)
    return levels.steps()


def levels(values: Sequence[float], found: Sequence[Step]) -> list[list[float]]:
    """Return the logarithms of a series, divided at its steps."""
    logs = [math.log(value) for value in values]
    ends = [0, *(step.position for step in found), len(logs)]
    return [logs[start:end] for start, end in itertools.pairwise(ends)]


class _Levels:
    """A series of logarithms divided into levels: the runs of each, and their medians."""

    def __init__(self, logs: Sequence[float]) -> None:
        from asv import step_detect  # it brings the whole of asv: a tenth of a second

        self.count = len(logs)
        # asv's floor of the noise is a thousandth of the values, as it is of times; of logarithms that
        # would depend on their unit, if they did not start at 1.
        lowest, price = min(logs), _PRICE * math.log(self.count) / self.count
        ends, *_ = step_detect.solve_potts_autogamma(
            [1 + log - lowest for log in logs], w=[1] * self.count, beta=price
        )
        self.runs = [list(logs[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        self.medians = [statistics.median(its) for its in self.runs]

    def join(self, place: int) -> None:
        """Make a level one with the one before it."""
        self.runs[place - 1 : place + 1] = [self.runs[place - 1] + self.runs[place]]
        self.medians[place - 1 : place + 1] = [statistics.median(self.runs[place - 1])]

    def to_be_joined(self, least: float, alone: float) -> int | None:
        """Return which of the levels is to be one with the one before it; None where none is.

        The smallest steps go first: asv may take each run for a level of its own, and an outlier is
        seen only beside levels of several.
        """
        heights = {
            place: abs(self.medians[place] - self.medians[place - 1])
            for place in range(1, len(self.runs))
        }
        if not heights:
            return None
        smallest = min(heights, key=heights.__getitem__)
        if heights[smallest] < least:
            return smallest
        if (place := self._outlier(least, alone)) is not None:
            return place
        level, differing = _LEVEL / (self.count - 1), self._scatter()
        chance = [
            place
            for place in heights
            if heights[place] <= differing.half_width(*self._sides(place), level)
        ]
        return min(chance, key=heights.__getitem__) if chance else self._excursion(least)

    def steps(self) -> tuple[Step, ...]:
        """Return the steps from each level to the next."""
        found, differing = [], self._scatter()
        for place in range(1, len(self.runs)):
            height, sides = self.medians[place] - self.medians[place - 1], self._sides(place)
            half = differing.half_width(*sides, _LEVEL)
            ratio, low, high = map(math.exp, (height, height - half, height + half))
            position = sum(map(len, self.runs[:place]))
            p = min(1.0, differing.p(height, *sides) * (self.count - 1))
            found.append(Step(position, ratio, low, high, *sides, p))
        return tuple(found)

    def _outlier(self, least: float, alone: float) -> int | None:
        """Return which level is to be joined for an outlier, those inside and the furthest first."""
        found: list[tuple[bool, float, int]] = []
        for place in [place for place, its in enumerate(self.runs) if len(its) == 1]:
            apart = {
                other: self.medians[place] - self.medians[other]
                for other in (place - 1, place + 1)
                if 0 <= other < len(self.runs)
            }
            inside = len(apart) == 2
            if max(apart.values()) - min(apart.values()) <= least:
                chosen = max(apart, key=lambda other: len(self.runs[other]))
            else:
                chosen = min(apart, key=lambda other: abs(apart[other]))
            distance = abs(apart[chosen])
            if math.prod(apart.values()) > 0 if inside else distance < alone:
                found.append((inside, distance, max(place, chosen)))
        return max(found)[-1] if found else None

    def _excursion(self, least: float) -> int | None:
        """Return the first level of a few runs between two that agree; None where there is none."""
        for place in range(1, len(self.runs) - 1):
            back = abs(self.medians[place + 1] - self.medians[place - 1]) <= least
            if back and len(self.runs[place]) <= _EXCURSION:
                return place
        return None

    def _scatter(self) -> Scatter:
        return about_medians(self.runs)

    def _sides(self, place: int) -> tuple[int, int]:
        return len(self.runs[place - 1]), len(self.runs[place])
