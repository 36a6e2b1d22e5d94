"""What is told of one series: the rows of its steps, of its drift, and of runs that stand apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from jitcost.questions.groups import title_of
from jitcost.questions.looked import Looked
from jitcost.questions.releases import COMMITS, Axis, Where
from jitcost.questions.series import Measured, Together
from jitcost.stats.apart import Apart
from jitcost.stats.drifts import Drift
from jitcost.stats.steps import ALONE, Step

__all__ = ["Kind", "Row", "rows_of"]

Kind = Literal["step", "drift", "outlier"]
Found = Step | Drift | Apart


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


def rows_of(looked: Looked, together: Together, axis: Axis) -> Iterator[Row]:
    """Yield what there is to tell of a series; its p is by itself.

    Parameters
    ----------
    looked : Looked
    together : Together
        What it is a series of.
    axis : Axis
    """
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
        yield row("step", at, at - 1, step, sides)
    if (its := looked.drift) is not None:
        yield row("drift", len(runs) - 1, 0, its, (its.runs, its.runs))
    for one in looked.apart:
        at = one.position
        if _is_told(one, at == len(runs) - 1, axis):
            yield row("outlier", at, at - 1 if at else None, one, (one.runs, 1))


def _is_told(one: Apart, last: bool, axis: Axis) -> bool:
    """Tell whether a run apart is of interest: a release that people had, a commit that may stay."""
    return last if axis.over == COMMITS else abs(math.log(one.ratio)) >= math.log(ALONE)
