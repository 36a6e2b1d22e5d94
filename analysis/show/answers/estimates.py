"""Times and ratios with what their intervals leave open, as cells."""

from __future__ import annotations

import math
from collections.abc import Iterable

from jitcost.show.answers.intervals import basis
from jitcost.show.table import Cell, Mark
from jitcost.stats.estimates import Estimate
from jitcost.stats.intervals import COVERAGE, ORDERED
from jitcost.units import format_interval, format_seconds

__all__ = ["intervals_text", "ratio_cell", "time_cell", "worth_cell"]

_NO_INTERVAL = "no interval"


def time_cell(estimate: Estimate | None) -> Cell:
    """Return a time with half of its interval; a dash for what is not there."""
    if estimate is None:
        return Cell("-", value="")
    half = estimate.half_width
    more = f"±{format_seconds(half)}" if math.isfinite(half) else _NO_INTERVAL
    return Cell(format_seconds(estimate.value), more, value=estimate.value)


def ratio_cell(estimate: Estimate | None, more: str = "") -> Cell:
    """Return a ratio, with its interval unless something else stands below it."""
    if estimate is None:
        return Cell("-", value="")
    bounds = f"{estimate.low:.3g} to {estimate.high:.3g}"
    if not math.isfinite(estimate.high):
        bounds = _NO_INTERVAL
    return Cell(f"{estimate.value:.3g}", more or bounds, value=estimate.value)


def worth_cell(estimate: Estimate, *, largest: bool) -> Cell:
    """Return a difference of times with its interval, marked where it is the largest."""
    times = (estimate.value, estimate.low, estimate.high)
    text = (
        format_interval(*times)
        if all(map(math.isfinite, times))
        else f"{format_seconds(times[0])}, {_NO_INTERVAL}"
    )
    mark: Mark = "best" if largest else ""
    return Cell(f"{'*' if largest else ''}{text}", mark=mark, value=estimate.value)


def intervals_text(estimates: Iterable[Estimate | None]) -> str:
    """Return what the intervals of some estimates are.

    >>> known = Estimate(2.0, 1.0, 3.0, processes=5)
    >>> intervals_text([known, None])
    'intervals: at least 93.75 %, five processes a cell'
    """
    # A sum of nothing, as of no further elements at n = 1, is exact and rests on no process.
    there = [one for one in estimates if one is not None and one.low < one.high]
    # From five processes on intervals are order statistics', of fewer Student's.
    ordered = any((one.processes or 0) >= ORDERED for one in there)
    level = f"at least {100 * COVERAGE:.2f} %" if ordered else "95 %"
    return f"intervals: {basis(there, level)}"
