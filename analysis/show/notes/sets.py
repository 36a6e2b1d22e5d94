"""Which sets of measurements are kept, of what each is, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from jitcost.questions.fullest import fullest
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.releases import COMMITS, Axis
from jitcost.show.notes.places import Places
from jitcost.show.notes.words import day, library_text
from jitcost.show.table import Cell, Column, Table
from jitcost.stats.steps import FEWEST_RUNS
from jitcost.store.processes import processes
from jitcost.units import format_duration

__all__ = ["Machine", "machines", "sets_table"]

# The experiments of an account: `jitcost bench --variants` measures them by themselves.
EXPERIMENTS = ("Variants", "Operations", "VectorFunctions")

# Of what was imported, what a set is named by.
_NAMED = ("jax", "numba", "numpy", "Julia")

# What stands where the processes told nothing.
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Machine:
    """A machine of which results are kept.

    Attributes
    ----------
    name : str
    cpu : str or None
        The processor; None where nobody has recorded it.
    pythons : tuple of str
        The versions of Python that its results are of.
    full : Origin or None
        Which speaks for the machine (`jitcost.questions.fullest`); None where nothing was timed.
    """

    name: str
    cpu: str | None
    pythons: tuple[str, ...]
    full: Origin | None


def machines(cells: pl.DataFrame, folder: Path) -> list[Machine]:
    """Return the machines, that with the most values first.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    folder : Path
        Where they were read from.
    """
    values = cells.filter(state="value")
    cpus: dict[str, str | None] = {}
    for origin, place in Places(values, folder).items():
        cpus[origin.machine] = cpus.get(origin.machine) or place.cpu
    full = {origin.machine: origin for origin, _ in fullest(values)}
    counts = values.group_by("machine").len().sort("len", "machine", descending=[True, False])
    return [
        Machine(
            name,
            cpus.get(name),
            tuple(sorted(values.filter(machine=name)["python"].drop_nulls().unique())),
            full.get(name),
        )
        for name in counts["machine"]
    ]


def sets_table(cells: pl.DataFrame, folder: Path, axes: Sequence[Axis]) -> Table:
    """Return a row for each set: what it is of, where, how many cells, and how long it took.

    Parameters
    ----------
    cells, folder
        As for `machines`.
    axes : sequence of Axis
        What the history is over.
    """
    values = cells.filter(state="value")
    told = processes(values, folder)
    places = Places(values, folder)
    found: dict[_Set, list[pl.DataFrame]] = {}
    for origin, its in origin_groups(values):
        for one, part in _parts(origin, its, axes, places[origin].versions):
            found.setdefault(one, []).append(part)
    return Table(
        "What was measured",
        (
            *(Column(heading, words=True) for heading in ("set", "machine", "Python", "commit")),
            Column("libraries", words=True),
            *(Column(heading) for heading in ("cells", "processes", "total process time")),
            Column("measured (UTC)", words=True),
        ),
        tuple(
            (
                *(Cell(text) for text in (one.what, one.machine, one.python, one.commit)),
                Cell(one.libraries),
                Cell(f"{sum(map(len, found[one])):,}"),
                *_took(told, pl.concat(found[one])),
            )
            for one in sorted(found, key=_place)
        ),
        note="releases: those environments that were measured for them alone; total process time: from "
        "each process's first import of the benchmarks to its end; measured: from the first's start to "
        "the last's end",
    )


_KINDS = ("workloads", "variants", "releases", "commits")


@dataclass(frozen=True)
class _Set:
    """What a row of the table is of; all texts."""

    what: str
    machine: str
    python: str
    commit: str
    libraries: str


def _place(one: _Set) -> tuple[object, ...]:
    return _KINDS.index(one.what.split(" ")[0]), one.what, one.machine, one.python, one.commit


def _parts(
    origin: Origin, its: pl.DataFrame, axes: Sequence[Axis], versions: Mapping[str, str]
) -> Iterator[tuple[_Set, pl.DataFrame]]:
    """Yield the cells of one origin by the set that they belong to."""
    python, commit = str(its["python"][0]), origin.commit[:8]
    libraries = ", ".join(
        f"{library_text(name)} {versions[name]}" for name in _NAMED if name in versions
    )
    alone = _Set("workloads", origin.machine, python, commit, libraries)
    axis = next((axis for axis in axes if _is_along(origin, axis)), None)
    experiments = pl.col("kind").is_in(EXPERIMENTS)
    for one, part in (
        (alone if axis is None else _along(axis, alone), its.filter(~experiments)),
        (replace(alone, what="variants"), its.filter(experiments)),
    ):
        if not part.is_empty():
            yield one, part


def _along(axis: Axis, alone: _Set) -> _Set:
    """Return the set of what was measured along an axis, of what it would be by itself."""
    if axis.over == COMMITS:
        return replace(alone, what=COMMITS, commit=f"{len(axis.labels)} commits")
    others = [label for name, label in axis.labels.items() if name != axis.where.environment]
    what = f"releases of {library_text(axis.over)}"
    return replace(alone, what=what, libraries=", ".join(others))


def _is_along(origin: Origin, axis: Axis) -> bool:
    """Tell whether an origin was measured for an axis alone: it is on it, and not its own last one.

    A few commits are no history: each may have been measured for itself.
    """
    where = axis.where
    if (where.machine, where.env_vars) != (origin.machine, origin.env_vars):
        return False
    if axis.over == COMMITS:
        earlier = list(axis.labels)[:-1] if len(axis.labels) >= FEWEST_RUNS else []
        return where.environment == origin.environment and origin.commit in earlier
    others = axis.labels.keys() - {where.environment}
    return where.commit == origin.commit and origin.environment in others


_PROCESS_OF = ("machine", "environment", "env_vars", "commit", "benchmark")


def _took(told: pl.DataFrame, cells: pl.DataFrame) -> tuple[Cell, Cell, Cell]:
    """Return how many processes measured cells, how long they took, and when."""
    its = told.join(cells.select(_PROCESS_OF).unique(), on=_PROCESS_OF, how="semi")
    timed = its.drop_nulls(["started", "seconds"])
    if timed.is_empty():
        return Cell(NOT_RECORDED), Cell(NOT_RECORDED), Cell(NOT_RECORDED)
    ends = timed.select(pl.col("started") + pl.duration(microseconds=pl.col("seconds") * 1e6))
    first, last = timed["started"].min(), ends.to_series().max()
    return (
        Cell(f"{len(its):,}"),
        Cell(format_duration(float(timed["seconds"].sum()))),
        Cell(f"{day(first)} to {day(last)}"),  # type: ignore[arg-type]
    )
