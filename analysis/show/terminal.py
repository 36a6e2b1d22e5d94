"""A table as a terminal shows it."""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import IO, TypeVar

from rich import box
from rich import table as rich_table
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from jitcost.show.table import Table, fitted, heading_lines
from jitcost.streams import readable

__all__ = ["PipeConsole", "as_text", "console_for", "draw", "print_all", "print_tables", "tracked"]

Item = TypeVar("Item")

_STYLES = {"best": "bold green", "warn": "yellow", "": ""}

# rich's own stand-in has lines between the columns, and would be wider than the width fitted to.
_ASCII_HEAD = box.Box(str(box.SIMPLE_HEAD).replace("─", "-"), ascii=True)

# What is not written to a terminal is as wide as this, unless COLUMNS says otherwise: wide enough
# for six backends, narrow enough for a page of a book and an e-mail.
WIDTH = 100


class PipeConsole(Console):
    """rich's console, but for a pipe that closes, where rich would end the program with status 1."""

    def on_broken_pipe(self) -> None:
        """Leave it to whoever has called: see `jitcost.cli.main`."""
        raise BrokenPipeError


def console_for(width: int = WIDTH, file: IO[str] | None = None) -> Console:
    """Return the console of a file, standard output by default; of this width if it is no terminal."""
    console = PipeConsole(file=file)
    if console.is_terminal or "COLUMNS" in os.environ:
        return console
    return PipeConsole(file=file, width=width)


def tracked(items: Sequence[Item], doing: str) -> Iterator[Item]:
    """Yield the items, and show on standard error how far it is and for how long, to a person only."""
    console = PipeConsole(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,  # what is printed may go elsewhere than the bar
    ) as progress:
        yield from progress.track(items, description=doing)


def print_tables(tables: Iterable[Table], console: Console | None = None) -> None:
    """Print tables, each as narrow as the console needs it."""
    console = console or console_for()
    ascii_only = console.options.ascii_only
    for table in tables:
        shown = _in_ascii(table) if ascii_only else table
        for renderable in draw(shown, console.width, ascii_only=ascii_only):
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


def draw(table: Table, width: int, *, ascii_only: bool = False) -> Iterator[RenderableType]:
    """Yield a table's parts, and its remarks.

    Parameters
    ----------
    table : Table
    width : int
        In letters; see `jitcost.show.table` for what goes where it is too wide.
    ascii_only : bool
        Whether the line below the headings is one of ASCII.
    """
    if table.rows:
        # Not as rich's title and caption, which would be broken at the table's width.
        yield Text(table.caption, style="bold")
        for part in fitted(table, width, cell_len):
            yield _drawn(part, _ASCII_HEAD if ascii_only else box.SIMPLE_HEAD)
        if table.note:
            yield Text(table.note, style="dim italic")
    elif table.caption:
        yield Text(f"{table.caption}: nothing can be said")
    if table.remarks:
        yield Text("\n".join(_indented(remark, width) for remark in table.remarks))
    yield Text()


def _in_ascii(table: Table) -> Table:
    """Return a table whose letters all have one place, before it is fitted into the width."""
    cells = (
        tuple(
            replace(
                cell,
                text=readable(cell.text),
                more=readable(cell.more),
                brief=None if cell.brief is None else readable(cell.brief),
            )
            for cell in row
        )
        for row in table.rows
    )
    return replace(
        table,
        caption=readable(table.caption),
        columns=tuple(replace(one, heading=readable(one.heading)) for one in table.columns),
        rows=tuple(cells),
        note=readable(table.note),
        remarks=tuple(map(readable, table.remarks)),
    )


def _indented(remark: str, width: int) -> str:
    """Return a sentence in lines, the first of which stands out."""
    return textwrap.fill(
        remark, width, initial_indent="  ", subsequent_indent="    ", break_long_words=False
    )


def _drawn(table: Table, lines: box.Box) -> rich_table.Table:
    drawn = rich_table.Table(
        box=lines,
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
