"""What each process told of itself while it measured: lines of JSON beside asv's result file.

The lines of `<name>.json` are in `<name>.processes` (asv would take a .json for results), a line for
each process that has measured a cell, in the order of the samples. `benchmarks/_process.py` writes them,
and `jitcost.store.slimming` shortens those that are kept.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from jitcost.files import write_atomically
from jitcost.store import asv_files, finding
from jitcost.store.json_files import BROKEN, compressed, parsed, read_bytes
from jitcost.store.remarks import warn

__all__ = [
    "SCHEMA",
    "Cell",
    "Record",
    "beside",
    "by_cell",
    "cells_of",
    "lines",
    "merged",
    "place",
    "read_processes",
    "write_both",
]

# A benchmark, and the texts of its parameters.
Cell = tuple[str, tuple[str, ...]]

SCHEMA: dict[str, Any] = {
    "benchmark": pl.String,
    "params": pl.List(pl.String),  # the texts of all parameters, in asv's order
    "backend": pl.String,
    "n": pl.Float64,
    "m": pl.Int64,  # calls in a sample; null where none are taken
    "started": pl.Datetime("us", "UTC"),
    "seconds": pl.Float64,  # from its first import of the benchmarks to its end
    "load_start": pl.Float64,  # processes that ran or waited to, over the last minute
    "load_end": pl.Float64,
    "steal": pl.Float64,  # share of the CPUs' time that other virtual machines took
    "switches": pl.Int64,  # times that the process was made to wait for another
    "error": pl.Float64,  # of the checked result against the reference
    "tolerance": pl.Float64,
}


# By this key a file's first line says which content of the result file its lines belong to.
_OF = "sha256"


@dataclass(frozen=True)
class Record:
    """One process's line.

    Attributes
    ----------
    cell : Cell
    m : int or None
        Calls in a sample.
    text : str
        The line.
    """

    cell: Cell
    m: int | None
    text: str


def beside(result_file: Path) -> Path:
    """Return where the lines of a result file's processes are."""
    upcoming = finding.upcoming(result_file)
    try:
        if upcoming.is_file() and _stamp_in(upcoming) == _stamp(result_file.read_bytes()):
            return upcoming
    except BROKEN:
        pass
    return finding.beside(result_file, finding.LINES)


def place(result_file: Path) -> Path:
    """Return where the lines of a result file's processes stand once all is written."""
    return finding.plain(result_file, finding.LINES)


def write_both(result_file: Path, content: str, told: str) -> None:
    """Write a result file, and the lines of the processes that its values are of.

    Who is killed at any moment leaves the old of both or the new of both: until all is written, the
    new lines stand in a file that says which content they belong to.

    Parameters
    ----------
    result_file : Path
    content, told : str
        Of the file, and the lines.
    """
    upcoming = finding.upcoming(result_file)
    if (
        beside(result_file) == upcoming
    ):  # a call was killed between the two: these lines are in force
        _, _, in_force = upcoming.read_text(encoding="utf-8").partition("\n")
        write_atomically(place(result_file), in_force)
    write_atomically(upcoming, json.dumps({_OF: _stamp(content.encode())}) + f"\n{told}")
    write_atomically(result_file, content)
    write_atomically(place(result_file), told)
    compressed(place(result_file)).unlink(missing_ok=True)
    upcoming.unlink()


def _stamp(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _stamp_in(path: Path) -> Any:
    with path.open(encoding="utf-8") as file:
        return json.loads(file.readline())[_OF]


def lines(path: Path, warn: Callable[[Path, Exception], None] = warn) -> list[Record]:
    """Return the lines of a file; none where there is no file.

    A line that is broken is left out, and the file named once.

    Parameters
    ----------
    path : Path
    warn : callable
        Names it; by default on standard error.
    """
    try:
        # JSON's lines end with a line feed only: a text in it may hold what Python, too, calls an end.
        texts = read_bytes(path).decode().split("\n") if path.is_file() else []
    except BROKEN as error:
        warn(path, error)
        return []
    found, broken = [], 0
    for text in filter(None, texts):
        try:
            about = parsed(text)
            if _OF in about:
                continue
            m = about.get("m")
            cell = (str(about["benchmark"]), tuple(map(str, about["params"])))
            found.append(Record(cell, m if isinstance(m, int) else None, text))
        except BROKEN:
            broken += 1
    if broken:
        warn(path, ValueError(f"{broken} of its lines are broken; the others are read"))
    return found


def by_cell(records: Iterable[Record]) -> dict[Cell, tuple[int, int | None]]:
    """Return how many processes each cell has, and the median of their calls in a sample."""
    grouped: dict[Cell, list[int | None]] = {}
    for record in records:
        grouped.setdefault(record.cell, []).append(record.m)
    return {cell: (len(ms), _median(ms)) for cell, ms in grouped.items()}


def _median(ms: Iterable[int | None]) -> int | None:
    known = [m for m in ms if m is not None]
    return statistics.median_low(known) if known else None


def read_processes(path: Path) -> pl.DataFrame:
    """Return what the processes of one file told, a row each, in their order.

    Parameters
    ----------
    path : Path
        A file of lines; `beside` says which belongs to a result file.

    Returns
    -------
    polars.DataFrame
        With the columns of `SCHEMA`; of no rows where there is no such file. What a line lacks, or
        has in another type, is null.
    """
    texts = SCHEMA | {"started": pl.String}
    told = [parsed(record.text) for record in lines(path)]
    columns = {name: [row.get(name) for row in told] for name in SCHEMA}
    frame = pl.DataFrame(
        [pl.Series(name, columns[name], dtype=kind, strict=False) for name, kind in texts.items()]
    )
    started = pl.col("started").str.to_datetime(
        "%Y-%m-%dT%H:%M:%S%.f%#z", time_unit="us", time_zone="UTC", strict=False
    )
    return frame.with_columns(started)


def merged(
    old: list[Record], new: list[Record], *, replaced: Iterable[Cell], superfluous: Iterable[Cell]
) -> str:
    """Return the text of both files' lines, the old ones first.

    Parameters
    ----------
    old, new : list of Record
    replaced, superfluous : iterable of Cell
        Whose old lines, and whose new ones, belong to no value any more.
    """
    gone, unwanted = set(replaced), set(superfluous)
    kept = itertools.chain(
        (one for one in old if one.cell not in gone),
        (one for one in new if one.cell not in unwanted),
    )
    return "".join(f"{one.text}\n" for one in kept)


def cells_of(name: str, params: Any, values: Any) -> Iterator[Cell]:
    """Yield the cells of a benchmark that have a value."""
    grid = itertools.product(*params or ())
    listed = values if isinstance(values, list) else [values]
    for texts, value in zip(grid, listed, strict=False):
        if asv_files.is_value(value):
            yield name, texts
