"""Which environments are releases of which library, and which of them may be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import polars as pl
from packaging.version import Version

from jitcost.errors import BadCallError
from jitcost.store import releases, results
from jitcost.store.versions import in_order, parsed

__all__ = [
    "COMMITS",
    "Axis",
    "Where",
    "asked",
    "at_common_sizes",
    "comparable",
    "over_commits",
    "passed_over",
    "pinned",
    "unpinned",
]

# What a series is over that is over no library's releases.
COMMITS = "commits"

# What is compared over releases: an environment that holds experiments alone is none.
_COMPARED = ("SteadyState", "FirstCall")


@dataclass(frozen=True)
class Where:
    """Where the points of a series were measured.

    Attributes
    ----------
    machine, python, environment : str
        Over releases, the environment that the others differ from.
    env_vars : mapping of str to str
        The environment variables that asv set.
    commit : str or None
        The full hash; None over commits.
    """

    SPREAD: ClassVar[bool] = True

    machine: str
    python: str
    environment: str
    env_vars: Mapping[str, str]
    commit: str | None


@dataclass(frozen=True)
class Axis:
    """What series are over: the values of a column, in order, and how each is called.

    Attributes
    ----------
    over : str
        A library, or `commits`.
    column : str
        `environment` or `commit`.
    labels : mapping of str to str
        What each value of the column is called, in order.
    cell : mapping
        A row of cells with what they all have in common; over releases, of the environment that the
        others differ from.
    """

    over: str
    column: Literal["environment", "commit"]
    labels: Mapping[str, str]
    cell: Mapping[str, Any]

    @property
    def where(self) -> Where:
        """Where all that is on it was measured."""
        return Where(
            self.cell["machine"],
            self.cell["python"],
            self.cell["environment"],
            json.loads(self.cell["env_vars"] or "{}"),
            None if self.column == "commit" else self.cell["commit"],
        )


def asked(
    cells: pl.DataFrame, over: str | None = None, commit: str | None = None, fewest: int = 2
) -> list[tuple[pl.DataFrame, Axis]]:
    """Return each axis that is meant with the cells on it, releases before commits.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them, of any commits.
    over : str or None
        A library, or `commits`; None: all that there is.
    commit : str or None
        A hash or the beginning of one: its releases, and no commits. None: the releases that
        `comparable` finds, and the commits.
    fewest : int
        See `comparable`.

    Raises
    ------
    BadCallError
        If there is nothing over what is asked for, or no such commit.
    """
    if commit is not None:
        cells = results.select(cells, commit=commit)
    found = [(group, axis) for group, axes in comparable(cells, fewest) for axis in axes]
    if commit is None:
        found += over_commits(cells)
    there = sorted({axis.over for _, axis in found})
    if over is not None and there and over not in there:
        raise BadCallError(f"nothing over {over!r}; there is {', '.join(there)}")
    return [
        (group.filter(pl.col(axis.column).is_in(list(axis.labels))), axis)
        for group, axis in found
        if over in (None, axis.over)
    ]


def comparable(cells: pl.DataFrame, fewest: int = 2) -> Iterator[tuple[pl.DataFrame, list[Axis]]]:
    """Yield the cells of one commit's releases, for each machine and Python.

    It is the newest commit with so many releases of a library; where none has, the newest with two.
    Environments of one machine, Python and commit are compared: those that differ in one library from
    the one that most others are near to, or in what a row of `history.toml` says.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them, of any commits.
    fewest : int
        What a series needs to be looked at.
    """
    newest_first = cells.sort("date", "commit", descending=True)
    pythons = newest_first.group_by("machine", "env_vars", "python", maintain_order=True)
    for _, of_python in pythons:
        newest: tuple[pl.DataFrame, list[Axis]] | None = None
        for _, group in of_python.group_by("commit", maintain_order=True):
            axes = list(_axes(group.filter(pl.col("kind").is_in(_COMPARED), state="value")))
            if any(len(axis.labels) >= fewest for axis in axes):
                newest = group, axes
                break
            newest = newest or ((group, axes) if axes else None)
        if newest is not None:
            yield newest


def passed_over(cells: pl.DataFrame, fewest: int) -> Iterator[tuple[Where, Where]]:
    """Yield where the newest releases are, and where older ones are that `comparable` prefers."""
    pairs = zip(comparable(cells), comparable(cells, fewest), strict=True)
    for (_, newest), (_, preferred) in pairs:
        if newest[0].where.commit != preferred[0].where.commit:
            yield newest[0].where, preferred[0].where


def unpinned(cells: pl.DataFrame) -> dict[str, list[str]]:
    """Return the environments that leave a library's version open where others pin one, by library.

    They hold whatever was newest when they were made, which asv does not record: as a release they
    have no name and no place.
    """
    texts = cells.select("environment", "versions").unique().iter_rows()
    environments = {name: pinned(text) for name, text in texts}
    found: dict[str, list[str]] = {}
    for name in in_order(environments):
        for library, version in environments[name].items():
            if not version and any(its.get(library) for its in environments.values()):
                found.setdefault(library, []).append(name)
    return found


def over_commits(cells: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, Axis]]:
    """Yield the cells of each machine and environment with two commits, which go by their dates."""
    for _, group in cells.group_by("machine", "env_vars", "environment", maintain_order=True):
        dated = group.select("commit", "date").unique().sort("date", "commit")
        if len(dated) > 1:
            commits = {commit: commit[:8] for commit in dated["commit"]}
            yield group, Axis(COMMITS, "commit", commits, group.row(0, named=True))


def at_common_sizes(cells: pl.DataFrame, axis: Axis) -> pl.DataFrame:
    """Return the times at those sizes that a benchmark has for each value of the axis.

    Where the model bends, a line through other sizes is another line, and no change of anything.
    What has too few sizes for a line does not count.
    """
    benchmark = ["benchmark", "version", "params", "backend"]
    timed = cells.filter(kind="SteadyState", state="value")
    lines = timed.filter(pl.col("n").n_unique().over(*benchmark, axis.column) >= 3)
    there = pl.col(axis.column).n_unique()
    return lines.filter(there.over(*benchmark, "n") == there.over(*benchmark))


def _axes(cells: pl.DataFrame) -> Iterator[Axis]:
    """Yield the axis of each library of which the environments hold two releases."""
    texts = dict(cells.select("environment", "versions").unique(maintain_order=True).iter_rows())
    environments = {name: pinned(texts[name]) for name in in_order(texts)}
    if not environments:
        return
    base = min(
        environments,
        key=lambda one: sum(
            len(_differing(environments[one], its)) for its in environments.values()
        ),
    )
    cell = cells.filter(environment=base).row(0, named=True)
    by_library: dict[str, dict[str, str]] = {}
    for name, versions in environments.items():
        found = _varied(versions, _differing(environments[base], versions))
        if found is not None:
            library, label = found
            by_library.setdefault(library, {base: environments[base].get(library, "none")})
            by_library[library][name] = label
    for library, every in sorted(by_library.items()):
        labels = {name: label for name, label in every.items() if label}  # else it is `unpinned`
        if len(labels) < 2:
            continue

        def order(one: str, library: str = library) -> Version:
            return parsed(environments[one].get(library, ""))

        yield Axis(library, "environment", {n: labels[n] for n in sorted(labels, key=order)}, cell)


def pinned(text: str | None) -> dict[str, str]:
    """Return the versions that an environment pins, from the cells' column of that name."""
    return {name.removeprefix("pip+"): v for name, v in json.loads(text or "{}").items()}


def _differing(one: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def _varied(versions: Mapping[str, str], differing: set[str]) -> tuple[str, str] | None:
    """Return which library an environment is a release of, and what that release is called."""
    if len(differing) == 1:
        (library,) = differing
        return library, versions.get(library, "none")
    for row in releases.load().rows:
        has_them = row.versions.items() <= versions.items()
        if differing and differing <= row.versions.keys() and has_them:
            return row.library, row.release
    return None
