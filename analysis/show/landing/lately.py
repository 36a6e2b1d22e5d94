"""What changed lately: the newest changes over releases and commits, a sentence each."""

from __future__ import annotations

from dataclasses import dataclass

from jitcost.questions.changes import Changes
from jitcost.show.answers import changes as answers
from jitcost.show.table import Cell, Mark, Table
from jitcost.stats.steps import LEAST

__all__ = ["MOST", "Lately", "Sentence", "newest_changes"]

# On the first page; the report has them all.
MOST = 10


@dataclass(frozen=True)
class Sentence:
    """Where something has changed and what it is, and then by how much, in a colour of its own."""

    what: str
    change: str
    mark: Mark


@dataclass(frozen=True)
class Lately:
    """The newest changes.

    Attributes
    ----------
    groups : tuple of (str, tuple of Sentence)
        For each library's releases, and for the commits of each environment: the heading, and the
        changes, the newest first.
    left_out : int
        How many older ones there are.
    nothing : str
        What it means that there are none; empty where there are some.
    """

    groups: tuple[tuple[str, tuple[Sentence, ...]], ...] = ()
    left_out: int = 0
    nothing: str = ""


def newest_changes(answer: Changes, most: int = MOST) -> Lately:
    """Return the newest changes, of every axis as many as there is room for.

    Parameters
    ----------
    answer : Changes
    most : int
        How many in all.
    """
    tables = answers.tables(answer)
    if not tables:
        if answer.judged or answer.short:
            return Lately(nothing=answers.nothing_text(answer, LEAST))
        return Lately(nothing="no workload was timed at two releases or commits yet")
    counts = _shares([len(table.rows) for table in tables], most)
    groups = tuple(
        (_heading(table.caption), tuple(_sentence(table, row) for row in table.rows[:count]))
        for table, count in zip(tables, counts, strict=True)
        if count
    )
    return Lately(groups, sum(len(table.rows) for table in tables) - sum(counts))


def _shares(lengths: list[int], most: int) -> list[int]:
    """Return how many of each to show: one of each in turn, until there is no more room.

    >>> _shares([7, 1, 4], 6), _shares([1, 1], 6)
    ([3, 1, 2], [1, 1])
    """
    counts = [0] * len(lengths)
    while sum(counts) < min(most, sum(lengths)):
        for place, length in enumerate(lengths):
            if counts[place] < length and sum(counts) < most:
                counts[place] += 1
    return counts


def _heading(caption: str) -> str:
    """Return what is left of a caption below a heading that says that something has changed."""
    rest = caption.removeprefix("What has changed ")
    return rest[:1].upper() + rest[1:]


def _sentence(table: Table, row: tuple[Cell, ...]) -> Sentence:
    by_heading = {column.heading: cell for column, cell in zip(table.columns, row, strict=True)}
    of, change = by_heading["of"].text, by_heading["change"]
    place = (by_heading.get("release") or by_heading["commit"]).text
    backend = by_heading["backend"].text if "backend" in by_heading else ""
    sizes = by_heading["n"].text if "n" in by_heading else ""
    what = (
        f"{place}: {of}{f' on {backend}' if backend else ''}{f' at n = {sizes}' if sizes else ''}"
    )
    return Sentence(what, change.text, change.mark)
