"""What a history says along one axis: tables of its series, and what has changed in these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from jitcost import backends
from jitcost.questions import changes, history, releases
from jitcost.questions.history import Point, Row
from jitcost.questions.releases import COMMITS, Axis
from jitcost.show.answers.history import change_text, labels_of, value_text
from jitcost.show.notes.noise import Spread, spread
from jitcost.show.notes.words import code, library_text, percent, release_changes
from jitcost.show.plain import escaped
from jitcost.show.table import Cell, Column, Table
from jitcost.stats.steps import FEWEST_RUNS
from jitcost.units import listed, size_text

__all__ = ["Along", "History"]


@dataclass(frozen=True)
class Along:
    """The series over a library's releases, or over commits.

    Attributes
    ----------
    axis : Axis
    rows : tuple of jitcost.questions.history.Row
    told : tuple of jitcost.questions.changes.Row
        All that `changes` tells of these: steps, drifts and runs that stand apart.
    unaffected : Spread or None
        How far the times differ that what varies cannot change.
    """

    axis: Axis
    rows: tuple[Row, ...]
    told: tuple[changes.Row, ...]
    unaffected: Spread | None

    @property
    def over(self) -> str:
        """A library, or `commits`."""
        return self.axis.over

    @property
    def labels(self) -> list[str]:
        """The releases or commits, the oldest first."""
        return list(self.axis.labels.values())

    @property
    def where(self) -> str:
        """Machine, Python and commit, in words."""
        where = self.axis.where
        at = "" if where.commit is None else f", commit {where.commit[:8]}"
        return f"{where.machine}, Python {where.python}{at}"

    def series(
        self,
        backend: str,
        *quantities: str,
        workloads: Iterable[str] = (),
        sizes: Iterable[float] = (),
    ) -> list[Row]:
        """Return the series of a backend; without workloads, or sizes, all of them.

        What belongs to all sizes is chosen by no size.
        """
        titles, wanted = list(workloads), set(sizes)
        return [
            row
            for row in self.rows
            if row.backend == backend
            and row.quantity in quantities
            and (not titles or row.title in titles)
            and (not wanted or row.n is None or row.n in wanted)
        ]

    @staticmethod
    def ends(series: Sequence[Row], *, largest: bool) -> list[Row]:
        """Return of each workload the series at its smallest size, or at its largest."""
        found: dict[str, Row] = {}
        for row in sorted(series, key=lambda row: row.n or 0.0, reverse=not largest):
            found[row.title] = row
        return [row for row in series if row in found.values()]

    @staticmethod
    def factors(over: Row, under: Row) -> dict[str, float]:
        """Return the one series as multiples of the other, by release or commit."""
        values = {point.release: point.value for point in under.points}
        return {
            point.release: point.value / values[point.release]
            for point in over.points
            if point.release in values
        }

    def table(self, caption: str, series: Sequence[Row]) -> Table:
        """Return series side by side, a line for each release or commit."""
        by_label = [{point.release: point for point in row.points} for row in series]
        head = "commit" if self.over == COMMITS else library_text(self.over)
        return Table(
            f"{caption} ({self.where})",
            (Column(head, words=True), *(Column(self._heading(row, series)) for row in series)),
            tuple(
                (
                    Cell(label),
                    *(
                        self._cell(row, its.get(label))
                        for row, its in zip(series, by_label, strict=True)
                    ),
                )
                for label in labels_of(series)
            ),
        )

    def _heading(self, row: Row, series: Sequence[Row]) -> str:
        several = len({one.title for one in series}) > 1
        quantity = "a step" if row.quantity == "element cost" else row.quantity
        size = "" if row.n is None else f"n = {size_text(row.n)}"
        named = quantity if quantity != "time" else ""
        return ", ".join(filter(None, (row.title if several else "", named, size)))

    def _cell(self, row: Row, point: Point | None) -> Cell:
        if point is None:
            return Cell("-", value="")
        value, interval = value_text(row, point)
        said = self._change(row, point)
        return Cell(f"{value} {interval}" if interval.startswith("[") else value, said)

    def _change(self, row: Row, point: Point) -> str:
        if len(row.points) < FEWEST_RUNS:
            told = point.verdict in ("slower", "faster", "no interval")
            return change_text(point) if told else ""
        every = self.told_of([row])
        here = [one for one in every if one.kind == "step" and one.label == point.release]
        return listed(map(release_changes, here)) if here else ""

    def told_of(self, series: Iterable[Row]) -> list[changes.Row]:
        """Return what `changes` tells of some series, the oldest release first."""
        keys = {_key(row) for row in series}
        labels = self.labels
        found = [row for row in self.told if _key(row) in keys]
        return sorted(found, key=lambda row: labels.index(row.label))

    def said_of(self, series: Sequence[Row]) -> list[str]:
        """Return how series have changed, the oldest release first, those of one workload together."""
        found: dict[tuple[object, ...], list[changes.Row]] = {}
        for row in self.told_of(series):
            of = row.title, row.backend, row.quantity
            found.setdefault((_when(row), *of, row.ratio > 1), []).append(row)
        several = len({row.backend for row in series}) > 1
        return [
            f"{_named(rows, of_several=several)} {when}, {release_changes(*rows)}"
            for (when, *_), rows in found.items()
        ]

    def slower(self, series: Sequence[Row]) -> bool:
        """Tell whether anything of these is told to be slower: by a step, a drift, or in a run alone."""
        return any(row.ratio > 1 for row in self.told_of(series))

    @staticmethod
    def longest(series: Iterable[Row]) -> int:
        """Return how many runs the longest of these has."""
        return max((len(row.points) for row in series), default=0)

    def spread_table(self, caption: str) -> Table:
        """Return the range of each cell's times, as a share of the shortest."""
        times = [row for row in self.rows if row.quantity == "time"]
        sizes = sorted({row.n for row in times if row.n is not None})
        lines: dict[tuple[str, str], dict[float, float]] = {}
        for row in times:
            if row.n is not None:
                values = [point.value for point in row.points]
                its = lines.setdefault((row.title, row.backend or ""), {})
                its[row.n] = max(values) / min(values) - 1
        return Table(
            f"{caption} ({self.where})",
            (
                Column("workload", words=True),
                Column("backend", words=True),
                *(Column(f"n = {size_text(n)}") for n in sizes),
            ),
            tuple(
                (
                    Cell(title),
                    Cell(backends.heading(backend)),
                    *(Cell(percent(its[n]) if n in its else "-") for n in sizes),
                )
                for (title, backend), its in lines.items()
            ),
        )


