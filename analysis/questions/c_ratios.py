"""How much longer than a function in C does a call take? As a ratio to the floor, or to the formula."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, backend_order, origin_of
from jitcost.store.parameters import unquote

__all__ = ["Options", "Row", "To", "ask"]

To = Literal["floor", "c"]

# By benchmark, what a ratio of 1 is.
_TO: dict[str, To] = {
    "floors.Floors.track_ratio_to_floor": "floor",
    "c_baseline.Baseline.track_ratio_to_c": "c",
}

_TOGETHER = ("benchmark", "version", "machine", "environment", "env_vars", "commit")


@dataclass(frozen=True)
class Options:
    """What may be asked for: nothing."""


@dataclass(frozen=True)
class Row:
    """One backend's ratio.

    Attributes
    ----------
    of : Benchmark
        Of all functions together: `params` is empty.
    to : str
        `floor`, the least that a call has to do, or `c`, the same formula in plain C.
    function : str
        What is computed.
    backend : str
    ratio : float
        The time per call to the C function's.
    lowest : bool
        Of all backends, for this function.
    """

    of: Benchmark
    to: To
    function: str
    backend: str
    ratio: float
    lowest: bool


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:  # noqa: ARG001
    """Return the ratios to functions in C.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, function and backend.
    """
    ratios = cells.filter(pl.col("benchmark").is_in(list(_TO)), state="value")
    return Answer(
        tuple(
            row
            for _, group in ratios.group_by(_TOGETHER, maintain_order=True)
            for row in _rows(group)
        )
    )


def _rows(group: pl.DataFrame) -> Iterator[Row]:
    first = group.row(0, named=True)
    of = Benchmark(origin_of(first), first["workload"], {}, first["benchmark"], first["version"])
    by_function: dict[str, dict[str, float]] = {}
    for params, backend, ratio in group.select("params", "backend", "value").iter_rows():
        by_function.setdefault(unquote(json.loads(params)["function"]), {})[backend] = ratio
    order = backend_order(group)
    for function, ratios in by_function.items():
        lowest = min(ratios.values())
        for backend in filter(ratios.__contains__, order):
            ratio = ratios[backend]
            yield Row(of, _TO[of.name], function, backend, ratio, ratio == lowest)
