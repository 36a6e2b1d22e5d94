"""The tables in the terminal: which backend wins where, and what a call and an element cost."""

from __future__ import annotations

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from analysis.model import fit
from backends import NAMES, workloads
from backends.workloads import Workload

__all__ = [
    "agreement",
    "comparison",
    "fits",
    "format_interval",
    "format_ratio",
    "format_seconds",
    "show",
]

BASELINE = "numpy"

# Above this misfit a straight line in n is not what the times follow.
POOR_MISFIT = 0.2


def format_seconds(seconds: float) -> str:
    """Return a time with three significant digits and its unit.

    >>> format_seconds(2.5e-5), format_seconds(-3e-9), format_seconds(0.9999e-3)
    ('25.0 µs', '-3.00 ns', '1.00 ms')
    """
    scale, unit = _unit(seconds)
    return f"{_three_digits(seconds / scale)} {unit}"


def format_interval(seconds: float, low: float, high: float) -> str:
    """Return a time with its interval, all in the time's unit.

    >>> format_interval(4.18e-6, 0.8e-6, 7.55e-6)
    '4.18 [0.80, 7.55] µs'
    """
    scale, unit = _unit(max(abs(low), abs(seconds), abs(high)))
    middle, *bounds = (_three_digits(value / scale) for value in (seconds, low, high))
    return f"{middle} [{', '.join(bounds)}] {unit}"


def format_ratio(ratio: float) -> str:
    """Return a ratio with two significant digits.

    >>> format_ratio(0.067), format_ratio(1.0), format_ratio(13.4), format_ratio(420)
    ('0.067x', '1.0x', '13x', '420x')
    """
    return (
        f"{ratio:.0f}x" if ratio >= 9.95 else f"{ratio:.1f}x" if ratio >= 0.995 else f"{ratio:.2g}x"
    )


def _unit(seconds: float) -> tuple[float, str]:
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(seconds) >= 0.9995 * scale:
            return scale, unit
    return 1e-9, "ns"


def _three_digits(value: float) -> str:
    size = abs(value)
    return f"{value:.0f}" if size >= 99.95 else f"{value:.1f}" if size >= 9.995 else f"{value:.2f}"


def show(console: Console, cells: pl.DataFrame) -> None:
    """Print comparison, agreement and fit of every workload in one commit's results."""
    measured = cells.filter(pl.col("state") == "value")
    steady = measured.filter(pl.col("kind") == "SteadyState")
    errors = measured.filter(pl.col("benchmark").str.ends_with(".track_max_relative_error"))
    for (name,), times in steady.group_by("workload", maintain_order=True):
        workload = workloads.get(str(name))
        console.print()
        console.print(comparison(workload, times))
        console.print(agreement(workload, errors.filter(pl.col("workload") == name)))
        console.print(fits(workload, times))


def comparison(workload: Workload, times: pl.DataFrame) -> Table:
    """Return the times per call by n and backend, the best marked, with ratios to NumPy's."""
    present = [name for name in NAMES if name in times["backend"].unique()]
    table = Table(
        title=f"{workload.name}: time per call, and its ratio to {BASELINE}'s",
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


def agreement(workload: Workload, errors: pl.DataFrame) -> str:
    """Return in a sentence how far the backends' results are from the reference."""
    if errors.is_empty():
        return "agreement: not measured"
    shares = [
        (cell["value"] / workload.tolerance(cell["n"]), cell)
        for cell in errors.iter_rows(named=True)
    ]
    share, worst = max(shares, key=lambda pair: pair[0])
    where = f"{worst['backend']} at n = {worst['n']:,}"
    if share > 1:
        return f"[red]agreement: {where} is off by {worst['value']:.1e}, {share:.2g} tolerances[/]"
    return (
        f"agreement: all {len(shares)} results are within their tolerance; the largest share of it "
        f"is {share:.2g} ({where}, error {worst['value']:.1e})"
    )


def fits(workload: Workload, times: pl.DataFrame) -> Table:
    """Return the call cost and the element cost of each backend, with 95 % intervals."""
    table = Table(
        title=f"{workload.name}: t = k (c0 + c1 n), k = {workload.k}, n counts {workload.n_counts}",
        caption=f"[95 % intervals]; misfit above {POOR_MISFIT:.0%}: not one straight line in n",
    )
    for heading in ("backend", "call cost (k c0)", "element cost (k c1)", "misfit"):
        table.add_column(heading, justify="left" if heading == "backend" else "right", no_wrap=True)
    for backend in NAMES:
        points = times.filter(pl.col("backend") == backend).sort("n")
        if points.is_empty():
            continue
        try:
            model = fit(points["n"].to_list(), points["value"].to_list(), workload.k)
        except ValueError as error:
            table.add_row(backend, f"no fit: {error}", "", "")
            continue
        style = "yellow" if model.misfit > POOR_MISFIT else ""
        call = format_interval(model.call_cost, model.k * model.c0_low, model.k * model.c0_high)
        element = format_interval(
            model.element_cost, model.k * model.c1_low, model.k * model.c1_high
        )
        table.add_row(backend, escape(call), escape(element), Text(f"{model.misfit:.0%}", style))
    return table
