"""How long does a call take? The measured points of each benchmark and backend, as figures draw them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, backend_order, benchmark_groups
from jitcost.questions.timed import time_of
from jitcost.stats.times import Kind

__all__ = ["Options", "Row", "ask"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    kinds : tuple of str
        The kinds of benchmarks, e.g. `SteadyState` and `FirstCall`.
    workload : str or None
        None: every one.
    """

    kinds: tuple[str, ...] = ("SteadyState",)
    workload: str | None = None


@dataclass(frozen=True)
class Row:
    """One backend's time at one size.

    Attributes
    ----------
    of : Benchmark
    kind : str
        The benchmark's.
    backend : str
    n : float
        The size.
    time : float
        Seconds per call, see `jitcost.questions.timed`.
    low, high : float or None
        Its interval; None where there is none.
    interval : {"of processes", "of samples", "none"}
        What the interval is of.
    processes : int or None
        How many it comes from; None where that is not known.
    minimum : float or None
        The fastest sample, seconds per call; None where samples were not recorded.
    """

    of: Benchmark
    kind: str
    backend: str
    n: float
    time: float
    low: float | None
    high: float | None
    interval: Kind
    processes: int | None
    minimum: float | None


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Return the measured times.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By kind, benchmark, backend and size.
    """
    if options.workload is not None:
        cells = cells.filter(workload=options.workload)
    return Answer(
        tuple(
            row
            for kind in options.kinds
            for of, group in benchmark_groups(cells, kind)
            for row in _rows(of, kind, group)
        )
    )


def _rows(of: Benchmark, kind: str, group: pl.DataFrame) -> Iterator[Row]:
    for backend in backend_order(group):
        for cell in group.filter(backend=backend).iter_rows(named=True):
            time = time_of(cell)
            minimum = min(cell["samples"]) if cell["samples"] else None
            bounds = time.low, time.high
            yield Row(
                *(of, kind, backend, cell["n"], time.value),
                *(*bounds, time.kind, time.processes, minimum),
            )
