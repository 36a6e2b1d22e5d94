"""After how many calls compiling has paid, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.breakeven import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.intervals import basis
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_bounds, format_seconds, size_text

__all__ = ["tables"]

_COLUMNS = (
    Column("backend", words=True),
    Column("n"),
    Column("compile cost C", unit="s"),
    Column("saving per call", unit="s"),
    Column("calls m*"),
    Column("interval", detail=1),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each compiled backend and size."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    baseline = backends.heading(rows[0].baseline)
    return Table(
        caption(rows[0].of, answer, f"calls until compiling has paid, against {baseline}"),
        _COLUMNS,
        tuple(_row(row) for row in rows),
        note="C: time of the first call minus that of a call in steady state; never: a call is "
        "significantly slower once compiled; cannot tell: no significant difference; "
        f"intervals: {basis(rows)}",
        remarks=tuple(_replays(rows)),
    )


def _row(row: Row) -> tuple[Cell, ...]:
    saving = ""
    if row.saving_low is not None and row.saving_high is not None:
        saving = format_bounds(row.saving_low, row.saving_high)
    return (
        Cell(backends.heading(row.backend)),
        Cell(size_text(row.n), value=row.n),
        Cell(format_seconds(row.cost), value=row.cost),
        Cell(format_seconds(row.saving), saving, value=row.saving, brief=""),
        Cell(f"{row.calls:,}", value=row.calls)
        if row.verdict == "pays" and row.calls is not None
        else Cell(row.verdict, mark="warn"),
        Cell(_interval(row)),
    )


def _interval(row: Row) -> str:
    """Return the interval in words; where it has no end, it is open."""
    if row.calls_low is None:
        return ""
    if row.calls_high is None:
        return f"{row.calls_low:,} to never"
    return f"{row.calls_low:,} to {row.calls_high:,}"


def _replays(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.replayed is not None:
            where = f"{backends.heading(row.backend)} at n = {size_text(row.n)}"
            side = "inside" if row.replay_inside else "OUTSIDE"
            said = (
                f"replayed call by call, {where} has paid after {row.replayed:,.0f} calls: "
                f"{side} the interval"
            )
            yield said if row.replay_inside is not None else said.rpartition(":")[0]
