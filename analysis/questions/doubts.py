"""What a person could do about numbers that do not tell, and which of them look disturbed.

At most one sentence of each kind for a table: who reads that 12 cells are odd needs no list of them.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

__all__ = ["HasNumbers", "TiedRow", "closest_tie", "first_is_slow", "slowed", "slowed_by"]

# A first process is slow where it is above all others by more than these are apart, and by this.
_FIRST = 1.03

# A process is an outlier where it took so many times as long as the slowest of the others.
_OUTLIER = 1.25

# Fewer processes do not say what is usual.
_USUAL = 4

# Nobody starts more processes a cell than this to tell two backends apart.
_MOST = 50


class HasNumbers(Protocol):
    """A row with one number for each process."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """Seconds, in the order of the processes; empty where they are not known."""


class TiedRow(HasNumbers, Protocol):
    """A row that may be not significantly different from the fastest."""

    @property
    def processes_needed(self) -> int | None:
        """How many processes would tell it from the fastest."""


Tied = TypeVar("Tied", bound=TiedRow)


def closest_tie(rows: Iterable[Tied]) -> Tied | None:
    """Return the row that the fewest further processes would tell from the fastest.

    None where there is no such row, or it would take more than anybody starts.
    """
    tied = [
        (row.processes_needed - len(row.numbers), place, row)
        for place, row in enumerate(rows)
        if row.processes_needed is not None and len(row.numbers) < row.processes_needed <= _MOST
    ]
    return min(tied, key=lambda one: one[:2])[2] if tied else None


def first_is_slow(numbers: Sequence[float]) -> bool:
    """Tell whether the first process differs from the rest: warming up, where nothing should.

    Of four equal processes and more, by chance in a few cells of a hundred.
    """
    if len(numbers) < _USUAL:
        return False
    first, *rest = numbers
    most = max(rest)
    return first > _FIRST * most and first - most > most - min(rest)


def slowed_by(numbers: Sequence[float]) -> float | None:
    """Return how many times as long as the others' median one process took; None if none stands out."""
    if len(numbers) < _USUAL:
        return None
    *rest, slowest = sorted(numbers)
    return slowest / statistics.median(rest) if slowest > _OUTLIER * rest[-1] else None


def slowed(rows: Iterable[HasNumbers]) -> list[tuple[float, int]]:
    """Return by how much, and which, of the rows have a process that stands out; the worst first."""
    found = ((slowed_by(row.numbers), place) for place, row in enumerate(rows))
    odd = [(by, place) for by, place in found if by is not None]
    return sorted(odd, key=lambda one: (-one[0], one[1]))
