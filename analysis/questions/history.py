"""The few numbers over releases and over commits: call cost, element cost, C and m*."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl
from packaging.version import InvalidVersion, Version

from jitcost.commands import breakeven, fit
from jitcost.store import releases

__all__ = ["QUANTITIES", "over_commits", "over_releases", "without_releases"]

Row = dict[str, Any]

QUANTITIES = ("call cost", "element cost", "C", "m*")

_NO_OPTIONS = argparse.Namespace(baseline=None)

# What tells two series apart, besides what they are over.
_SERIES = ("workload", "params", "benchmark", "version", "backend", "quantity", "n")


def over_releases(cells: pl.DataFrame) -> list[Row]:
    """Return series over the releases of each library.

    Environments of one machine, Python and commit are compared: those that differ in one library from
    the one that most others are near to, or in what a row of `history.toml` says. The commit is the
    newest that has two releases.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`, of any commits.

    Returns
    -------
    list of dict
        `over` (a library), what the series has in common, and `points`.
    """
    rows = []
    for group, axes in _comparable(cells):
        for axis in axes:
            rows += _series(group, axis)
    return rows


def without_releases(cells: pl.DataFrame, everything: pl.DataFrame) -> pl.DataFrame:
    """Leave out the environments that are there as a library's release, to be compared as such.

    Parameters
    ----------
    cells : polars.DataFrame
        Those to choose from.
    everything : polars.DataFrame
        What `over_releases` has been told.
    """
    place = ["machine", "env_vars", "environment"]
    released = [
        {**{name: axis.place[name] for name in place}, "environment": environment}
        for _, axes in _comparable(everything)
        for axis in axes
        for environment in axis.labels
        if environment != axis.place["environment"]
    ]
    schema = dict.fromkeys(place, pl.String)
    return cells.join(pl.DataFrame(released, schema=schema).unique(), on=place, how="anti")


def _comparable(cells: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, list[_Axis]]]:
    """Yield the cells of the newest commit with two releases, for each machine and Python."""
    newest_first = cells.sort("date", "commit", descending=True)
    places = newest_first.group_by("machine", "env_vars", "python", maintain_order=True)
    for _, of_python in places:
        for _, group in of_python.group_by("commit", maintain_order=True):
            if axes := list(_axes(group)):
                yield group, axes
                break


def over_commits(cells: pl.DataFrame) -> list[Row]:
    """Return series over the commits of each machine and environment, by their dates.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`, of any commits.
    """
    rows = []
    places = cells.group_by("machine", "env_vars", "environment", maintain_order=True)
    for _, group in places:
        dated = group.select("commit", "date").unique().sort("date", "commit")
        if len(dated) > 1:
            first = group.row(0, named=True)
            commits = {commit: commit[:8] for commit in dated["commit"]}
            rows += _series(group, _Axis("commits", "commit", commits, first))
    return rows


@dataclass(frozen=True)
class _Axis:
    """What series are over: the values of a column, in order, and how each is called."""

    over: str
    column: str
    labels: dict[str, str]
    place: Row  # a cell that has in common what they all have


def _axes(cells: pl.DataFrame) -> Iterator[_Axis]:
    """Yield the axis of each library of which the environments hold two releases."""
    columns = cells.select("environment", "versions").unique(maintain_order=True)
    environments = {name: _versions(text) for name, text in columns.sort("environment").iter_rows()}
    base = min(
        environments,
        key=lambda one: sum(
            len(_differing(environments[one], its)) for its in environments.values()
        ),
    )
    place = cells.filter(environment=base).row(0, named=True)
    by_library: dict[str, dict[str, str]] = {}
    for name, versions in environments.items():
        found = _varied(versions, _differing(environments[base], versions))
        if found is not None:
            library, label = found
            by_library.setdefault(library, {base: environments[base].get(library, "none")})
            by_library[library][name] = label
    for library, labels in sorted(by_library.items()):

        def order(one: str, library: str = library) -> Version:
            return _parsed(environments[one].get(library, ""))

        yield _Axis(
            library, "environment", {n: labels[n] for n in sorted(labels, key=order)}, place
        )


def _versions(text: str) -> dict[str, str]:
    return {name.removeprefix("pip+"): v for name, v in json.loads(text or "{}").items()}


def _differing(one: dict[str, str], other: dict[str, str]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def _varied(versions: dict[str, str], differing: set[str]) -> tuple[str, str] | None:
    """Return which library an environment is a release of, and what that release is called."""
    if len(differing) == 1:
        (library,) = differing
        return library, versions.get(library, "none")
    for row in releases.load().rows:
        has_them = row.versions.items() <= versions.items()
        if differing and differing <= row.versions.keys() and has_them:
            return row.library, row.release
    return None


def _parsed(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion:  # not pinned, or not there
        return Version("0")


def _at_common_sizes(cells: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the times at those sizes that a benchmark has for each value of the column.

    Where the model bends, a line through other sizes is another line, and no change of anything.
    What has too few sizes for a line does not count.
    """
    benchmark = ["benchmark", "version", "params", "backend"]
    timed = cells.filter(kind="SteadyState", state="value")
    lines = timed.filter(pl.col("n").n_unique().over(*benchmark, column) >= 3)
    there = pl.col(column).n_unique()
    return lines.filter(there.over(*benchmark, "n") == there.over(*benchmark))


