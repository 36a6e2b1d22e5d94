"""How a claim of the article is held against what was measured here: an interval, and a verdict.

Every claim names a range. It *holds* where the interval measured here lies within the range, *does not
hold* where it lies wholly outside, and where it reaches across an end of the range we *cannot tell*. So
a claim that is just false is said to hold in no more cases than an interval misses its truth on one side
(in 3.1 % by five processes), and one that is just true not to hold likewise. An explanation that the
article leaves open is no claim of it: it is *supported* or *not supported*, by the same rule.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from jitcost.questions.breakeven import Verdict as BreakEvenVerdict
from jitcost.questions.timed import is_time, time_of
from jitcost.stats.times import Time

__all__ = [
    "FACTOR",
    "Claim",
    "Figure",
    "Judge",
    "Need",
    "NotMeasuredError",
    "Range",
    "Times",
    "Unit",
    "Verdict",
    "judged",
]

Verdict = Literal[
    "holds", "does not hold", "supported", "not supported", "cannot tell", "not measured"
]

# Of a figure: seconds, a ratio, a number of calls, or an absolute difference of numbers.
Unit = Literal["s", "x", "calls", "1"]

# A time or a ratio of another machine is the article's if it is within this factor of it.
FACTOR = 2.0


@dataclass(frozen=True)
class Range:
    """Where a figure has to be for a claim to hold, both ends included."""

    least: float
    most: float

    @classmethod
    def about(cls, low: float, high: float | None = None, factor: float = FACTOR) -> Range:
        """Return what is within a factor of a figure, or of the ends of one that is a range.

        >>> Range.about(7, 9), Range.about(10, factor=10)
        (Range(least=3.5, most=18.0), Range(least=1.0, most=100))
        """
        return cls(low / factor, (low if high is None else high) * factor)


@dataclass(frozen=True)
class Figure:
    """What was measured here of a claim.

    Attributes
    ----------
    value : float or None
        In its unit; None where there is no single one, or no finite one.
    low, high : float or None
        Its interval; None where there is none. `high` may be infinite. A figure that no noise
        moves is its own interval.
    unit : {"s", "x", "calls", "1"}
    verdict : str
        See the module.
    break_even : {"pays", "never", "cannot tell"} or None
        Of a number of calls, what is known of it: without one, "never" and "cannot tell" differ.
    """

    value: float | None
    low: float | None
    high: float | None
    unit: Unit
    verdict: Verdict
    break_even: BreakEvenVerdict | None = None


def judged(
    value: float | None, low: float | None, high: float | None, unit: Unit, within: Range
) -> Figure:
    """Return a figure with its verdict: by its interval alone, and without one we cannot tell."""
    verdict: Verdict = "cannot tell"
    if low is not None and high is not None:
        if within.least <= low and high <= within.most:
            verdict = "holds"
        elif high < within.least or low > within.most:
            verdict = "does not hold"
    return Figure(value, low, high, unit, verdict)


@dataclass(frozen=True)
class Need:
    """A cell that a claim is about.

    Attributes
    ----------
    workload : str
    backend : str
        Of the kind `Variants`, a variant.
    n : int or None
        None: of every size, or whichever there are.
    kind : str
        What of it was measured: see `jitcost.store`.
    """

    workload: str
    backend: str
    n: int | None
    kind: str = "SteadyState"


class NotMeasuredError(Exception):
    """What a claim is about is not among these cells, or cannot be used.

    Attributes
    ----------
    missing : tuple of Need
        What is not there.
    """

    def __init__(self, reason: str, missing: Sequence[Need] = ()) -> None:
        super().__init__(reason)
        self.missing = tuple(missing)


@dataclass
class Times:
    """One origin's cells, asked for by what they are of.

    Attributes
    ----------
    cells : polars.DataFrame
    of_samples : bool
        Whether to take asv's median of the samples although the processes may be known: a claim about
        several times takes one statistic of all.
    asked : list of Time
        The times that were asked for.
    """

    cells: pl.DataFrame
    of_samples: bool = False
    asked: list[Time] = field(default_factory=list)

    def of(self, *needs: Need) -> list[Time]:
        """Return the times of all of these, or raise `NotMeasuredError` with those that are missing."""
        found = [self._of(need) for need in needs]
        missing = [need for need, its in zip(needs, found, strict=True) if its.is_empty()]
        if missing:
            raise NotMeasuredError("not measured", missing)
        for need, its in zip(needs, found, strict=True):
            if len(its) > 1:
                raise NotMeasuredError(
                    f"measured more than once, by different versions: {_cell_text(need)}"
                )
        return [self._time(need, its) for need, its in zip(needs, found, strict=True)]

    def at_all_sizes(self, need: Need, at_most: float = math.inf) -> dict[int, Time]:
        """Return the times of one backend by size, or raise `NotMeasuredError` if there are none."""
        its = self._of(need).filter(pl.col("n") <= at_most)
        if its.is_empty():
            raise NotMeasuredError("not measured", [need])
        sizes = sorted({int(n) for n in its["n"]})
        needs = (Need(need.workload, need.backend, n, need.kind) for n in sizes)
        return dict(zip(sizes, self.of(*needs), strict=True))

    def largest(self, need: Need) -> float:
        """Return the largest value of a `track_` benchmark, whose method is the need's kind."""
        named = pl.col("benchmark").str.ends_with(f".{need.kind}")
        its = self.cells.filter(named, workload=need.workload, backend=need.backend)
        if its.is_empty():
            raise NotMeasuredError("not measured", [need])
        return float(its["value"].max())  # type: ignore[arg-type]

    def _of(self, need: Need) -> pl.DataFrame:
        its = self.cells.filter(workload=need.workload, kind=need.kind)
        if need.kind == "Variants":
            # Without a benchmarks.json beside the results the variant counts as the backend.
            params = json.dumps({"variant": repr(need.backend)})
            its = its.filter((pl.col("params") == params) | (pl.col("backend") == need.backend))
        else:
            its = its.filter(backend=need.backend)
        return its if need.n is None else its.filter(n=need.n)

    def _time(self, need: Need, its: pl.DataFrame) -> Time:
        cell = its.row(0, named=True)
        if self.of_samples:
            cell |= {"processes": None}
        time = time_of(cell)
        if not is_time(time):
            raise NotMeasuredError(f"zero, or beyond all bounds: {_cell_text(need)}")
        self.asked.append(time)
        return time


def _cell_text(need: Need) -> str:
    at = "" if need.n is None else f" at n = {need.n:,}"
    return f"{need.workload} on {need.backend}{at}"


# Takes `Times`; returns the figure measured here with its verdict, or raises `NotMeasuredError`.
Judge = Callable[[Times], Figure]


@dataclass(frozen=True)
class Claim:
    """One claim of the article, or one explanation that it leaves open.

    Attributes
    ----------
    text : str
        What is claimed, in our words.
    article : str
        Its figure.
    means : str
        When it holds.
    judge : callable
        Takes `Times`; returns the figure measured here with its verdict.
    note : str
        Where it depends on the machine or the release, why.
    open : bool
        Whether the article leaves it open, so that it is held against an experiment's variants.
    """

    text: str
    article: str
    means: str
    judge: Judge
    note: str = ""
    open: bool = False
