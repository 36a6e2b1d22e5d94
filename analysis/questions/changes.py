"""What has changed for good, where, and by how much: the steps of every series on record.

A history compares each release or commit with the one before it; this looks at all runs of a series at
once, finds the few places where it changes its level (`jitcost.stats.steps`), and says whose change it
is (`jitcost.questions.who_changed`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from jitcost.questions import releases
from jitcost.questions.answers import Answer
from jitcost.questions.groups import title_of
from jitcost.questions.releases import COMMITS, Axis, Where
from jitcost.questions.runs import unaffected
from jitcost.questions.series import Measured, Together, along
from jitcost.questions.who_changed import Looked, looked_at
from jitcost.stats.steps import ALONE, FEWEST_RUNS, LEAST

__all__ = ["Changes", "Options", "Row", "ask"]


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
    """One step of one series.

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
    at : str
        The release, or the commit's full hash, that is the first of the new level.
    ratio, low, high : float
        After / before, with a 95 % interval.
    runs_before, runs_after : int
        On each side, as far as the neighbouring steps.
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
    at: str
    ratio: float
    low: float
    high: float
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
        return self.at[:8] if self.over == COMMITS else self.at


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
    rows: list[Row] = []
    lengths: list[int] = []
    for group, axis in releases.asked(cells, options.over, options.commit, FEWEST_RUNS):
        fixed = unaffected(group, axis)
        place = {value: position for position, value in enumerate(axis.labels)}
        found: list[tuple[int, Row]] = []
        for together in along(group, axis):
            every = list(_looked_at(together, axis, options, fixed))
            # A baseline may have been looked at twice: by its times, and by the others' ratios.
            counts = {looked.backend: len(looked.runs) for looked in every}
            lengths += counts.values()
            for looked in every:
                found += [(place[run], row) for run, row in _rows(looked, together, axis)]
        rows += [row for _, row in sorted(found, key=lambda one: -one[0])]
    judged = [length for length in lengths if length >= FEWEST_RUNS]
    runs = (min(judged), max(judged)) if judged else (0, 0)
    chosen = options.commit is not None or options.over == COMMITS
    passed_over = () if chosen else tuple(releases.passed_over(cells, FEWEST_RUNS))
    return Changes(tuple(rows), len(judged), runs, len(lengths) - len(judged), passed_over)


def _looked_at(
    together: Together, axis: Axis, options: Options, fixed: frozenset[str]
) -> Iterator[Looked]:
    # Another commit may follow, and tell whether the last was disturbed; a release is measured once.
    alone = math.inf if axis.over == COMMITS else ALONE
    for looked in looked_at(together, options.least, alone, fixed):
        if not options.backends or looked.backend in options.backends:
            yield looked


def _rows(looked: Looked, together: Together, axis: Axis) -> Iterator[tuple[str, Row]]:
    of = together.of
    for step in looked.steps:
        run = looked.runs[step.position]
        yield (
            run,
            Row(
                of.name,
                of.workload,
                of.params,
                of.version,
                looked.backend,
                together.quantity,
                together.n,
                axis.over,
                run if axis.over == COMMITS else axis.labels[run],
                step.ratio,
                step.low,
                step.high,
                step.runs_before,
                step.runs_after,
                looked.series,
                axis.where,
            ),
        )