def _numbers(cells: pl.DataFrame, axis: _Axis) -> Iterator[Row]:
    """Yield each number with its interval and where it belongs."""
    for row in fit.answer(_at_common_sizes(cells, axis.column)):
        for quantity, name in (("call cost", "c0"), ("element cost", "c1")):
            if row[name] is not None:
                value, low, high = (row["k"] * row[f"{name}{end}"] for end in ("", "_low", "_high"))
                yield (
                    row
                    | {"quantity": quantity, "n": None, "unit": "seconds"}
                    | _point(value, low, high)
                )
    for row in breakeven.answer(cells, _NO_OPTIONS):
        cost = _point(row["C"], row["C_low"], row["C_high"])
        yield row | {"quantity": "C", "unit": "seconds"} | cost
        calls = _point(row["calls"], row["calls_low"], row["calls_high"])
        yield row | {"quantity": "m*", "unit": "calls"} | calls


def _point(value: float | None, low: float | None, high: float | None) -> Row:
    """Return a number and its interval; None stands for calls without an end: never."""
    ends = (math.inf if end is None else end for end in (value, low, high))
    return dict(zip(("value", "low", "high"), ends, strict=True))


def _series(cells: pl.DataFrame, axis: _Axis) -> list[Row]:
    grouped: dict[str, list[Row]] = {}
    for row in _numbers(cells.filter(pl.col(axis.column).is_in(list(axis.labels))), axis):
        key = json.dumps([row[name] for name in _SERIES])
        grouped.setdefault(key, []).append(row)
    place = {name: axis.place[name] for name in ("machine", "python", "environment")}
    place["env_vars"] = json.loads(axis.place["env_vars"] or "{}")
    place["commit"] = None if axis.column == "commit" else axis.place["commit"]
    order = list(axis.labels)
    rows = []
    for members in grouped.values():
        if len(members) > 1:
            members.sort(key=lambda row: order.index(row[axis.column]))
            common = {name: members[0][name] for name in (*_SERIES, "unit")}
            rows.append({"over": axis.over, **place, **common, "points": [*_points(members, axis)]})
    return rows


def _points(members: list[Row], axis: _Axis) -> Iterator[Row]:
    """Yield the points of a series, each with its change against the one before it."""
    before: Row | None = None
    for row in members:
        point = {name: row[name] for name in ("value", "low", "high")}
        point |= {"release": axis.labels[row[axis.column]], "change": None, "changed": None}
        if before is not None:
            point["changed"] = row["low"] > before["high"] or row["high"] < before["low"]
            if 0 < before["value"] < math.inf and row["value"] < math.inf:
                point["change"] = row["value"] / before["value"] - 1
        yield point
        before = row
