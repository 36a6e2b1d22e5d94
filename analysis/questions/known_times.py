"""What is known of a call's time at any size: measured points, what lies between them, and the model.

It is what a plan is made from, and what the page's planner computes with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import polars as pl

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, backend_order, benchmark_groups, k_of, law_of
from jitcost.questions.timed import Time, fit_of, sizes_of, times_of
from jitcost.stats.candidates import Law
from jitcost.stats.fits import Fit
from jitcost.stats.interpolate import interpolate
from jitcost.store.catalogue import OWN
from jitcost.units import size_text

__all__ = [
    "UNCOMPILED",
    "Estimate",
    "KnownTimes",
    "NoEstimateError",
    "Options",
    "Row",
    "Source",
    "ask",
    "of_workload",
    "sizes",
]

Source = Literal["measured", "interpolated", "model", "nearest"]

# Built on no compiled kernel, and yet its first call compiles: each operation by itself.
_OPERATIONS_COMPILE = ("jax_eager",)


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    workload : str or None
        Its name, or somebody else's benchmark's, or the end of that after a point; None: every one.
    """

    workload: str | None = None


@dataclass(frozen=True)
class Estimate:
    """A time at one size.

    Attributes
    ----------
    time : float
        Seconds per call.
    low, high : float or None
        Its interval; None where there is none.
    source : {"measured", "interpolated", "model", "nearest"}
        `interpolated`: between the measured sizes next to it. `model`: beyond them, by the fit.
        `nearest`: of a first call beyond them, with the compile cost of the nearest size.
    note : str or None
        What to mind about it.
    """

    time: float
    low: float | None
    high: float | None
    source: Source
    note: str | None = None


UNCOMPILED = "nothing is compiled: its first call is taken for one in steady state"


class NoEstimateError(Exception):
    """Why a time cannot be told."""


@dataclass(frozen=True)
class KnownTimes:
    """One backend's times over the sizes.

    Attributes
    ----------
    points : mapping of float to Time
        By increasing size; seconds per call.
    k : int
        Number of operations.
    law : {"n", "n log n", "n^2", "n^3"}
        What the times have been said to grow with; n where nobody has said so.
    ladder : tuple of float
        The sizes that the benchmark has, measured or not, increasing.
    """

    points: Mapping[float, Time]
    k: int
    law: Law = "n"
    ladder: tuple[float, ...] = ()

    @cached_property
    def fit(self) -> Fit:
        """The model through all points."""
        return fit_of(self.points, self.k, self.law)

    def at(self, n: float) -> Estimate:
        """Return the time at a size.

        The interval of the model's joins the intervals of both its costs and its misfit: it is wide,
        and of what the curve does beyond the measured sizes it knows nothing.

        Raises
        ------
        NoEstimateError
            If there is none; says why.
        """
        if not self.points:
            raise NoEstimateError("not measured")
        found = interpolate({size: time.as_interval() for size, time in self.points.items()}, n)
        if found is not None:
            source: Source = "measured" if found.measured else "interpolated"
            return Estimate(found.value, found.low, found.high, source)
        time = self.fit.time(n)
        if time is None or time <= 0:
            least, most = min(self.points), max(self.points)
            extent = f"n = {size_text(least)}"
            if least < most:
                extent += f" to {size_text(most)}"
            why = self.fit.reason or "it is below zero there"
            raise NoEstimateError(f"measured for {extent} only, and no model beyond: {why}")
        pieces, misfit = self.fit.pieces, 1 + (self.fit.misfit or 0.0)
        low, high = (pieces[0] if n < min(self.points) else pieces[-1]).bounds(n)
        return Estimate(time, max(0.0, min(low, time) / misfit), max(high, time) * misfit, "model")


