"""The article's claims, as tables."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

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
    listed,
    size_text,
)

__all__ = ["measured_text", "tables"]

_MARKS: dict[Verdict, Mark] = {
    "holds": "best",
    "supported": "best",
    "does not hold": "warn",
    "not supported": "warn",
}

# What is said of one, and of several.
_COUNTS: dict[Verdict, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "does not hold": ("does not hold", "do not hold"),
    "supported": ("supported", "supported"),
    "not supported": ("not supported", "not supported"),
    "cannot tell": ("undecided", "undecided"),
    "not measured": ("not measured", "not measured"),
}

_STATISTICS = {
    "median of the processes": "median of each process's fastest sample",
    "median of the samples": "median of all samples where the processes are not known",
}

_INTERVALS = {
    "of processes": "the interval",
    "of samples": "the interval of samples, which is too narrow,",
}


@dataclass(frozen=True)
class _Block:
    """How the claims are presented, or the explanations that the article leaves open."""

    caption: str
    heading: str
    holds: str
    fails: str
    means: str
    measure: str
    more: str = ""


_CLAIMS = _Block(
    "The article's claims",
    "claim",
    "holds",
    "does not hold",
    "holds if",
    "jitcost bench elementwise recursion --full",
    "'Within a factor of two' is agreement in size on another machine, not a reproduction. ",
)
_OPEN = _Block(
    "The article's open questions",
    "explanation",
    "supported",
    "not supported",
    "supported if",
    "jitcost bench elementwise --variants",
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return for each origin a table of its claims, and one of what the article leaves open.

    A row for each; why a claim does not hold stands below. Where nothing of a table was measured there
    is none, unless there was none at all: then there is the first.
    """
    by_table: dict[tuple[str, bool], list[Row]] = {}
    for row in answer:
        by_table.setdefault((repr(row.origin), row.open), []).append(row)
    every = list(by_table.values())
    shown = [rows for rows in every if _is_measured(rows)] or every[:1]
    answered = {rows[0].origin.machine for rows in shown if rows[0].open}
    origins = [rows[0].origin for rows in shown]
    return [_table(rows, origins, answered) for rows in shown]


def _is_measured(rows: Iterable[Row]) -> bool:
    return any(row.verdict != "not measured" for row in rows)


def _table(rows: Sequence[Row], origins: Sequence[Origin], answered: Container[str]) -> Table:
    origin, block = rows[0].origin, _block(rows)
    # The machine is named even if it is the only one: the claims are about another one.
    of_machine = [other for other in origins if other.machine == origin.machine]
    return Table(
        f"{block.caption} on {origin.machine}{origin_text(origin, of_machine)}: {_counts(rows)}",
        (
            Column(block.heading, words=True, breaks=True, least=26),
            *words("article", "measured here", "verdict"),
            Column(block.means, words=True, detail=1),
        ),
        tuple(
            (
                Cell(row.claim),
                Cell(row.article),
                Cell(measured_text(row)),
                Cell(row.verdict, mark=_MARKS.get(row.verdict, "")),
                Cell(row.means),
            )
            for row in rows
        ),
        note=f"{block.holds}: {_intervals(rows)} of the value measured here lies within the range "
        f"under '{block.means}'; {block.fails}: wholly outside; cannot tell: across an end, or no "
        f"interval. {block.more}Each verdict stands by itself: there is no correction for their number, "
        f"and several share the same times. Measured here: the {_statistics(rows)}; the article's "
        f"minima are from another machine: {ARTICLES_MACHINE}",
        remarks=tuple(_remarks(rows, open_too=origin.machine not in answered)),
    )


def _block(rows: Sequence[Row]) -> _Block:
    return _OPEN if rows[0].open else _CLAIMS


def _counts(rows: Sequence[Row]) -> str:
    verdicts = [row.verdict for row in rows]
    return ", ".join(
        f"{count} {one if count == 1 else several}"
        for verdict, (one, several) in _COUNTS.items()
        if (count := verdicts.count(verdict))
    )


def _intervals(rows: Sequence[Row]) -> str:
    present = sorted({row.interval for row in rows if row.interval != "none"})
    return " or ".join(_INTERVALS[one] for one in present) or "the interval"


def _statistics(rows: Sequence[Row]) -> str:
    """Say which statistic the rows are of; each says its own, where they differ."""
    present = sorted({row.statistic for row in rows if row.statistic})
    return " or the ".join(_STATISTICS[one] for one in present) or "median"


def measured_text(row: Row) -> str:
    """Return the figure measured here with its interval, as people read it."""
    value, low, high = row.value, row.low, row.high
    if row.unit is None:
        return "-"
    if row.unit == "calls":
        return _calls_text(row)
    if row.unit == "1":
        return f"{value:.1e}"
    if value is None:
        return "-" if low is None or high is None else format_bounds(low, high)
    if low is None or high is None:
        return format_ratio(value) if row.unit == "x" else format_seconds(value)
    as_text = format_ratio_interval if row.unit == "x" else format_interval
    return as_text(value, low, high)


def _calls_text(row: Row) -> str:
    """Return m* with its interval, on which the verdict rests also where m* itself cannot be told."""
    text = row.break_even if row.value is None else f"{row.value:,.0f} calls"
    if row.break_even == "never" or row.low is None or row.high is None:
        return text or "-"
    low, high = ("never" if math.isinf(end) else f"{end:,.0f}" for end in (row.low, row.high))
    return f"{text} [{low}, {high}]"


def _remarks(rows: Sequence[Row], *, open_too: bool) -> Iterator[str]:
    """Yield what is to be said of the claims that do not hold, a line for each reason.

    `open_too`: nothing of what the article leaves open was measured on this machine.
    """
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.note and row.verdict in ("does not hold", "not supported", "not measured"):
            reasons.setdefault(row.note, []).append(row.claim)
    for note, claims in reasons.items():
        yield f"{note}: {'; '.join(claims)}"
    measure = _block(rows).measure
    if any(row.verdict == "cannot tell" for row in rows):
        yield (
            "cannot tell: more processes would narrow the interval, unless the value lies at an end of "
            f"the range: {measure} --processes 10"
        )
    missing = list(dict.fromkeys(need for row in rows for need in row.missing))
    if missing:
        yield f"not measured: {missing_text(missing)}. To measure it: {measure}"
    if open_too:
        yield f"what the article leaves open was not measured. To measure it: {_OPEN.measure}"


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
            f"on {listed(names)}{f' at n = {listed(map(size_text, sorted(its)))}' if its else ''}"
            for names, its in sizes.items()
        ]
        said.append(f"{_KINDS.get(kind, '{}').format(workload)} {', '.join(pieces)}")
    return "; ".join(said)
