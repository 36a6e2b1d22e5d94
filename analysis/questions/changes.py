"""What has changed for good, where, and by how much: the steps of every series on record, or its drift.

A history compares each release or commit with the one before it; this looks at all runs of a series at
once, finds the few places where it changes its level (`jitcost.stats.steps`) or how far it has moved
without any (`jitcost.stats.drifts`), and says whose change it is (`jitcost.questions.who_changed`). Of
many series some step by chance: what is told is significant among all of them (`jitcost.stats.many`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import polars as pl

from jitcost.questions import releases
from jitcost.questions.answers import Answer
from jitcost.questions.change_rows import Row, rows_of
from jitcost.questions.releases import COMMITS, Axis, Where
from jitcost.questions.runs import unaffected
from jitcost.questions.series import along
from jitcost.questions.who_changed import looked_at
from jitcost.stats.many import among_many
from jitcost.stats.steps import ALONE, FEWEST_RUNS, LEAST

__all__ = ["FALSE_DISCOVERIES", "Changes", "Options", "Row", "ask"]

# The share of all rows that may be of series in which nothing has changed.
FALSE_DISCOVERIES = 0.05


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
    asked = {
        axis.over for _, axis in releases.asked(cells, options.over, options.commit, FEWEST_RUNS)
    }
    # Of all series, whichever are asked for: what is told of one backend alone, or over one library's
    # releases, is what is told of it among all.
    every = releases.asked(cells, None, options.commit, FEWEST_RUNS)
    axes = [_on_axis(group, axis, options.least) for group, axis in every]
    rows = [row for one in axes for row in one.rows]
    adjusted = among_many([row.p for row in rows], sum(one.flat for one in axes))
    told = (
        replace(row, p=p)
        for row, p in zip(rows, adjusted, strict=True)
        if p <= FALSE_DISCOVERIES and row.over in asked and _is_asked(row.backend, options)
    )
    series = [one for axis in axes if axis.over in asked for one in axis.series]
    lengths = [runs for backend, runs in series if _is_asked(backend, options)]
    judged = [length for length in lengths if length >= FEWEST_RUNS]
    extent = (min(judged), max(judged)) if judged else (0, 0)
    chosen = options.commit is not None or options.over == COMMITS
    passed_over = () if chosen else tuple(releases.passed_over(cells, FEWEST_RUNS))
    return Changes(tuple(told), len(judged), extent, len(lengths) - len(judged), passed_over)


def _is_asked(backend: str, options: Options) -> bool:
    return not options.backends or backend in options.backends


@dataclass(frozen=True)
class _OnAxis:
    """What is seen along one axis: rows, the newest first, each with the p that it has by itself."""

    over: str
    rows: list[Row]
    series: list[tuple[str, int]]  # of each the backend, and how many runs
    flat: int  # how many of those with runs enough have no row


def _on_axis(cells: pl.DataFrame, axis: Axis, least: float) -> _OnAxis:
    fixed = unaffected(cells, axis)
    # Another commit may follow, and tell whether the last was disturbed; a release is measured once.
    alone = math.inf if axis.over == COMMITS else ALONE
    rows: list[Row] = []
    series: list[tuple[str, int]] = []
    flat = 0
    for together in along(cells, axis):
        every = looked_at(together, least, alone, fixed)
        its = [row for looked in every for row in rows_of(looked, together, axis)]
        # A baseline may have been looked at twice: by its times, and by the others' ratios.
        lengths = {looked.backend: len(looked.values) for looked in every}
        changed = {row.backend for row in its}
        flat += sum(runs >= FEWEST_RUNS for name, runs in lengths.items() if name not in changed)
        rows += its
        series += lengths.items()
    names = axis.labels.keys() if axis.over == COMMITS else axis.labels.values()
    place = {name: position for position, name in enumerate(names)}
    rows.sort(key=lambda row: -place[row.at])
    return _OnAxis(axis.over, rows, series, flat)
