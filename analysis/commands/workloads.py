"""Show every workload on every backend: implemented, up to which size, or why not. From the specs alone:
nothing is measured, and no backend has to be installed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table

from jitcost.backends import heading, names
from jitcost.backends import workloads as specs
from jitcost.units import size_text

__all__ = ["add_arguments", "render", "rows", "run"]

EXAMPLE = "jitcost workloads --json"

# A table that is not written to a terminal: wide enough for six backends and the reasons.
WIDTH = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="print strict JSON, not tables")


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    if args.json:
        print(json.dumps(rows(), indent=1, allow_nan=False))
        return 0
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for renderable in render(rows()):
        console.print(renderable)
    return 0


def rows() -> list[dict[str, Any]]:
    """Return a row for each workload and backend.

    Returns
    -------
    list of dict
        workload, backend, status (`implemented`: at every size; `limited`: up to a size; `excused`:
        there is no kernel), limit (the largest size, or None), reason (of a limit, or None).
    """
    return [_row(spec, backend) for spec in specs.WORKLOADS.values() for backend in names()]


def _row(spec: specs.Workload, backend: str) -> dict[str, Any]:
    limit = spec.limit_of(backend)
    row = {"workload": spec.name, "backend": backend}
    if limit is None:
        return {**row, "status": "implemented", "limit": None, "reason": None}
    status = "limited" if limit.largest else "excused"
    return {**row, "status": status, "limit": limit.largest or None, "reason": limit.reason}


def render(rows: list[dict[str, Any]]) -> list[Table | str]:
    """Return the table, with a note for each reason."""
    reasons: dict[str, str] = {}  # in the order in which they are met
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("workload", no_wrap=True)
    table.add_column("n counts", no_wrap=True)
    for name in names():
        table.add_column(heading(name), justify="right", no_wrap=True)
    by_workload: dict[str, list[str]] = {}
    for row in rows:
        text = "yes"
        if row["reason"] is not None:
            note = reasons.setdefault(row["reason"], chr(ord("a") + len(reasons)))
            extent = "-" if row["limit"] is None else f"≤{size_text(row['limit'])}"
            text = f"{extent} {note}"
        by_workload.setdefault(row["workload"], []).append(text)
    for name, texts in by_workload.items():
        table.add_row(name, specs.get(name).n_counts, *texts)
    notes = "\n".join(f"{note}  {reason}" for reason, note in reasons.items())
    return [
        _summaries(map(specs.get, by_workload)),
        *("", table, "", notes, ""),
        "And their kernels, timed in other ways:",
        _summaries(specs.PROTOCOLS.values()),
    ]


def _summaries(described: Iterable[specs.Workload]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    for spec in described:
        options = "".join(
            f"; {option}: {', '.join(map(str, values))}" for option, values in spec.options.items()
        )
        table.add_row(spec.name, spec.summary + options)
    return table
