"""Which backend has drifted or stands apart in a run: the baseline or, as all go along, the machine.

By the same signs as of steps (`jitcost.questions.who_changed`): what is the baseline's own is undone in
the ratios to it; where it is not, and there are two others and more, it is the machine's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from jitcost.questions.looked import FEWEST_OTHERS, Looked, mirrored, shift
from jitcost.questions.series import Together
from jitcost.stats.apart import Apart
from jitcost.stats.drifts import drift, thirds

__all__ = ["own_drifts", "own_runs_apart"]


def own_drifts(
    base: Looked, others: Sequence[Looked], cells: Together, least: float
) -> tuple[Looked, list[Looked]]:
    """Return the baseline and the others with the drifts that are their own.

    What drifts is no measure: beside a baseline that does, the others' drifts are those of their times.

    Parameters
    ----------
    base : Looked
        By its times.
    others : sequence of Looked
        By their ratios to it.
    cells : Together
    least : float
        See `jitcost.stats.drifts.drift`.
    """
    if base.drift is None:
        return base, list(others)
    first, last = thirds(len(base.runs))
    shifts = [shift(one.values, base.runs[first], base.runs[last]) for one in others]
    known = [each for each in shifts if each is not None]
    if mirrored(known, base.drift.ratio):
        return base, [one if one.steps else _by_times(one, cells, least) for one in others]
    return (base if len(known) < FEWEST_OTHERS else replace(base, drift=None)), list(others)


def _by_times(one: Looked, cells: Together, least: float) -> Looked:
    times = cells.times[one.backend]
    found = drift(list(times.values()), least)
    if found is None:
        return replace(one, drift=None)
    return replace(one, series="times", values=times, drift=found, apart=())


def own_runs_apart(base: Looked, others: Sequence[Looked]) -> tuple[Looked, list[Looked]]:
    """Return the baseline and the others with the runs in which they themselves stand apart."""
    own: dict[str, Apart] = {}
    for one in base.apart:
        run = base.runs[one.position]
        rest = [name for name in base.runs if name != run]
        shifts = [shift(other.values, rest, [run]) for other in others]
        known = [each for each in shifts if each is not None]
        if mirrored(known, one.ratio) or len(known) < FEWEST_OTHERS:
            own[run] = one
    return replace(base, apart=tuple(own.values())), [_without(one, own) for one in others]


def _without(other: Looked, own: dict[str, Apart]) -> Looked:
    """Return a series of ratios without the runs that stand apart because the baseline does."""
    kept = [
        one
        for one in other.apart
        if (base := own.get(other.runs[one.position])) is None
        or not mirrored([math.log(one.ratio)], base.ratio)
    ]
    return replace(other, apart=tuple(kept))
