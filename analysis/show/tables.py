"""Tables of texts, for the terminal and for HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich import box
from rich import table as rich_table
from rich.console import RenderableType
from rich.text import Text

__all__ = ["Cell", "Table", "as_rich"]

HEADING_WIDTH = 12

_STYLES = {"best": "bold green", "warn": "yellow", "": ""}


@dataclass(frozen=True)
class Cell:
    """A text, and in which way it stands out.

    Attributes
    ----------
    text : str
    more : str
        A second, smaller line.
    mark : str
        `best`, `warn`, or nothing.
    """

    text: str
    more: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A caption, headings and rows; the first cell of a row is its heading.

    Attributes
    ----------
    caption, headings, rows
    note : str
        What the marks mean.
    remarks : list of str
        Sentences below it.
    words : tuple of int
        The columns that hold words; the others hold numbers.
    """

    caption: str
    headings: list[str]
    rows: list[list[Cell]]
    note: str = ""
    remarks: list[str] = field(default_factory=list)
    words: tuple[int, ...] = (0,)


def as_rich(table: Table) -> Iterator[RenderableType]:
    """Yield a table as a terminal shows it, and its remarks; as narrow as it can be."""
    shown = rich_table.Table(
        title=Text(table.caption),
        caption=Text(table.note),
        box=box.SIMPLE_HEAD,
        padding=0,
        pad_edge=False,
    )
    for place, heading in enumerate(table.headings):
        words = place in table.words
        name = Text("\n".join(textwrap.wrap(heading, HEADING_WIDTH)))
        shown.add_column(name, justify="left" if words else "right", no_wrap=not words)
    for row in table.rows:
        texts = [Text(cell.text, style=_STYLES[cell.mark]) for cell in row]
        for text, cell in zip(texts, row, strict=True):
            text.append(f"\n{cell.more}" if cell.more else "", style="not bold dim")
        shown.add_row(*texts)
    if table.rows:
        yield shown
    if table.remarks:
        yield Text("\n".join(f"  {remark}" for remark in table.remarks))
