"""What has changed? Call cost, element cost, C and m* over releases of a library, and over commits."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

from jitcost.errors import BadCallError
from jitcost.questions import breakeven, fit, releases
from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark
from jitcost.questions.releases import Axis
from jitcost.store import results

__all__ = [
    "COMMITS",
    "QUANTITIES",
    "Options",
    "Point",
    "Row",
    "Where",
    "ask",
    "over_commits",
    "over_releases",
    "without_releases",
]

Quantity = Literal["call cost", "element cost", "C", "m*"]
QUANTITIES: tuple[Quantity, ...] = ("call cost", "element cost", "C", "m*")

# What a series is over that is over no library's releases.
COMMITS = "commits"


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
    """

    over: str | None = None
    commit: str | None = None


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
class Point:
    """A number at one release or commit.

    Attributes
    ----------
    value, low, high : float
        In the series' unit, with its interval; infinite calls are never.
    release : str
        What the release or commit is called.
    change : float or None
        Relative to the point before; None where there is none, or one of both is never.
    changed : bool or None
        Whether its interval and that of the point before do not overlap; None where there is none.
    """

    value: float
    low: float
    high: float
    release: str
    change: float | None
    changed: bool | None


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
        options = "".join(f", {name} = {value}" for name, value in self.params.items())
        return f"{self.workload or self.benchmark}{options}"


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
    if options.commit is not None:
        rows = over_releases(results.select(cells, commit=options.commit))
    else:
        rows = [*over_releases(cells), *over_commits(cells)]
    if options.over is not None and rows:
        there = sorted({row.over for row in rows})
        if options.over not in there:
            raise BadCallError(f"nothing over {options.over!r}; there is {', '.join(there)}")
        rows = [row for row in rows if row.over == options.over]
    return Answer(tuple(rows))


def over_releases(cells: pl.DataFrame) -> list[Row]:
    """Return the series over the releases of each library, at the newest commit that has two."""
    return [
        row
        for group, axes in releases.comparable(cells)
        for axis in axes
        for row in _series(group, axis)
    ]


def over_commits(cells: pl.DataFrame) -> list[Row]:
    """Return the series over the commits of each machine and environment, by their dates."""
    return [row for group, axis in releases.over_commits(cells) for row in _series(group, axis)]


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


@dataclass(frozen=True)
class _Number:
    """A number with its interval, and where it belongs."""

    of: Benchmark
    backend: str | None
    quantity: Quantity
    n: float | None
    value: float
    low: float
    high: float


def _numbers(cells: pl.DataFrame, axis: Axis) -> Iterator[_Number]:
    """Yield each number at each value of the axis."""
    for line in fit.ask(releases.at_common_sizes(cells, axis)):
        if isinstance(costs := line.costs, fit.Costs):
            call, element = costs.call_interval, costs.element_interval
            of = line.of, line.backend
            yield _Number(*of, "call cost", None, costs.call_cost, *call)
            yield _Number(*of, "element cost", None, costs.element_cost, *element)
    for row in breakeven.ask(cells):
        yield _Number(row.of, row.backend, "C", row.n, row.cost, row.cost_low, row.cost_high)
        # No calls at all stand for calls without an end: never.
        calls = (
            math.inf if end is None else end for end in (row.calls, row.calls_low, row.calls_high)
        )
        yield _Number(row.of, row.backend, "m*", row.n, *calls)


def _series(cells: pl.DataFrame, axis: Axis) -> Iterator[Row]:
    grouped: dict[str, list[_Number]] = {}
    for number in _numbers(cells.filter(pl.col(axis.column).is_in(list(axis.labels))), axis):
        of = number.of
        key = (of.workload, of.params, of.name, of.version)
        grouped.setdefault(repr((*key, number.backend, number.quantity, number.n)), []).append(
            number
        )
    where = Where(
        axis.cell["machine"],
        axis.cell["python"],
        axis.cell["environment"],
        json.loads(axis.cell["env_vars"] or "{}"),
        None if axis.column == "commit" else axis.cell["commit"],
    )
    for members in grouped.values():
        if len(members) > 1:
            first = members[0]
            yield Row(
                axis.over,
                where,
                first.of.workload,
                first.of.params,
                first.of.name,
                first.of.version,
                first.backend,
                first.quantity,
                first.n,
                "calls" if first.quantity == "m*" else "seconds",
                tuple(_points(members, axis)),
            )


def _points(members: Sequence[_Number], axis: Axis) -> Iterator[Point]:
    """Yield the points of a series, each with its change against the one before it."""
    place = {value: position for position, value in enumerate(axis.labels)}

    def on_axis(number: _Number) -> str:
        return str(getattr(number.of.origin, axis.column))

    ordered = sorted(members, key=lambda number: place[on_axis(number)])
    for before, its in zip((None, *ordered), ordered, strict=False):
        change, changed = None, None
        if before is not None:
            changed = its.low > before.high or its.high < before.low
            if 0 < before.value < math.inf and its.value < math.inf:
                change = its.value / before.value - 1
        yield Point(its.value, its.low, its.high, axis.labels[on_axis(its)], change, changed)
