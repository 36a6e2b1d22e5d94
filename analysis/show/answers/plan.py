"""How long so many calls take, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import by_benchmark
from jitcost.questions.plan import Row, absent, deciding
from jitcost.show.answers.compare import PROVISIONAL, star
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.units import format_duration, format_seconds, size_text

__all__ = ["tables"]

_COLUMNS = (
    Column("backend", words=True),
    Column("first call", unit="s"),
    Column("each further", unit="s"),
    Column("total", unit="s"),
    Column("interval", detail=2),
    Column("by", words=True, detail=1),
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
        note=_note(rows),
        remarks=tuple(_remarks(rows)),
    )


def _note(rows: Sequence[Row]) -> str:
    best = [row for row in rows if row.best]
    parts = []
    if any(not row.provisional for row in best):
        parts.append(
            "* the smallest total, and those whose intervals reach its interval (overlap is no test)"
        )
    if any(row.provisional for row in best):
        parts.append(f"{PROVISIONAL}: not every backend has an interval here")
    sources = {row.source for row in rows}
    if "interpolated" in sources:
        parts.append("~ interpolated between measured sizes")
    if "model" in sources:
        parts.append("~~ by the model, beyond the measured sizes")
    if "nearest" in sources:
        parts.append("~~~ beyond the measured first calls, with the nearest one's compile cost")
    return "; ".join(parts)


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    unknown = [row for row in rows if row.candidate and row.total is None]
    if unknown and len(unknown) < len(rows):
        names = ", ".join(backends.heading(row.backend) for row in unknown)
        command = deciding(unknown)
        yield (
            f"no winner is named: a measurement of {names} at n = {size_text(rows[0].n)} (first call "
            f"and steady state) would decide{f': {command}' if command else ''}"
        )
    if others := absent(rows):
        yield f"not measured here, and not considered: {', '.join(map(backends.heading, others))}"
    for row in rows:
        if said := row.reason or row.note:
            yield f"{backends.heading(row.backend)}: {said}" if row.backend else said


def _planned(rows: Sequence[Row]) -> Iterator[tuple[Cell, ...]]:
    possible = [(row.total, place) for place, row in enumerate(rows) if row.total is not None]
    for total, place in sorted(possible):
        row = rows[place]
        mark: Mark = "best" if row.best else ""
        signs = star(best=row.best, provisional=row.provisional)
        signs += {"interpolated": "~", "model": "~~", "nearest": "~~~"}.get(row.source or "", "")
        yield (
            Cell(backends.heading(row.backend), mark=mark),
            _time(row.first_call, mark),
            _time(row.steady_state, mark),
            Cell(f"{signs}{format_duration(total)}", mark=mark, value=total),
            Cell(_interval(row), mark=mark),
            Cell(row.source or "", mark=mark),
        )


def _interval(row: Row) -> str:
    if row.total_low is None or row.total_high is None:
        return "none"
    return f"{format_duration(row.total_low)} to {format_duration(row.total_high)}"


def _time(seconds: float | None, mark: Mark) -> Cell:
    text = "" if seconds is None else format_seconds(seconds)
    return Cell(text, mark=mark, value=seconds)
