"""Which backend has changed, where a series steps: it, its baseline, or the machine.

A machine is slower in one run than in the other, and what all backends have in common with it cancels
in ratios to the baseline of the same run. So ratios are what is looked at; but each of them has two
sides, and where the baseline changes, all of them step. Two signs tell that it was the baseline:

- its own times step there, and the ratios step by the inverse. Where they stay as they were, the others
  have gone along with it: of two others and more that is the machine, and no change of anybody's.
- Its times, which have the machine's moods in them, show nothing; but two other backends or more step
  there, all of them alike.

The baseline's change is told of it alone, and taken back from the others' ratios: what is then left of
a step is their own.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from jitcost.questions.series import Together
from jitcost.stats.steps import FEWEST_RUNS, Step, steps

__all__ = ["Looked", "looked_at"]

# One other backend that goes along with the baseline may have changed as well as it.
_FEWEST_OTHERS = 2


@dataclass(frozen=True)
class Looked:
    """The series of one backend that was looked at.

    Attributes
    ----------
    backend : str
    series : str
        `times`, or `ratio to` a backend.
    runs : tuple of str
        The axis's values that it has.
    steps : tuple of Step
        Their positions are among `runs`.
    """

    backend: str
    series: str
    runs: tuple[str, ...]
    steps: tuple[Step, ...]


def looked_at(
    cells: Together, least: float, alone: float, *, baseline_may_change: bool = True
) -> list[Looked]:
    """Return what was looked at of each backend, and the steps that are its own.

    Parameters
    ----------
    cells : Together
        One benchmark at one size.
    least, alone : float
        See `jitcost.stats.steps.steps`.
    baseline_may_change : bool
        False where what varies cannot change it: what all others do alike is theirs then.

    Returns
    -------
    list of Looked
        One for each backend; and another one for the baseline, where others' ratios tell its steps.
    """
    ratios = {
        name: its
        for name in cells.times
        if name != cells.baseline and len(its := cells.ratios(name)) >= FEWEST_RUNS
    }
    found = {
        name: _look(name, "times", times, least, alone)
        for name, times in cells.times.items()
        if name not in ratios
    }
    base = cells.baseline
    if base is None or not ratios:
        return [found[name] for name in cells.times]
    found[base], taken_back = _of_the_baseline(found[base], list(ratios.values()))
    for name, its in ratios.items():
        own = {run: ratio * taken_back.get(run, 1.0) for run, ratio in its.items()}
        found[name] = _look(name, f"ratio to {base}", own, least, alone)
    looked = [found[name] for name in cells.times]
    return [*_alike(looked, base, math.log1p(least))] if baseline_may_change else looked


def _look(
    backend: str, series: str, values: Mapping[str, float], least: float, alone: float
) -> Looked:
    return Looked(backend, series, tuple(values), steps(list(values.values()), least, alone))


def _of_the_baseline(
    its: Looked, ratios: Sequence[Mapping[str, float]]
) -> tuple[Looked, dict[str, float]]:
    """Return the baseline's steps without the machine's, and by what to multiply each run's ratios."""
    own, factors = [], dict.fromkeys(its.runs, 1.0)
    for number, step in enumerate(its.steps):
        # Upward in the baseline's time is downward in a ratio to it.
        height = -math.log(step.ratio)
        shifts = [_shift(one, its, number) for one in ratios]
        known = [shift for shift in shifts if shift is not None]
        if known and statistics.median(known) / height > 0.5:
            own.append(step)
            # By how much, a ratio knows better than times do: the one that agrees with them.
            undone = min(known, key=lambda shift: abs(shift - height))
            for run in its.runs[step.position :]:
                factors[run] /= math.exp(undone)
        elif len(known) < _FEWEST_OTHERS:
            own.append(step)
    return replace(its, steps=tuple(own)), factors


def _shift(ratios: Mapping[str, float], its: Looked, number: int) -> float | None:
    """Return the logarithm of how ratios differ on the sides of the baseline's step; None: unknown."""
    step = its.steps[number]
    start, end = step.position - step.runs_before, step.position + step.runs_after
    before, after = its.runs[start : step.position], its.runs[step.position : end]
    sides = [[math.log(ratios[run]) for run in runs if run in ratios] for runs in (before, after)]
    if not all(sides):
        return None
    return statistics.median(sides[1]) - statistics.median(sides[0])


def _alike(looked: Sequence[Looked], base: str, least: float) -> Iterator[Looked]:
    """Yield what was looked at, with the steps that all ratios share as the baseline's alone."""
    others = [one for one in looked if one.series == f"ratio to {base}"]
    shared: dict[str, Step] = {}
    if len(others) >= _FEWEST_OTHERS:
        at = [{one.runs[step.position]: step for step in one.steps} for one in others]
        for run in set.intersection(*map(set, at)):
            heights = [math.log(steps_of[run].ratio) for steps_of in at]
            if max(heights) - min(heights) <= least:
                shared[run] = at[0][run]
    for one in looked:
        if one.backend == base and shared:
            yield one
            turned = [_turned(step, one, run) for run, step in shared.items()]
            turned.sort(key=lambda step: step.position)
            yield replace(one, series=f"ratio to {others[0].backend}", steps=tuple(turned))
        else:
            kept = [step for step in one.steps if one.runs[step.position] not in shared]
            yield replace(one, steps=tuple(kept)) if one in others else one


def _turned(step: Step, base: Looked, run: str) -> Step:
    """Return a step of a ratio as one of the inverse, at its place among the baseline's runs."""
    place = base.runs.index(run)
    return replace(step, position=place, ratio=1 / step.ratio, low=1 / step.high, high=1 / step.low)
