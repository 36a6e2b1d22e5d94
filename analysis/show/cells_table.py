"""Every cell, for a person: the tables of `jitcost results`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

import polars as pl
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jitcost.show.terminal import console_for
from jitcost.units import format_seconds, size_text

__all__ = ["as_tables", "write_tables"]

# More than a person reads; the other formats have every cell.
ROWS_SHOWN = 500

# A table that is not written to a terminal: wide enough for a benchmark's name and its numbers.
WIDTH = 160


def write_tables(cells: pl.DataFrame, to: TextIO) -> None:
    """Write the tables, as wide as the terminal or as they need."""
    console = console_for(WIDTH, to)
    for renderable in as_tables(cells):
        console.print(renderable)


def as_tables(cells: pl.DataFrame) -> Iterator[RenderableType]:
    """Yield a table for each machine, environment and commit, and what the tables leave out."""
    shown = cells.filter(pl.col("state") != "not_measured")
    left_out = len(cells) - len(shown)
    together = ["machine", "environment", "env_vars", "commit"]
    for values, group in shown.head(ROWS_SHOWN).group_by(together, maintain_order=True):
        yield _table(dict(zip(together, values, strict=True)), group)
    if len(shown) > ROWS_SHOWN:
        yield Text(f"not shown: {len(shown) - ROWS_SHOWN:,} more; --format csv -o FILE writes all")
    if left_out:
        yield Text(
            f"not measured (skipped, or not selected), and not shown: {left_out:,} of {len(cells):,}"
        )


def _table(head: dict[str, Any], group: pl.DataFrame) -> Table:
    env_vars = " ".join(f"{key}={text}" for key, text in json.loads(head["env_vars"]).items())
    title = ", ".join(
        filter(
            None, (head["machine"], head["environment"], env_vars, f"commit {head['commit'][:8]}")
        )
    )
    rows = list(group.iter_rows(named=True))
    versions = group.select("benchmark", "version").unique()
    columns = {
        "benchmark": [row["benchmark"] for row in rows],
        # Two versions of a benchmark have measured two different things.
        "version": [
            (row["version"] or "")[:8] if versions["benchmark"].is_duplicated().any() else ""
            for row in rows
        ],
        "n": ["" if row["n"] is None else size_text(row["n"]) for row in rows],
        "backend": [row["backend"] or "" for row in rows],
        "params": [_params(row["params"]) for row in rows],
        "value": [_quantity(row["value"], row["unit"]) for row in rows],
        "99 % interval": [_interval(row) for row in rows],
        "state": [row["state"] for row in rows],
    }
    table = Table(title=Text(title))
    kept = {heading: texts for heading, texts in columns.items() if any(texts)}
    for heading in kept:
        right = heading in ("n", "value", "99 % interval")
        table.add_column(heading, justify="right" if right else "left", overflow="fold")
    for texts in zip(*kept.values(), strict=True):
        table.add_row(*map(Text, texts))
    return table


def _params(text: str) -> str:
    return ", ".join(f"{name}={value}" for name, value in json.loads(text).items())


def _quantity(value: float | None, unit: str | None) -> str:
    if value is None:
        return ""
    return format_seconds(value) if unit == "seconds" else f"{value:.4g} {unit or ''}".rstrip()


def _interval(row: dict[str, Any]) -> str:
    low, high = row["ci_low"], row["ci_high"]
    if low is None and high is None:
        return ""
    texts = (
        "unbounded" if bound is None else _quantity(bound, row["unit"]) for bound in (low, high)
    )
    return " to ".join(texts)
