"""What has changed over releases and commits, as tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from jitcost.questions import changes
from jitcost.questions.answers import Answer
from jitcost.questions.history import QUANTITIES, Point, Row
from jitcost.questions.releases import COMMITS, Where
from jitcost.show.answers import change_words, marks
from jitcost.show.answers.marks import Marks
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.stats.gate import MARGIN
from jitcost.units import format_interval, format_seconds, size_text

__all__ = ["change_text", "labels_of", "over_text", "quantity_text", "tables", "value_text"]
__all__ += ["unpinned_text", "where_text"]

NOTE = (
    "change: of the ratio to the line above, with its interval, divided by what the runs' cells have in "
    f"common; called one where all of the interval is more than {100 * MARGIN:.0f} % away, which runs "
    "differ by with nothing changed"
)
OF_SAMPLES = "some intervals are of samples: how much processes differ is not known there"
NO_FACTOR = "too few cells that could not have changed: a change may be the machine's"
DERIVED = "made of several times, which are judged above: overlap of [intervals] is no test"

# Of one table: no further one would leave the intervals their room on 100 letters.
MOST_QUANTITIES = 4

_MARKS: dict[str, Mark] = {"slower": "warn", "faster": "best"}


def tables(answer: Answer[Row], steps: Iterable[changes.Row] = ()) -> list[Table]:
    """Return tables for each workload, backend and axis, in their order: times, C, then the others.

    Times and C have a line for each release or commit, below the one that it is compared with; what is
    made of them has a column for each quantity.

    Parameters
    ----------
    answer : Answer of Row
    steps : iterable of jitcost.questions.changes.Row
        Are marked where they are.
    """
    marked = Marks(steps)
    together: dict[str, list[Row]] = {}
    for row in answer:
        title = (
            f"{row.title} on {row.backend}, over {over_text(row.over)} ({where_text(row.where)})"
        )
        together.setdefault(title, []).append(row)
    made = []
    for title, series in together.items():
        ordered = sorted(series, key=lambda row: (QUANTITIES.index(row.quantity), row.n or 0))
        judged = [row for row in ordered if row.quantity in ("time", "C")]
        derived = [row for row in ordered if row not in judged]
        if judged:
            made.append(_judged(title, judged, marked))
        for start in range(0, len(derived), MOST_QUANTITIES):
            made.append(_derived(title, derived[start : start + MOST_QUANTITIES]))
    return made


def _judged(title: str, series: Sequence[Row], marked: Marks) -> Table:
    points = [point for row in series for point in row.points]
    compared = [point for point in points if point.verdict not in (None, "no interval")]
    stepped = any(marked.at(row, point) for row in series for point in row.points)
    remarks = []
    if any(point.interval == "of samples" for point in points):
        remarks.append(OF_SAMPLES)
    if any(point.common is None for point in compared):
        remarks.append(NO_FACTOR)
    return Table(
        title,
        (
            Column("quantity", words=True),
            Column(_over(series), words=True),
            Column("value", "s"),
            Column("interval", detail=1),
            Column("change", words=True, breaks=True),
        ),
        tuple(
            (
                # Said once, for all of its lines; programs read it in each.
                Cell("" if number else quantity_text(row), value=quantity_text(row)),
                Cell(point.release),
                Cell(value_text(row, point)[0], value=_number(point.value)),
                Cell(value_text(row, point)[1]),
                _change(point, step=marked.at(row, point)),
            )
            for row in series
            for number, point in enumerate(row.points)
        ),
        note=f"{NOTE}; {marks.NOTE}" if stepped else NOTE,
        remarks=tuple(remarks),
    )


def _change(point: Point, *, step: bool) -> Cell:
    text = change_text(point)
    said = f"{text}; {marks.MARK}" if step else text
    return Cell(said, mark=_MARKS.get(point.verdict or "", ""))


def _derived(title: str, series: Sequence[Row]) -> Table:
    by_label = [{point.release: point for point in row.points} for row in series]
    return Table(
        title,
        (
            Column(_over(series), words=True),
            *(Column(quantity_text(row), "s" if row.unit == "seconds" else "") for row in series),
        ),
        tuple(
            (
                Cell(label),
                *(_cell(row, its.get(label)) for row, its in zip(series, by_label, strict=True)),
            )
            for label in labels_of(series)
        ),
        note=DERIVED,
    )


def _over(series: Sequence[Row]) -> str:
    return "commit" if series[0].over == COMMITS else "release"


def _cell(row: Row, point: Point | None) -> Cell:
    if point is None:
        return Cell("-", value="")
    return Cell(*value_text(row, point), value=_number(point.value))


def _number(value: float) -> float | str:
    return "never" if math.isinf(value) else value


def quantity_text(row: Row) -> str:
    """Return a quantity, with the size that it is at."""
    at = "" if row.n is None else f", n = {size_text(row.n)}"
    return f"{row.quantity}{at}"


def labels_of(series: Iterable[Row]) -> list[str]:
    """Return the releases or commits of some series, in order."""
    longest_first = sorted(series, key=lambda row: -len(row.points))
    return list(dict.fromkeys(point.release for row in longest_first for point in row.points))


def over_text(over: str) -> str:
    """Return what a series is over."""
    return COMMITS if over == COMMITS else f"releases of {over}"


def where_text(where: Where) -> str:
    """Return where a series was measured: what its points have in common."""
    settings = "".join(f", {name}={value}" for name, value in where.env_vars.items())
    if where.commit is None:
        return f"{where.environment} on {where.machine}{settings}"
    return f"Python {where.python} on {where.machine}, commit {where.commit[:8]}{settings}"


def unpinned_text(library: str, environments: Sequence[str]) -> str:
    """Return which environments are no releases of a library, and why."""
    return f"no releases of {library}, for they leave its version open: {', '.join(environments)}"


def value_text(row: Row, point: Point) -> tuple[str, str]:
    """Return a point's value, and its interval."""
    low, high = point.low, point.high
    if row.unit == "calls":
        known = low is not None and high is not None
        if math.isinf(point.value) and known and low != math.inf:
            return "cannot tell", ""
        value, *bounds = (
            "never" if math.isinf(end) else f"{end:,.0f}"
            for end in (point.value, *((low, high) if low is not None and high is not None else ()))
        )
        return value, f"[{', '.join(bounds)}]" if bounds else "no interval"
    if low is None or high is None or math.isinf(high):
        return format_seconds(point.value), "no interval"
    number, interval, unit = re.split(r" (?=\[)|(?<=\]) ", format_interval(point.value, low, high))
    return f"{number} {unit}", interval


def change_text(point: Point) -> str:
    """Return how a point differs from the one before it, in the words of its verdict.

    >>> from dataclasses import replace
    >>> last = Point(3.0, 2.9, 3.1, "2.0", 0.12, True, "of processes", 1.12, 1.09, 1.15, "slower", 0.09)
    >>> change_text(last)
    'slower by 12 % [9, 15]'
    >>> change_text(replace(last, ratio=0.8, ratio_low=0.75, ratio_high=0.9, verdict="faster"))
    'faster by 20 % [10, 25]'
    >>> change_text(replace(last, verdict="not significantly different", would_show=0.071))
    'not significantly different (8 % would have shown)'
    """
    ratio, low, high = point.ratio, point.ratio_low, point.ratio_high
    if point.verdict is None or ratio is None or low is None or high is None:
        return point.verdict or ""
    return change_words.change_text(point.verdict, ratio, low, high, point.would_show)
