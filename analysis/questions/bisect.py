"""Between which two neighbours has a cell changed? By how much, and what was measured for it."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jitcost.questions.cell_verdicts import Described, Place
from jitcost.questions.groups import title_of
from jitcost.stats.ratios import ratio

__all__ = ["Against", "Bisection", "against", "ask"]

# A name, each process's number of the earlier and of the later, and why there are none.
Step = tuple[str, Sequence[float], Sequence[float], str | None]

# What one is like: the ends, or nothing that decides.
Like = Literal["earlier", "later", "cannot tell", "not there"]


@dataclass(frozen=True)
class Against:
    """One release or commit against an earlier one.

    Attributes
    ----------
    name : str
    earlier, later : float or None
        Seconds per call, the medians of the processes; None where it could not be measured.
    ratio, ratio_low, ratio_high : float or None
        later / earlier, with its 95 % interval.
    processes : int
        Of each side.
    reason : str or None
        Why it could not be measured.
    like : str
        `earlier`, `later`: which end of the search it is like; `cannot tell`; `not there`: it could not
        be installed, or the cell not be measured.
    """

    name: str
    earlier: float | None
    later: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    processes: int
    reason: str | None
    like: Like


@dataclass(frozen=True)
class Bisection:
    """The answer.

    Attributes
    ----------
    benchmark, workload, backend, params, n
        The cell: see `jitcost.questions.cell_verdicts.Row`.
    first, last : str
        The ends.
    of_all : int
        How many releases or commits there are, the ends included.
    whole : Against
        The last against the first.
    measured : tuple of Against
        What was measured between them, against the first, in their order.
    before, after : str
        The neighbours that bracket the change.
    between : tuple of str
        What stands between these two, and could not be told.
    change : Against
        The one after against the one before.
    """

    benchmark: str
    workload: str | None
    backend: str | None
    params: Mapping[str, str]
    n: float | None
    first: str
    last: str
    of_all: int
    whole: Against
    measured: tuple[Against, ...]
    before: str
    after: str
    between: tuple[str, ...]
    change: Against

    @property
    def title(self) -> str:
        """What the cell is of: the workload and its options, or the benchmark's name."""
        of = None if self.backend is None else self.workload
        return title_of(self.benchmark, of, self.params)


def ask(
    names: Sequence[str],
    cell: Place,
    benchmarks: Mapping[str, Mapping[str, Any]],
    *,
    ends: Step,
    steps: Iterable[tuple[Step, Like]],
    bracket: tuple[str, str],
    between: Iterable[str],
    neighbours: Step,
) -> Bisection:
    """Put together what a search has found.

    Parameters
    ----------
    names : sequence of str
        All releases or commits, from the earlier end to the later one.
    cell : Place
    benchmarks : mapping
        What asv knows of each.
    ends, neighbours : Step
        The last against the first, and the one after the change against the one before.
    steps : iterable of (Step, str)
        What was measured between, against the first, and what it is like.
    bracket, between
        See `Bisection`.
    """
    described = {k: v for k, v in Described(benchmarks)(cell).items() if k != "kind"}
    place = {name: number for number, name in enumerate(names)}
    return Bisection(
        **described,
        first=names[0],
        last=names[-1],
        of_all=len(names),
        whole=against(ends, "later"),
        measured=tuple(sorted((against(*step) for step in steps), key=lambda one: place[one.name])),
        before=bracket[0],
        after=bracket[1],
        between=tuple(between),
        change=against(neighbours, "later"),
    )


def against(step: Step, like: Like) -> Against:
    """Return what a step's processes say."""
    name, earlier, later, reason = step
    if not later:
        return Against(name, None, None, None, None, None, 0, reason, like)
    its = ratio(later, earlier)
    return Against(
        name,
        statistics.median(earlier),
        statistics.median(later),
        its.value,
        its.low,
        its.high,
        len(later),
        reason,
        like,
    )
