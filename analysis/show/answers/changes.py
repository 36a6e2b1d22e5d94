"""What has changed for good over releases and commits, as tables: the newest change first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
    "next change, with 95 % intervals; where sizes share a line, the smallest and the largest. All of "
    "them are significant among all series that were looked at. runs: before | after, with outliers "
    "that were set aside. A / B: of A's times as multiples of B's in the same runs, in which what the "
    "machine does to both cancels; lines of times by themselves, and of C, may be the machine's"
)
ALONE = (
    "one run alone on a side may be a disturbance; shown because it differs by a factor of two or "
    "more, or lies between two levels"
)
DRIFT = "drift: no step, but the last third of the runs against the first"
OUTLIER = "alone: this release, by a factor of two or more from those around it"

# What stands before a change that is no step.
_KINDS = {"step": "", "drift": "drift: ", "outlier": "alone: "}

_MARKS: dict[str, Mark] = {"slower": "warn", "faster": "best"}


def tables(answer: Changes) -> list[Table]:
    """Return a table for each library's releases, and for the commits of each environment."""
    together: dict[str, list[Row]] = {}
    for row in answer.settled():
        caption = f"What has changed over {over_text(row.over)} ({where_text(row.where)})"
        together.setdefault(caption, []).append(row)
    made = [_table(caption, rows) for caption, rows in together.items()]
    # What was looked at is said once, below all of them.
    for last in made[-1:]:
        made[-1] = replace(last, remarks=(*last.remarks, *_of_all(answer)))
    return made


def nothing_text(answer: Changes, least: float) -> str:
    """Return what it means that there are no tables, where there was something to look at."""
    said = f"no step or drift of {format_percent(least)} or more"
    if not answer.judged:
        said = "whether anything has changed cannot be told"
    return f"{said}: {'; '.join(_of_all(answer))}"


def _of_all(answer: Changes) -> Iterator[str]:
    yield looked_text(answer)
    if waiting := answer.waiting:
        farthest = max(waiting, key=lambda row: abs(math.log(row.ratio)))
        count = "1 series ends" if len(waiting) == 1 else f"{len(waiting)} series end"
        most = _change_text(farthest).partition(" [")[0]
        yield (
            f"{count} in a lone run that differs, at most {most.removeprefix(_KINDS['outlier'])}: "
            "the next run will tell"
        )


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
        of = row.benchmark, repr(row.params), str(row.version), row.quantity
        place = row.at, str(row.before), row.kind, _way(row)
        lines.setdefault((*place, *of, row.backend, row.series), []).append(row)
    sized = any(row.n is not None for row in rows)
    apart = any(row.backend for row in rows)
    columns = (
        Column(
            "commit" if rows[0].over == COMMITS else "release", words=True, breaks=True, least=8
        ),
        Column("of", words=True, breaks=True, least=12),
        *([Column("backend", words=True, breaks=True, least=11)] if apart else []),
        *([Column("n", words=True, breaks=True, least=11)] if sized else []),
        Column("change", words=True, breaks=True),
        Column("runs", words=True, breaks=True, least=8),
    )
    return Table(
        caption,
        columns,
        tuple(_line(its, rows, sized=sized, apart=apart) for its in lines.values()),
        note=NOTE,
        remarks=tuple(_remarks(rows)),
    )


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    if any(row.kind == "step" and 1 in (row.runs_before, row.runs_after) for row in rows):
        yield ALONE
    kinds = {row.kind for row in rows}
    yield from (said for kind, said in (("drift", DRIFT), ("outlier", OUTLIER)) if kind in kinds)


def _line(its: Sequence[Row], rows: Sequence[Row], *, sized: bool, apart: bool) -> tuple[Cell, ...]:
    first, way = its[0], _way(its[0])
    ordered = sorted(its, key=lambda row: (row.ratio, row.n or 0.0), reverse=way == "faster")
    ends = ordered[:1] if len(ordered) == 1 else [ordered[0], ordered[-1]]
    changes = [_change_text(row) for row in ends]
    change = " to ".join([changes[0], *(text.partition(" by ")[2] for text in changes[1:])])
    sizes = sorted(row.n for row in its if row.n is not None)
    runs = [_counts([row.runs_before for row in its]), _counts([row.runs_after for row in its])]
    return (
        Cell(_place(first), value=first.at),
        Cell(_of(first, rows)),
        *([Cell(_backend(first))] if apart else []),
        *([Cell(", ".join(map(size_text, sizes)))] if sized else []),
        Cell(change, mark=_MARKS[way]),
        Cell(" | ".join(runs)),
    )


def _way(row: Row) -> str:
    return "slower" if row.ratio > 1 else "faster"


def _change_text(row: Row) -> str:
    return _KINDS[row.kind] + change_text(_way(row), row.ratio, row.low, row.high, None)


def _place(row: Row) -> str:
    """Return where a change is: since when, where that is not the release or commit just before."""
    if row.kind == "drift":
        return f"{row.called(str(row.before))} to {row.label}"
    return f"{row.label} (after {row.called(str(row.before))})" if row.unmeasured else row.label


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
    return str(fewest) if fewest == most else f"{fewest}-{most}"
