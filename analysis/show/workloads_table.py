"""The workloads on every backend, for a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.table import Table

from jitcost.backends import heading
from jitcost.backends import workloads as specs
from jitcost.units import size_text

__all__ = ["WIDTH", "render"]

# A table that is not written to a terminal: wide enough for six backends and the reasons.
WIDTH = 120


def render(rows: list[dict[str, Any]]) -> list[Table | str]:
    """Return the table, with a note for each reason.

    Parameters
    ----------
    rows : list of dict
        As `jitcost workloads --json` has them.
    """
    reasons: dict[str, str] = {}  # in the order in which they are met
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("workload", no_wrap=True)
    table.add_column("n counts", no_wrap=True)
    for name in dict.fromkeys(row["backend"] for row in rows):
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
