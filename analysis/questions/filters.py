"""Which results a question is asked of: those of some environments, workloads, backends and dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import polars as pl

from jitcost.errors import BadCallError
from jitcost.store.versions import in_order

__all__ = ["Filters", "backends_among", "day", "filtered", "of_backends"]


@dataclass(frozen=True)
class Filters:
    """What a person has said; nothing leaves the cells as they are.

    Attributes
    ----------
    environment : str or None
        An environment's name, or a part of one such as `jax0.9.2`.
    workloads : tuple of str
    since : datetime.date or None
        The day from which on a commit counts, by its date in UTC.
    """

    environment: str | None = None
    workloads: tuple[str, ...] = ()
    since: date | None = None


def filtered(cells: pl.DataFrame, filters: Filters) -> pl.DataFrame:
    """Return the cells that are meant.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    filters : Filters

    Raises
    ------
    BadCallError
        If that leaves none; says what there is.
    """
    if (text := filters.environment) is not None:
        there = in_order(cells["environment"].unique())
        found = [name for name in there if text in name]
        if not found:
            raise BadCallError(f"no environment matches {text!r}; there are {', '.join(there)}")
        cells = cells.filter(pl.col("environment").is_in(found))
    if filters.workloads:
        cells = _of(cells, "workload", filters.workloads)
    if filters.since is not None:
        start = datetime.combine(filters.since, datetime.min.time(), UTC)
        newest = str(cells["date"].max())[:10]
        cells = cells.filter(pl.col("date") >= start)
        if cells.is_empty():
            raise BadCallError(f"no commit since {filters.since}; the newest is of {newest}")
    return cells


def of_backends(cells: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return the cells of these backends; of none that is named, all.

    Raises
    ------
    BadCallError
        If one of them has no results.
    """
    return _of(cells, "backend", names) if names else cells


def backends_among(cells: pl.DataFrame, names: Sequence[str]) -> tuple[str, ...]:
    """Return which of the names are backends that the cells have; the others may be parameters."""
    there = set(cells["backend"])
    return tuple(name for name in names if name in there)


def day(text: str) -> date:
    """Return the day that a text like 2026-05-31 says; `BadCallError` where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadCallError(f"--since {text!r} is no date; write it like 2026-05-31") from None


def _of(cells: pl.DataFrame, column: str, names: Sequence[str]) -> pl.DataFrame:
    there = set(cells[column].drop_nulls())
    if unknown := [name for name in names if name not in there]:
        known = ", ".join(sorted(there)) or "none"
        raise BadCallError(f"no results of a {column} {unknown[0]!r}; there are {known}")
    return cells.filter(pl.col(column).is_in(list(names)))
