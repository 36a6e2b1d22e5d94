"""Which cells the kept results lack, so that a measurement goes on where it was cut short."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jitcost.backends import workloads
from jitcost.measuring.selection import Cell
from jitcost.store import asv_files
from jitcost.store.parameters import parse_size, unquote

__all__ = ["Cells", "Measured", "Origin", "excused", "measured", "missing", "origin_of"]

Cells = dict[str, list[Cell]]  # by benchmark

# Python, requirements and commit; and what has been measured of it: benchmark, version and cell.
Origin = tuple[str, frozenset[tuple[str, str]], str]
Measured = set[tuple[str, str | None, Cell]]


def origin_of(python: str, requirements: Mapping[str, str], commit: str) -> Origin:
    """Return what tells results of one machine apart."""
    return python, frozenset(requirements.items()), commit


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
            if file.machine == machine and not file.env_vars:
                origin = origin_of(file.python, file.versions, file.commit)
                found.setdefault(origin, set()).update(_with_value(file))
        except asv_files.BROKEN as error:
            asv_files.warn(path, error)
    return found


def _with_value(file: asv_files.ResultFile) -> Measured:
    nothing = (None,) * len(file.benchmarks)
    columns = [file.columns.get(key, nothing) for key in ("version", "params", "result")]
    return {
        (name, version, cell)
        for name, version, params, values in zip(file.benchmarks, *columns, strict=True)
        for cell, value in zip(itertools.product(*params or ()), values or (), strict=False)
        if asv_files.is_value(value)
    }


def missing(wanted: Iterable[tuple[str, Mapping[str, Any], list[Cell]]], have: Measured) -> Cells:
    """Return the wanted cells without a value; what has failed is tried again.

    Parameters
    ----------
    wanted : iterable
        Each benchmark's name, what asv knows of it, and its cells.
    have : set
        What has been measured of one origin.
    """
    lacking = {
        name: [
            cell
            for cell in cells
            if (name, benchmark["version"], cell) not in have
            and not excused(name, benchmark["param_names"], cell)
        ]
        for name, benchmark, cells in wanted
    }
    return {name: cells for name, cells in lacking.items() if cells}


def excused(name: str, parameters: list[str], cell: Cell) -> bool:
    """Tell whether a workload's spec says that a cell is not measured."""
    module = name.split(".")[0]
    spec = workloads.known(module) or workloads.PROTOCOLS.get(module)
    values = dict(zip(parameters, cell, strict=True))
    n = parse_size(values.get("n", ""))
    if spec is None or n is None or "backend" not in values:
        return False
    return spec.why_not(unquote(values["backend"]), int(n)) is not None
