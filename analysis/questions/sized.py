"""Which of a benchmark's parameters is n, where nobody says so."""

from __future__ import annotations

import json
from dataclasses import dataclass

import polars as pl

from jitcost.store import results

__all__ = ["ENOUGH", "Part", "with_size"]

# Fewer sizes determine no line and leave something to test it by.
ENOUGH = 3


@dataclass(frozen=True, eq=False)
class Part:
    """Cells that are fitted.

    Attributes
    ----------
    cells : polars.DataFrame
    guessed : str or None
        The parameter that was guessed to be n.
    reason : str or None
        Why they have no n.
    """

    cells: pl.DataFrame
    guessed: str | None = None
    reason: str | None = None


def with_size(cells: pl.DataFrame) -> Part:
    """Return one benchmark's cells with an n: their own, or the only parameter that it may be."""
    if cells["n"].count():
        return Part(cells)
    numbers: dict[str, set[float]] = {}
    for texts in map(json.loads, cells["params"].unique(maintain_order=True)):
        for name, text in texts.items():
            number = results.parse_size(text)
            numbers.setdefault(name, set()).update(() if number is None else (number,))
    found = [name for name, its in numbers.items() if len(its) >= ENOUGH]
    if len(found) == 1:
        return Part(results.with_parameters(cells, size=found[0]), found[0])
    reason = "no parameter with three or more numbers, which could be n"
    if found:
        reason = f"n may be {' or '.join(found)}: say which (--size)"
    nothing = pl.lit(None, pl.String).alias("backend")
    return Part(cells.with_columns(nothing, params=pl.lit("{}")), reason=reason)
