"""Ratios to a function in C: to the floor, and to the same formula."""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl
from jitcost.show.tables import Cell, Table

from jitcost.questions.groups import backend_order, place_text
from jitcost.store.parameters import unquote
from jitcost.units import format_ratio

__all__ = ["tables"]

# By benchmark, what a ratio of 1 is.
ONE = {
    "floors.Floors.track_ratio_to_floor": "the floor, the least that a call has to do",
    "c_baseline.Baseline.track_ratio_to_c": "the same formula in plain C",
}

_PLACE = ("machine", "environment", "env_vars", "commit")


def tables(cells: pl.DataFrame) -> Iterator[Table]:
    """Yield a table for each benchmark and place: a row for each function, a column for each backend.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`.
    """
    ratios = cells.filter(pl.col("benchmark").is_in(list(ONE)), state="value")
    groups = list(ratios.group_by("benchmark", "version", *_PLACE, maintain_order=True))
    heads = [dict(zip(_PLACE, place, strict=True)) for (_, _, *place), _ in groups]
    for head in heads:
        head["env_vars"] = json.loads(head["env_vars"] or "{}")
    for head, ((benchmark, *_), group) in zip(heads, groups, strict=True):
        backends = backend_order(group)
        by_function: dict[str, dict[str, float]] = {}
        for params, backend, ratio in group.select("params", "backend", "value").iter_rows():
            by_function.setdefault(unquote(json.loads(params)["function"]), {})[backend] = ratio
        yield Table(
            caption=f"Time per call, as a ratio to {ONE[benchmark]}{place_text(head, heads)}",
            headings=["function", *backends],
            rows=[
                [Cell(function), *(_cell(backend, row) for backend in backends)]
                for function, row in by_function.items()
            ],
            note="* the lowest; a median of 21, without an interval",
        )


def _cell(backend: str, row: dict[str, float]) -> Cell:
    if backend not in row:
        return Cell("-")
    text = format_ratio(row[backend])
    return Cell(f"*{text}", mark="best") if row[backend] == min(row.values()) else Cell(text)
