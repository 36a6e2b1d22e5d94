"""What has changed for good, where, and by how much: the steps of every series on record, or its drift.

A history compares each release or commit with the one before it; this looks at all runs of a series at
once, finds the few places where it changes its level (`jitcost.stats.steps`) or how far it has moved
without any (`jitcost.stats.drifts`), and says whose change it is (`jitcost.questions.who_changed`). Of
many series some step by chance: what is told is significant among all of them (`jitcost.stats.many`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from jitcost.questions import releases
from jitcost.questions.answers import Answer
from jitcost.questions.groups import title_of
from jitcost.questions.looked import Looked
from jitcost.questions.releases import COMMITS, Axis, Where
from jitcost.questions.runs import unaffected
from jitcost.questions.series import Measured, Together, along
from jitcost.questions.who_changed import looked_at
from jitcost.stats.apart import Apart
from jitcost.stats.drifts import Drift
from jitcost.stats.many import among_many
from jitcost.stats.steps import ALONE, FEWEST_RUNS, LEAST, Step

__all__ = ["Changes", "Kind", "Options", "Row", "ask"]

Kind = Literal["step", "drift", "outlier"]
Found = Step | Drift | Apart

# The share of all rows that may be of series in which nothing has changed.
_FALSE_DISCOVERIES = 0.05


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    over, commit : str or None
        As in `jitcost.questions.history.Options`; but unasked, the newest commit with releases enough
        to be judged.
    least : float
        The smallest change that is told, as a share.
    backends : tuple of str
        Those whose changes are told; empty: all. The others' times still serve as baselines.
    """

    over: str | None = None
    commit: str | None = None
    least: float = LEAST
    backends: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One change of one series.

    Attributes
    ----------
    benchmark, workload, params, version
        As in `jitcost.questions.groups.Benchmark`.
    backend : str
        Empty where nothing tells any apart.
    quantity : {"time", "C"}
        A call in steady state, or what compiling adds to the first.
    n : float or None
        The size; None where the benchmark has none.
    over : str
        A library, or `commits`.
    kind : {"step", "drift", "outlier"}
        A step from one level to another; a drift, where there is no step, from the first third of the
        runs to the last; or one run that stands apart: of commits the last, which the next one will
        tell from a step, of releases one that was away by a factor of two.
    at : str
        The release, or the commit's full hash: of a step the first of the new level, of a drift the
        last run, of an outlier the run itself.
    before : str or None
        The last one before it that was measured; of a drift the first of all. None where an outlier is
        the first.
    unmeasured : int
        How many others are between the two: a step may be theirs.
    ratio, low, high : float
        After / before, with a 95 % interval.
    p : float
        Two-sided, adjusted for the runs of the series and for all series (Benjamini and Hochberg 1995):
        0.05 at most.
    runs_before, runs_after : int
        On each side, as far as the neighbouring steps, with those that were set aside; of a drift in
        each third; of an outlier the others of its level, and itself.
    series : str
        What was looked at: `times`, or a `ratio to` the backend named after it.
    where : Where
    """

    benchmark: str
    workload: str | None
    params: Mapping[str, str]
    version: str | None
    backend: str
    quantity: Measured
    n: float | None
    over: str
    kind: Kind
    at: str
    before: str | None
    unmeasured: int
    ratio: float
    low: float
    high: float
    p: float
    runs_before: int
    runs_after: int
    series: str
    where: Where

    @property
    def title(self) -> str:
        """What it is of: the workload and its options, or the benchmark's name."""
        return title_of(self.benchmark, self.workload, self.params)

    @property
    def label(self) -> str:
        """What the release or commit is called in tables and figures."""
        return self.called(self.at)

    def called(self, value: str) -> str:
        """Return what `at` or `before` is called in tables and figures."""
        return value[:8] if self.over == COMMITS else value


@dataclass(frozen=True, repr=False)
class Changes(Answer[Row]):
    """The steps, and of what: rows that are not there say something, too.

    Attributes
    ----------
    judged : int
        How many series have runs enough.
    runs : tuple of int
        The fewest and the most runs of these; zeros where there are none.
    short : int
        How many series are too short to be judged.
    passed_over : tuple of pairs of Where
        Where the newest releases are, too few to be judged, and where those that were looked at.
    """

    judged: int = 0
    runs: tuple[int, int] = (0, 0)
    short: int = 0
    passed_over: tuple[tuple[Where, Where], ...] = ()

    @property
    def waiting(self) -> tuple[Row, ...]:
        """The last commits that stand apart: the next one will tell whether they are a step."""
        return tuple(row for row in self if row.kind == "outlier" and row.over == COMMITS)

    def settled(self) -> Changes:
        """Return it without these."""
        return replace(self, rows=tuple(row for row in self if row not in self.waiting))


