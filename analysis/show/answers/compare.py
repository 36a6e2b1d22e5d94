"""Who wins where, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from jitcost import backends
from jitcost.backends import workloads
from jitcost.questions.answers import Answer
from jitcost.questions.compare import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_ratio, format_seconds, size_text

__all__ = ["tables"]


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each size, a column for each backend."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    first = rows[0]
    present = list(dict.fromkeys(row.backend for row in rows))
    by_size: dict[float, dict[str, Row]] = {}
    for row in rows:
        by_size.setdefault(row.n, {})[row.backend] = row
    return Table(
        caption(first.of, answer, f"time per call, and its ratio to {first.baseline}'s"),
        (Column("n"), *(Column(backends.heading(name), unit="s") for name in present)),
        tuple(
            (Cell(size_text(n), value=n), *(_cell(at_n.get(name)) for name in present))
            for n, at_n in by_size.items()
        ),
        note="* the fastest, and what is not significantly slower",
        remarks=tuple(_limits(first.of.workload, present, max(by_size))),
    )


def _cell(row: Row | None) -> Cell:
    if row is None:
        return Cell("-", value="")
    own = row.ratio is None or row.backend == row.baseline
    return Cell(
        f"{'*' if row.best else ''}{format_seconds(row.time)}",
        "" if own or row.ratio is None else format_ratio(row.ratio),
        "best" if row.best else "",
        row.time,
    )


def _limits(workload: str | None, present: Sequence[str], largest: float) -> list[str]:
    """Say of each backend that stops before the largest size, why."""
    spec = workloads.known(workload)
    if spec is None:
        return []
    return [
        f"{spec.why_not(name, limit.largest + 1)}"
        for name in present
        if (limit := spec.limit_of(name)) is not None and largest > limit.largest
    ]
