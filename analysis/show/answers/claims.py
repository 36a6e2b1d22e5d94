"""The article's claims, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from jitcost.questions.answers import Answer
from jitcost.questions.article import ARTICLES_MACHINE
from jitcost.questions.claims import Row
from jitcost.questions.groups import Origin, origin_text
from jitcost.questions.judging import Need, Verdict
from jitcost.show.table import Cell, Column, Mark, Table, words
from jitcost.units import (
    format_bounds,
    format_interval,
    format_ratio,
    format_ratio_interval,
    format_seconds,
    size_text,
)

__all__ = ["missing_text", "ours_text", "tables"]

_MARKS: dict[Verdict, Mark] = {"holds": "best", "does not hold": "warn"}

_COUNTS: dict[Verdict, str] = {
    "holds": "hold",
    "does not hold": "do not",
    "cannot tell": "cannot be told",
    "not measured": "not measured",
}

_STATISTICS = {
    "median of the processes": "median of each process's fastest sample",
    "median of the samples": "median of all samples where the processes are not known",
}

_INTERVALS = {
    "of processes": "the 95 % interval of ours",
    "of samples": "the interval of ours, which is of samples and too narrow,",
}

_MEASURE = "jitcost bench elementwise recursion --full"
_MEASURE_VARIANTS = "jitcost bench elementwise --variants"


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each origin: a row for each claim; why one does not hold stands below.

    An origin where nothing that is claimed was measured has none, unless it is the only one.
    """
    by_origin: dict[str, list[Row]] = {}
    for row in answer:
        by_origin.setdefault(repr(row.origin), []).append(row)
    origins = [rows[0].origin for rows in by_origin.values()]
    judged = [
        rows for rows in by_origin.values() if any(row.verdict != "not measured" for row in rows)
    ]
    return [_table(rows, origins) for rows in judged or by_origin.values()]


def _table(rows: Sequence[Row], origins: Sequence[Origin]) -> Table:
    origin = rows[0].origin
    # The machine is named even if it is the only one: the claims are about another one.
    of_machine = [other for other in origins if other.machine == origin.machine]
    return Table(
        f"The article's claims on {origin.machine}{origin_text(origin, of_machine)}: {_counts(rows)}",
        (
            Column("claim", words=True, breaks=True, least=26),
            *words("article", "ours", "verdict"),
            Column("holds if", words=True, detail=1),
        ),
        tuple(
            (
                Cell(row.claim),
                Cell(row.article),
                Cell(ours_text(row)),
                Cell(row.verdict, mark=_MARKS.get(row.verdict, "")),
                Cell(row.means),
            )
            for row in rows
        ),
        note=f"holds: {_intervals(rows)} lies within the claim's range (of times and ratios, a factor "
        "of two around the article's; slower: above 1); does not hold: wholly outside; cannot tell: "
        f"across an end of it, or there is none. Ours: the {_statistics(rows)}; the article's minima "
        f"are from another machine: {ARTICLES_MACHINE}",
        remarks=tuple(_remarks(rows)),
    )


def _counts(rows: Sequence[Row]) -> str:
    verdicts = [row.verdict for row in rows]
    counted = [
        f"{verdicts.count(verdict)} {text}"
        for verdict, text in _COUNTS.items()
        if verdict in verdicts
    ]
    return f"of {len(rows)}, {', '.join(counted)}"


def _intervals(rows: Sequence[Row]) -> str:
    present = sorted({row.interval for row in rows if row.interval != "none"})
    return " or ".join(_INTERVALS[one] for one in present) or "the interval of ours"


def _statistics(rows: Sequence[Row]) -> str:
    """Say which statistic the rows are of; each says its own, where they differ."""
    present = sorted({row.statistic for row in rows if row.statistic})
    return " or the ".join(_STATISTICS[one] for one in present) or "median"


def ours_text(row: Row) -> str:
    """Return the figure measured here with its interval, as people read it."""
    value, low, high = row.value, row.low, row.high
    if row.unit is None:
        return "-"
    if row.unit == "calls":
        text = "never" if value is None else f"{value:,.0f} calls"
        if low is None or high is None or math.isinf(low):
            return text
        return f"{text} [{low:,.0f}, {'never' if math.isinf(high) else f'{high:,.0f}'}]"
    if row.unit == "1":
        return f"{value:.1e}"
    if value is None:
        return "-" if low is None or high is None else format_bounds(low, high)
    if low is None or high is None:
        return format_ratio(value) if row.unit == "x" else format_seconds(value)
    as_text = format_ratio_interval if row.unit == "x" else format_interval
    return as_text(value, low, high)


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what is to be said of the claims that do not hold, a line for each reason."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.note and row.verdict in ("does not hold", "not measured"):
            reasons.setdefault(row.note, []).append(row.claim)
    for note, claims in reasons.items():
        yield f"{note}: {'; '.join(claims)}"
    if any(row.verdict == "cannot tell" for row in rows):
        yield f"cannot tell: of more processes intervals are narrower: {_MEASURE} --processes 10"
    missing = list(dict.fromkeys(need for row in rows for need in row.missing))
    if missing:
        commands = []
        if any(need.kind != "Variants" for need in missing):
            commands.append(_MEASURE)
        if any(need.kind == "Variants" for need in missing):
            commands.append(_MEASURE_VARIANTS)
        yield f"not measured: {missing_text(missing)}. To measure it: {'; '.join(commands)}"


_KINDS = {
    "SteadyState": "{}",
    "FirstCall": "first calls of {}",
    "Variants": "variants of {}:",
    "track_summand_difference": "the summands of {}",
}


def missing_text(missing: Iterable[Need]) -> str:
    """Name cells in a few words: backends at the same sizes together, and sizes of the same backends.

    >>> missing_text(Need("recursion", name, 10**6) for name in ("python", "numpy"))
    'recursion on python and numpy at n = 1,000,000'
    """
    backends: dict[tuple[str, str], dict[int | None, list[str]]] = {}
    for need in missing:
        its = backends.setdefault((need.workload, need.kind), {})
        its.setdefault(need.n, []).append(need.backend)
    said = []
    for (workload, kind), by_size in backends.items():
        sizes: dict[tuple[str, ...], list[int]] = {}
        for n, names in by_size.items():
            sizes.setdefault(tuple(names), []).extend([] if n is None else [n])
        pieces = [
            f"on {_listed(names)}{f' at n = {_listed(map(size_text, sorted(its)))}' if its else ''}"
            for names, its in sizes.items()
        ]
        said.append(f"{_KINDS.get(kind, '{}').format(workload)} {', '.join(pieces)}")
    return "; ".join(said)


def _listed(texts: Iterable[str]) -> str:
    *most, last = texts
    return f"{', '.join(most)} and {last}" if most else last
