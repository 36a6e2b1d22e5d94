"""Which cells the kept results lack, so that a measurement goes on where it was cut short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jitcost.measuring.planning import is_skipped
from jitcost.measuring.selection import Cell
from jitcost.store import asv_files, records

__all__ = ["Cells", "Measured", "Origin", "measured", "missing", "origin_of", "origin_of_file"]

Cells = dict[str, list[Cell]]  # by benchmark

# Python, requirements and commit; and what has been measured of it: for each benchmark, version and
# cell in how many processes, None where nobody has recorded it.
Origin = tuple[str, frozenset[tuple[str, str]], str]
Measured = dict[tuple[str, str | None, Cell], int | None]


def origin_of(python: str, requirements: Mapping[str, str], commit: str) -> Origin:
    """Return what tells results of one machine apart."""
    return python, frozenset(requirements.items()), commit


def origin_of_file(file: asv_files.ResultFile) -> Origin | None:
    """Return what a result file is of; None where environment variables were set for it."""
    return None if file.env_vars else origin_of(file.python, file.versions, file.commit)


def measured(folder: Path, machine: str) -> dict[Origin, Measured]:
    """Return which cells of a machine have a value, by environment and commit.

    What a file is of stands inside it. A file that cannot be read is named on standard error; its
    cells are then missing.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`; there may be none.
    machine : str
        As asv has it.
    """
    found: dict[Origin, Measured] = {}
    for path in asv_files.paths(folder):
        try:
            file = asv_files.load(path)
            origin = origin_of_file(file)
            if file.machine == machine and origin is not None:
                found.setdefault(origin, {}).update(_with_value(path, file))
        except asv_files.BROKEN as error:
            asv_files.warn(path, error)
    return found


def _with_value(path: Path, file: asv_files.ResultFile) -> Measured:
    told = records.by_cell(records.lines(records.beside(path)))
    nothing = (None,) * len(file.benchmarks)
    columns = [file.columns.get(key, nothing) for key in ("version", "params", "result")]
    return {
        (name, version, cell): told.get((name, cell), (None, None))[0]
        for name, version, params, values in zip(file.benchmarks, *columns, strict=True)
        for name, cell in records.cells_of(name, params, values)
    }


def missing(
    wanted: Iterable[tuple[str, Mapping[str, Any], list[Cell]]], have: Measured, rounds: int = 1
) -> Cells:
    """Return the wanted cells without a value, or of fewer processes; what has failed is tried again.

    Parameters
    ----------
    wanted : iterable
        Each benchmark's name, what asv knows of it, and its cells.
    have : mapping
        What has been measured of one origin.
    rounds : int
        How many processes a cell is to have. One of which nobody knows how many it has counts as
        measured.
    """

    def lacks(key: tuple[str, str | None, Cell]) -> bool:
        processes = have.get(key, 0)
        return processes is not None and processes < rounds

    lacking = {
        name: [
            cell
            for cell in cells
            if lacks((name, benchmark["version"], cell))
            and not is_skipped(name, benchmark["param_names"], cell)
        ]
        for name, benchmark, cells in wanted
    }
    return {name: cells for name, cells in lacking.items() if cells}
