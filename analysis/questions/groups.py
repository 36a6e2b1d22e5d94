"""Cells that belong together: of one machine, environment, commit, benchmark and version."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import polars as pl
from rich.markup import escape

from jitcost.backends import names, workloads
from jitcost.errors import BadCallError
from jitcost.store.parameters import parse_size

__all__ = [
    "Head",
    "backend_order",
    "baseline_of",
    "benchmark_groups",
    "interval",
    "k_of",
    "place_text",
    "require_baseline",
    "same_benchmark",
    "same_place",
    "title_of",
    "titled",
]

Head = dict[str, Any]

# What must be equal for cells to be compared; params is every parameter but n and backend.
_PLACE = ("machine", "environment", "env_vars", "commit", "workload", "params")
_TOGETHER = (*_PLACE, "benchmark", "version")


def benchmark_groups(
    cells: pl.DataFrame, kind: str | None = None, *, whole: bool = False
) -> Iterator[tuple[Head, pl.DataFrame]]:
    """Yield the cells of each benchmark, sorted by n, with what they have in common.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`.
    kind : str, optional
        Only benchmarks of this kind, e.g. `SteadyState`.
    whole : bool
        All that was tried, failed cells and cells without a size included, and not the values alone.

    Yields
    ------
    head : dict
        machine, environment, env_vars and params (as objects), commit, workload, benchmark, version.
    group : polars.DataFrame
    """
    tried = cells.filter(pl.col("state") != "not_measured")
    chosen = tried if whole else tried.filter(pl.col("n").is_not_null(), state="value")
    if kind is not None:
        chosen = chosen.filter(kind=kind)
    for values, group in chosen.sort("n").group_by(_TOGETHER, maintain_order=True):
        head = dict(zip(_TOGETHER, values, strict=True))
        for key in ("params", "env_vars"):
            head[key] = json.loads(head[key] or "{}")
        yield head, group


def same_place(one: Head, other: Head) -> bool:
    """Tell whether two benchmarks are of one workload, machine, environment and commit."""
    return all(one[key] == other[key] for key in _PLACE)


def same_benchmark(rows: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Divide the rows of an answer into those of one benchmark, place and version."""
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(json.dumps([row[key] for key in _TOGETHER]), []).append(row)
    return list(grouped.values())


def title_of(row: Head) -> str:
    """Return what a table of this benchmark is about: the workload and its options, or the name."""
    options = "".join(f", {name} = {value}" for name, value in row["params"].items())
    return f"{row['workload'] or row['benchmark']}{options}"


def place_text(row: Head, rows: list[Head]) -> str:
    """Return what tells a row's place from those of the others, with a space before it.

    The machine where there are several, the environment, its variables, the commit; nothing where
    the rows share all of them. Of the environment, the parts of its name that others lack.
    """
    environments = [other["environment"].split("-") for other in rows]
    parts = row["environment"].split("-")
    own = [part for part in parts if any(part not in other for other in environments)]
    env_vars = " ".join(f"{name}={value}" for name, value in row["env_vars"].items())
    texts = {
        "machine": f" on {row['machine']}",
        "environment": f" in {'-'.join(own or parts)}",
        "env_vars": f" with {env_vars}" if env_vars else "",
        "commit": f" at {row['commit'][:8]}",
    }
    return "".join(
        text for key, text in texts.items() if any(other[key] != row[key] for other in rows)
    )


def titled(rows: list[Head]) -> Iterator[tuple[str, list[Head]]]:
    """Yield the rows of each benchmark with what a table of them is of, as rich's markup.

    No table holds rows of two places: the titles say which place, where there is more than one.
    """
    for members in same_benchmark(rows):
        yield escape(f"{title_of(members[0])}{place_text(members[0], rows)}"), members


def k_of(head: Head) -> int:
    """Return the number of operations: a parameter of that name, or the workload's, or 1."""
    k = parse_size(head["params"].get("k", ""))
    if k is not None and k >= 1 and k == int(k):
        return int(k)
    spec = workloads.known(head["workload"])
    return 1 if spec is None else spec.k


def require_baseline(cells: pl.DataFrame, baseline: str | None) -> None:
    """Raise `BadCallError` if a person has asked for a baseline that was not timed."""
    measured = backend_order(cells.filter(kind="SteadyState", state="value"))
    if baseline is not None and measured and baseline not in measured:
        raise BadCallError(f"no times of {baseline!r}; there are {', '.join(measured)}")


def baseline_of(head: Head) -> str:
    """Return the backend that the others are compared with unless a person asks for another."""
    spec = workloads.known(head["workload"])
    return "numpy" if spec is None else spec.baseline


def backend_order(group: pl.DataFrame) -> list[str]:
    """Return the backends in a group: ours in their order, then any others."""
    present = group["backend"].drop_nulls().unique().to_list()
    ours = names()
    return sorted(present, key=lambda b: (ours.index(b) if b in ours else len(ours), b))


def interval(cell: Head) -> tuple[float, float]:
    """Return a cell's interval (99 % for the median, by asv); without one, anything from 0 on."""
    low, high = cell["ci_low"], cell["ci_high"]
    return (0.0 if low is None else low), (math.inf if high is None else high)
