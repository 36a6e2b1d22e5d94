"""What each benchmark took at each size, run by run: over a library's releases, or over commits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from jitcost.questions.groups import Benchmark, backend_order, baseline_of, benchmark_groups
from jitcost.questions.over_time import compiling
from jitcost.questions.releases import Axis
from jitcost.questions.timed import is_time, time_of

__all__ = ["Together", "along"]

# What is measured of a cell: a call in steady state, or what compiling adds to the first.
Measured = Literal["time", "C"]


@dataclass(frozen=True)
class Together:
    """What all backends of one benchmark took at one size.

    Attributes
    ----------
    of : Benchmark
        Its origin is that of one of the runs.
    quantity : {"time", "C"}
    n : float or None
        None where the benchmark has no size.
    baseline : str or None
        The backend that ratios are to; None where it was not timed, and of C, which has none.
    times : mapping of str to mapping of str to float
        Seconds, by backend and value of the axis, in the axis's order.
    """

    of: Benchmark
    quantity: Measured
    n: float | None
    baseline: str | None
    times: Mapping[str, Mapping[str, float]]

    def ratios(self, backend: str) -> dict[str, float]:
        """Return a backend's times as multiples of the baseline's of the same runs."""
        if self.baseline is None:
            return {}
        base = self.times[self.baseline]
        its = self.times[backend]
        return {run: time / base[run] for run, time in its.items() if run in base}


def along(cells: pl.DataFrame, axis: Axis) -> Iterator[Together]:
    """Yield the times in steady state, and C, of each benchmark and size.

    Parameters
    ----------
    cells : polars.DataFrame
        Of what is on the axis.
    axis : Axis
    """
    yield from _steady(cells, axis)
    yield from _compiling(cells, axis)


def _steady(cells: pl.DataFrame, axis: Axis) -> Iterator[Together]:
    # A workload's cell whose size is no number is told apart from others by nothing that is known.
    sized = pl.col("n").is_not_null() | pl.col("workload").is_null()
    timed = cells.filter(sized, pl.col("backend").is_not_null(), state="value")
    runs: dict[str, list[tuple[Benchmark, pl.DataFrame]]] = {}
    for of, group in benchmark_groups(timed, "SteadyState", whole=True):
        runs.setdefault(_key(of), []).append((of, group))
    for members in runs.values():
        of = members[0][0]
        everything = pl.concat([group for _, group in members])
        baseline = baseline_of(of, everything)
        for (n,), at_n in everything.group_by("n", maintain_order=True):
            its = {
                (cell["backend"], cell[axis.column]): time.value
                for cell in at_n.iter_rows(named=True)
                if is_time(time := time_of(cell))
            }
            times = {name: _ordered(its, name, axis) for name in backend_order(at_n)}
            size = float(n) if isinstance(n, int | float) else None
            yield Together(of, "time", size, baseline if times.get(baseline) else None, times)


def _compiling(cells: pl.DataFrame, axis: Axis) -> Iterator[Together]:
    costs: dict[str, tuple[Benchmark, float | None, dict[tuple[str, str], float]]] = {}
    for number in compiling(cells):
        if number.quantity == "C" and is_time(number.time):
            of, name = number.of, str(number.backend)
            its = costs.setdefault(_key(of, number.n), (of, number.n, {}))[-1]
            its[name, getattr(of.origin, axis.column)] = number.time.value
    for of, n, its in costs.values():
        names = dict.fromkeys(name for name, _ in its)
        yield Together(of, "C", n, None, {name: _ordered(its, name, axis) for name in names})


def _key(of: Benchmark, *more: object) -> str:
    return repr((of.workload, of.params, of.name, of.version, *more))


def _ordered(its: Mapping[tuple[str, str], float], backend: str, axis: Axis) -> dict[str, float]:
    return {run: its[backend, run] for run in axis.labels if (backend, run) in its}
