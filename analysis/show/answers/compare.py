"""Who wins where, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from jitcost import backends
from jitcost.backends.workloads import Workload
from jitcost.questions import doubts
from jitcost.questions.answers import Answer
from jitcost.questions.compare import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.intervals import basis
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import (
    format_percent,
    format_ratio,
    format_ratio_interval,
    format_seconds,
    size_text,
)

__all__ = ["PROVISIONAL", "star", "tables"]

PROVISIONAL = "(*) the smallest number, provisional"


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each size, a column for each backend."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def star(*, best: bool, provisional: bool) -> str:
    """Return what stands before a number."""
    return ("(*)" if provisional else "*") if best else ""


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    first = rows[0]
    present = list(dict.fromkeys(row.backend for row in rows))
    by_size: dict[float, dict[str, Row]] = {}
    for row in rows:
        by_size.setdefault(row.n, {})[row.backend] = row
    return Table(
        caption(first.of, answer, f"time per call{_against(rows)}"),
        (Column("n"), *(Column(backends.heading(name), unit="s") for name in present)),
        tuple(
            (_size(n), *(_cell(at_n.get(name)) for name in present)) for n, at_n in by_size.items()
        ),
        note=_note(rows),
        remarks=(
            *_limits(first.of.spec, present, max(by_size)),
            *_without_ratios(rows),
            *_doubts(rows),
        ),
    )


def _size(n: float) -> Cell:
    return Cell("-", value="") if math.isnan(n) else Cell(size_text(n), value=n)


def _against(rows: Sequence[Row]) -> str:
    if all(row.ratio is None for row in rows):
        return ""
    return f", and its ratio to {rows[0].baseline}'s"


def _without_ratios(rows: Sequence[Row]) -> Iterator[str]:
    """Say what to do where nothing was compared with the baseline, for it is not among these."""
    first, present = rows[0], {row.backend for row in rows}
    if len(present) > 1 and first.baseline not in present:
        yield f"no ratios: {first.baseline} has no times here; --baseline NAME takes another"


def _note(rows: Sequence[Row]) -> str:
    judged = any(row.best and not row.provisional for row in rows)
    parts = [f"* not significantly slower than the fastest ({basis(rows)})"] if judged else []
    if any(row.provisional for row in rows):
        parts.append(PROVISIONAL + ("" if judged else f" ({basis(rows)})"))
    return "; ".join(parts)


def _cell(row: Row | None) -> Cell:
    if row is None:
        return Cell("-", value="")
    own = row.ratio is None or row.backend == row.baseline
    ratio = "" if own or row.ratio is None else format_ratio(row.ratio)
    more = ratio
    if row.ratio is not None and row.ratio_low is not None and row.ratio_high is not None:
        more = format_ratio_interval(row.ratio, row.ratio_low, row.ratio_high)
    return Cell(
        f"{star(best=row.best, provisional=row.provisional)}{format_seconds(row.time)}",
        more,
        "best" if row.best else "",
        row.time,
        brief=ratio,
    )


def _limits(spec: Workload | None, present: Sequence[str], largest: float) -> list[str]:
    """Say of each backend that stops before the largest size, why."""
    if spec is None:
        return []
    return [
        f"{spec.why_not(name, limit.largest + 1)}"
        for name in present
        if (limit := spec.limit_of(name)) is not None and largest > limit.largest
    ]


def _doubts(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what could be done about the numbers, and which look disturbed: one line of each kind."""
    tied = doubts.closest_tie(rows)
    if tied is not None and tied.processes_needed is not None:
        fastest = min((row for row in rows if row.n == tied.n), key=lambda row: row.time)
        more = tied.processes_needed - len(tied.numbers)
        yield (
            f"n = {size_text(tied.n)}: {more} more process{'es' if more > 1 else ''} a cell would tell "
            f"{backends.heading(tied.backend)} from {backends.heading(fastest.backend)}, if they are "
            f"{_apart(tied, fastest)} apart"
        )
    slow = [row for row in rows if doubts.first_is_slow(row.numbers)]
    if 2 <= len(slow) >= len(rows) / 10:
        yield f"the first process is slower than all others in {len(slow)} of {len(rows)} cells"
    if odd := doubts.slowed(rows):
        by, place = odd[0]
        row = rows[place]
        more = len(odd) - 1
        others = f", and {more} other cell{'s have' if more > 1 else ' has'} one" if more else ""
        yield (
            f"{backends.heading(row.backend)} at n = {size_text(row.n)}: one process took {by:.1f} "
            f"times as long as the others{others}"
        )


def _apart(slower: Row, fastest: Row) -> str:
    return format_percent(slower.time / fastest.time - 1)
