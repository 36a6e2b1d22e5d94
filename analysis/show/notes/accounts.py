"""What the experiments say of NumPy's time and jit's, beyond the tables of `jitcost account`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from jitcost import backends
from jitcost.backends.variants import VARIANTS, is_floor
from jitcost.questions import account
from jitcost.questions.account import LIBRARY, Row, Steps
from jitcost.questions.bends import JudgedCause
from jitcost.questions.experiments import Experiment, variants
from jitcost.show.answers.account import grouped
from jitcost.show.answers.estimates import intervals_text
from jitcost.show.notes.places import Places
from jitcost.show.notes.words import changed
from jitcost.show.table import Cell, Column, Table
from jitcost.stats.estimates import Estimate, product
from jitcost.store.origins import Provenance
from jitcost.store.versions import parsed
from jitcost.units import format_seconds, size_text

__all__ = ["Accounted", "Against", "accounts", "experiment_tables", "newest_accounts"]


@dataclass(frozen=True)
class Against:
    """One variant's time against another's at one size.

    Attributes
    ----------
    n : float
    ratio : Estimate
    """

    n: float
    ratio: Estimate

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return math.isfinite(self.ratio.high)

    @property
    def slower(self) -> bool:
        """Whether all of the interval says so."""
        return self.ratio.low > 1

    @property
    def faster(self) -> bool:
        """Whether all of the interval says so."""
        return self.ratio.high < 1


@dataclass(frozen=True)
class Accounted:
    """The account of `elementwise` at one origin.

    Attributes
    ----------
    row : jitcost.questions.account.Row
    place : Provenance
    experiment : Experiment
    """

    row: Row
    place: Provenance
    experiment: Experiment

    @property
    def title(self) -> str:
        """With which releases, in a heading."""
        versions = self.place.versions
        named = [("jax", "JAX"), ("numpy", "NumPy"), ("Python", "Python")]
        said = (f"{text} {versions[name]}" for name, text in named if name in versions)
        return f"{', '.join(said)}, on {self.place.machine}"

    def tables(self, figure: str) -> list[Table]:
        """Return the tables that belong to a figure; see `jitcost.show.answers.account.grouped`."""
        return grouped(self.row).get(figure, [])

    def against(self, over: str, under: str) -> list[Against]:
        """Return one variant's times as ratios to another's, by size."""
        return [
            _against(self.experiment, over, n, under) for n in self.experiment.sizes(over, under)
        ]

    def at(self, over: str, n: float, under: str) -> Against | None:
        """Return one variant's time as a ratio to another's; None where one was not measured."""
        return next((one for one in self.against(over, under) if one.n == n), None)

    def time(self, name: str, n: float) -> float | None:
        """Return a variant's time at a size, seconds; None where it was not measured."""
        found = self.experiment.times.get((name, n))
        return None if found is None else found.value

    @property
    def largest(self) -> Steps:
        """The steps at the largest size."""
        return self.row.steps[-1]

    @property
    def library(self) -> bool:
        """Whether jit is faster by ten or more at the largest size, and most so for XLA's library."""
        end, cause = self.largest, self.cause("library kernels")
        return (
            end.numpy.value >= 10 * end.jax_jit.value
            and end.largest == LIBRARY
            and end.largest_step.worth.high < 0
            and cause is not None
            and cause.verdict == "supported"
        )

    def shares(self) -> list[tuple[str, float, float]]:
        """Return each of NumPy's parts with its smallest and its largest share of the whole."""
        found: dict[str, list[float]] = {}
        for at_n in self.row.numpy:
            for part, worth in at_n.parts.items():
                found.setdefault(part, []).append(worth.value / at_n.whole.value)
        return [(part, min(shares), max(shares)) for part, shares in found.items()]

    def cause(self, name: str) -> JudgedCause | None:
        """Return what the experiments say of a cause; None where nothing is known of it."""
        return next((cause for cause in self.row.causes if cause.cause == name), None)


