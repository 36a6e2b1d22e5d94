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
from rich.text import Text

from jitcost.questions.groups import backend_order, benchmark_groups, k_of, titled
from jitcost.stats.model import fit

__all__ = ["add_arguments", "answer", "render"]

EXAMPLE = "jitcost predict"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none but those that select results."""


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:  # noqa: ARG001
    """Return a row for each size that is predicted from the others.

    The smallest and the largest size are among those that are fitted where the number of sizes is
    odd; what lies outside the fitted range is not predicted. Where the fitted sizes allow no fit,
    predicted and error are None.
    """
    rows = []
    for head, group in benchmark_groups(cells, "SteadyState"):
        for backend in backend_order(group):
            points = group.filter(backend=backend)
            sizes, times = points["n"].to_list(), points["value"].to_list()
            found = fit(sizes[::2], times[::2], k_of(head))
            for n, measured in zip(sizes[1::2], times[1::2], strict=True):
                piece = found.piece(n)
                if measured <= 0 or (piece is None and found.verdict != "no fit"):
                    continue
                predicted = None if piece is None else piece.time(n)
                rows.append(
                    head
                    | {"backend": backend, "n": n, "measured": measured, "predicted": predicted}
                    | {"error": None if predicted is None else predicted / measured - 1}
                    | {"verdict": found.verdict, "reason": found.reason}
                )
    return rows


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each workload."""
    for title, members in titled(rows):
        table = Table(
            title=f"{title}: relative error of times predicted from half the sizes",
        )
        for heading in ("backend", "predictions", "median", "largest", "by"):
            table.add_column(heading, justify="left" if heading in ("backend", "by") else "right")
        reasons = []
        for backend in dict.fromkeys(row["backend"] for row in members):
            own = [row for row in members if row["backend"] == backend]
            errors = [abs(row["error"]) for row in own if row["error"] is not None]
            if not errors:
                reasons.append(f"  {backend}: {own[0]['reason']}")
                continue
            table.add_row(
                backend,
                str(len(errors)),
                f"{statistics.median(errors):.0%}",
                f"{max(errors):.0%}",
                "one line" if own[0]["verdict"] == "holds" else "pieces",
            )
        yield table
        if reasons:
            yield Text("\n".join(reasons))
