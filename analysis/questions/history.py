"""What has changed over releases of a library, and over commits? Times, call and element cost, C, m*.

Times at one size, and C, are judged: each against the release or commit before it, as `stats.gate` does
between runs. Call cost, element cost and m* are made of several times, and whether they have changed is
judged by these: an interval of a fit says how well it is known, and two that overlap say nothing (by
overlap a fourfold element cost was missed).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from jitcost.questions import releases
from jitcost.questions.answers import Answer
from jitcost.questions.groups import title_of
from jitcost.questions.over_time import QUANTITIES, Number, Quantity, numbers
from jitcost.questions.points import ChangeVerdict, Point, points
from jitcost.questions.releases import COMMITS, Axis, Where
from jitcost.questions.runs import Runs

__all__ = [
    "COMMITS",
    "QUANTITIES",
    "ChangeVerdict",
    "Options",
    "Point",
    "Row",
    "Where",
    "ask",
    "over_commits",
    "over_releases",
    "without_releases",
]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    over : str or None
        A library, or `commits`; None: all that there is.
    commit : str or None
        A hash or the beginning of one: its releases, and no commits. None: the releases of the
        newest commit with two of them, and the commits.
    backends : tuple of str
        Those whose series are told; empty: all. The others' times still serve as baselines.
    """

    over: str | None = None
    commit: str | None = None
    backends: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One number of a backend over releases or commits.

    Attributes
    ----------
    over : str
        A library, or `commits`.
    where : Where
    workload, params, benchmark, version
        As in `jitcost.questions.groups.Benchmark`.
    backend : str or None
    quantity : str
        One of `QUANTITIES`.
    n : float or None
        The size that it is at; None for what belongs to all sizes.
    unit : str
        Seconds, or calls.
    points : tuple of Point
        From the oldest on; two at least.
    """

    over: str
    where: Where
    workload: str | None
    params: Mapping[str, str]
    benchmark: str
    version: str | None
    backend: str | None
    quantity: Quantity
    n: float | None
    unit: Literal["seconds", "calls"]
    points: tuple[Point, ...]

    @property
    def title(self) -> str:
        """What it is of: the workload and its options, or the benchmark's name."""
        return title_of(self.benchmark, self.workload, self.params)


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Return the series over releases, then those over commits.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them, of any commits.
    options : Options

    Returns
    -------
    Answer of Row
        Without rows where there are no two releases and no two commits.

    Raises
    ------
    BadCallError
        If there is nothing over what is asked for, or no such commit.
    """
    asked = releases.asked(cells, options.over, options.commit)
    every = (row for group, axis in asked for row in _series(group, axis))
    named = options.backends
    return Answer(tuple(row for row in every if not named or row.backend in named))


def over_releases(cells: pl.DataFrame) -> list[Row]:
    """Return the series over the releases of each library, at the newest commit that has two."""
    asked = [one for one in releases.asked(cells) if one[1].over != COMMITS]
    return [row for group, axis in asked for row in _series(group, axis)]


def over_commits(cells: pl.DataFrame) -> list[Row]:
    """Return the series over the commits of each machine and environment, by their dates."""
    asked = [one for one in releases.asked(cells) if one[1].over == COMMITS]
    return [row for group, axis in asked for row in _series(group, axis)]


def without_releases(cells: pl.DataFrame, everything: pl.DataFrame) -> pl.DataFrame:
    """Leave out the environments that are there as a library's release, to be compared as such.

    Parameters
    ----------
    cells : polars.DataFrame
        Those to choose from.
    everything : polars.DataFrame
        What `over_releases` has been told.
    """
    names = ["machine", "env_vars", "environment"]
    released = [
        {**{name: axis.cell[name] for name in names}, "environment": environment}
        for _, axes in releases.comparable(everything)
        for axis in axes
        for environment in axis.labels
        if environment != axis.cell["environment"]
    ]
    schema = dict.fromkeys(names, pl.String)
    return cells.join(pl.DataFrame(released, schema=schema).unique(), on=names, how="anti")


def _series(cells: pl.DataFrame, axis: Axis) -> Iterator[Row]:
    grouped: dict[str, list[Number]] = {}
    for number in numbers(cells, axis):
        of = number.of
        key = (of.workload, of.params, of.name, of.version)
        grouped.setdefault(repr((*key, number.backend, number.quantity, number.n)), []).append(
            number
        )
    runs = Runs(cells, axis)
    for members in grouped.values():
        if len(members) > 1:
            first = members[0]
            yield Row(
                axis.over,
                axis.where,
                first.of.workload,
                first.of.params,
                first.of.name,
                first.of.version,
                first.backend,
                first.quantity,
                first.n,
                "calls" if first.quantity == "m*" else "seconds",
                tuple(points(members, axis, runs)),
            )
