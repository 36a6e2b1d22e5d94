"""The first page of a site: who wins where, what changed lately, how to measure one's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl

from jitcost.questions import changes, compare
from jitcost.questions.fullest import fullest
from jitcost.questions.newest import by_age
from jitcost.show.html import Draft
from jitcost.show.landing.lately import newest_changes
from jitcost.show.landing.winners import Winners, who_wins
from jitcost.store.origins import Provenance, provenances
from jitcost.store.processes import processes

__all__ = ["Machine", "landing_draft"]


@dataclass(frozen=True)
class Machine:
    """What is told of one machine.

    Attributes
    ----------
    provenance : Provenance
        Of the origin that the table is of.
    measured : str
        When; empty where that was not recorded.
    winners, by_option : Winners or None
        Of workloads, and of those that are timed at several values of an option; None where there are
        none.
    benchmarks : int
        How many benchmarks there are results of, at this origin.
    others : int
        How many further environments and commits of the machine there are results of.
    """

    provenance: Provenance
    measured: str
    winners: Winners | None
    by_option: Winners | None
    benchmarks: int
    others: int


def landing_draft(
    everything: pl.DataFrame,
    comparable: pl.DataFrame,
    steps: changes.Changes,
    *,
    project: str,
    folder: Path | None = None,
    report: str = "",
    history: str = "",
) -> Draft:
    """Return the first page.

    Parameters
    ----------
    everything, comparable : polars.DataFrame
        All cells, and those of no environment that is there as a release; either may be empty.
    steps : Changes
        What has changed.
    project : str
        Whose site it is.
    folder : Path, optional
        Where the cells were read from, for what is recorded beside the result files.
    report, history : str
        The addresses of the report and of asv's pages, empty where there are none: what leads to one
        of the latter by the address of this page, as it did when they were the site, is led on.
    """
    machines = list(_machines(everything, comparable, folder))
    wins = any(machine.winners or machine.by_option for machine in machines)
    return Draft(
        "landing.html",
        {
            "heading": f"{project}: {'which backend wins where' if wins else 'what was measured'}",
            "machines": machines,
            "lately": newest_changes(steps),
            "report": report,
            "history": history,
        },
    )


def _machines(
    everything: pl.DataFrame, comparable: pl.DataFrame, folder: Path | None
) -> Iterator[Machine]:
    """Yield each machine: those whose workloads were timed, then those with other results."""
    shown = fullest(comparable)
    timed = {origin.machine for origin, _ in shown}
    for origin, its in by_age(everything):
        if origin.machine not in timed:
            timed.add(origin.machine)
            shown.append((origin, its))
    for origin, its in shown:
        of_machine = everything.filter(machine=origin.machine)
        origins = sum(1 for _ in by_age(of_machine))
        answer = compare.ask(its)
        for provenance, cells in provenances(its, folder):
            yield Machine(
                provenance,
                "" if folder is None else _measured(cells, folder),
                who_wins(row for row in answer if not row.of.params),
                who_wins(row for row in answer if row.of.params),
                cells.filter(pl.col("state") != "not_measured")["benchmark"].n_unique(),
                origins - 1,
            )


def _measured(cells: pl.DataFrame, folder: Path) -> str:
    """Return from when to when the processes of these cells started, in UTC."""
    started = processes(cells, folder)["started"].drop_nulls()
    if started.is_empty():
        return ""
    times: list[datetime] = started.sort().to_list()
    first, last = times[0], times[-1]
    until = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d, %H:%M}"
    return f"{first:%Y-%m-%d, %H:%M} to {until} UTC"
