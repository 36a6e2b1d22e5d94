"""Where the faster backend changes, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.crossover import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import size_text

__all__ = ["tables"]

_COLUMNS = (
    Column("faster below", words=True),
    Column("n"),
    Column("between"),
    Column("faster above", words=True),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each crossing."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    baseline = backends.heading(rows[0].baseline)
    return Table(
        caption(rows[0].of, answer, f"where the faster backend changes, against {baseline}"),
        _COLUMNS,
        tuple(
            (
                Cell(backends.heading(row.faster_below)),
                Cell(size_text(float(f"{row.n:.2g}")), value=row.n),
                Cell(f"{size_text(row.n_low)} and {size_text(row.n_high)}"),
                Cell(backends.heading(row.faster_above)),
            )
            for row in rows
        ),
        note="n is interpolated between measured sizes; between: the nearest sizes at which the two "
        "are significantly different",
    )
