"""The numbers of one result file, cell by cell, as columns of one length."""

from __future__ import annotations

import functools
import itertools
import reprlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from jitcost.store import records
from jitcost.store.asv_files import ResultFile
from jitcost.store.catalogue import Catalogue
from jitcost.store.cells import OF_CELL, SCHEMA
from jitcost.store.remarks import Remarks

__all__ = ["columns_of"]


def columns_of(
    path: Path,
    file: ResultFile,
    known_cells: Catalogue,
    benchmarks: dict[str, Any],
    remarks: Remarks,
) -> dict[str, pl.Series]:
    """Return the numbers of one file's cells, and each one's position in the catalogue.

    A cell that holds something else than numbers is named and left out: others' benchmarks may return
    texts and objects.

    Parameters
    ----------
    path : Path
        The file's; to name it.
    file : ResultFile
    known_cells : Catalogue
        Gets the cells that are new.
    benchmarks : dict
        What a benchmarks.json says of each.
    remarks : Remarks
        Gets what is left out.

    Returns
    -------
    dict of str to polars.Series
        `position`, what `OF_CELL` names, and what the processes told: how many there were of a cell
        (`processes`), and `m`.

    Raises
    ------
    Exception
        One of `jitcost.store.asv_files.BROKEN`, if the file is.
    """
    nothing = (None,) * len(file.benchmarks)
    versions, params = (file.columns.get(key, nothing) for key in ("version", "params"))
    positions = [
        known_cells.positions_of(*one, benchmarks)
        for one in zip(file.benchmarks, versions, params, strict=True)
    ]
    sizes = list(map(len, positions))
    odd: dict[int, str] = {}  # what is wrong with a cell, by its number in the file
    columns = {"position": pl.Series(list(itertools.chain(*positions)), dtype=pl.UInt32)}
    for name, key in OF_CELL.items():
        columns[name] = _series(name, file.columns.get(key, nothing), sizes, odd)
    columns |= _told(
        records.lines(records.beside(path), remarks.file), file.benchmarks, params, sizes
    )
    if not odd:
        return columns
    for line in _named(path, file, params, sizes, odd):
        remarks.cells(line)
    kept = [number for number in range(sum(sizes)) if number not in odd]
    return {name: column.gather(kept) for name, column in columns.items()}


def _told(
    lines: list[records.Record], benchmarks: Sequence[str], params: Sequence[Any], sizes: list[int]
) -> dict[str, pl.Series]:
    """Return what the processes of each cell told, null where nobody has asked them."""
    told = records.by_cell(lines)
    if not told:
        return {name: _nulls(name, sum(sizes)) for name in ("processes", "m")}
    cells = (
        (name, texts)
        for name, grid in zip(benchmarks, params, strict=True)
        for texts in itertools.product(*grid or ())
    )
    counts, ms = zip(*(told.get(cell, (None, None)) for cell in cells), strict=True)
    return {
        "processes": pl.Series(counts, dtype=SCHEMA["processes"]),
        "m": pl.Series(ms, dtype=SCHEMA["m"]),
    }


def _series(name: str, column: Sequence[Any], sizes: list[int], odd: dict[int, str]) -> pl.Series:
    """Return a column's values, one for each cell: sizes says how many a benchmark has."""
    if column.count(None) == len(column):
        return _nulls(name, sum(sizes))
    if set(map(type, column)) != {list} or list(map(len, column)) != sizes:
        column = [_whole(values, size) for values, size in zip(column, sizes, strict=True)]
    values = list(itertools.chain.from_iterable(column))
    build = _samples if name == "samples" else functools.partial(pl.Series, dtype=SCHEMA[name])
    try:
        return build(values)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        for number, value in enumerate(values):
            if not _fits(name, value):
                odd[number] = f"no number as its {name}: {reprlib.repr(value)}"
                values[number] = None
        return build(values)


@functools.lru_cache
def _nulls(name: str, size: int) -> pl.Series:
    return pl.Series([None] * size, dtype=SCHEMA[name])


def _whole(values: Any, size: int) -> list[Any]:
    """Return one benchmark's values at their full length."""
    if not isinstance(values, list):  # None, or in format 1 a number by itself
        values = [values]
    if len(values) > size:
        raise ValueError(f"{len(values)} results stand for {size} sets of parameters")
    return [*values, *[None] * (size - len(values))]


def _fits(name: str, value: Any) -> bool:
    """Tell whether a cell's value is what its column holds."""
    if value is None:
        return True
    if name == "samples":
        return isinstance(value, list) and all(_fits("value", one) for one in value)
    try:
        pl.Series([value], dtype=SCHEMA[name])
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return False
    return True


def _samples(values: list[Any]) -> pl.Series:
    """Return lists of samples; grouping all of them at once takes a fifth of a list's time each."""
    lengths = [len(one or ()) for one in values]
    cells = list(itertools.chain.from_iterable(map(itertools.repeat, itertools.count(), lengths)))
    samples = list(itertools.chain.from_iterable(filter(None, values)))
    frame = pl.DataFrame(
        {
            "cell": pl.Series(cells, dtype=pl.UInt32).set_sorted(),
            "samples": pl.Series(samples, dtype=pl.Float64),
        }
    )
    grouped = frame.group_by("cell", maintain_order=True).agg("samples")["samples"]
    count = itertools.count()
    where = [next(count) if length else None for length in lengths]
    return grouped.gather(pl.Series(where, dtype=pl.UInt32))


def _named(
    path: Path, file: ResultFile, params: Sequence[Any], sizes: list[int], odd: dict[int, str]
) -> Iterator[str]:
    """Yield which cells are left out, in a line for each benchmark: the first of them, and how many."""
    end = 0
    for benchmark, texts, size in zip(file.benchmarks, params, sizes, strict=True):
        start, end = end, end + size
        bad = [number for number in range(start, end) if number in odd]
        if bad:
            cell = next(itertools.islice(itertools.product(*texts or ()), bad[0] - start, None))
            named = f"{benchmark}({', '.join(cell)})" if cell else benchmark
            others = f", and {len(bad) - 1} other cells of it" if len(bad) > 1 else ""
            yield f"{path}: {named} is left out{others}: {odd[bad[0]]}"
