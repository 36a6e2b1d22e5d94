"""What one's own functions are measured as, and what comes of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from jitcost.own.jobs import Size, Source
from jitcost.own.names import Kernel

__all__ = ["Entry", "Failure", "Outcome", "Process", "Request", "State", "Watch", "alike"]


@dataclass(frozen=True)
class Entry:
    """One kernel of one problem, in one state of its file.

    Attributes
    ----------
    source : Source
    kernel : Kernel
    side : str
        Which state it is of, where two are compared.
    offered : bool
        Whether nobody has asked for it: a kernel for any array library is tried on Numba, too.
    """

    source: Source
    kernel: Kernel
    side: str = ""
    offered: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What all states of it have in common: problem and backend."""
        return self.kernel.problem, self.kernel.name

    @property
    def label(self) -> str:
        """What lines call it: problem and backend, and the state where there are two."""
        return f"{self.kernel.problem} {self.kernel.name}{f' ({self.side})' if self.side else ''}"


@dataclass(frozen=True)
class Request:
    """What a person asks for.

    Attributes
    ----------
    entries : tuple of Entry
    sizes : tuple of Size or None
        None: the file's, else decades from 10 to 10^6 as far as time and memory go.
    processes : int
        Of each kernel.
    budget : float
        Seconds of the whole.
    timeout : float
        Seconds that a worker may be silent.
    first_calls : bool
        Whether first calls are wanted.
    """

    entries: tuple[Entry, ...]
    sizes: tuple[Size, ...] | None = None
    processes: int = 5
    budget: float = 60.0
    timeout: float = 30.0
    first_calls: bool = True


@dataclass(frozen=True)
class Process:
    """What one process measured of one size.

    Attributes
    ----------
    samples : tuple of float
        Seconds per call.
    first : float or None
        Seconds of a fresh kernel's first call; None where none was taken.
    record : dict
        What the process told of itself (`jitcost.store.records`).
    round : int
        In which round it was run: the same at all sizes of one process.
    """

    samples: tuple[float, ...]
    first: float | None
    record: dict[str, Any]
    round: int


@dataclass(frozen=True)
class Failure:
    """Why there are no times of a kernel, or of it at a size.

    Attributes
    ----------
    entry : Entry
    size : Size or None
        None: at no size.
    reason : str
    """

    entry: Entry
    size: Size | None
    reason: str


@dataclass
class Outcome:
    """What was measured, as far as it has come.

    Attributes
    ----------
    cells : dict
        The processes of each entry and size.
    n : dict
        The number that each size of a problem stands for.
    failures : list of Failure
    remarks : list of str
        What to mind about the numbers.
    left_out : list of str
        What did not fit.
    details : dict
        What each backend was: versions, threads.
    files : dict
        The files that each entry's functions come from, its own first, each with the hashes of the
        texts that its processes have seen of it.
    grows : dict
        What the file says that the time grows with, by problem: a law, or one for each kernel.
    seconds : dict of str to float
        How long each part took.
    finished : bool
        Whether nobody has interrupted it.
    """

    cells: dict[tuple[Entry, Size], list[Process]] = field(default_factory=dict)
    n: dict[tuple[str, Size], float] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    details: dict[str, dict[str, str]] = field(default_factory=dict)
    files: dict[Entry, dict[str, set[str]]] = field(default_factory=dict)
    grows: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    finished: bool = True

    def sizes_of(self, problem: str) -> list[Size]:
        """Return a problem's sizes by n."""
        return sorted(
            (size for name, size in self.n if name == problem),
            key=lambda size: self.n[problem, size],
        )


@dataclass(frozen=True)
class State:
    """One state of a file.

    Attributes
    ----------
    commit : str
        A hash, hexadecimal: asv's file names take its first letters.
    date : datetime.datetime
        When it is measured: of several times the last one counts.
    file : str
        Its name; empty where the functions are in memory.
    inputs : mapping of str to str
        What makes each problem's inputs, hashed: of other inputs the time is another quantity.
    """

    commit: str
    date: datetime.datetime
    file: str
    inputs: Mapping[str, str]


def alike(line: str) -> str:
    """Return a line without its numbers: what is told of many sizes is told once.

    >>> alike("at [3]: 1.5e-3, expected 2") == alike("at [14]: -7, expected 2.25")
    True
    """
    return re.sub(r"(?<![^\W\d])[-+]?\d[\d.,]*(?:e[-+]?\d+)?", "#", line)


class Watch(Protocol):
    """Who is told while it goes on."""

    def begin(self, entries: Sequence[Entry]) -> None:
        """Hear what is going to be measured."""

    def looked(self) -> None:
        """Hear that every kernel has been checked, and has its provisional times."""

    def scouted(self, entry: Entry, n: float, seconds: float) -> None:
        """Hear of a first, provisional time."""

    def failed(self, entry: Entry, size: Size | None) -> None:
        """Hear that there is no time of a kernel, or of it at a size."""

    def timed(self, entry: Entry, n: float, processes: Sequence[Process]) -> None:
        """Hear of one more process of a cell; of all there are."""

    def doing(self, what: str, left: float | None) -> None:
        """Hear what is going on, and in how many seconds all is done, if that is known."""

    def say(self, line: str) -> None:
        """Hear of something that stays said."""
