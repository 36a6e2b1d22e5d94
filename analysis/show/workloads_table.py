"""The workloads on every backend, as tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jitcost.backends import heading
from jitcost.backends import workloads as specs
from jitcost.show.table import Cell, Column, Table, numbers, words
from jitcost.units import size_text

__all__ = ["WIDTH", "tables"]

# A table that is not written to a terminal: wide enough for six backends and the reasons.
WIDTH = 120


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    """Return what there is to measure, where, and how else it is timed.

    Parameters
    ----------
    rows : list of dict
        As `jitcost workloads --json` has them.
    """
    reasons: dict[str, str] = {}  # in the order in which they are met
    by_workload: dict[str, list[Cell]] = {}
    for row in rows:
        by_workload.setdefault(row["workload"], []).append(_extent(row, reasons))
    names = dict.fromkeys(row["backend"] for row in rows)
    return [
        _summaries("Workloads", map(specs.get, by_workload)),
        Table(
            "On which backends",
            (*words("workload", "n counts"), *numbers(*map(heading, names))),
            tuple(
                (Cell(name), Cell(specs.get(name).n_counts), *cells)
                for name, cells in by_workload.items()
            ),
            remarks=tuple(f"{note}  {reason}" for reason, note in reasons.items()),
        ),
        _summaries("And their kernels, timed in other ways:", specs.PROTOCOLS.values()),
    ]


def _extent(row: dict[str, Any], reasons: dict[str, str]) -> Cell:
    if row["reason"] is None:
        return Cell("yes")
    note = reasons.setdefault(row["reason"], chr(ord("a") + len(reasons)))
    extent = "-" if row["limit"] is None else f"≤{size_text(row['limit'])}"
    return Cell(f"{extent} {note}")


def _summaries(caption: str, described: Iterable[specs.Workload]) -> Table:
    return Table(
        caption,
        (Column("workload", words=True), Column("what it is", words=True, breaks=True)),
        tuple((Cell(spec.name), Cell(f"{spec.summary}{_options(spec)}")) for spec in described),
    )


def _options(spec: specs.Workload) -> str:
    return "".join(
        f"; {option}: {', '.join(map(str, values))}" for option, values in spec.options.items()
    )
