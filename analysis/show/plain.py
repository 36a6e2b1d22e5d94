"""A table for programs and for pages that others write: CSV and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from jitcost.show.table import Cell, Column, Table

__all__ = ["as_csv", "as_markdown", "escaped", "one_line"]


def as_csv(tables: Iterable[Table]) -> str:
    """Return tables as CSV, one after another, each with the caption as its first column."""
    to = io.StringIO()
    writer = csv.writer(to, lineterminator="\n")
    before: list[str] = []
    for table in tables:
        heading = ["table", *map(_key, table.columns)]
        if heading != before:
            writer.writerow(heading)
            before = heading
        for row in table.rows:
            writer.writerow([table.caption, *map(_value, row)])
    return to.getvalue()


def as_markdown(tables: Iterable[Table]) -> str:
    """Return tables in GitHub's Markdown: what stands out in bold, second lines in small letters."""
    return "\n\n".join(map(_markdown, tables)) + "\n"


def _markdown(table: Table) -> str:
    ends = ["---" if column.words else "---:" for column in table.columns]
    lines = [
        f"**{escaped(table.caption)}**",
        "",
        _line(escaped(column.heading) for column in table.columns),
        _line(ends),
        *(_line(map(_cell, row)) for row in table.rows),
    ]
    if table.note:
        lines += ["", f"<sub>{escaped(table.note)}</sub>"]
    if table.remarks:
        lines += ["", *(f"- {escaped(remark)}" for remark in table.remarks)]
    return "\n".join(lines)


def _line(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    if cell.mark == "best":
        text = f"**{text}**"
    return f"{text}<br><sub>{escaped(cell.more)}</sub>" if cell.more else text


def escaped(text: str) -> str:
    r"""Return a text that Markdown shows as it is, in one line.

    >>> print(escaped("<lab> a_b"))
    \<lab\> a\_b
    """
    text = one_line(text)
    for letter in "\\`*_[]<>|":
        text = text.replace(letter, f"\\{letter}")
    return text


def one_line(text: str) -> str:
    """Return a text with a space for each line break: names in results are what somebody has typed."""
    return " ".join(text.splitlines())


def _key(column: Column) -> str:
    return f"{column.heading} ({column.unit})" if column.unit else column.heading


def _value(cell: Cell) -> float | str:
    return cell.text if cell.value is None else cell.value
