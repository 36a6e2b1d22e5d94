"""What disturbed the measurement, in sentences that say what can be done."""

from __future__ import annotations

import re

from jitcost.questions.answers import Answer
from jitcost.questions.disturbances import FAR, FIRST_FAR, MOST_STEAL, DisturbedCell, Row
from jitcost.units import size_text

__all__ = ["HEADING", "sentences"]

HEADING = "What disturbed the measurement"

# How many cells are named; of the others the number.
MOST_CELLS = 3


def sentences(answer: Answer[Row]) -> list[str]:
    """Return a sentence for each kind of disturbance."""
    return [f"{_said(row)}{_cells(row)}. {_advice(row)}" for row in answer]


def _said(row: Row) -> str:
    of = f"{row.disturbed} of {row.processes} processes"
    if row.disturbance == "load":
        cores = "one core" if row.cores == 1 else f"{row.cores} cores"
        return f"{of} ran while the machine was busy (load {row.worst:.1f} on {cores})"
    if row.disturbance == "steal":
        return (
            f"{of} lost more than {100 * MOST_STEAL:.0f} % of the CPUs' time to other virtual machines "
            f"(up to {100 * row.worst:.0f} %)"
        )
    if row.disturbance == "outlying":
        return (
            f"{of} differ by more than {100 * FAR:.0f} % from the median of their cell "
            f"({_times(row.worst)} it)"
        )
    return (
        f"In {row.disturbed} of {row.processes} cells the first process differs by more than "
        f"{100 * FIRST_FAR:.0f} % from all others ({_times(row.worst)} their median)"
    )


def _times(factor: float) -> str:
    """Return how far the worst one is off, on whichever side."""
    return f"{'up' if factor > 1 else 'down'} to {factor:.2g} times"


def _advice(row: Row) -> str:
    if row.disturbance == "load":
        return "Their times may be too long: measure them again while nothing else runs."
    if row.disturbance == "steal":
        return "Their times may be too long: measure them again at another time."
    if row.disturbance == "outlying":
        return "A cell's time, the median, hardly moves, but its interval is wide: add processes."
    return "The machine may not have been warm: measure these cells again."


def _cells(row: Row) -> str:
    if row.disturbed == row.processes:  # every single one: nobody needs names
        return ""
    named = f": {', '.join(map(_cell, row.cells[:MOST_CELLS]))}"
    more = len(row.cells) - MOST_CELLS
    return f"{named} and {more} more cells" if more > 0 else named


def _cell(cell: DisturbedCell) -> str:
    backend = f" on {cell.backend}" if cell.backend else ""
    size = f" at n = {size_text(cell.n)}" if cell.n is not None else ""
    if cell.backend is None and cell.n is None and cell.params:
        size = f"({', '.join(cell.params)})"
    # Without the method that has the class to itself.
    name = re.sub(r"^own\.|\.time_(first_)?call$", "", cell.benchmark)
    return f"{name}{backend}{size} ({cell.disturbed} of {cell.processes})"
