"""What changed lately: the newest changes over releases and commits, a sentence each."""

from __future__ import annotations

from dataclasses import dataclass

from jitcost.questions.changes import Changes
from jitcost.show.answers import changes as answers
from jitcost.show.table import Mark
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
    axes = answers.along(answer)
    if not axes:
        if answer.judged or answer.short:
            return Lately(nothing=answers.nothing_text(answer, LEAST))
        return Lately(nothing="no workload was timed at two releases or commits yet")
    counts = _shares([len(one.lines) for one in axes], most)
    groups = tuple(
        (f"{one.axis[:1].upper()}{one.axis[1:]}", tuple(map(_sentence, one.lines[:count])))
        for one, count in zip(axes, counts, strict=True)
        if count
    )
    return Lately(groups, sum(len(one.lines) for one in axes) - sum(counts))


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


def _sentence(line: answers.Line) -> Sentence:
    on = f" on {line.backend}" if line.backend else ""
    at = f" at n = {line.sizes}" if line.sizes else ""
    return Sentence(f"{line.place}: {line.of}{on}{at}", line.change, line.mark)
