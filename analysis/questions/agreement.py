"""How far are the results from the reference? As a share of what a correct kernel may be off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, benchmark_groups

__all__ = ["Options", "Row", "ask"]


@dataclass(frozen=True)
class Options:
    """What may be asked for: nothing."""


@dataclass(frozen=True)
class Row:
    """The worst result of one workload.

    Attributes
    ----------
    of : Benchmark
    results : int
        How many results were compared.
    backend : str
        The worst one's.
    n : float
        The worst one's size.
    error : float
        Of the worst: largest deviation, relative to the largest element of the reference.
    tolerance : float
        The largest error of a correct kernel at this size.
    share : float
        The error as a share of the tolerance; above 1 the result is wrong.
    """

    of: Benchmark
    results: int
    backend: str
    n: float
    error: float
    tolerance: float
    share: float


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:  # noqa: ARG001
    """Find the worst result of each workload.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark; other people's workloads have no tolerance, and no row.
    """
    return Answer(tuple(_rows(cells)))


def _rows(cells: pl.DataFrame) -> Iterator[Row]:
    errors = cells.filter(pl.col("benchmark").str.ends_with(".track_max_relative_error"))
    for of, group in benchmark_groups(errors, "Agreement"):
        spec = of.spec
        if spec is None:
            continue
        found = []
        for cell in group.iter_rows(named=True):
            tolerance = spec.tolerance(int(cell["n"]))
            found.append((cell["value"] / tolerance, tolerance, cell))
        share, tolerance, worst = max(found, key=lambda one: one[0])
        yield Row(of, len(found), worst["backend"], worst["n"], worst["value"], tolerance, share)
