"""Which backend has changed, where a series steps: it, its baseline, or the machine.

A machine is slower in one run than in the other, and what all backends have in common with it cancels
in ratios to the baseline of the same run. So ratios are what is looked at; but each of them has two
sides, and where the baseline changes, all of them step. What varies may not be able to change it, as a
release of JAX cannot change NumPy: then its steps are the machine's, and the ratios' steps are not its.
Else two signs tell that it was the baseline:

- its own times step there, and the ratios step by the inverse. Where they stay as they were, the others
  have gone along with it: of two others and more that is the machine, and no change of anybody's.
- Its times, which have the machine's moods in them, do not step significantly, but are higher there by
  most of what two other backends or more step down by, all of them alike.

The baseline's change is told of it alone, and taken back from the others' ratios: what is then left of
a step is their own.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from jitcost.questions.looked import FEWEST_OTHERS, Looked, look, mirrored, shift, sides
from jitcost.questions.series import Together
from jitcost.questions.who_drifted import own_drifts, own_runs_apart
from jitcost.stats.steps import FEWEST_RUNS, Step

__all__ = ["looked_at"]

# Runs without a ratio are not looked at, and a step in them would be lost.
_MOST_WITHOUT_RATIO = 2


def looked_at(
    cells: Together, least: float, alone: float, fixed: Collection[str] = ()
) -> list[Looked]:
    """Return what was looked at of each backend, and the steps that are its own.

    Parameters
    ----------
    cells : Together
        One benchmark at one size.
    least, alone : float
        See `jitcost.stats.steps.steps`.
    fixed : collection of str
        The backends that what varies cannot change: these serve as baseline, and are not looked at.

    Returns
    -------
    list of Looked
        One for each backend; and another one for the baseline, where others' ratios tell its steps.
    """
    base, names = cells.baseline, [name for name in cells.times if name not in fixed]
    ratios = {name: its for name in names if name != base and (its := _ratios(cells, name))}
    found = {
        name: look(name, "times", cells.times[name], least, alone)
        for name in names
        if name not in ratios
    }
    if base is None or not ratios:
        return [found[name] for name in names]
    taken_back: Mapping[str, float] = {}
    if base in found:
        found[base], taken_back = _of_the_baseline(found[base], list(ratios.values()))
    for name, its in ratios.items():
        own = {run: ratio * taken_back.get(run, 1.0) for run, ratio in its.items()}
        found[name] = look(name, f"ratio to {base}", own, least, alone)
    if base in found:
        others = [found[name] for name in ratios]
        found[base], others = own_drifts(found[base], others, cells, least)
        found[base], others = own_runs_apart(found[base], others)
        found |= {other.backend: other for other in others}
    looked = [found[name] for name in names]
    return [*_alike(looked, cells, math.log1p(least))] if base in found else looked


def _ratios(cells: Together, backend: str) -> dict[str, float]:
    """Return the ratios of nearly all of a backend's runs; nothing where its times say more."""
    found = cells.ratios(backend)
    enough = max(FEWEST_RUNS, len(cells.times[backend]) - _MOST_WITHOUT_RATIO)
    return found if len(found) >= enough else {}


def _of_the_baseline(
    its: Looked, ratios: Sequence[Mapping[str, float]]
) -> tuple[Looked, dict[str, float]]:
    """Return the baseline's steps without the machine's, and by what to multiply each run's ratios."""
    own, factors = [], dict.fromkeys(its.runs, 1.0)
    for step in its.steps:
        height = -math.log(step.ratio)  # upward in the baseline's time is downward in a ratio to it
        before, after = sides(its, step)
        shifts = [shift(one, before, after) for one in ratios]
        known = [each for each in shifts if each is not None]
        if mirrored(known, step.ratio):
            own.append(step)
            # By how much, a ratio knows better than times do: the one that agrees with them.
            undone = min(known, key=lambda each: abs(each - height))
            for run in its.runs[step.position :]:
                factors[run] /= math.exp(undone)
        elif len(known) < FEWEST_OTHERS:
            own.append(step)
    return replace(its, steps=tuple(own)), factors


def _alike(looked: Sequence[Looked], cells: Together, least: float) -> Iterator[Looked]:
    """Yield what was looked at, with the steps that are the baseline's, by all ratios, as its alone."""
    base = cells.baseline
    others = [one for one in looked if one.series == f"ratio to {base}"]
    shared = {
        run: step
        for run, step in _shared(others, least).items()
        if _goes_with(cells.times[str(base)], others[0], step)
    }
    for one in looked:
        if one.backend == base and shared:
            yield one
            turned = [_turned(step, one, run) for run, step in shared.items()]
            turned.sort(key=lambda step: step.position)
            series = f"ratio to {others[0].backend}"
            yield replace(one, series=series, steps=tuple(turned), drift=None, apart=())
        else:
            kept = [step for step in one.steps if one.runs[step.position] not in shared]
            yield replace(one, steps=tuple(kept)) if one in others else one


def _shared(others: Sequence[Looked], least: float) -> dict[str, Step]:
    """Return the first one's steps that all have, of one size, by the run that begins a new level."""
    if len(others) < FEWEST_OTHERS:
        return {}
    at = [{one.runs[step.position]: step for step in one.steps} for one in others]
    shared = {}
    for run in set.intersection(*map(set, at)):
        heights = [math.log(steps_of[run].ratio) for steps_of in at]
        if max(heights) - min(heights) <= least:
            shared[run] = at[0][run]
    return shared


def _goes_with(times: Mapping[str, float], other: Looked, step: Step) -> bool:
    """Tell whether the baseline's times make up most of a step of the ratios to it.

    Where they do not, the others have changed alike: what they share need not be the baseline.
    """
    change = shift(times, *sides(other, step))
    return change is not None and mirrored([change], step.ratio)


def _turned(step: Step, base: Looked, run: str) -> Step:
    """Return a step of a ratio as one of the inverse, at its place among the baseline's runs."""
    place = base.runs.index(run)
    return replace(step, position=place, ratio=1 / step.ratio, low=1 / step.high, high=1 / step.low)
