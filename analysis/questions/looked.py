"""One backend's series and what is seen in it, and how far others move with it at the same place."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jitcost.stats.apart import Apart, apart
from jitcost.stats.drifts import Drift, drift
from jitcost.stats.steps import Step, steps

__all__ = ["FEWEST_OTHERS", "Looked", "look", "mirrored", "shift", "sides"]

# One other backend that goes along with the baseline may have changed as well as it.
FEWEST_OTHERS = 2


@dataclass(frozen=True)
class Looked:
    """The series of one backend that was looked at.

    Attributes
    ----------
    backend : str
    series : str
        `times`, or `ratio to` a backend.
    values : mapping of str to float
        By the axis's values that it has, in order.
    steps : tuple of Step
        Their positions, and those of `apart`, are among `runs`.
    drift : Drift or None
        Then there are no steps, and no runs apart.
    apart : tuple of Apart
        The runs that the steps leave out.
    """

    backend: str
    series: str
    values: Mapping[str, float]
    steps: tuple[Step, ...]
    drift: Drift | None
    apart: tuple[Apart, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """The axis's values that it has."""
        return tuple(self.values)


def look(
    backend: str, series: str, values: Mapping[str, float], least: float, alone: float
) -> Looked:
    """Look at a series; `least` and `alone` are those of `jitcost.stats.steps.steps`."""
    numbers = list(values.values())
    found = steps(numbers, least, alone)
    drifting = drift(numbers, least, found)
    if drifting is not None:  # from a level that moves no run stands apart
        return Looked(backend, series, values, (), drifting, ())
    return Looked(backend, series, values, found, None, apart(numbers, found, least))


def sides(looked: Looked, step: Step) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the runs before and after a step, as far as the neighbouring ones."""
    start, end = step.position - step.runs_before, step.position + step.runs_after
    return looked.runs[start : step.position], looked.runs[step.position : end]


def shift(values: Mapping[str, float], before: Sequence[str], after: Sequence[str]) -> float | None:
    """Return the logarithm of how values differ between two sides; None where a side has none."""
    logs = [[math.log(values[run]) for run in runs if run in values] for runs in (before, after)]
    if not all(logs):
        return None
    return statistics.median(logs[1]) - statistics.median(logs[0])


def mirrored(shifts: Sequence[float], ratio: float) -> bool:
    """Tell whether ratios to a baseline undo most of a change of its times: whether it is its own."""
    return bool(shifts) and statistics.median(shifts) / -math.log(ratio) > 0.5
