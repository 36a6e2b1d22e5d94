"""Cells of two sides, measured in turns: a first look at as many as fit, a second at the suspicious.

The rule is `jitcost.stats.gate`'s: the first look only says where to look again, and of those cells
fresh processes decide. Both sides of a cell are measured one right after the other, and every other
round the other way about: a machine whose clock drifts slows both alike.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from jitcost.measuring.suspicion import FEWEST_FRESH, affordable, suspicious
from jitcost.stats.gate import Pair
from jitcost.stats.intervals import FEWEST

__all__ = [
    "SKIPPED",
    "CannotRunError",
    "Looks",
    "Pair",
    "Process",
    "Side",
    "Watch",
    "look",
    "pair_of",
]

Key = TypeVar("Key", bound=Hashable)

Side = Literal[0, 1]  # the earlier, the later

# Processes of each side of the first look.
FIRST = 5

# Of the time, the share of the first look: what is left is enough to measure three quarters of its
# cells again, which is more than ever are suspicious without a reason.
FIRST_LOOK = 0.4


# The reason of a cell that its benchmark itself does not want measured; asv keeps none.
SKIPPED = "skipped"


class CannotRunError(Exception):
    """A cell cannot be measured on one side; says why: `SKIPPED` where the benchmark skips it."""


@dataclass(frozen=True)
class Process:
    """What one process has measured of one cell.

    Attributes
    ----------
    samples : tuple of float
        Seconds per call.
    seconds : float
        That the process took, from its start to its end.
    """

    samples: tuple[float, ...]
    seconds: float


class Watch(Protocol):
    """Who is told how far it is."""

    def chosen(self, cells: int, of: int, seconds: float) -> None:
        """So many cells fit, and their first look takes about so many seconds."""

    def again(self, cells: int, processes: int, seconds: float) -> None:
        """So many are measured again, in so many processes a side."""

    def took(self, processes: int) -> None:
        """So many more processes have ended."""


@dataclass
class Looks(Generic[Key]):
    """What was seen.

    Attributes
    ----------
    first, fresh : dict of Key to Pair
        Of the first look, and of the second, from processes that were started only then.
    suspicious : dict of Key to {"slower", "faster"}
        What the first look made them look like; whether or not there was the time to look again.
    failed : dict of Key to tuple of str or None
        Why a cell could not be measured, on each side; None where it could.
    left_out : list of Key
        What there was no time for.
    finished : bool
        Whether nobody has interrupted it.
    """

    first: dict[Key, Pair] = field(default_factory=dict)
    fresh: dict[Key, Pair] = field(default_factory=dict)
    suspicious: dict[Key, Literal["slower", "faster"]] = field(default_factory=dict)
    failed: dict[Key, tuple[str | None, str | None]] = field(default_factory=dict)
    left_out: list[Key] = field(default_factory=list)
    finished: bool = True


class _Taken(Generic[Key]):
    """The processes of cells, by side."""

    def __init__(self, take: Callable[[Side, Key], Process], took: Callable[[int], object]) -> None:
        self.take, self.took = take, took
        self.processes: dict[Key, tuple[list[Process], list[Process]]] = {}

    def both(self, key: Key, *, later_first: bool) -> float:
        """Measure a process of each side; return how many seconds that took."""
        sides: tuple[Side, Side] = (1, 0) if later_first else (0, 1)
        found = {side: self.take(side, key) for side in sides}
        pair = self.processes.setdefault(key, ([], []))
        for side, process in found.items():
            pair[side].append(process)
        self.took(2)
        return sum(process.seconds for process in found.values())

    def pairs(self) -> dict[Key, Pair]:
        """Return each process's fastest sample, of as many samples of all: that of more is faster."""
        found: dict[Key, Pair] = {}
        for key, sides in self.processes.items():
            fewest = min(len(process.samples) for side in sides for process in side)
            earlier, later = ([min(one.samples[:fewest]) for one in side] for side in sides)
            found[key] = earlier, later
        return found


def pair_of(
    key: Key,
    take: Callable[[Side, Key], Process],
    processes: int,
) -> Pair:
    """Measure one cell in so many processes of each side.

    Parameters
    ----------
    key : Key
    take : callable
        As for `look`.
    processes : int

    Raises
    ------
    CannotRunError
        If it cannot be measured on one side.
    """
    taken = _Taken(take, lambda _: None)
    for number in range(processes):
        taken.both(key, later_first=number % 2 == 1)
    return taken.pairs()[key]


