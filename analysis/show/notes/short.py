"""What a reader takes along who reads no further: a line for each of the main sections."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import polars as pl

from jitcost import backends
from jitcost.questions import breakeven, changes
from jitcost.questions.releases import COMMITS
from jitcost.show.notes.noise import UnchangedPair
from jitcost.show.notes.tallies import tally
from jitcost.show.notes.winners import calls_text
from jitcost.show.notes.words import code, counted, library_text, percent, release_changes
from jitcost.show.plain import escaped
from jitcost.units import listed, size_text

__all__ = ["in_short", "largest_steps"]

# So many backends, and so many steps, are told.
_MOST = 3


def in_short(
    pair: UnchangedPair | None, full: pl.DataFrame | None, told: Iterable[changes.Row]
) -> list[tuple[str, str]]:
    """Return lines, each with the heading of the section that it is from.

    Parameters
    ----------
    pair : UnchangedPair or None
        What is kept of one on the machine that the lines are about.
    full : polars.DataFrame or None
        The run that speaks for this machine.
    told : iterable of jitcost.questions.changes.Row
        What has changed on it.
    """
    winners, paying = (None, None) if full is None else (_winners(full), _paying(full))
    found = {
        "The machine's own noise": pair and _noise(pair),
        "Which backend wins where": "; ".join(filter(None, (winners, paying))),
        "What has changed": "; ".join(map(_step, largest_steps(told))),
    }
    return [(heading, text) for heading, text in found.items() if text]


def _noise(pair: UnchangedPair) -> str:
    called = f"{pair.slower + pair.faster} of {counted(pair.cells, 'cell')}"
    return (
        f"`jitcost check` of the same code called {called} slower or faster; the median difference is "
        f"{percent(pair.middle)}"
    )


def _winners(cells: pl.DataFrame) -> str | None:
    """Return which backends are among the fastest most often; None where no interval says so."""
    found = [one for one in tally(cells) if one.among][:_MOST]
    if not found:
        return None
    counts = [f"{backends.heading(one.backend)} in {one.among} of {one.measured}" for one in found]
    return f"most often among the fastest are {listed(counts)} cells"


def _paying(cells: pl.DataFrame) -> str | None:
    """Return m* of jit against NumPy for `elementwise`, at the largest size that has one."""
    rows = list(_of_jit(breakeven.ask(cells.filter(workload="elementwise"))))
    if not rows:
        return None
    last = max(rows, key=lambda row: row.n)
    at = f"at n = {size_text(last.n)}"
    return f"m\\* of `elementwise` under jit against NumPy {at}: {calls_text(last)}"


def _of_jit(rows: Iterable[breakeven.Row]) -> Iterator[breakeven.Row]:
    for row in rows:
        if (row.of.title, row.backend, row.baseline) == ("elementwise", "jax_jit", "numpy"):
            yield row


def largest_steps(told: Iterable[changes.Row]) -> list[changes.Row]:
    """Return the steps with the largest factors, up or down; of sizes that step together one."""
    found: dict[tuple[object, ...], changes.Row] = {}
    steps = (row for row in told if row.kind == "step")
    for row in sorted(steps, key=lambda row: -abs(math.log(row.ratio))):
        of = row.benchmark, repr(row.params), row.backend, row.quantity
        found.setdefault((row.over, repr(row.where), row.at, *of), row)
    return list(found.values())[:_MOST]


def _step(row: changes.Row) -> str:
    over = "commit" if row.over == COMMITS else library_text(row.over)
    cost = "the compile cost of " if row.quantity == "C" else ""
    backend = f" on {backends.heading(row.backend)}" if row.backend else ""
    size = "" if row.n is None else f" at n = {size_text(row.n)}"
    label, of = escaped(row.label), code(row.title)
    return f"{over} {label}: {cost}{of}{backend}{size} {release_changes(row)}"
