"""What has changed over releases and commits, as tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from jitcost.questions.answers import Answer
from jitcost.questions.history import COMMITS, QUANTITIES, Point, Row
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_interval, format_seconds, size_text

__all__ = ["change_text", "labels_of", "over_text", "tables", "value_text", "where_text"]

NOTE = "change against the line above; =: not significantly different, the [intervals] overlap"

# Of one table: no further one would leave the intervals their room on 100 letters.
MOST_QUANTITIES = 4


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each workload, backend and axis: a row for each release or commit."""
    together: dict[str, list[Row]] = {}
    for row in answer:
        title = f"{row.title} on {row.backend}, over {over_text(row)} ({where_text(row)})"
        together.setdefault(title, []).append(row)
    return [_table(title, part) for title, series in together.items() for part in _in_parts(series)]


def _in_parts(series: Iterable[Row]) -> Iterator[Sequence[Row]]:
    ordered = sorted(series, key=lambda row: (QUANTITIES.index(row.quantity), row.n or 0))
    for start in range(0, len(ordered), MOST_QUANTITIES):
        yield ordered[start : start + MOST_QUANTITIES]


def _table(title: str, series: Sequence[Row]) -> Table:
    by_label = [{point.release: point for point in row.points} for row in series]
    return Table(
        title,
        (
            Column("commit" if series[0].over == COMMITS else "release", words=True),
            *(Column(_quantity_text(row), "s" if row.unit == "seconds" else "") for row in series),
        ),
        tuple(
            (
                Cell(label),
                *(_cell(row, its.get(label)) for row, its in zip(series, by_label, strict=True)),
            )
            for label in labels_of(series)
        ),
        note=NOTE,
    )


def _cell(row: Row, point: Point | None) -> Cell:
    if point is None:
        return Cell("-", value="")
    value = "never" if math.isinf(point.value) else point.value
    return Cell(*value_text(row, point), mark="warn" if point.changed else "", value=value)


def _quantity_text(row: Row) -> str:
    """Return a quantity, with the size that it is at."""
    at = "" if row.n is None else f", n = {size_text(row.n)}"
    return f"{row.quantity}{at}"


def labels_of(series: Iterable[Row]) -> list[str]:
    """Return the releases or commits of some series, in order."""
    longest_first = sorted(series, key=lambda row: -len(row.points))
    return list(dict.fromkeys(point.release for row in longest_first for point in row.points))


def over_text(row: Row) -> str:
    """Return what a series is over."""
    return COMMITS if row.over == COMMITS else f"releases of {row.over}"


def where_text(row: Row) -> str:
    """Return where a series was measured: what its points have in common."""
    where = row.where
    settings = "".join(f", {name}={value}" for name, value in where.env_vars.items())
    if where.commit is None:
        return f"{where.environment} on {where.machine}{settings}"
    return f"Python {where.python} on {where.machine}, commit {where.commit[:8]}{settings}"


def value_text(row: Row, point: Point) -> tuple[str, str]:
    """Return a point's value with its change, and its interval."""
    ends = (point.value, point.low, point.high)
    if row.unit == "calls":
        value, *bounds = ("never" if math.isinf(end) else f"{end:,.0f}" for end in ends)
        interval = f"[{', '.join(bounds)}]"
    elif math.isinf(point.high):
        value, interval = format_seconds(point.value), ""
    else:
        number, interval, unit = re.split(r" (?=\[)|(?<=\]) ", format_interval(*ends))
        value = f"{number} {unit}"
    return f"{value} {change_text(point)}".rstrip(), interval


def change_text(point: Point) -> str:
    """Return the change against the point before; = where the intervals overlap.

    >>> from dataclasses import replace
    >>> faster = Point(3.0, 2.9, 3.1, "2.0", change=-0.25, changed=True)
    >>> change_text(faster), change_text(replace(faster, changed=False))
    ('-25 %', '=')
    """
    if point.changed is None:
        return ""
    if not point.changed:
        return "="
    return "changed" if point.change is None else f"{100 * point.change:+.0f} %"
