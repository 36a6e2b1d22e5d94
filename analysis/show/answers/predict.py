"""How good predictions are, as tables."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import by_benchmark
from jitcost.questions.predict import Row
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table

__all__ = ["tables"]

_COLUMNS = (
    Column("backend", words=True),
    Column("by", words=True),
    Column("predictions"),
    Column("median"),
    Column("largest"),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each backend and way of predicting."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    by_way: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_way.setdefault((row.backend, row.by), []).append(row)
    drawn, remarks = [], []
    for (name, by), its in sorted(by_way.items(), key=lambda one: _place(rows, one[0][0])):
        errors = [abs(row.error) for row in its if row.error is not None]
        if errors:
            verdict = f" ({its[0].verdict})" if by == "model" else ""
            drawn.append(_row(name, f"{by}{verdict}", errors))
        else:
            of = f"{backends.heading(name)}: " if name else ""
            remarks.append(f"{of}no model: {its[0].reason}")
    return Table(
        caption(rows[0].of, answer, "relative error of times predicted from half the sizes"),
        _COLUMNS,
        tuple(drawn),
        note="a plan interpolates between measured sizes, and goes by the model beyond them only",
        remarks=tuple(remarks),
    )


def _place(rows: Sequence[Row], backend: str) -> int:
    return next(place for place, row in enumerate(rows) if row.backend == backend)


def _row(backend: str, by: str, errors: Sequence[float]) -> tuple[Cell, ...]:
    median, largest = statistics.median(errors), max(errors)
    return (
        Cell(backends.heading(backend)),
        Cell(by),
        Cell(str(len(errors)), value=len(errors)),
        Cell(f"{median:.0%}", value=median),
        Cell(f"{largest:.0%}", value=largest),
    )
