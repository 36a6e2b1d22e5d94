"""Which backend for M calls of a workload at size N, and how long will they take? The first call, with
its compiling, and M - 1 calls in steady state. Between measured sizes by the fit, outside them never.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jitcost.backends import UnknownNameError, workloads
from jitcost.commands import _common as cli
from jitcost.commands.breakeven import steady_and_first
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions.groups import backend_order, interval, k_of, place_text, titled
from jitcost.stats.model import fit
from jitcost.units import format_seconds, size_text

__all__ = ["add_arguments", "answer", "render"]

# 10^4 replications of a recursion of 10^5 steps: the simulation study of the article's introduction.
EXAMPLE = "jitcost plan recursion --n 100000 --calls 10000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("workload", metavar="WORKLOAD")
    parser.add_argument("--n", required=True, metavar="N", help="the size of each call")
    parser.add_argument("--calls", required=True, metavar="M", help="how many calls")


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each backend; total is None, with a reason, where nothing can be said."""
    try:
        workloads.get(args.workload)
        n = workloads.checked_size(cli.whole_number(args.n))
        calls = workloads.checked_size(cli.whole_number(args.calls, "calls"))
    except (UnknownNameError, ValueError) as error:
        raise BadCallError(str(error)) from None
    rows = []
    for head, steady, first in steady_and_first(cells):
        if head["workload"] == args.workload:
            plans = []
            for backend in backend_order(steady):
                one, further = (group.filter(backend=backend) for group in (first, steady))
                row = head | {"backend": backend, "n": n, "calls": calls}
                plans.append(row | _total(one, further, n, calls, k_of(head)))
            possible = [row for row in plans if row["total"] is not None]
            bound = min(possible, key=lambda row: row["total"])["total_high"] if possible else None
            rows += [row | {"best": row in possible and row["total_low"] <= bound} for row in plans]
    if rows and not any(row["best"] for row in rows):
        reasons = dict.fromkeys(
            f"{row['backend']}{place_text(row, rows)}: {row['reason']}" for row in rows
        )
        raise NothingFoundError(f"nothing can be said of n = {n}; {'; '.join(reasons)}")
    return rows


@dataclass(frozen=True)
class _Estimate:
    """A time at one size, seconds, with its interval and where it comes from."""

    time: float
    low: float
    high: float
    source: str


class _NoEstimateError(Exception):
    """Why a time cannot be told."""


def _total(first: pl.DataFrame, steady: pl.DataFrame, n: int, calls: int, k: int) -> dict[str, Any]:
    names = ("first_call", "steady_state", "total", "total_low", "total_high", "source", "reason")
    try:
        one, further = _estimate(first, n, k, drawn=True), _estimate(steady, n, k)
    except _NoEstimateError as error:
        return dict.fromkeys(names) | {"reason": str(error)}
    more = calls - 1
    numbers = (
        one.time,
        further.time,
        one.time + more * further.time,
        one.low + more * further.low,
        one.high + more * further.high,
        "fit" if "fit" in (one.source, further.source) else "measured",
        None,
    )
    return dict(zip(names, numbers, strict=True))


def _estimate(points: pl.DataFrame, n: int, k: int, *, drawn: bool = False) -> _Estimate:
    """Return the measured time, or the fit's; where drawn is allowed, else one between neighbours.

    A first call is mostly compiling, which hardly depends on n, and is measured at few sizes.
    """
    for cell in points.filter(pl.col("n") == n).iter_rows(named=True):
        return _Estimate(cell["value"], *interval(cell), "measured")
    sizes = points["n"].to_list()
    if not sizes:
        raise _NoEstimateError("not measured")
    if not min(sizes) <= n <= max(sizes):
        extent = f"n = {size_text(min(sizes))} to {size_text(max(sizes))}"
        raise _NoEstimateError(f"measured for {extent} only")
    found = fit(sizes, points["value"].to_list(), k)
    piece = found.piece(n)
    if piece is None or piece.time(n) <= 0:
        if drawn:
            return _between(points, n)
        raise _NoEstimateError(f"not measured at this n, and no fit: {found.reason}")
    return _Estimate(piece.time(n), *piece.interval(n), "fit")


def _between(points: pl.DataFrame, n: int) -> _Estimate:
    below, above = (
        points.filter(side).sort("n").row(row, named=True)
        for side, row in ((pl.col("n") < n, -1), (pl.col("n") > n, 0))
    )
    share = (n - below["n"]) / (above["n"] - below["n"])
    time = below["value"] + share * (above["value"] - below["value"])
    bounds = [*interval(below), *interval(above)]
    return _Estimate(time, min(bounds), max(bounds), "fit")


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each machine, environment and commit."""
    for title, members in titled(rows):
        head = members[0]
        table = Table(
            title=f"{title}: {head['calls']:,} calls at n = {size_text(head['n'])}",
            caption="* the fastest, and what cannot be told from it; ~ by the fit, not measured",
        )
        table.add_column("backend", no_wrap=True)
        for heading in ("first call", "each further", "total", "interval"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in sorted(members, key=lambda row: (row["total"] is None, row["total"] or 0)):
            if row["total"] is None:
                continue
            mark = ("*" if row["best"] else "") + ("~" if row["source"] == "fit" else "")
            table.add_row(
                row["backend"],
                format_seconds(row["first_call"]),
                format_seconds(row["steady_state"]),
                f"{mark}{_duration(row['total'])}",
                f"{_duration(row['total_low'])} to {_duration(row['total_high'])}",
                style="bold green" if row["best"] else "",
            )
        if any(row["total"] is not None for row in members):
            yield table
        else:
            yield f"{table.title}: nothing can be said"
        for row in members:
            if row["reason"] is not None:
                yield Text(f"  {row['backend']}: {row['reason']}")


def _duration(seconds: float) -> str:
    if math.isinf(seconds):
        return "unbounded"
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return format_seconds(seconds)