def look(
    cells: Sequence[Key],
    take: Callable[[Side, Key], Process],
    seconds: float,
    watch: Watch,
    clock: Callable[[], float] = time.perf_counter,
) -> Looks[Key]:
    """Measure two sides of these cells, as many as fit into the time.

    Parameters
    ----------
    cells : sequence of Key
        One at least, in the order of their importance: the last ones are left out.
    take : callable
        Runs one process of a side (0: the earlier, 1: the later) and cell; raises `CannotRunError`.
    seconds : float
        Of the whole. One cell is measured however long it takes.
    watch : Watch
    clock : callable
        Seconds.

    Returns
    -------
    Looks
        Where the first look was interrupted before all of its rounds, what it had seen by then.
    """
    end = clock() + seconds
    looks = Looks[Key]()
    first, fresh = _Taken(take, watch.took), _Taken(take, watch.took)
    try:
        _warm(cells[0], take)
        costs = _scout(first, cells, clock, clock() + FIRST_LOOK * seconds / FIRST, looks)
        watch.chosen(len(costs), len(cells), (FIRST - 1) * sum(costs.values()))
        _rounds(first, costs, range(FEWEST - 1, FIRST - 1), looks, lambda: clock() < end)
        looks.suspicious = suspicious(_without(first.pairs(), looks.failed))
        chosen, processes = affordable(list(looks.suspicious), costs, end - clock())
        if chosen:
            cost = sum(costs[key] for key in chosen)
            watch.again(len(chosen), processes, processes * cost)
            _rounds(fresh, chosen, range(FEWEST_FRESH, processes), looks, lambda: clock() < end)
    except KeyboardInterrupt:
        looks.finished = False
        looks.suspicious = looks.suspicious or suspicious(_without(first.pairs(), looks.failed))
    looks.first = _without(first.pairs(), looks.failed)
    looks.fresh = _without(fresh.pairs(), looks.failed)
    return looks


def _warm(key: Key, take: Callable[[Side, Key], Process]) -> None:
    """Run a process of each side that counts for nothing: the first one reads from the disk."""
    sides: tuple[Side, Side] = (0, 1)
    for side in sides:
        with contextlib.suppress(CannotRunError):
            take(side, key)


def _without(pairs: Mapping[Key, Pair], failed: Collection[Key]) -> dict[Key, Pair]:
    return {key: pair for key, pair in pairs.items() if key not in failed}


def _scout(
    taken: _Taken[Key],
    cells: Sequence[Key],
    clock: Callable[[], float],
    end: float,
    looks: Looks[Key],
) -> dict[Key, float]:
    """Measure a process of each side, cell by cell, until it is so late.

    Returns
    -------
    dict of Key to float
        What one process of each side costs, in seconds.
    """
    costs: dict[Key, float] = {}
    for number, key in enumerate(cells):
        if number and clock() >= end:
            looks.left_out = list(cells[number:])
            break
        try:
            costs[key] = taken.both(key, later_first=number % 2 == 1)
        except CannotRunError as error:
            looks.failed[key] = _reasons(taken, key, error)
    return costs


def _reasons(taken: _Taken[Key], key: Key, error: CannotRunError) -> tuple[str | None, str | None]:
    """Return why a cell cannot be measured, on each side; None where it can.

    One that fails now and then counts as failing on both: it says nothing of a change.
    """
    reasons: list[str | None] = []
    for side in (0, 1):
        try:
            taken.take(side, key)
            reasons.append(None)
        except CannotRunError as its:
            reasons.append(str(its))
    earlier, later = reasons
    return (earlier, later) if earlier or later else (str(error), str(error))


def _rounds(
    taken: _Taken[Key],
    keys: Collection[Key],
    counts: range,
    looks: Looks[Key],
    in_time: Callable[[], bool],
) -> None:
    """Measure processes of each side, round by round.

    Parameters
    ----------
    counts : range
        How many rounds there have to be, and how many there are while it is `in_time`.
    """
    for number in range(counts.stop):
        if number >= counts.start and not in_time():
            return
        for place, key in enumerate(keys):
            if key in looks.failed:
                continue
            try:
                taken.both(key, later_first=(number + place) % 2 == 0)
            except CannotRunError as error:
                looks.failed[key] = _reasons(taken, key, error)
