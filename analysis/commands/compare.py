"""Compare the backends: the time per call by n, the best marked, and each one's ratio to a baseline
(numpy, or python for recursions). What cannot be told from the best is marked like it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jitcost.backends import workloads
from jitcost.questions.groups import (
    Head,
    backend_order,
    baseline_of,
    benchmark_groups,
    interval,
    place_text,
    require_baseline,
    title_of,
    titled,
)
from jitcost.units import format_ratio, format_seconds, size_text

__all__ = ["add_arguments", "answer", "render"]

EXAMPLE = "jitcost compare --baseline numba"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--baseline", metavar="BACKEND", help="default: numpy; recursions: python")


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each cell in steady state."""
    require_baseline(cells, args.baseline)
    return compare(cells, args.baseline)


def compare(cells: pl.DataFrame, baseline: str | None = None) -> list[dict[str, Any]]:
    """Compare the backends at each size of each workload.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`.
    baseline : str, optional
        The backend that ratios are to; default: the workload's own.

    Returns
    -------
    list of dict
        What the cells have in common (`jitcost.questions.groups`), baseline, n, backend, time, low,
        high (99 % interval from asv, seconds), ratio to the baseline or None, best (the fastest, or
        not to be told from it: the intervals overlap).
    """
    rows = []
    for head, group in benchmark_groups(cells, "SteadyState"):
        base = baseline or baseline_of(head)
        for (n,), at_n in group.group_by("n", maintain_order=True):
            rows += _compare_at(head | {"baseline": base, "n": n}, at_n)
    return rows


def _compare_at(head: Head, at_n: pl.DataFrame) -> list[dict[str, Any]]:
    times = {cell["backend"]: cell for cell in at_n.iter_rows(named=True)}
    base = times.get(head["baseline"])
    best = min(times.values(), key=lambda cell: (cell["value"], interval(cell)[1]))
    _, best_high = interval(best)
    rows = []
    for backend in backend_order(at_n):
        low, high = interval(times[backend])
        seconds = times[backend]["value"]
        rows.append(
            head
            | {"backend": backend, "time": seconds, "low": low, "high": high}
            | {"ratio": seconds / base["value"] if base and base["value"] > 0 else None}
            | {"best": low <= best_high}
        )
    return rows


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each benchmark."""
    for title, members in titled(rows):
        present = list(dict.fromkeys(row["backend"] for row in members))
        first = members[0]
        table = Table(
            title=f"{title}: time per call, and its ratio to {first['baseline']}'s",
            caption="* the fastest, and what cannot be told from it",
        )
        for heading in ("n", *present):
            table.add_column(heading, justify="right", no_wrap=True)
        by_size: dict[float, dict[str, Any]] = {}
        for row in members:
            by_size.setdefault(row["n"], {})[row["backend"]] = row
        for n, row in by_size.items():
            table.add_row(size_text(n), *(_cell(row.get(backend)) for backend in present))
        yield table
        spec = workloads.known(first["workload"])
        for backend in present:
            limit = spec.limit_of(backend) if spec else None
            if spec and limit and max(by_size) > limit.largest:
                yield Text(f"  - {spec.why_not(backend, limit.largest + 1)}")


def _cell(row: dict[str, Any] | None) -> Text:
    if row is None:
        return Text("-")
    time = f"{'*' if row['best'] else ''}{format_seconds(row['time'])}"
    text = Text(time, style="bold green" if row["best"] else "")
    if row["ratio"] is not None and row["backend"] != row["baseline"]:
        text.append(f"\n{format_ratio(row['ratio'])}", style="not bold dim")
    return text


def agreement(cells: pl.DataFrame) -> list[str]:
    """Say of each workload, in a sentence, how far its results are from the reference."""
    sentences = []
    benchmarks = cells.filter(pl.col("benchmark").str.ends_with(".track_max_relative_error"))
    found = list(benchmark_groups(benchmarks, "Agreement"))
    heads = [head for head, _ in found]
    for head, group in found:
        spec = workloads.known(head["workload"])
        if spec is None:  # somebody else's
            continue
        name = f"{title_of(head)}{place_text(head, heads)}"
        share, worst = max(
            (
                (cell["value"] / spec.tolerance(int(cell["n"])), cell)
                for cell in group.iter_rows(named=True)
            ),
            key=lambda pair: pair[0],
        )
        where = f"{worst['backend']} at n = {size_text(worst['n'])}"
        sentences.append(
            f"{name}: all {len(group)} results are within their tolerance; the largest share "
            f"of it is {share:.2g} ({where}, error {worst['value']:.1e})"
            if share <= 1
            else f"{name}: WRONG: {where} is off by {worst['value']:.1e}, {share:.2g} tolerances"
        )
    return sentences
