"""How good are predictions by the model? Fit every second size, predict the others, and compare: the
relative error of each prediction, and their distribution.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.table import Table

from analysis.cells import backend_order, benchmark_groups, k_of, same_benchmark
from analysis.model import fit

__all__ = ["add_arguments", "answer", "render"]

EXAMPLE = "jitcost predict"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none but those that select results."""


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:  # noqa: ARG001
    """Return a row for each size that was predicted from its neighbours.

    The smallest and the largest size are among those that are fitted where the number of sizes is
    odd; what lies outside the fitted range is not predicted.
    """
    rows = []
    for head, group in benchmark_groups(cells, "SteadyState"):
        for backend in backend_order(group):
            points = group.filter(backend=backend)
            sizes, times = points["n"].to_list(), points["value"].to_list()
            found = fit(sizes[::2], times[::2], k_of(head))
            for n, measured in zip(sizes[1::2], times[1::2], strict=True):
                if (piece := found.piece(n)) is not None:
                    predicted = piece.time(n)
                    rows.append(
                        head
                        | {"backend": backend, "n": n, "verdict": found.verdict}
                        | {"measured": measured, "predicted": predicted}
                        | {"error": predicted / measured - 1}
                    )
    return rows


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each workload."""
    for members in same_benchmark(rows):
        table = Table(
            title=f"{members[0]['workload']}: relative error of times predicted from half the sizes",
        )
        for heading in ("backend", "predictions", "median", "largest", "by"):
            table.add_column(heading, justify="left" if heading in ("backend", "by") else "right")
        for backend in dict.fromkeys(row["backend"] for row in members):
            errors = [abs(row["error"]) for row in members if row["backend"] == backend]
            holds = {row["verdict"] for row in members if row["backend"] == backend} == {"holds"}
            table.add_row(
                backend,
                str(len(errors)),
                f"{statistics.median(errors):.0%}",
                f"{max(errors):.0%}",
                "one line" if holds else "pieces",
            )
        yield table
