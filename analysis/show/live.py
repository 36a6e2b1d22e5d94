"""What a person sees of their own functions while they are measured: times that come in, and settle.

All of it goes to standard error: standard output is for what was asked.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Protocol

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from jitcost.units import format_seconds, size_text

__all__ = ["Lines", "LiveTable", "watching"]

# Times are settled when so many processes agree on them.
_SETTLED = 3

# A person has seen something after so many seconds.
_FIRST = 8.0

# Nothing is drawn more often: drawing takes the time of the machine that is measured on.
_PER_SECOND = 2


class _Kernel(Protocol):
    @property
    def problem(self) -> str: ...
    @property
    def name(self) -> str: ...


class _Entry(Protocol):
    @property
    def kernel(self) -> _Kernel: ...
    @property
    def side(self) -> str: ...
    @property
    def label(self) -> str: ...


class _Process(Protocol):
    @property
    def samples(self) -> tuple[float, ...]: ...


class _Times:
    """The times so far, by problem: n, and the kernels in order."""

    def __init__(self) -> None:
        self.columns: dict[str, list[str]] = {}
        self.cells: dict[tuple[str, str, float], tuple[float, int]] = {}
        self.failed: set[tuple[str, str]] = set()

    def begin(self, entries: Sequence[_Entry]) -> None:
        for entry in entries:
            self.columns.setdefault(entry.kernel.problem, []).append(_column(entry))

    def set(self, entry: _Entry, n: float, seconds: float, processes: int) -> None:
        self.cells[entry.kernel.problem, _column(entry), n] = seconds, processes

    def tables(self) -> list[Table]:
        return [self._table(problem, columns) for problem, columns in self.columns.items()]

    def _table(self, problem: str, columns: Sequence[str]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column(Text(problem), justify="right")
        for column in columns:
            table.add_column(Text(column), justify="right")
        sizes = sorted({n for name, _, n in self.cells if name == problem})
        for n in sizes:
            found = [self.cells.get((problem, column, n)) for column in columns]
            least = min((cell[0] for cell in found if cell), default=None)
            table.add_row(size_text(n), *(_text(cell, least) for cell in found))
        if marks := [column for column in columns if (problem, column) in self.failed]:
            table.add_row(
                "", *(Text("failed" if column in marks else "", "red") for column in columns)
            )
        return table


def _column(entry: _Entry) -> str:
    return f"{entry.kernel.name}{f' {entry.side}' if entry.side else ''}"


def _text(cell: tuple[float, int] | None, least: float | None) -> Text:
    if cell is None:
        return Text("")
    seconds, processes = cell
    settled = processes >= _SETTLED
    style = "bold green" if settled and seconds == least else "" if settled else "dim"
    return Text(f"{'' if settled else '~'}{format_seconds(seconds)}", style=style)


class Lines:
    """What is told where nobody looks on: a line for each thing, and the first table."""

    def __init__(self, console: Console) -> None:
        self.console, self.times = console, _Times()
        self.beginning, self.shown = time.monotonic(), False

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def begin(self, entries: Sequence[_Entry]) -> None:
        """Take the kernels as columns."""
        self.times.begin(entries)

    def scouted(self, entry: _Entry, n: float, seconds: float) -> None:
        """Take a provisional time; show what there is where looking takes long."""
        self.times.set(entry, n, seconds, 0)
        if time.monotonic() - self.beginning > _FIRST:
            self.looked()

    def failed(self, entry: _Entry, _size: object) -> None:
        """Mark a kernel: the reason is told at the end, once for all sizes."""
        self.times.failed.add((entry.kernel.problem, _column(entry)))

    def looked(self) -> None:
        """Print the provisional table, once."""
        if self.times.cells and not self.shown:
            self.shown = True
            self.say("First look, one process each (~ provisional):")
            for table in self.times.tables():
                self.console.print(table)
                self.console.print()

    def timed(self, entry: _Entry, n: float, processes: Sequence[_Process]) -> None:
        """Take a time: the median of the processes' fastest samples."""
        seconds = statistics.median(min(process.samples) for process in processes)
        self.times.set(entry, n, seconds, len(processes))

    def doing(self, what: str, left: float | None) -> None:
        """Say nothing: lines would hide what matters."""

    def say(self, line: str) -> None:
        """Print a line."""
        self.console.print(Text(line), soft_wrap=True)


class LiveTable(Lines):
    """The same at a terminal: the table itself, and below it what is going on and for how long."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self.what = ""
        self.end: float | None = None
        self.live = Live(
            console=console,
            get_renderable=self._drawn,
            refresh_per_second=_PER_SECOND,
            transient=True,
        )

    def __enter__(self) -> LiveTable:
        self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def looked(self) -> None:
        """Say nothing: it is there already."""

    def doing(self, what: str, left: float | None) -> None:
        """Say it below the table."""
        self.what = what
        self.end = None if left is None else time.monotonic() + left

    def _drawn(self) -> Group:
        left = (
            ""
            if self.end is None
            else f", about {max(0.0, self.end - time.monotonic()):.0f} s left"
        )
        return Group(*self.times.tables(), Text(f"{self.what}{left}", style="dim"))


def watching() -> Lines:
    """Return who watches on standard error: a live table where a person looks on at a terminal."""
    console = Console(stderr=True, force_jupyter=False)
    # A notebook says that it is a terminal, and knows nothing of a cursor that goes up.
    if console.is_terminal and not Console().is_jupyter:
        return LiveTable(console)
    return Lines(Console(stderr=True, force_jupyter=False, force_terminal=False))