def ask(cells: pl.DataFrame, options: Options = Options()) -> Changes:
    """Return the steps of all series, those over releases first, and of each axis the newest first.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them, of any commits and backends.
    options : Options

    Returns
    -------
    Changes
        Nothing was judged, and nothing too short, where there are no two releases or commits.

    Raises
    ------
    BadCallError
        If there is nothing over what is asked for, or no such commit.
    """
    found: list[tuple[int, int, Row]] = []
    lengths: list[int] = []
    flat = 0
    for number, (group, axis) in enumerate(
        releases.asked(cells, options.over, options.commit, FEWEST_RUNS)
    ):
        fixed = unaffected(group, axis)
        # Another commit may follow, and tell whether the last was disturbed; a release is measured once.
        alone = math.inf if axis.over == COMMITS else ALONE
        place = {value: position for position, value in enumerate(axis.labels)}
        for together in along(group, axis):
            every = looked_at(together, options.least, alone, fixed)
            # A baseline may have been looked at twice: by its times, and by the others' ratios.
            counts = {looked.backend: len(looked.values) for looked in every}
            lengths += [its for name, its in counts.items() if _is_asked(name, options)]
            told = [
                (place[run], number, row)
                for one in every
                for run, row in _rows(one, together, axis)
            ]
            found += told
            changed = {row.backend for _, _, row in told}
            flat += sum(runs >= FEWEST_RUNS for name, runs in counts.items() if name not in changed)
    # Of all series, whichever are asked for: a change is told of a backend alone as among all.
    adjusted = among_many([row.p for _, _, row in found], flat)
    rows = [
        (number, -position, replace(row, p=p))
        for (position, number, row), p in zip(found, adjusted, strict=True)
        if p <= _FALSE_DISCOVERIES and _is_asked(row.backend, options)
    ]
    rows.sort(key=lambda one: one[:2])
    judged = [length for length in lengths if length >= FEWEST_RUNS]
    runs = (min(judged), max(judged)) if judged else (0, 0)
    chosen = options.commit is not None or options.over == COMMITS
    passed_over = () if chosen else tuple(releases.passed_over(cells, FEWEST_RUNS))
    return Changes(
        tuple(row for *_, row in rows), len(judged), runs, len(lengths) - len(judged), passed_over
    )


def _is_asked(backend: str, options: Options) -> bool:
    return not options.backends or backend in options.backends


def _rows(looked: Looked, together: Together, axis: Axis) -> Iterator[tuple[str, Row]]:
    """Yield what is told of a series, each with the axis's value that it is sorted by."""
    of, runs, every = together.of, looked.runs, list(axis.labels)
    named = {run: run if axis.over == COMMITS else axis.labels[run] for run in runs}

    def row(kind: Kind, at: int, before: int | None, found: Found, sides: tuple[int, int]) -> Row:
        between = 0 if before is None else every.index(runs[at]) - every.index(runs[before]) - 1
        return Row(
            benchmark=of.name,
            workload=of.workload,
            params=of.params,
            version=of.version,
            backend=looked.backend,
            quantity=together.quantity,
            n=together.n,
            over=axis.over,
            kind=kind,
            at=named[runs[at]],
            before=None if before is None else named[runs[before]],
            unmeasured=between if kind == "step" else 0,
            ratio=found.ratio,
            low=found.low,
            high=found.high,
            p=found.p,
            runs_before=sides[0],
            runs_after=sides[1],
            series=looked.series,
            where=axis.where,
        )

    for step in looked.steps:
        at, sides = step.position, (step.runs_before, step.runs_after)
        yield runs[at], row("step", at, at - 1, step, sides)
    if (its := looked.drift) is not None:
        yield runs[-1], row("drift", len(runs) - 1, 0, its, (its.runs, its.runs))
    for one in looked.apart:
        at = one.position
        if _is_told(one, at == len(runs) - 1, axis):
            yield runs[at], row("outlier", at, at - 1 if at else None, one, (one.runs, 1))


def _is_told(one: Apart, last: bool, axis: Axis) -> bool:
    """Tell whether a run apart is of interest: a release that people had, a commit that may stay."""
    return last if axis.over == COMMITS else abs(math.log(one.ratio)) >= math.log(ALONE)
