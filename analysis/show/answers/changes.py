"""What has changed for good over releases and commits, as tables: the newest change first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jitcost.questions.changes import Changes, Row
from jitcost.questions.groups import title_of
from jitcost.questions.releases import COMMITS, Where
from jitcost.show.answers.change_words import change_text
from jitcost.show.answers.history import over_text, where_text
from jitcost.show.answers.intervals import count_text
from jitcost.show.answers.titles import backend_text
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.stats.steps import FEWEST_RUNS
from jitcost.units import format_percent, size_text

__all__ = ["nothing_text", "passed_over_text", "tables"]

NOTE = (
    "change: of the median of the runs from there on against that of the runs before, as far as the "
    "next change, with 95 % intervals; where sizes share a line, the smallest and the largest. runs: "
    "before | after. A / B: of A's times as multiples of B's in the same runs, in which the machine's "
    "moods cancel; in times by themselves they do not"
)
ALONE = "a run that is alone on a side may have been disturbed: its change is told for its size"

_MARKS: dict[str, Mark] = {"slower": "warn", "faster": "best"}


def tables(answer: Changes) -> list[Table]:
    """Return a table for each library's releases, and for the commits of each environment."""
    together: dict[str, list[Row]] = {}
    for row in answer:
        caption = f"What has changed over {over_text(row.over)} ({where_text(row.where)})"
        together.setdefault(caption, []).append(row)
    made = [_table(caption, rows) for caption, rows in together.items()]
    # What was looked at is said once, below all of them.
    for last in made[-1:]:
        made[-1] = replace(last, remarks=(*last.remarks, looked_text(answer)))
    return made


def nothing_text(answer: Changes, least: float) -> str:
    """Return what it means that there are no rows, where there was something to look at."""
    if not answer.judged:
        return f"whether anything has changed cannot be told: {looked_text(answer)}"
    return f"nothing has changed by {format_percent(least)} or more: {looked_text(answer)}"


def looked_text(answer: Changes) -> str:
    """Return how many series were looked at, and how many are too short.

    >>> looked_text(Changes((), 83, (6, 9), 1))
    '83 series of 6 to 9 runs were looked at; 1 series is too short (fewer than five runs)'
    """
    fewest, most = answer.runs
    runs = f"{fewest} runs" if fewest == most else f"{fewest} to {most} runs"
    verb = "was" if answer.judged == 1 else "were"
    looked = [f"{answer.judged} series of {runs} {verb} looked at"] if answer.judged else []
    if answer.short:
        verb = "is" if answer.short == 1 else "are"
        looked.append(
            f"{answer.short} series {verb} too short (fewer than {count_text(FEWEST_RUNS)} runs)"
        )
    return "; ".join(looked)


def passed_over_text(newest: Where, looked: Where) -> str:
    """Return which commit's releases were looked at, and which newer one has too few."""
    fewest = count_text(FEWEST_RUNS)
    return (
        f"looked at are the releases at commit {str(looked.commit)[:8]}; the newer "
        f"{str(newest.commit)[:8]} has fewer than {fewest} (Python {newest.python} on {newest.machine})"
    )


def _table(caption: str, rows: Sequence[Row]) -> Table:
    lines: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        way = "slower" if row.ratio > 1 else "faster"
        of = row.benchmark, repr(row.params), str(row.version), row.quantity
        lines.setdefault((row.at, *of, row.backend, row.series, way), []).append(row)
    sized = any(row.n is not None for row in rows)
    apart = any(row.backend for row in rows)
    alone = any(min(row.runs_before, row.runs_after) == 1 for row in rows)
    columns = (
        Column("commit" if rows[0].over == COMMITS else "release", words=True),
        Column("of", words=True, breaks=True),
        *([Column("backend", words=True)] if apart else []),
        *([Column("n", words=True, breaks=True)] if sized else []),
        Column("change", words=True, breaks=True),
        Column("runs", words=True),
    )
    return Table(
        caption,
        columns,
        tuple(_line(its, rows, key[-1], sized=sized, apart=apart) for key, its in lines.items()),
        note=NOTE,
        remarks=(ALONE,) if alone else (),
    )


def _line(
    its: Sequence[Row], rows: Sequence[Row], way: str, *, sized: bool, apart: bool
) -> tuple[Cell, ...]:
    first = its[0]
    ordered = sorted(its, key=lambda row: (row.ratio, row.n or 0.0), reverse=way == "faster")
    ends = ordered[:1] if len(ordered) == 1 else [ordered[0], ordered[-1]]
    changes = [change_text(way, row.ratio, row.low, row.high, None) for row in ends]
    change = " to ".join([changes[0], *(text.removeprefix(f"{way} by ") for text in changes[1:])])
    sizes = sorted(row.n for row in its if row.n is not None)
    runs = [_counts([row.runs_before for row in its]), _counts([row.runs_after for row in its])]
    return (
        Cell(first.label, value=first.at),
        Cell(_of(first, rows)),
        *([Cell(_backend(first))] if apart else []),
        *([Cell(", ".join(map(size_text, sizes)))] if sized else []),
        Cell(change, mark=_MARKS[way]),
        Cell(" | ".join(runs)),
    )


def _backend(row: Row) -> str:
    """Return the backend, and after a stroke the one whose times its own were divided by."""
    other = row.series.removeprefix("ratio to ")
    divided = f" / {backend_text(other)}" if other != row.series else ""
    return f"{backend_text(row.backend or None)}{divided}"


def _of(row: Row, rows: Sequence[Row]) -> str:
    """Return what has changed; by the benchmark's name, where another one has the same title."""
    shared = any(one.title == row.title and one.benchmark != row.benchmark for one in rows)
    title = title_of(row.benchmark, None, row.params) if shared else row.title
    return f"{title}, C" if row.quantity == "C" else title


def _counts(counts: Sequence[int]) -> str:
    fewest, most = min(counts), max(counts)
    return str(fewest) if fewest == most else f"{fewest} to {most}"
