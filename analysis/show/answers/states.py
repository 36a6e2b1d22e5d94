"""What has changed from one state of a file to another, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.states import Row
from jitcost.show.answers.change_words import change_text
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.units import format_seconds, size_text

__all__ = ["tables"]

_MARKS: dict[str, Mark] = {"slower": "warn", "faster": "best", "neither": "", "cannot tell": "warn"}


def tables(answer: Answer[Row], other: str) -> list[Table]:
    """Return a table for each problem: a row for each kernel and size.

    Parameters
    ----------
    answer : Answer
    other : str
        What the old state is called.
    """
    problems = dict.fromkeys(row.problem for row in answer)
    return [_table([row for row in answer if row.problem == name], other) for name in problems]


def _table(rows: Sequence[Row], other: str) -> Table:
    processes = sorted({row.processes for row in rows if not row.fresh})
    fresh = sorted({row.processes for row in rows if row.fresh})
    note = f"of {_listed(processes)} processes a side, in turns" if processes else ""
    if fresh:
        note += (
            f"{'; ' if note else ''}+ of {_listed(fresh)} fresh ones: the first looked suspicious"
        )
    return Table(
        f"{rows[0].problem}: against {other}",
        (
            Column("backend", words=True),
            Column("n"),
            Column("old", unit="s"),
            Column("new", unit="s"),
            Column("verdict [95 % interval]", words=True),
        ),
        tuple(_row(row, rows[i - 1] if i else None) for i, row in enumerate(rows)),
        note=note,
        remarks=(_in_short(rows),),
    )


def _row(row: Row, before: Row | None) -> tuple[Cell, ...]:
    same = before is not None and before.backend == row.backend
    return (
        Cell("" if same else backends.heading(row.backend), value=row.backend),
        Cell("all" if row.n is None else size_text(row.n), value="" if row.n is None else row.n),
        Cell(format_seconds(row.old), value=row.old),
        Cell(format_seconds(row.new), value=row.new),
        Cell(f"{_verdict(row)}{' +' if row.fresh else ''}", mark=_MARKS[row.verdict]),
    )


def _verdict(row: Row) -> str:
    if row.ratio_low is None or row.ratio_high is None:
        return "cannot tell: fewer than three processes have no interval"
    if row.verdict == "cannot tell":
        return "cannot tell: it looked suspicious, and was not measured again"
    said = "not significantly different" if row.verdict == "neither" else row.verdict
    return change_text(said, row.ratio, row.ratio_low, row.ratio_high, row.would_show)


def _in_short(rows: Sequence[Row]) -> str:
    """Return which kernels have changed, at any size or over all."""
    changed = {
        verdict: list(dict.fromkeys(row.backend for row in rows if row.verdict == verdict))
        for verdict in ("slower", "faster", "cannot tell")
    }
    said = [
        f"{verdict}: {', '.join(map(backends.heading, names))}"
        for verdict, names in changed.items()
        if names
    ]
    return "; ".join(said) or "nothing has changed significantly"


def _listed(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))
