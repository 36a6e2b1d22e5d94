"""How long so many calls take, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import by_benchmark
from jitcost.questions.plan import Row
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.units import format_duration, format_seconds, size_text

__all__ = ["tables"]

_COLUMNS = (
    Column("backend", words=True),
    Column("first call", unit="s"),
    Column("each further", unit="s"),
    Column("total", unit="s"),
    Column("interval", detail=1),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each backend, the fastest first."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    first = rows[0]
    return Table(
        caption(first.of, answer, f"{first.calls:,} calls at n = {size_text(first.n)}"),
        _COLUMNS,
        tuple(_planned(rows)),
        note="* the fastest, and what is not significantly slower; ~ by the fit, not measured",
        remarks=tuple(
            f"{backends.heading(row.backend)}: {row.reason}" for row in rows if row.reason
        ),
    )


def _planned(rows: Sequence[Row]) -> Iterator[tuple[Cell, ...]]:
    possible = [(row.total, place) for place, row in enumerate(rows) if row.total is not None]
    for total, place in sorted(possible):
        row = rows[place]
        mark: Mark = "best" if row.best else ""
        signs = ("*" if row.best else "") + ("~" if row.source == "fit" else "")
        yield (
            Cell(backends.heading(row.backend), mark=mark),
            _time(row.first_call, mark),
            _time(row.steady_state, mark),
            Cell(f"{signs}{format_duration(total)}", mark=mark, value=total),
            Cell(
                f"{format_duration(row.total_low or 0)} to {format_duration(row.total_high or 0)}",
                mark=mark,
            ),
        )


def _time(seconds: float | None, mark: Mark) -> Cell:
    text = "" if seconds is None else format_seconds(seconds)
    return Cell(text, mark=mark, value=seconds)
