"""A table as a terminal shows it."""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Iterable, Iterator

from rich import box
from rich import table as rich_table
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from jitcost.show.table import Table, fitted, heading_lines

__all__ = ["as_text", "console_for", "draw", "print_all", "print_tables"]

_STYLES = {"best": "bold green", "warn": "yellow", "": ""}

# What is not written to a terminal is as wide as this, unless COLUMNS says otherwise: wide enough
# for six backends, narrow enough for a page of a book and an e-mail.
WIDTH = 100


def console_for(width: int = WIDTH) -> Console:
    """Return the console of standard output, of a width of its own where that is no terminal."""
    console = Console()
    if console.is_terminal or "COLUMNS" in os.environ:
        return console
    return Console(width=width)


def print_tables(tables: Iterable[Table], console: Console | None = None) -> None:
    """Print tables, each as narrow as the console needs it."""
    console = console or console_for()
    for table in tables:
        for renderable in draw(table, console.width):
            console.print(renderable)


def print_all(parts: Iterable[Table | str], console: Console | None = None) -> None:
    """Print tables, and lines of text between them."""
    console = console or console_for()
    for part in parts:
        if isinstance(part, str):
            console.print(Text(part))
        else:
            print_tables([part], console)


def as_text(parts: Iterable[Table | str]) -> str:
    """Return tables and lines of text as a file has them, in a notebook, too."""
    text = io.StringIO()
    print_all(parts, Console(file=text, width=WIDTH, force_jupyter=False, color_system=None))
    return text.getvalue()


def draw(table: Table, width: int) -> Iterator[RenderableType]:
    """Yield a table's parts, and its remarks.

    Parameters
    ----------
    table : Table
    width : int
        In letters; see `jitcost.show.table` for what goes where it is too wide.
    """
    if table.rows:
        # Not as rich's title and caption, which would be broken at the table's width.
        yield Text(table.caption, style="bold")
        for part in fitted(table, width, cell_len):
            yield _drawn(part)
        if table.note:
            yield Text(table.note, style="dim italic")
    elif table.caption:
        yield Text(f"{table.caption}: nothing can be said")
    if table.remarks:
        yield Text("\n".join(_indented(remark, width) for remark in table.remarks))
    yield Text()


def _indented(remark: str, width: int) -> str:
    """Return a sentence in lines, the first of which stands out."""
    return textwrap.fill(
        remark, width, initial_indent="  ", subsequent_indent="    ", break_long_words=False
    )


def _drawn(table: Table) -> rich_table.Table:
    drawn = rich_table.Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),  # and one of the box: `GAP`
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    for column in table.columns:
        drawn.add_column(
            Text("\n".join(heading_lines(column.heading))),
            justify="left" if column.words else "right",
            no_wrap=not column.breaks,
            vertical="top",
        )
    for row in table.rows:
        texts = [Text(cell.text, style=_STYLES[cell.mark]) for cell in row]
        for text, cell in zip(texts, row, strict=True):
            text.append(f"\n{cell.more}" if cell.more else "", style="not bold dim")
        drawn.add_row(*texts)
    return drawn
