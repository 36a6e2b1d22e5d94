"""At which n does another backend become the faster one? The sign changes of the measured times, all
of them, each with the sizes between which it lies. Nothing outside the measured range.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.table import Table

from jitcost.commands.breakeven import by_backend_and_size
from jitcost.questions.groups import (
    backend_order,
    baseline_of,
    benchmark_groups,
    interval,
    require_baseline,
    titled,
)
from jitcost.units import size_text

__all__ = ["add_arguments", "answer", "render", "sign_changes"]

# An answer too.
NONE_FOUND = "no crossover within the measured sizes"

EXAMPLE = "jitcost crossover --baseline python"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--baseline", metavar="BACKEND", help="default: numpy; recursions: python")


def sign_changes(
    points: list[tuple[float, float, bool]],
) -> list[tuple[float, float, float, bool]]:
    """Return where a ratio of times passes through 1.

    Parameters
    ----------
    points : list of (n, ratio, told_apart)
        By increasing n; told_apart is False where the two times cannot be told from one another.

    Returns
    -------
    list of (n, n_low, n_high, falls)
        n by interpolation on logarithmic axes; n_low and n_high are the nearest sizes at which the
        two times are told apart, and differ in sign; falls is True where the ratio goes below 1.
    """
    changes = []
    certain = [i for i, (_, _, told_apart) in enumerate(points) if told_apart]
    for left, right in pairwise(certain):
        before, after = math.log(points[left][1]), math.log(points[right][1])
        if (before > 0) == (after > 0):
            continue
        # Among times that cannot be told apart the sign may change more than once: the first time.
        for (n0, r0, _), (n1, r1, _) in pairwise(points[left : right + 1]):
            y0, y1 = math.log(r0), math.log(r1)
            if y0 * before > 0 and y1 * before <= 0:
                share = y0 / (y0 - y1)
                n = math.exp(math.log(n0) + share * (math.log(n1) - math.log(n0)))
                changes.append((n, points[left][0], points[right][0], before > 0))
                break
    return changes


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each crossing of a backend's times with the baseline's."""
    require_baseline(cells, args.baseline)
    rows = []
    for head, group in benchmark_groups(cells, "SteadyState"):
        baseline = args.baseline or baseline_of(head)
        times = by_backend_and_size(group)
        for backend in backend_order(group):
            if backend == baseline:
                continue
            points = []
            for n in group["n"].unique().sort():
                one, base = times.get((backend, n)), times.get((baseline, n))
                if n > 0 and one and base and min(one["value"], base["value"]) > 0:
                    (low, high), (base_low, base_high) = interval(one), interval(base)
                    apart = low > base_high or high < base_low
                    points.append((n, one["value"] / base["value"], apart))
            rows += [
                head
                | {"baseline": baseline}
                | {"faster_below": baseline if falls else backend}
                | {"faster_above": backend if falls else baseline}
                | {"n": n, "n_low": low, "n_high": high}
                for n, low, high, falls in sign_changes(points)
            ]
    return rows


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each workload."""
    for title, members in titled(rows):
        table = Table(title=f"{title}: where the faster backend changes")
        for heading in ("below", "n", "between", "above"):
            table.add_column(heading, justify="right" if heading == "n" else "left", no_wrap=True)
        for row in members:
            table.add_row(
                row["faster_below"],
                size_text(float(f"{row['n']:.2g}")),
                f"{size_text(row['n_low'])} and {size_text(row['n_high'])}",
                row["faster_above"],
            )
        yield table
