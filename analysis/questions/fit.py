"""What does a call cost, and what an element? The model t = k (c0 + c1 n), fitted to times per call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.choosing import matching
from jitcost.questions.costs import Costs, NoCosts, costs_of, no_costs
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    benchmark_groups,
    by_benchmark,
    k_of,
    law_of,
)
from jitcost.questions.sized import ENOUGH, Part, with_size
from jitcost.questions.timed import fit_of, time_of
from jitcost.stats.candidates import Kind, Law
from jitcost.stats.fits import Fit, Verdict
from jitcost.stats.intervals import recover_processes
from jitcost.stats.unstable import unstable
from jitcost.store import results
from jitcost.units import size_text

__all__ = ["Costs", "NoCosts", "Options", "Row", "ask", "over_sizes"]


@dataclass(frozen=True)
class Options:
    """What may be asked for; without any of it, the workloads in steady state.

    Where there are none, each benchmark is fitted over the only parameter with three or more numbers,
    and so is each that `benchmark` chooses, unless `size` says otherwise or it has an n.

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
class Row:
    """What may be said of one backend's times over the sizes.

    Attributes
    ----------
    of : Benchmark
    backend : str or None
        None where no parameter tells backends apart.
    costs : Costs or NoCosts
        Of one line through all sizes, whether or not it holds.
    line_law : {"n", "n log n", "n^2", "n^3"}
        What that line is in: n, unless somebody has said what the times grow with.
    verdict : {"linear", "linear to", "piecewise", "growth", "no model"}
        See `jitcost.stats.fits.Fit`.
    reason : str or None
        Why there is no model, or what to mind about the one there is.
    law : {"n", "n log n", "n^2", "n^3"} or None
        What the time grows with; None without a model.
    pieces : tuple of Costs
        The model's: two if it is piecewise, else one, none without a model.
    n_at : float or None
        Of a piecewise model, where the one piece ends and the other begins.
    bends : tuple of float
        The same as a list of one.
    kind : {"jump", "slope", "both", "cannot be told"} or None
        What changes there.
    jump, jump_low, jump_high : float or None
        Seconds by which a call takes longer from there on.
    misfit : float or None
        The largest distance of a time from the model, as a share of the model's.
    line_misfit : float or None
        The same of the one line.
    grows_like : {"n^2", "n^3"} or None
        The only law that the largest sizes leave, whether or not the times have a model; None where
        there is none, or more than one.
    exponent, exponent_low, exponent_high : float or None
        p of a growth like n^p at the largest sizes, and between what it lies: see
        `jitcost.stats.exponents`. None where they span no decade.
    exponent_from : float or None
        The first of these sizes; the last is the largest.
    noise : float or None
        The typical standard error of a time, as a share of it; None where it is not known.
    processes : int or None
        The fewest that a size was measured in; None where they are not known.
    size : str or None
        The parameter that was taken for n because no other can be; None where that was not guessed.
    """

    of: Benchmark
    backend: str | None
    costs: Costs | NoCosts
    line_law: Law
    verdict: Verdict
    reason: str | None
    law: Law | None
    pieces: tuple[Costs, ...]
    n_at: float | None
    bends: tuple[float, ...]
    kind: Kind | None
    jump: float | None
    jump_low: float | None
    jump_high: float | None
    misfit: float | None
    line_misfit: float | None
    grows_like: Law | None
    exponent: float | None
    exponent_low: float | None
    exponent_high: float | None
    exponent_from: float | None
    noise: float | None
    processes: int | None
    size: str | None


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
        By benchmark and backend; a benchmark without any n has one row.

    Raises
    ------
    BadCallError
        If there is no such parameter, or the pattern is no regular expression.
    """
    return Answer(
        tuple(
            row
            for part in _parts(cells, options)
            for of, group in benchmark_groups(part.cells, whole=True)
            for row in _rows(of, group, part)
        )
    )


def over_sizes(answer: Answer[Row]) -> Answer[Row]:
    """Return the fits of those benchmarks that some backend ran at enough sizes for one."""
    return Answer(
        tuple(
            row
            for members in by_benchmark(answer)
            if any(row.costs.points >= ENOUGH for row in members)
            for row in members
        )
    )


def _parts(cells: pl.DataFrame, options: Options) -> Iterator[Part]:
    tried = pl.col("state") != "not_measured"
    if options == Options():
        own = cells.filter(tried, kind="SteadyState")
        if not own.is_empty():
            yield Part(own)
            return
        ours = [of.name for of, _ in benchmark_groups(cells, whole=True) if of.spec]
        cells = cells.filter(~pl.col("benchmark").is_in(ours))
    else:
        cells = results.with_parameters(cells, size=options.size, backend=options.backend)
        if options.benchmark:
            chosen = matching(options.benchmark, cells)
            cells = cells.filter(pl.col("benchmark").is_in(chosen))
        if options.size is not None:
            yield Part(cells)
            return
    for _, its in cells.filter(tried).group_by("benchmark", maintain_order=True):
        yield with_size(its)


def _rows(of: Benchmark, group: pl.DataFrame, part: Part) -> Iterator[Row]:
    told_apart: list[str | None] = [*backend_order(group)]
    for backend in told_apart or [None]:
        tried = group.filter(pl.col("backend").eq_missing(pl.lit(backend)))
        points, k, law = tried.filter(state="value"), k_of(of), law_of(group, backend)
        reason = part.reason or _unfit(points) or (_unstable(points) if of.own else None)
        cells = points.filter(pl.col("n").is_not_null()).iter_rows(named=True)
        times = {float(cell["n"]): time_of(cell) for cell in cells}
        found = Fit("no model", k, False, reason) if reason else fit_of(times, k, law)
        broken, exponent = found.broken, found.exponent
        yield Row(
            of=of,
            backend=backend,
            costs=costs_of(found.line, times) if found.line else no_costs(k, len(points), times),
            line_law=law,
            verdict=found.verdict,
            reason=found.reason,
            law=found.law,
            pieces=tuple(costs_of(piece, times) for piece in found.pieces),
            n_at=None if broken is None else broken.n_at,
            bends=() if broken is None else (broken.n_at,),
            kind=None if broken is None else broken.kind,
            jump=None if broken is None else broken.jump,
            jump_low=None if broken is None else broken.jump_low,
            jump_high=None if broken is None else broken.jump_high,
            misfit=found.misfit,
            line_misfit=found.line_misfit,
            grows_like=None if exponent is None else exponent.law,
            exponent=None if exponent is None else exponent.value,
            exponent_low=None if exponent is None else exponent.low,
            exponent_high=None if exponent is None else exponent.high,
            exponent_from=None if exponent is None else exponent.n_from,
            noise=found.noise,
            processes=min((time.processes or 0 for time in times.values()), default=0) or None,
            size=part.guessed,
        )


def _unfit(points: pl.DataFrame) -> str | None:
    """Return why cells are none that the model is of; None if they are."""
    if points.is_empty():
        return "all failed"
    others = set(points["unit"].unique()) - {"seconds", "s", None}
    if others:
        return f"not times: the unit is {', '.join(sorted(others))}"
    method = points["benchmark"][0].split(".")[-1]
    if points["unit"].null_count() and (points["kind"][0] == "track" or method.startswith("track")):
        return "not times: they have no unit"
    return None if points["n"].count() == len(points) else "the sizes are not numbers"


def _unstable(points: pl.DataFrame) -> str | None:
    """Return at which size the processes have not measured one time: no model explains such times."""
    for cell in points.sort("n").iter_rows(named=True):
        samples, count = cell["samples"], cell["processes"]
        processes = recover_processes(samples, count) if samples and count else None
        if processes is not None and unstable(processes) is not None:
            return f"unstable at n = {size_text(cell['n'])}"
    return None
