"""One model of a table, for every answer; `terminal`, `html`, `markdown` and `plain` draw it.

A table too wide for what it is drawn on is narrowed in this order, until it fits:

1. second lines of cells give way to their shorter forms (`Cell.brief`), where they have one;
2. columns that are detail (`Column.detail`) go, the largest number first;
3. the second lines of cells (`Cell.more`) go;
4. the columns are divided among several tables one below the other, each with the first column.

Units and the names of backends are never cut, and no column of numbers loses digits.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["Cell", "Column", "Mark", "Table", "fitted", "heading_lines", "numbers", "words"]

# A heading of several words is broken into lines of about this many letters.
HEADING_WIDTH = 12

# Between two columns.
GAP = 2

# What a column whose texts may be broken into lines gets at least, if it does not say.
NARROWEST = 18

Mark = Literal["", "best", "warn"]


@dataclass(frozen=True)
class Cell:
    """A text, and in which way it stands out.

    Attributes
    ----------
    text : str
        What people read: a number with its unit.
    more : str
        A second, smaller line.
    mark : str
        `best`, `warn`, or nothing.
    value : float, int, str or None
        What programs read, in the column's unit; None: the text.
    brief : str or None
        What is left of the second line where there is little room; None: all of it.
    """

    text: str
    more: str = ""
    mark: Mark = ""
    value: float | str | None = None
    brief: str | None = None


@dataclass(frozen=True)
class Column:
    """What a column is called, and what is in it.

    Attributes
    ----------
    heading : str
    unit : str
        Of the cells' values, for programs; texts carry their own.
    words : bool
        Whether it holds words, which stand at the left, or numbers, which stand at the right.
    breaks : bool
        Whether its texts may be broken into lines.
    least : int
        How many letters such a column gets at least.
    detail : int
        0: it always stays; else it goes where there is no room for it, the largest number first.
    """

    heading: str
    unit: str = ""
    words: bool = False
    breaks: bool = False
    least: int = NARROWEST
    detail: int = 0


@dataclass(frozen=True)
class Table:
    """A caption, columns and rows; the first cell of a row is its heading.

    Attributes
    ----------
    caption : str
    columns : tuple of Column
    rows : tuple of tuple of Cell
    note : str
        What the marks and intervals mean.
    remarks : tuple of str
        Sentences below it.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    remarks: tuple[str, ...] = ()

    def with_columns(self, chosen: Sequence[int]) -> Table:
        """Return the table of these columns alone."""
        return replace(
            self,
            columns=tuple(self.columns[i] for i in chosen),
            rows=tuple(tuple(row[i] for i in chosen) for row in self.rows),
        )


def words(*headings: str) -> tuple[Column, ...]:
    """Return columns of words."""
    return tuple(Column(heading, words=True) for heading in headings)


def numbers(*headings: str, unit: str = "") -> tuple[Column, ...]:
    """Return columns of numbers."""
    return tuple(Column(heading, unit) for heading in headings)


def fitted(table: Table, width: int, length: Callable[[str], int] = len) -> list[Table]:
    """Return the table as one or more that are no wider than this, by the order above.

    Parameters
    ----------
    table : Table
    width : int
        In letters.
    length : callable
        How wide a text is; on a terminal some letters take two places.

    Returns
    -------
    list of Table
        Of one caption, note and remarks.
    """
    if _width(table, length) <= width:
        return [table]
    table = _with_more(table, lambda cell: cell.more if cell.brief is None else cell.brief)
    everything = range(len(table.columns))
    by_detail = sorted(
        (i for i in everything if table.columns[i].detail),
        key=lambda i: -table.columns[i].detail,
    )
    for dropped in range(len(by_detail) + 1):
        narrower = table.with_columns([i for i in everything if i not in by_detail[:dropped]])
        if _width(narrower, length) <= width:
            return [narrower]
    without = _with_more(narrower, lambda _: "")
    if _width(without, length) <= width:
        return [without]
    return _divided(narrower, width, length)


def _with_more(table: Table, more: Callable[[Cell], str]) -> Table:
    rows = (tuple(replace(cell, more=more(cell), brief=None) for cell in row) for row in table.rows)
    return replace(table, rows=tuple(rows))


def _divided(table: Table, width: int, length: Callable[[str], int]) -> list[Table]:
    widths = _widths(table, length)
    blocks: list[list[int]] = [[]]
    for i in range(1, len(table.columns)):
        block = [*blocks[-1], i]
        if blocks[-1] and widths[0] + sum(widths[j] + GAP for j in block) > width:
            blocks.append([i])
        else:
            blocks[-1] = block
    return [table.with_columns([0, *block]) for block in blocks]


def heading_lines(heading: str) -> list[str]:
    """Return a heading in lines, broken between words only."""
    return textwrap.wrap(heading, HEADING_WIDTH, break_long_words=False) or [""]


def _widths(table: Table, length: Callable[[str], int]) -> list[int]:
    widths = []
    for i, column in enumerate(table.columns):
        texts = [text for row in table.rows for text in (row[i].text, row[i].more)]
        widest = max(map(length, (*heading_lines(column.heading), *texts)))
        widths.append(min(widest, column.least) if column.breaks else widest)
    return widths


def _width(table: Table, length: Callable[[str], int]) -> int:
    return sum(_widths(table, length)) + GAP * (len(table.columns) - 1)
