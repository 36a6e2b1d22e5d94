"""Which origin speaks for a machine where there is room for one: the newest that measured enough.

The newest of all may have measured a single cell again; then the tables of an older one say more.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jitcost.questions.groups import Origin
from jitcost.questions.newest import by_age

__all__ = ["fullest"]

# What is as full as the fullest: a failed cell or two are no reason to show an older one.
_ENOUGH = 0.9


def fullest(
    cells: pl.DataFrame, preferred: Sequence[Origin] = ()
) -> list[tuple[Origin, pl.DataFrame]]:
    """Return of each machine the newest origin that has about as many times as any other of it.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them, of any machines, environments and commits.
    preferred : sequence of Origin
        Are taken for their machines wherever they have times at all.

    Returns
    -------
    list of (Origin, polars.DataFrame)
        An origin with its cells for each machine that has times in steady state, the newest first.
    """
    of_machine: dict[str, list[tuple[Origin, pl.DataFrame, int]]] = {}
    for origin, its in by_age(cells):
        if times := len(its.filter(kind="SteadyState", state="value")):
            of_machine.setdefault(origin.machine, []).append((origin, its, times))
    found = []
    for origins in of_machine.values():
        most = max(times for _, _, times in origins)
        found.append(
            next(
                (one for one in origins if one[0] in preferred),
                next(one for one in origins if one[2] >= _ENOUGH * most),
            )[:2]
        )
    return found
