"""Which backend wins where, in a table small enough for a first look: workloads by sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jitcost import backends
from jitcost.questions.compare import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.figures.style import look
from jitcost.show.html import Link
from jitcost.show.subjects import Subject
from jitcost.units import format_seconds, size_text

__all__ = ["Line", "Place", "Winner", "Winners", "who_wins"]


@dataclass(frozen=True)
class Winner:
    """A backend that wins somewhere, or ties.

    Attributes
    ----------
    name : str
        As tables show it.
    colour : str
        The one that it has in every figure.
    """

    name: str
    colour: str


@dataclass(frozen=True)
class Place:
    """One workload at one size.

    Attributes
    ----------
    winners : tuple of Winner
        The fastest, and what is not significantly slower: the fastest first. Empty where nothing was
        timed.
    time : str
        Of the fastest.
    provisional : bool
        Whether it wins by its number alone, without an interval to judge by.
    alone : bool
        Whether no other backend was timed there: then it has won nothing.
    """

    winners: tuple[Winner, ...] = ()
    time: str = ""
    provisional: bool = False
    alone: bool = False


@dataclass(frozen=True)
class Line:
    """A workload, with its options; its page; and its place at each size of the table."""

    link: Link
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Winners:
    """The table.

    Attributes
    ----------
    sizes : tuple of str
        The headings of the columns.
    lines : tuple of Line
    """

    sizes: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def workloads(self) -> str:
        """Their names, each once."""
        return ", ".join(dict.fromkeys(line.link.text.partition(",")[0] for line in self.lines))

    @property
    def remarks(self) -> list[str]:
        """What has to be said of its places."""
        places = [place for line in self.lines for place in line.places]
        found = []
        if any(place.provisional for place in places):
            found.append("(*) provisional: the smallest number, without an interval to judge by")
        if any(place.alone for place in places):
            found.append("alone: no other backend was timed there")
        return found


def who_wins(rows: Iterable[Row]) -> Winners | None:
    """Return who wins where; None where nothing was timed at a size.

    Parameters
    ----------
    rows : iterable of jitcost.questions.compare.Row
        Of one origin.
    """
    sized = [row for row in rows if row.n == row.n and row.of.workload is not None]
    if not sized:
        return None
    sizes = sorted({row.n for row in sized})
    return Winners(
        tuple(size_text(n) for n in sizes),
        tuple(
            Line(
                Link(its[0].of.title, Subject(its[0].of.own, str(its[0].of.workload)).file),
                tuple(_place([row for row in its if row.n == n]) for n in sizes),
            )
            for its in by_benchmark(sized)
        ),
    )


def _place(rows: list[Row]) -> Place:
    best = sorted((row for row in rows if row.best), key=lambda row: row.time)
    if not best:
        return Place()
    return Place(
        tuple(Winner(backends.heading(row.backend), look(row.backend).colour) for row in best),
        format_seconds(best[0].time),
        provisional=any(row.provisional for row in best),
        alone=len(rows) == 1,
    )
