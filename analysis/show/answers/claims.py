"""The article's claims, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from jitcost.questions.answers import Answer
from jitcost.questions.article import ARTICLES_MACHINE
from jitcost.questions.claims import Row
from jitcost.questions.groups import Origin, origin_text
from jitcost.show.table import Cell, Column, Table, words

__all__ = ["tables"]

_VERDICTS = {
    True: Cell("holds", mark="best"),
    False: Cell("differs", mark="warn"),
    None: Cell("not measured"),
}


_STATISTICS = {
    "median of the processes": "median of each process's fastest sample",
    "median of the samples": "median of all samples where the processes are not known",
}


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each origin: a row for each claim; why one does not hold stands below.

    An origin where nothing that is claimed was measured has none, unless it is the only one.
    """
    by_origin: dict[str, list[Row]] = {}
    for row in answer:
        by_origin.setdefault(repr(row.origin), []).append(row)
    origins = [rows[0].origin for rows in by_origin.values()]
    judged = [rows for rows in by_origin.values() if any(row.holds is not None for row in rows)]
    return [_table(rows, origins) for rows in judged or by_origin.values()]


def _table(rows: Sequence[Row], origins: Sequence[Origin]) -> Table:
    origin = rows[0].origin
    # The machine is named even if it is the only one: the claims are about another one.
    of_machine = [other for other in origins if other.machine == origin.machine]
    held = [row.holds for row in rows if row.holds is not None]
    return Table(
        f"The article's claims on {origin.machine}{origin_text(origin, of_machine)}: "
        f"{sum(held)} of {len(held)} hold",
        (
            Column("claim", words=True, breaks=True),
            *words("article", "ours", "verdict"),
        ),
        tuple(
            (Cell(row.claim), Cell(row.article), Cell(row.ours or "-"), _VERDICTS[row.holds])
            for row in rows
        ),
        note=f"ours: the {_statistic(rows)}; the article's minima are from another machine: "
        f"{ARTICLES_MACHINE}",
        remarks=tuple(f"{row.claim}: {row.note}" for row in rows if row.holds is not True),
    )


def _statistic(rows: Sequence[Row]) -> str:
    """Say which statistic the rows are of; each says its own, where they differ."""
    present = sorted({row.statistic for row in rows if row.statistic})
    return " or the ".join(_STATISTICS[one] for one in present) or "median"
