"""The points of a series over releases or commits, each judged against the one before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from jitcost.questions.over_time import Number
from jitcost.questions.releases import Axis
from jitcost.questions.runs import Runs
from jitcost.stats.gate import CommonFactor, changed
from jitcost.stats.times import Kind, Time, ratio

__all__ = ["ChangeVerdict", "Point", "points"]

ChangeVerdict = Literal["slower", "faster", "not significantly different", "no interval"]


@dataclass(frozen=True)
class Point:
    """A number at one release or commit.

    Attributes
    ----------
    value : float
        In the series' unit; infinite calls are never.
    low, high : float or None
        Its interval; None where there is none.
    release : str
        What the release or commit is called.
    change : float or None
        Relative to the point before; None where there is none, or one of both is never.
    changed : bool or None
        Whether the verdict is that it has; None without one.
    interval : {"of processes", "of samples", "none"}
        What the interval is of: of call cost, element cost and m*, those of the times in them.
    ratio, ratio_low, ratio_high : float or None
        To the point before, divided by `common`, with the interval of both; None without it, and of
        what is not judged.
    verdict : {"slower", "faster", "not significantly different", "no interval"} or None
        See `jitcost.stats.gate.changed`; None at the first point, and of what is not judged.
    would_show : float or None
        The change, as a share, that would nearly always have been called one.
    common : float or None
        What the cells of this run have in common, as a multiple of those of the run of the point
        before, see `jitcost.questions.runs`; None where it is not known, and 1 is taken.
    """

    value: float
    low: float | None
    high: float | None
    release: str
    change: float | None
    changed: bool | None
    interval: Kind
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    verdict: ChangeVerdict | None = None
    would_show: float | None = None
    common: float | None = None


def points(members: Sequence[Number], axis: Axis, runs: Runs) -> Iterator[Point]:
    """Yield the points of a series, each with its change against the one before it.

    Parameters
    ----------
    members : sequence of Number
        One quantity of one backend, at one size; one for each value of the axis that it has.
    axis : Axis
    runs : Runs
        Along the same axis.
    """
    place = {value: position for position, value in enumerate(axis.labels)}

    def on_axis(number: Number) -> str:
        return str(getattr(number.of.origin, axis.column))

    ordered = sorted(members, key=lambda number: place[on_axis(number)])
    for before, its in zip((None, *ordered), ordered, strict=False):
        time = its.time
        point = Point(
            time.value, time.low, time.high, axis.labels[on_axis(its)], None, None, time.kind
        )
        if before is None:
            yield point
        elif its.judged is not None and before.judged is not None:
            common = runs.common(on_axis(before), on_axis(its), its.backend)
            yield _judged(point, before.judged, its.judged, common)
        elif 0 < before.time.value < math.inf and time.value < math.inf:
            yield replace(point, change=time.value / before.time.value - 1)
        else:
            yield point


def _judged(point: Point, before: Time, its: Time, common: CommonFactor | None) -> Point:
    found = changed(ratio(its, before), common)
    known = found.verdict != "no interval"
    return replace(
        point,
        change=found.value - 1,
        changed=found.verdict in ("slower", "faster") if known else None,
        ratio=found.value,
        ratio_low=found.low if known else None,
        ratio_high=found.high if known else None,
        verdict=found.verdict,
        would_show=found.would_show if known else None,
        common=common.value if common else None,
    )
