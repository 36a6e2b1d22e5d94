"""Fit t = k (c0 + c1 n) to the time per call of each backend: what a call costs (k c0), what an
element costs (k c1), whether the model holds, and where it bends.

For other people's results, say which benchmarks and which of their parameters count the size and
tell what is compared: jitcost fit --results DIR --benchmark 'time_sum' --size n --backend dtype

Does time scale with the number of operations? jitcost fit --benchmark op_chain.SteadyState --size k
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jitcost.errors import BadCallError
from jitcost.questions.groups import backend_order, benchmark_groups, k_of, same_benchmark, titled
from jitcost.stats.model import Fit, Line, fit
from jitcost.units import format_interval, size_text

__all__ = ["add_arguments", "answer", "over_sizes", "render"]

EXAMPLE = "jitcost fit --json"


NUMBERS = (
    *("k", "points", "n_min", "n_max", "c0", "c0_low", "c0_high", "c1", "c1_low", "c1_high"),
    *("call_cost", "element_cost", "misfit"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--benchmark", metavar="REGEX", help="default: SteadyState of each workload"
    )
    parser.add_argument("--size", metavar="PARAM", help="the parameter that is n; default: n")
    parser.add_argument("--backend", metavar="PARAM", help="the parameter to tell apart by")


def answer(cells: pl.DataFrame, args: argparse.Namespace | None = None) -> list[dict[str, Any]]:
    """Return a fit for each benchmark and backend."""
    kind: str | None = "SteadyState"
    if args is not None and (args.benchmark or args.size or args.backend):
        from jitcost.store import results

        kind = None
        cells = results.with_parameters(cells, size=args.size, backend=args.backend)
        if args.benchmark:
            chosen = _matching(args.benchmark, cells["benchmark"].unique().to_list())
            cells = cells.filter(pl.col("benchmark").is_in(chosen))
    rows = []
    for head, group in benchmark_groups(cells, kind, whole=True):
        told_apart: list[str | None] = [*backend_order(group)]
        for backend in told_apart or [None]:
            tried = group.filter(pl.col("backend").eq_missing(pl.lit(backend)))
            points = tried.filter(state="value")
            if points.is_empty():
                found = Fit("no fit", "all failed")
            elif set(points["unit"].unique()) - {"seconds", None}:
                found = Fit("no fit", f"not times: the unit is {points['unit'][0]}")
            elif points["n"].null_count():
                found = Fit("no fit", "the sizes are not numbers")
            else:
                found = fit(points["n"].to_list(), points["value"].to_list(), k_of(head))
            rows.append(
                head
                | {"backend": backend}
                | (_numbers(found.line) if found.line else _no_numbers(k_of(head), points))
                | {"verdict": found.verdict, "reason": found.reason, "bends": list(found.bends)}
                | {"pieces": [_numbers(piece) for piece in found.pieces]}
            )
    return rows


def over_sizes(cells: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the fits of those benchmarks that some backend ran at enough sizes for one."""
    return [
        row
        for members in same_benchmark(answer(cells))
        if any(row["points"] > 2 for row in members)
        for row in members
    ]


def _matching(pattern: str, names: list[str]) -> list[str]:
    try:
        return list(filter(re.compile(pattern).search, names))
    except re.error as error:
        raise BadCallError(f"--benchmark {pattern!r} is no regular expression: {error}") from None


def _numbers(line: Line) -> dict[str, Any]:
    return {name: getattr(line, name) for name in NUMBERS}


def _no_numbers(k: int, points: pl.DataFrame) -> dict[str, Any]:
    sizes = points["n"]
    return dict.fromkeys(NUMBERS) | {
        "k": k,
        "points": len(sizes),
        "n_min": sizes.min(),
        "n_max": sizes.max(),
    }


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each benchmark."""
    for title, members in titled(rows):
        first = members[0]
        title += f": t = k (c0 + c1 n), k = {first['k']}"
        table = Table(title=title, caption="cost \\[95 % interval]; misfit: relative, of one line")
        table.add_column("backend")
        for heading in ("call cost k c0", "element cost k c1", "misfit"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("model")
        remarks = []
        for row in members:
            table.add_row(str(row["backend"] or ""), *map(escape, _costs(row)), _verdict(row))
            remarks += [f"  {row['backend']}: {row['reason']}"] if row["reason"] else []
            remarks += [
                f"  {row['backend']}, n = {size_text(piece['n_min'])} to "
                f"{size_text(piece['n_max'])}: call {_costs(piece)[0]}, element {_costs(piece)[1]}"
                for piece in (row["pieces"] if row["bends"] else ())
            ]
        yield table
        if remarks:
            yield Text("\n".join(remarks))


def _costs(row: dict[str, Any]) -> tuple[str, str, str]:
    if row["c0"] is None:
        return "", "", ""
    call, element = (
        format_interval(*(row["k"] * row[f"{name}{bound}"] for bound in ("", "_low", "_high")))
        for name in ("c0", "c1")
    )
    return call, element, f"{row['misfit']:.0%}"


def _verdict(row: dict[str, Any]) -> str:
    if row["verdict"] == "holds":
        return "[green]holds[/]"
    sizes = ", ".join(size_text(float(f"{bend:.2g}")) for bend in row["bends"])
    return f"[yellow]bends at {sizes}[/]" if sizes else "[yellow]no fit[/]"
