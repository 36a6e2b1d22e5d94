"""What is known of a call's time at any size: measured points, what lies between them, and the model.

It is what a plan is made from, and what the page's planner computes with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, backend_order, k_of, law_of, steady_and_first
from jitcost.questions.timed import Time, fit_of, sizes_of, times_of
from jitcost.stats.candidates import Law
from jitcost.stats.fits import Fit
from jitcost.stats.interpolate import interpolate
from jitcost.units import size_text

__all__ = ["Estimate", "KnownTimes", "NoEstimateError", "Options", "Row", "Source", "ask", "sizes"]

Source = Literal["measured", "interpolated", "model"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    workload : str or None
        None: every one.
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
    source : {"measured", "interpolated", "model"}
        `interpolated`: between the measured sizes next to it. `model`: beyond them, by the fit.
    """

    time: float
    low: float | None
    high: float | None
    source: Source


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
    """

    points: Mapping[float, Time]
    k: int
    law: Law = "n"

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
    """

    of: Benchmark
    backend: str
    first: KnownTimes
    steady: KnownTimes


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
        cells = cells.filter(workload=options.workload)
    return Answer(
        tuple(
            Row(of, backend, _known(of, first, backend), _known(of, steady, backend))
            for of, steady, first in steady_and_first(cells)
            for backend in backend_order(steady)
        )
    )


def _known(of: Benchmark, group: pl.DataFrame, backend: str) -> KnownTimes:
    points = dict(sorted(sizes_of(times_of(group), backend).items()))
    return KnownTimes(points, k_of(of), law_of(group, backend))


def sizes(rows: Iterable[Row]) -> list[float]:
    """Return the sizes at which some backend has both times, increasing."""
    return sorted(
        set().union(*(row.first.points.keys() & row.steady.points.keys() for row in rows))
    )
