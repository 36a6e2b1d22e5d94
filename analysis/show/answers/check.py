"""The verdict of a gate: as a table, as a comment on a pull request, and as JUnit's XML."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from jitcost.questions.cell_verdicts import Row
from jitcost.questions.check import CANNOT_TELL, Check, Side
from jitcost.show.answers.change_words import change_text
from jitcost.show.answers.titles import backend_text
from jitcost.show.plain import as_markdown
from jitcost.show.table import Cell, Column, Mark, Table
from jitcost.units import format_seconds, size_text

__all__ = ["as_comment", "as_junit", "tables"]

# Up to so many cells all are shown; of more, those of which something is to be said.
ALL = 25

NOTE = (
    "both sides in turns, process by process, with the 95 % interval of the change in per cent; "
    "+ measured again in fresh ones, which decide"
)

_MARKS: dict[str, Mark] = {"slower": "warn", "fails": "warn", "cannot tell": "warn"}
_MARKS |= {"faster": "best"}


def tables(check: Check) -> list[Table]:
    """Return the table of the cells: all of few, of many those of which there is something to say."""
    notable = [row for row in check.cells if row.verdict not in ("not significantly different",)]
    notable += [row for row in check.may_be_slower if row not in notable]
    shown = check.cells if len(check.cells) <= ALL else tuple(notable)
    with_backends = any(row.backend is not None for row in check.cells)
    columns = (
        Column("benchmark", words=True, breaks=True),
        *((Column("backend", words=True),) if with_backends else ()),
        *((Column("n"),) if any(row.n is not None for row in check.cells) else ()),
        Column("earlier", unit="s"),
        Column("later", unit="s"),
        Column("verdict", words=True, breaks=True),
    )
    headings = [column.heading for column in columns]
    return [
        Table(
            f"{_side_text(check.later)} against {_side_text(check.earlier)}: {check.verdict}",
            columns,
            tuple(tuple(_cells(row)[heading] for heading in headings) for row in shown),
            note=NOTE,
            remarks=tuple(_remarks(check, len(shown))),
        )
    ]


def as_comment(check: Check) -> str:
    """Return Markdown, for a comment on a pull request."""
    signs = {0: "✅", 1: "❌"}  # both are understood without a legend
    heading = f"### {signs.get(check.status, '❔')} jitcost check: {check.verdict}"
    return f"{heading}\n\n{as_markdown(tables(check))}"


def as_junit(check: Check) -> str:
    """Return JUnit's XML: a test case for each cell, skipped where it cannot be told or compared.

    And one for all of them, which fails where too many could not be told.
    """
    slower = check.slower
    untold = check.with_verdict("cannot tell", "new", "gone", "broken")
    suite = ElementTree.Element(
        "testsuite",
        name="jitcost check",
        tests=str(len(check.cells) + 1),
        failures=str(len(slower) + (check.status == CANNOT_TELL)),
        errors="0",
        skipped=str(len(untold)),
    )
    over_all = ElementTree.SubElement(suite, "testcase", classname="jitcost check", name="verdict")
    if check.status == CANNOT_TELL:
        ElementTree.SubElement(over_all, "failure", message=check.verdict)
    for row in check.cells:
        case = ElementTree.SubElement(
            suite, "testcase", classname=row.benchmark, name=_place_text(row) or row.benchmark
        )
        if row in slower:
            ElementTree.SubElement(case, "failure", message=_verdict_text(row))
        elif row in untold:
            ElementTree.SubElement(case, "skipped", message=_verdict_text(row))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _cells(row: Row) -> dict[str, Cell]:
    plus = " +" if row.fresh else ""
    return {
        "benchmark": Cell(_title(row), value=row.benchmark),
        "backend": Cell(backend_text(row.backend), value=row.backend or ""),
        "n": Cell("" if row.n is None else size_text(row.n), value=row.n),
        "earlier": _time(row.earlier),
        "later": _time(row.later),
        "verdict": Cell(f"{_verdict_text(row)}{plus}", mark=_MARKS.get(row.verdict, "")),
    }


def _time(seconds: float | None) -> Cell:
    return Cell("") if seconds is None else Cell(format_seconds(seconds), value=seconds)


def _verdict_text(row: Row) -> str:
    if row.ratio is None or row.ratio_low is None or row.ratio_high is None:
        return f"{row.verdict}: {row.reason}" if row.reason else row.verdict
    if row.verdict == "cannot tell":
        return f"cannot tell: {row.reason}"
    if row.verdict == "not significantly different":
        low, high = (100 * (bound - 1) for bound in (row.ratio_low, row.ratio_high))
        return f"{row.verdict} [{low:+.0f}, {high:+.0f}]"
    return change_text(row.verdict, row.ratio, row.ratio_low, row.ratio_high, row.would_show)


def _place_text(row: Row) -> str:
    """Return what tells a cell from the others of its benchmark."""
    size = [] if row.n is None else [f"n = {size_text(row.n)}"]
    others = [f"{name} = {text}" for name, text in row.params.items()]
    return ", ".join([*size, *([row.backend] if row.backend else []), *others])


def _name_text(row: Row) -> str:
    size = [] if row.n is None else [f"n = {size_text(row.n)}"]
    return ", ".join([_title(row), *([row.backend] if row.backend else []), *size])


def _title(row: Row) -> str:
    return f"{row.title}, first call" if row.kind == "FirstCall" else row.title


def _side_text(side: Side) -> str:
    short = side.commit[:8]
    return (
        short
        if short.startswith(side.name) or side.name.startswith(short)
        else f"{side.name} ({short})"
    )


def _remarks(check: Check, shown: int) -> Sequence[str]:
    remarks = []
    if others := len(check.cells) - shown:
        remarks.append(f"{others} other cells: not significantly different")
    if may := check.may_be_slower:
        named = "; ".join(map(_name_text, may[:5]))
        more = f"; and {len(may) - 5} more" if len(may) > 5 else ""
        remarks.append(
            f"may be slower by more than {100 * check.threshold:g} %, by their intervals: {named}{more}"
        )
    if check.left_out:
        remarks.append(
            f"left out, for want of time: {len(check.left_out)} cells; --time gives more"
        )
    if check.mostly_asv:
        remarks.append(
            f"calls below 10 us of benchmarks with a setup: {check.mostly_asv} of the cells. asv times "
            "each of them by itself, which is most of it, and a change shows smaller than it is"
        )
    if differing := _differing(check.earlier, check.later):
        remarks.append(f"installed: {differing}")
    return remarks


def _differing(earlier: Side, later: Side) -> str:
    """Return which versions differ, the earlier first."""
    names = sorted(earlier.versions.keys() | later.versions.keys())
    pairs = [(name, earlier.versions.get(name), later.versions.get(name)) for name in names]
    said = [f"{name} {a or 'none'} -> {b or 'none'}" for name, a, b in pairs if a != b]
    return ", ".join(said)
