"""What has a page of its own: the suite's workloads and people's own problems that were timed."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import polars as pl

from jitcost.backends import workloads
from jitcost.backends.workloads import Workload
from jitcost.questions.groups import Benchmark, title_of
from jitcost.questions.history import Row as HistoryRow
from jitcost.store.catalogue import OWN

__all__ = ["Subject", "subjects"]


@dataclass(frozen=True)
class Subject:
    """A workload of the suite's, or a problem of a person's own file, maybe of the same name.

    Attributes
    ----------
    own : bool
        Whether it is a person's own.
    name : str
        As the cells have it in the column `workload`.
    """

    own: bool
    name: str

    @property
    def title(self) -> str:
        """What tables call it."""
        return title_of(OWN if self.own else "", self.name, {})

    @property
    def file(self) -> str:
        """Its page's name; no other subject's page has it, even where capitals make no difference."""
        own = "own-" if self.own and workloads.known(self.name) else ""
        plain = re.sub(r"[^A-Za-z0-9_-]", "-", self.name)
        told_apart = f"-{zlib.crc32(self.name.encode()):08x}" if plain.lower() != self.name else ""
        return f"workload-{own}{plain}{told_apart}.html"

    @property
    def spec(self) -> Workload | None:
        """What the suite knows of it."""
        return None if self.own else workloads.known(self.name)

    def cells(self, cells: pl.DataFrame) -> pl.DataFrame:
        """Return those that are of it."""
        own = pl.col("benchmark").str.starts_with(OWN)
        return cells.filter(own if self.own else ~own, workload=self.name)

    def has(self, row: Benchmark | HistoryRow) -> bool:
        """Tell whether a benchmark, or a series of one, is of it."""
        name = row.name if isinstance(row, Benchmark) else row.benchmark
        return row.workload == self.name and name.startswith(OWN) == self.own


def subjects(cells: pl.DataFrame) -> list[Subject]:
    """Return what was timed in steady state: workloads in the suite's order, then others by name."""
    timed = cells.filter(pl.col("workload").is_not_null(), kind="SteadyState", state="value")
    own = pl.col("benchmark").str.starts_with(OWN).alias("own")
    order = {name: place for place, name in enumerate(workloads.WORKLOADS)}
    found = [Subject(*row) for row in timed.select(own, "workload").unique().iter_rows()]
    return sorted(found, key=lambda one: (one.own, order.get(one.name, len(order)), one.name))