def _named(rows: Sequence[changes.Row], *, of_several: bool) -> str:
    """Return what has changed alike: a workload's times or its compile cost, and at which sizes."""
    first = rows[0]
    cost = "the compile cost of " if first.quantity == "C" else ""
    on = f" on {backends.heading(first.backend)}" if of_several and first.backend else ""
    sizes = sorted({row.n for row in rows if row.n is not None})
    at = f" at n = {listed(map(size_text, sizes))}" if sizes else ""
    return f"{cost}{code(first.title)}{on}{at}"


def _when(row: changes.Row) -> str:
    if row.kind == "drift":
        before, after = escaped(row.called(str(row.before))), escaped(row.label)
        return f"by a drift from {before} to {after}"
    return f"with {escaped(row.label)}{' alone' if row.kind == 'outlier' else ''}"


def _key(row: Row | changes.Row) -> tuple[object, ...]:
    of = row.benchmark, row.version, repr(row.params), row.backend or ""
    return *of, row.quantity, row.n, row.over, repr(row.where)


@dataclass(frozen=True)
class History:
    """All axes that results have.

    Attributes
    ----------
    every : tuple of Along
    changes : Changes
        What was looked at, and what is told.
    """

    every: tuple[Along, ...]
    changes: changes.Changes

    def over(self, *names: str) -> list[Along]:
        """Return the axes of these libraries, or of `commits`."""
        return [one for one in self.every if one.over in names]

    @classmethod
    def of(cls, cells: pl.DataFrame) -> History:
        """Ask what has changed of all cells."""
        answer, told = history.ask(cells), changes.ask(cells)
        return cls(tuple(_along(cells, answer, told)), told)


def _along(
    cells: pl.DataFrame, answer: Iterable[Row], told: Iterable[changes.Row]
) -> Iterator[Along]:
    for group, axis in releases.asked(cells):
        here = axis.over, repr(axis.where)
        yield Along(
            axis,
            tuple(row for row in answer if (row.over, repr(row.where)) == here),
            tuple(row for row in told if (row.over, repr(row.where)) == here),
            spread(group, axis),
        )
