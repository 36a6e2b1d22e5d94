"""Between which neighbours a cell has changed, as a table."""

from __future__ import annotations

from jitcost.questions.bisect import Against, Bisection
from jitcost.show.answers.change_words import change_text
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_seconds, size_text

__all__ = ["tables"]


def tables(found: Bisection) -> list[Table]:
    """Return the table: what was measured, in order, and the neighbours that bracket the change."""
    its = [found.title, *([found.backend] if found.backend else [])]
    its += [] if found.n is None else [f"n = {size_text(found.n)}"]
    rows = [*(_row(one, _LIKE[one.like]) for one in found.measured), _row(found.whole, "last")]
    if found.of_all > 2:
        rows.append(_row(found.change, f"against {found.before}"))
    return [
        Table(
            f"{', '.join(its)}: {found.before} -> {found.after}: {_text(found.change)}",
            (
                Column("measured", words=True),
                Column("earlier", unit="s"),
                Column("this", unit="s"),
                Column("change [95 % interval]", words=True, breaks=True),
                Column("is", words=True),
            ),
            tuple(rows),
            note=f"process by process, in turns with {found.first}, until it could be told",
            remarks=tuple(_remarks(found)),
        )
    ]


_LIKE = {
    "earlier": "before the change",
    "later": "after the change",
    "cannot tell": "cannot tell",
    "not there": "not there",
}


def _row(one: Against, what: str) -> tuple[Cell, ...]:
    if one.earlier is None or one.later is None:
        return Cell(one.name), Cell(""), Cell(""), Cell(one.reason or ""), Cell(what, mark="warn")
    return (
        Cell(one.name),
        Cell(format_seconds(one.earlier), value=one.earlier),
        Cell(format_seconds(one.later), value=one.later),
        Cell(_text(one)),
        Cell(what),
    )


def _text(one: Against) -> str:
    if one.ratio is None or one.ratio_low is None or one.ratio_high is None:
        return one.reason or "no interval"
    verdict = "slower" if one.ratio_low > 1 else "faster" if one.ratio_high < 1 else ""
    said = verdict or "not significantly different"
    return change_text(said, one.ratio, one.ratio_low, one.ratio_high, None)


def _remarks(found: Bisection) -> list[str]:
    remarks = [
        f"measured {len(found.measured) + 2} of {found.of_all} from {found.first} to {found.last}"
    ]
    change, whole = found.change, found.whole
    if (
        change.ratio is None
        or change.ratio_low is None
        or change.ratio_low <= 1 <= (change.ratio_high or 1)
    ):
        remarks.append(
            "the neighbours do not differ significantly from one another: do not trust this"
        )
    elif whole.ratio is not None and (change.ratio > 1) != (whole.ratio > 1):
        remarks.append(
            "the neighbours differ the other way than the ends: there is more than one change"
        )
    if found.between:
        between = ", ".join(found.between)
        remarks.append(
            f"cannot tell where between {found.before} and {found.after}: {between} could not be told"
        )
    return remarks
