"""What does a call cost, and what an element? The model t = k (c0 + c1 n), fitted to times per call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from jitcost.errors import BadCallError
from jitcost.questions.answers import Answer
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    benchmark_groups,
    by_benchmark,
    k_of,
)
from jitcost.stats.model import Fit, Line
from jitcost.stats.model import fit as fitted
from jitcost.store import results

__all__ = ["Costs", "NoCosts", "Options", "Row", "ask", "over_sizes"]


@dataclass(frozen=True)
class Options:
    """What may be asked for; without any of it, the workloads in steady state.

    Attributes
    ----------
    benchmark : str or None
        A regular expression that asv's names of the benchmarks match.
    size, backend : str or None
        The parameters that are n, and that tell apart what is compared.
    """

    benchmark: str | None = None
    size: str | None = None
    backend: str | None = None


@dataclass(frozen=True)
class Costs:
    """One line of the model, with 95 % intervals.

    Attributes
    ----------
    k : int
        Number of operations.
    points : int
        Number of times.
    n_min, n_max : float
        The smallest and the largest size among them, elements.
    c0, c0_low, c0_high : float
        Fixed cost of an operation, seconds.
    c1, c1_low, c1_high : float
        Cost of an operation and element, seconds.
    call_cost, element_cost : float
        `k c0` and `k c1`, seconds.
    misfit : float
        Relative to the times.
    """

    SPREAD: ClassVar[bool] = True

    k: int
    points: int
    n_min: float
    n_max: float
    c0: float
    c0_low: float
    c0_high: float
    c1: float
    c1_low: float
    c1_high: float
    call_cost: float
    element_cost: float
    misfit: float

    @property
    def call_interval(self) -> tuple[float, float]:
        """Of the call cost, seconds."""
        return self.k * self.c0_low, self.k * self.c0_high

    @property
    def element_interval(self) -> tuple[float, float]:
        """Of the element cost, seconds."""
        return self.k * self.c1_low, self.k * self.c1_high

    def time(self, n: float) -> float:
        """Return the line's seconds at size n."""
        return self.call_cost + self.element_cost * n


@dataclass(frozen=True)
class NoCosts:
    """What is known of points that determine no line: the fields of `Costs`."""

    SPREAD: ClassVar[bool] = True

    k: int
    points: int
    n_min: float | None
    n_max: float | None
    c0: None = None
    c0_low: None = None
    c0_high: None = None
    c1: None = None
    c1_low: None = None
    c1_high: None = None
    call_cost: None = None
    element_cost: None = None
    misfit: None = None


@dataclass(frozen=True)
class Row:
    """What may be said of one backend's times over the sizes.

    Attributes
    ----------
    of : Benchmark
    backend : str or None
        None where no parameter tells backends apart.
    costs : Costs or NoCosts
        Of one line through all points, whether or not it holds.
    verdict : str
        `holds`; `bends`, then fitted in pieces; or `no fit`.
    reason : str or None
        Why there is no fit, or what to mind about the one there is.
    bends : tuple of float
        The sizes at which one piece ends and the next begins.
    pieces : tuple of Costs
        One more than there are bends; the line itself without any; none without a fit.
    """

    of: Benchmark
    backend: str | None
    costs: Costs | NoCosts
    verdict: str
    reason: str | None
    bends: tuple[float, ...]
    pieces: tuple[Costs, ...]


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Fit the model to each benchmark and backend.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark and backend.

    Raises
    ------
    BadCallError
        If there is no such parameter, or the pattern is no regular expression.
    """
    kind: str | None = "SteadyState"
    if options != Options():
        kind = None
        cells = results.with_parameters(cells, size=options.size, backend=options.backend)
        if options.benchmark:
            chosen = _matching(options.benchmark, cells["benchmark"].unique().to_list())
            cells = cells.filter(pl.col("benchmark").is_in(chosen))
    return Answer(
        tuple(
            row
            for of, group in benchmark_groups(cells, kind, whole=True)
            for row in _rows(of, group)
        )
    )


def over_sizes(answer: Answer[Row]) -> Answer[Row]:
    """Return the fits of those benchmarks that some backend ran at enough sizes for one."""
    return Answer(
        tuple(
            row
            for members in by_benchmark(answer)
            if any(row.costs.points > 2 for row in members)
            for row in members
        )
    )


def _matching(pattern: str, names: list[str]) -> list[str]:
    try:
        return list(filter(re.compile(pattern).search, names))
    except re.error as error:
        raise BadCallError(f"--benchmark {pattern!r} is no regular expression: {error}") from None


def _rows(of: Benchmark, group: pl.DataFrame) -> Iterator[Row]:
    told_apart: list[str | None] = [*backend_order(group)]
    for backend in told_apart or [None]:
        tried = group.filter(pl.col("backend").eq_missing(pl.lit(backend)))
        points = tried.filter(state="value")
        found, k = _fit(points, k_of(of)), k_of(of)
        yield Row(
            of,
            backend,
            _costs(found.line) if found.line else _no_costs(k, points),
            found.verdict,
            found.reason,
            found.bends,
            tuple(map(_costs, found.pieces)),
        )


def _fit(points: pl.DataFrame, k: int) -> Fit:
    if points.is_empty():
        return Fit("no fit", "all failed")
    if set(points["unit"].unique()) - {"seconds", None}:
        return Fit("no fit", f"not times: the unit is {points['unit'][0]}")
    if points["n"].null_count():
        return Fit("no fit", "the sizes are not numbers")
    return fitted(points["n"].to_list(), points["value"].to_list(), k)


def _costs(line: Line) -> Costs:
    return Costs(
        line.k,
        line.points,
        line.n_min,
        line.n_max,
        line.c0,
        line.c0_low,
        line.c0_high,
        line.c1,
        line.c1_low,
        line.c1_high,
        line.call_cost,
        line.element_cost,
        line.misfit,
    )


def _no_costs(k: int, points: pl.DataFrame) -> NoCosts:
    sizes = [float(n) for n in points["n"].drop_nulls()]
    return NoCosts(k, len(points), min(sizes, default=None), max(sizes, default=None))
