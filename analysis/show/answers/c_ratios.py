"""Ratios to functions in C, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.c_ratios import Row
from jitcost.questions.groups import by_benchmark, origin_text
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_ratio

__all__ = ["tables"]

# What a ratio of 1 is.
_ONE = {
    "floor": "the floor, the least that a call has to do",
    "c": "the same formula in plain C",
}


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each function, a column for each backend."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    by_function: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_function.setdefault(row.function, {})[row.backend] = row
    present = backends.names()
    found = dict.fromkeys(row.backend for row in rows)
    order = [*filter(found.__contains__, present), *sorted(found.keys() - set(present))]
    origin = origin_text(rows[0].of.origin, [row.of.origin for row in answer])
    return Table(
        f"Time per call, as a ratio to {_ONE[rows[0].to]}{origin}",
        (Column("function", words=True), *(Column(backends.heading(name)) for name in order)),
        tuple(
            (Cell(function), *(_cell(its.get(name)) for name in order))
            for function, its in by_function.items()
        ),
        note="* the lowest; a median of 21, without an interval",
    )


def _cell(row: Row | None) -> Cell:
    if row is None:
        return Cell("-", value="")
    text = format_ratio(row.ratio)
    return (
        Cell(f"*{text}", mark="best", value=row.ratio)
        if row.lowest
        else Cell(text, value=row.ratio)
    )
