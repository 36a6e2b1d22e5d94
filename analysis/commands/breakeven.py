"""After how many calls has compiling paid? m* = C / (t_interpreted - t_compiled), rounded up.

C is the compile cost: the first call of a freshly made kernel less one call in steady state. All
three are of one machine, environment, commit and size. Where the compiled call is no faster, it is
never.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jitcost import backends
from jitcost.questions.groups import (
    Head,
    backend_order,
    baseline_of,
    benchmark_groups,
    interval,
    require_baseline,
    same_place,
    titled,
)
from jitcost.units import format_seconds, size_text

__all__ = ["add_arguments", "answer", "break_even", "render"]

EXAMPLE = "jitcost breakeven --baseline python"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--baseline", metavar="BACKEND", help="the interpreted one; default: numpy or python"
    )


def break_even(compile_cost: float, interpreted: float, compiled: float) -> int | None:
    """Return the number of calls after which compiling has paid, or None for never.

    Parameters
    ----------
    compile_cost, interpreted, compiled : float
        C and the two times per call in steady state, seconds.

    Returns
    -------
    int or None
        The smallest m with `C + m t_compiled <= m t_interpreted`, at least 1; the article's
        `m > C / (t_interpreted - t_compiled)`.
    """
    saving = interpreted - compiled
    return max(1, math.ceil(compile_cost / saving)) if saving > 0 else None


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each compiled backend and size that has a first call and a baseline."""
    require_baseline(cells, args.baseline)
    rows = []
    replays = list(benchmark_groups(cells, "Replay"))
    for head, steady, first in steady_and_first(cells):
        baseline = args.baseline or baseline_of(head)
        replayed = {
            key: cell["value"]
            for other, group in replays
            if same_place(head, other) and baseline == "numpy"
            for key, cell in by_backend_and_size(group).items()
        }
        for row in _rows(head, steady, first, baseline):
            found = replayed.get((row["backend"], row["n"]))
            rows.append(row | {"replayed": found, "replay_inside": _inside(row, found)})
    return rows


def _inside(row: dict[str, Any], replayed: float | None) -> bool | None:
    """Tell whether a replay's number of calls lies within the interval; None without either."""
    if replayed is None or row["calls_low"] is None:
        return None
    return bool(row["calls_low"] <= replayed <= (row["calls_high"] or math.inf))


def steady_and_first(cells: pl.DataFrame) -> Iterator[tuple[Head, pl.DataFrame, pl.DataFrame]]:
    """Yield each workload's steady-state cells with its first-call cells from the same place."""
    firsts = list(benchmark_groups(cells, "FirstCall"))
    for head, steady in benchmark_groups(cells, "SteadyState"):
        for other, first in firsts:
            if same_place(head, other):
                yield head, steady, first


def by_backend_and_size(group: pl.DataFrame) -> dict[tuple[str, float], dict[str, Any]]:
    """Return a group's cells by backend and n."""
    return {(cell["backend"], cell["n"]): cell for cell in group.iter_rows(named=True)}


def _rows(
    head: Head, steady: pl.DataFrame, first: pl.DataFrame, baseline: str
) -> Iterator[dict[str, Any]]:
    times, firsts = by_backend_and_size(steady), by_backend_and_size(first)
    for backend in filter(backends.compiled().__contains__, backend_order(steady)):
        for n in steady["n"].unique().sort():
            first_call = firsts.get((backend, n))
            compiled, interpreted = times.get((backend, n)), times.get((baseline, n))
            if first_call and compiled and interpreted:
                numbers = _numbers(first_call, interpreted, compiled)
                yield head | {"backend": backend, "baseline": baseline, "n": n} | numbers


def _numbers(
    first_call: dict[str, Any], interpreted: dict[str, Any], compiled: dict[str, Any]
) -> dict[str, Any]:
    (f_low, f_high), (i_low, i_high), (c_low, c_high) = map(
        interval, (first_call, interpreted, compiled)
    )
    cost = first_call["value"] - compiled["value"]
    calls = break_even(cost, interpreted["value"], compiled["value"])
    # The best and the worst combination of the bounds. An unknown bound leaves any number possible.
    known = all(map(math.isfinite, (f_high, i_high, c_high)))
    soonest = break_even(f_low - c_high, i_high, c_low) if known else 1
    latest = break_even(f_high - c_low, i_low, c_high) if known else None
    return {
        "C": cost,
        "C_low": f_low - c_high,
        "C_high": f_high - c_low,
        "t_interpreted": interpreted["value"],
        "t_compiled": compiled["value"],
        "calls": calls,
        "calls_low": soonest,
        "calls_high": latest,
        "verdict": "never" if calls is None else "pays" if latest is not None else "may pay",
    }


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each workload."""
    for title, members in titled(rows):
        first = members[0]
        table = Table(
            title=f"{title}: calls until compiling has paid, against {first['baseline']}",
            caption="never: where the saving is not positive; C: first call less one in steady state",
        )
        for heading in ("backend", "n", "cost C", "saving", "calls m*", "interval"):
            justify = "left" if heading == "backend" else "right"
            table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
        for row in members:
            table.add_row(
                row["backend"],
                size_text(row["n"]),
                format_seconds(row["C"]),
                format_seconds(row["t_interpreted"] - row["t_compiled"]),
                "[yellow]never[/]" if row["calls"] is None else f"{row['calls']:,}",
                _interval_text(row),
            )
        yield table
        for row in members:
            if row["replayed"] is not None:
                where = f"{row['backend']} at n = {size_text(row['n'])}"
                side = "inside" if row["replay_inside"] else "OUTSIDE"
                yield Text(
                    f"  replayed call by call, {where} has paid after {row['replayed']:,.0f} calls: "
                    f"{side} the interval"
                )


def _interval_text(row: dict[str, Any]) -> str:
    low, high = row["calls_low"], row["calls_high"]
    if low is None:
        return ""
    return f"{low:,} to {'never' if high is None else f'{high:,}'}"