@dataclass(frozen=True)
class Row:
    """One backend's first calls and calls in steady state.

    Attributes
    ----------
    of : Benchmark
    backend : str
    first, steady : KnownTimes
        Either may be without points.
    compiles : bool
        Whether its first call does, and so takes longer than the others.
    """

    of: Benchmark
    backend: str
    first: KnownTimes
    steady: KnownTimes
    compiles: bool = True

    def first_at(self, n: float) -> Estimate:
        """Return the time of the first call at a size.

        Where it cannot be told from first calls, it is one in steady state, after the compile cost of
        the nearest size at which both are known; where nothing is compiled, after none.

        Raises
        ------
        NoEstimateError
            If there is none; says why.
        """
        try:
            return self.first.at(n)
        except NoEstimateError:
            both = self.first.points.keys() & self.steady.points.keys()
            if self.compiles and not both:
                raise
        further = self.steady.at(n)
        if not self.compiles:
            return replace(further, note=UNCOMPILED)
        near = min(both, key=lambda size: (_distance(size, n), size))
        return self._with_cost_of(near, further)

    def _with_cost_of(self, near: float, further: Estimate) -> Estimate:
        """Return a first call: the cost at one size before a call in steady state at another."""
        first, steady = self.first.points[near], self.steady.points[near]
        time = max(further.time, first.value - steady.value + further.time)
        bounds = (first.low, first.high, steady.low, steady.high, further.low, further.high)
        low, high = _bounds(time, (first.value, steady.value, further.time), bounds)
        note = (
            f"its compile cost is that at n = {size_text(near)}, the nearest size with a first call"
        )
        return Estimate(time, low, high, "nearest", note)


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Return what is known of each workload with first calls.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark and backend.
    """
    if options.workload is not None:
        cells = of_workload(cells, options.workload)
    firsts = list(benchmark_groups(cells, "FirstCall"))
    ladders = _ladders(cells)
    return Answer(
        tuple(
            row
            for of, steady in benchmark_groups(cells, "SteadyState")
            for first in [its for other, its in firsts if of.beside(other)] or [steady.clear()]
            for row in _rows(of, steady, first, ladders)
        )
    )


def of_workload(cells: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the cells of a workload, or of somebody else's benchmarks of a name."""
    benchmark = pl.col("benchmark")
    named = (benchmark == name) | benchmark.str.ends_with(f".{name}")
    return cells.filter((pl.col("workload") == name).fill_null(value=False) | named)


Ladders = Mapping[tuple[str, str], tuple[float, ...]]


def _ladders(cells: pl.DataFrame) -> Ladders:
    """Return the sizes of each workload's first calls and steady state, measured or not."""
    ours = ~pl.col("benchmark").str.starts_with(OWN)
    listed = cells.filter(ours, pl.col("workload").is_not_null(), pl.col("n").is_not_null())
    grouped = listed.group_by("workload", "kind").agg(pl.col("n").unique().sort())
    return {(workload, kind): tuple(found) for workload, kind, found in grouped.iter_rows()}


def _rows(
    of: Benchmark, steady: pl.DataFrame, first: pl.DataFrame, ladders: Ladders
) -> Iterator[Row]:
    for backend in backend_order(steady):
        first_calls, calls = (
            _known_times(of, group, backend, ladders.get((str(of.workload), kind), ()))
            for group, kind in ((first, "FirstCall"), (steady, "SteadyState"))
        )
        base, _ = backends.split_version(backend)
        compiles = backends.is_compiled(backend) or base in _OPERATIONS_COMPILE
        yield Row(of, backend, first_calls, calls, compiles)


def _known_times(
    of: Benchmark, group: pl.DataFrame, backend: str, ladder: tuple[float, ...]
) -> KnownTimes:
    points = dict(sorted(sizes_of(times_of(group), backend).items()))
    return KnownTimes(points, k_of(of), law_of(group, backend), ladder)


def _bounds(
    time: float, values: tuple[float, float, float], bounds: tuple[float | None, ...]
) -> tuple[float | None, float | None]:
    """Join the intervals of a first call less one in steady state and another one, in squares."""
    if any(bound is None for bound in bounds):
        return None, None
    first_low, first_high, steady_low, steady_high, low, high = (bound or 0.0 for bound in bounds)
    first, steady, further = values
    below = math.hypot(first - first_low, steady_high - steady, further - low)
    above = math.hypot(first_high - first, steady - steady_low, high - further)
    return max(0.0, time - below), time + above


def _distance(one: float, other: float) -> float:
    """Return how many times as large the larger of two sizes is, as a logarithm."""
    return abs(math.log(one / other)) if one > 0 and other > 0 else math.inf


def sizes(rows: Iterable[Row]) -> list[float]:
    """Return the sizes at which some backend has all times that it needs, increasing."""
    return sorted(
        set().union(
            *(
                row.first.points.keys() & row.steady.points.keys()
                if row.compiles or row.first.points
                else row.steady.points.keys()
                for row in rows
            )
        )
    )
