"""The tables in the terminal: which backend wins where, and what a call and an element cost."""

from __future__ import annotations

import polars as pl
from rich.console import Console
from rich.table import Table

from analysis.model import Fit, fit
from backends import NAMES, workloads

__all__ = ["comparison", "fits", "format_ratio", "format_seconds", "show"]

BASELINE = "numpy"

# Above this misfit a straight line in n is not what the times follow.
POOR_MISFIT = 0.2


def format_seconds(seconds: float) -> str:
    """Return a time with three significant digits and its unit.

    >>> format_seconds(2.5e-5), format_seconds(-3e-9), format_seconds(0.9999e-3)
    ('25.0 µs', '-3.00 ns', '1.00 ms')
    """
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(seconds) >= 0.9995 * scale:
            break
    else:
        scale, unit = 1e-9, "ns"
    return f"{_three_digits(seconds / scale)} {unit}"


def format_ratio(ratio: float) -> str:
    """Return a ratio with two or three significant digits: '0.25x', '3.1x', '420x'."""
    return f"{ratio:.0f}x" if ratio >= 9.95 else f"{ratio:.1f}x" if ratio >= 0.995 else f"{ratio:.2g}x"


def _three_digits(value: float) -> str:
    size = abs(value)
    return f"{value:.0f}" if size >= 99.95 else f"{value:.1f}" if size >= 9.995 else f"{value:.2f}"


def show(console: Console, cells: pl.DataFrame, commit: str) -> None:
    """Print the comparison and the fit of every workload that was timed at this commit."""
    steady = cells.filter(
        (pl.col("commit") == commit) & (pl.col("kind") == "SteadyState") & (pl.col("state") == "value")
    )
    for (workload,), times in steady.group_by("workload", maintain_order=True):
        console.print()
        console.print(comparison(str(workload), times))
        console.print(fits(str(workload), times))


def comparison(workload: str, times: pl.DataFrame) -> Table:
    """Return the times per call by n and backend, the best marked, with ratios to NumPy's."""
    present = [name for name in NAMES if name in times["backend"].unique()]
    table = Table(
        title=f"{workload}: time per call, and its ratio to {BASELINE}'s",
        caption="* the fastest, and what cannot be told from it (overlapping 99 % intervals)",
    )
    table.add_column("n", justify="right")
    for backend in present:
        table.add_column(backend, justify="right")
    for (n,), row in times.sort("n").group_by("n", maintain_order=True):
        best = row.sort("value").row(0, named=True)
        by_backend = {cell["backend"]: cell for cell in row.iter_rows(named=True)}
        base = by_backend.get(BASELINE)
        texts = []
        for backend in present:
            cell = by_backend.get(backend)
            if cell is None:
                texts.append("-")
                continue
            text = format_seconds(cell["value"])
            if base is not None and backend != BASELINE:
                text += f"\n[dim]{format_ratio(cell['value'] / base['value'])}[/]"
            tied = cell is best or cell["ci_low"] <= best["ci_high"]
            texts.append(f"[bold green]*{text}[/]" if tied else text)
        table.add_row(f"{n:,}", *texts)
    return table


def fits(workload: str, times: pl.DataFrame) -> Table:
    """Return the call cost and the element cost of each backend, with 95 % intervals."""
    spec = workloads.get(workload)
    table = Table(
        title=f"{workload}: t = k (c0 + c1 n) with k = {spec.k}, n counts {spec.n_counts}",
        caption=f"misfit above {POOR_MISFIT:.0%}: the times are not one straight line in n",
    )
    for heading in ("backend", "call cost (k c0)", "element cost (k c1)", "misfit"):
        table.add_column(heading, justify="left" if heading == "backend" else "right")
    for backend in NAMES:
        points = times.filter(pl.col("backend") == backend).sort("n")
        if points.is_empty():
            continue
        try:
            model = fit(points["n"].to_list(), points["value"].to_list(), spec.k)
        except ValueError as error:
            table.add_row(backend, f"no fit: {error}", "", "")
            continue
        table.add_row(backend, *_costs(model))
    return table


def _costs(model: Fit) -> tuple[str, str, str]:
    def with_interval(cost: float, low: float, high: float) -> str:
        scaled = (format_seconds(bound * model.k) for bound in (low, high))
        return f"{format_seconds(cost)} [{' … '.join(scaled)}]"

    style = "[yellow]" if model.misfit > POOR_MISFIT else "[default]"
    return (
        with_interval(model.call_cost, model.c0_low, model.c0_high).replace("[", r"\[", 1),
        with_interval(model.element_cost, model.c1_low, model.c1_high).replace("[", r"\[", 1),
        f"{style}{model.misfit:.0%}[/]",
    )