def accounts(cells: pl.DataFrame, folder: Path) -> list[Accounted]:
    """Return the accounts of `elementwise` that have both ends of the way from NumPy to jit.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    folder : Path
        Where they were read from.

    Returns
    -------
    list of Accounted
        That of the newest commit and release of JAX first.
    """
    caches = account.known_caches(cells, folder)
    answer = account.ask(cells, account.Options("elementwise", caches))
    places = Places(cells, folder)
    experiments = {
        repr(one.of): one for one in variants(cells.filter(workload="elementwise")) if one.times
    }
    made = [
        Accounted(row, places[row.of.origin], experiments[repr(row.of)])
        for row in answer
        if row.steps
    ]
    return sorted(made, key=_age, reverse=True)


def newest_accounts(every: Iterable[Accounted]) -> list[Accounted]:
    """Return the first account of each machine: of what `accounts` returns, the newest."""
    found: dict[str, Accounted] = {}
    for one in every:
        found.setdefault(one.row.of.origin.machine, one)
    return list(found.values())


def _age(one: Accounted) -> tuple[object, ...]:
    """Return what the newest is the largest by: of one commit's, the newest release of JAX."""
    date = one.place.date or datetime.min.replace(tzinfo=UTC)
    return date, parsed(one.place.versions.get("jax", "")), one.place.environment


def experiment_tables(cells: pl.DataFrame) -> list[Table]:
    """Return what each setting of the other workloads is worth, and why their curves bend.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    """
    others = [one for one in variants(cells) if one.of.workload != "elementwise"]
    rows = [row for row in account.ask(cells) if row.of.workload != "elementwise"]
    return [
        table
        for one in others
        for table in (
            _experiment(one),
            *(made for row in rows if row.of == one.of for made in _bends(row, rows)),
        )
    ]


def _bends(row: Row, rows: Sequence[Row]) -> list[Table]:
    return grouped(row, rows).get("bends", [])


def _experiment(experiment: Experiment) -> Table:
    measured = list(dict.fromkeys(name for name, _ in experiment.times))
    settings = [name for name in measured if name in VARIANTS and not is_floor(name)]
    found = {name: _ratios(experiment, name) for name in settings}
    origin = experiment.of.origin
    return Table(
        f"{experiment.of.title} ({origin.machine}, {origin.environment}, {origin.commit[:8]})",
        (
            Column("variant", words=True),
            Column("baseline", words=True),
            Column("n", words=True),
            Column("time per call", words=True),
            Column("change", words=True),
        ),
        tuple(
            (
                Cell(name, VARIANTS[name].setting),
                Cell(_name(VARIANTS[name].base)),
                Cell(_ends([one.n for one in alike], size_text)),
                Cell(_ends([experiment.at(name, one.n).value for one in alike], format_seconds)),
                Cell(changed((one.ratio.value, one.ratio.low, one.ratio.high) for one in alike)),
            )
            for name, ratios in found.items()
            for alike in _alike(ratios)
        ),
        note="baseline: the same without the setting; where sizes share a line, the smallest and the "
        "largest change; "
        + intervals_text(one.ratio for ratios in found.values() for one in ratios),
    )


def _ratios(experiment: Experiment, name: str) -> list[Against]:
    """Return a variant's times as ratios to those of what it is a variant of."""
    base = VARIANTS[name].base
    return [_against(experiment, name, n, base) for n in experiment.sizes(name, base)]


def _against(experiment: Experiment, over: str, n: float, under: str) -> Against:
    return Against(n, product({experiment.at(over, n): 1, experiment.at(under, n): -1}))


def _alike(ratios: Sequence[Against]) -> Iterator[list[Against]]:
    """Yield neighbouring sizes of which the same is said."""
    for _, alike in itertools.groupby(ratios, key=_verdict):
        yield list(alike)


def _verdict(one: Against) -> tuple[bool, bool, bool]:
    return one.slower, one.faster, one.known


def _ends(numbers: Sequence[float], text: Callable[[float], str]) -> str:
    """Return the first and the last of some numbers."""
    return text(numbers[0]) + (f" to {text(numbers[-1])}" if len(numbers) > 1 else "")


def _name(variant: str) -> str:
    return variant if variant in VARIANTS else backends.heading(variant)
