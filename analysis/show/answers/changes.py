"""What has changed for good over releases and commits, as tables: the newest change first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from jitcost.questions.changes import Changes, Row
from jitcost.questions.groups import title_of
from jitcost.questions.releases import COMMITS, Where
from jitcost.show.answers.change_words import change_text, range_text
from jitcost.show.answers.history import over_text, where_text
from jitcost.show.answers.intervals import count_text
from jitcost.show.answers.titles import backend_text
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.stats.steps import FEWEST_RUNS
from jitcost.units import format_percent, size_text

__all__ = ["Along", "Line", "along", "nothing_text", "passed_over_text", "tables"]

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


@dataclass(frozen=True)
class Line:
    """One change, of all sizes at which it is the same step, or the same drift.

    Attributes
    ----------
    rows : tuple of Row
        One for each size.
    shared : bool
        Whether another benchmark that has changed has the same title.
    """

    rows: tuple[Row, ...]
    shared: bool

    @cached_property
    def first(self) -> Row:
        """One of them: but for its numbers it says what every other one says."""
        return self.rows[0]

    @property
    def place(self) -> str:
        """Where it is: since when, where that is not the release or commit just before."""
        row = self.first
        if row.kind == "drift":
            return f"{row.called(str(row.before))} to {row.label}"
        return f"{row.label} (after {row.called(str(row.before))})" if row.unmeasured else row.label

    @property
    def of(self) -> str:
        """What has changed; by the benchmark's name, where another one has the same title."""
        row = self.first
        title = title_of(row.benchmark, None, row.params) if self.shared else row.title
        return f"{title}, C" if row.quantity == "C" else title

    @property
    def backend(self) -> str:
        """The backend, and after a stroke the one whose times its own were divided by; may be empty."""
        if not self.first.backend:
            return ""
        other = self.first.series.removeprefix("ratio to ")
        divided = f" / {backend_text(other)}" if other != self.first.series else ""
        return f"{backend_text(self.first.backend)}{divided}"

    @property
    def sizes(self) -> str:
        """At which sizes; may be empty."""
        return ", ".join(map(size_text, sorted(row.n for row in self.rows if row.n is not None)))

    @property
    def change(self) -> str:
        """By how much, at least and at most."""
        ratios = ((row.ratio, row.low, row.high) for row in self.rows)
        return _KINDS[self.first.kind] + range_text(_way(self.first), ratios)

    @property
    def mark(self) -> Mark:
        """In which colour that is said."""
        return _MARKS[_way(self.first)]

    @property
    def runs(self) -> str:
        """How many there are before and after it."""
        before = _counts([row.runs_before for row in self.rows])
        return f"{before} | {_counts([row.runs_after for row in self.rows])}"


@dataclass(frozen=True)
class Along:
    """What has changed over one library's releases, or over the commits of an environment.

    Attributes
    ----------
    axis : str
        Over what, and where.
    lines : tuple of Line
        The newest change first.
    """

    axis: str
    lines: tuple[Line, ...]


def along(answer: Changes) -> list[Along]:
    """Return what has changed for good, by what it has changed over: for tables and for sentences."""
    together: dict[str, list[Row]] = {}
    for row in answer.settled():
        axis = f"over {over_text(row.over)} ({where_text(row.where)})"
        together.setdefault(axis, []).append(row)
    return [Along(axis, tuple(_lines(rows))) for axis, rows in together.items()]


def _lines(rows: Sequence[Row]) -> Iterator[Line]:
    benchmarks: dict[str, set[str]] = {}
    lines: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        benchmarks.setdefault(row.title, set()).add(row.benchmark)
        of = row.benchmark, repr(row.params), str(row.version), row.quantity
        place = row.at, str(row.before), row.kind, _way(row)
        lines.setdefault((*place, *of, row.backend, row.series), []).append(row)
    for its in lines.values():
        yield Line(tuple(its), shared=len(benchmarks[its[0].title]) > 1)


def tables(answer: Changes) -> list[Table]:
    """Return a table for each library's releases, and for the commits of each environment."""
    made = [_table(one) for one in along(answer)]
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
        most = change_text(_way(farthest), farthest.ratio, farthest.low, farthest.high, None)
        yield (
            f"{count} in a lone run that differs, at most {most.partition(' [')[0]}: "
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


def _table(its: Along) -> Table:
    rows = [row for line in its.lines for row in line.rows]
    sized = any(line.sizes for line in its.lines)
    apart = any(line.backend for line in its.lines)
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
        f"What has changed {its.axis}",
        columns,
        tuple(_cells(line, sized=sized, apart=apart) for line in its.lines),
        note=NOTE,
        remarks=tuple(_remarks(rows)),
    )


def _cells(line: Line, *, sized: bool, apart: bool) -> tuple[Cell, ...]:
    return (
        Cell(line.place, value=line.first.at),
        Cell(line.of),
        *([Cell(line.backend)] if apart else []),
        *([Cell(line.sizes)] if sized else []),
        Cell(line.change, mark=line.mark),
        Cell(line.runs),
    )


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    if any(row.kind == "step" and 1 in (row.runs_before, row.runs_after) for row in rows):
        yield ALONE
    kinds = {row.kind for row in rows}
    yield from (said for kind, said in (("drift", DRIFT), ("outlier", OUTLIER)) if kind in kinds)


def _way(row: Row) -> str:
    return "slower" if row.ratio > 1 else "faster"


def _counts(counts: Sequence[int]) -> str:
    fewest, most = min(counts), max(counts)
    return str(fewest) if fewest == most else f"{fewest}-{most}"
