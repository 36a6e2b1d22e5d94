"""How good predictions by the model are, as tables."""

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
    Column("predictions"),
    Column("median"),
    Column("largest"),
    Column("by", words=True),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each backend."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    by_backend: dict[str, list[Row]] = {}
    for row in rows:
        by_backend.setdefault(row.backend, []).append(row)
    drawn, remarks = [], []
    for name, its in by_backend.items():
        errors = [abs(row.error) for row in its if row.error is not None]
        if errors:
            drawn.append(_row(name, errors, its[0].verdict))
        else:
            remarks.append(f"{backends.heading(name)}: {its[0].reason}")
    return Table(
        caption(rows[0].of, answer, "relative error of times predicted from half the sizes"),
        _COLUMNS,
        tuple(drawn),
        remarks=tuple(remarks),
    )


def _row(backend: str, errors: Sequence[float], verdict: str) -> tuple[Cell, ...]:
    median, largest = statistics.median(errors), max(errors)
    return (
        Cell(backends.heading(backend)),
        Cell(str(len(errors)), value=len(errors)),
        Cell(f"{median:.0%}", value=median),
        Cell(f"{largest:.0%}", value=largest),
        Cell("one line" if verdict == "holds" else "pieces"),
    )
