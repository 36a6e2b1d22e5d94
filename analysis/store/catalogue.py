"""What is known of each benchmark's cells but their numbers: what was measured, for which n."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

from jitcost.store.parameters import Texts, parameter_names, take

__all__ = ["COLUMNS", "OWN", "PLAN", "Catalogue"]

_OF_BENCHMARK = ("benchmark", "version", "kind", "workload", "unit")
_OF_CELL = ("backend", "params", "n", "grows")
COLUMNS = (*_OF_BENCHMARK, *_OF_CELL)

# What the names of a person's own functions begin with: own.problem.Class.method. A problem may have a
# name that a workload has, too.
OWN = "own."

# How many processes a benchmark is measured in, and how many samples they take together: known where
# each process takes the same number, and so null for asv's own default.
PLAN = ("rounds", "planned_samples")

# More sets of parameters, or samples, are nobody's: a broken file must not take all memory.
LARGEST = 10**6

# Of this suite's classes that are in no module of their workload's name: the workload, or None where
# they measure none. A literal: the results of commits whose specs are gone are read, too.
_WORKLOADS = {
    "boundary.Crossing": "elementwise",
    "c_baseline.Baseline": None,
    "dispatch.Dispatch": "elementwise",
    "dispatch.MatrixProduct": None,
    "floors.Floors": None,
    "floors.VectorFunctions": None,
    "harness.Floor": None,
    "metropolis.Cond": "metropolis_cond",
    "new_shape.NewShape": "elementwise",
    "reading.Reading": None,
    "unrolled.Program": "recursion",
    "unrolled.Stages": "recursion",
}

_UNITS = {"time": "seconds", "timeraw": "seconds", "mem": "bytes", "peakmem": "bytes"}
_PREFIX = re.compile(r"(timeraw|time|peakmem|mem|track)(?:_|(?=[A-Z]))", re.IGNORECASE)


class Catalogue:
    """Every cell of every benchmark and grid, once for all the files that have it.

    A million cells in two thousand files are some hundreds of different ones. Multiplying grids
    out and reading texts once for each, and not a million times, makes reading fast.
    """

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *PLAN)}
        self.positions: dict[tuple[Any, ...], range] = {}

    def positions_of(self, name: str, version: Any, params: Any, known: dict[str, Any]) -> range:
        """Return where a benchmark's cells stand in the columns; add them if they are new.

        Parameters
        ----------
        name : str
            The benchmark.
        version : Any
            What asv gives as the version of what it measures.
        params : list of list of str
            The texts of each parameter; [] or None where there are none.
        known : dict
            What a benchmarks.json says of all benchmarks.
        """
        params = params or []
        key = (name, version, tuple(map(tuple, params)), id(known))
        if key not in self.positions:
            about = known.get(name, {})
            # The cells first: they raise where the parameters are not what they should be.
            cells = list(_cells(name, params, about))
            of_all = {
                "benchmark": name,
                "version": None if version is None else str(version),
                **_described(name, about),
                **_planned(about),
            }
            for column, value in of_all.items():
                self.columns[column].extend([value] * len(cells))
            for number, column in enumerate(_OF_CELL):
                self.columns[column].extend(cell[number] for cell in cells)
            end = len(self.columns["benchmark"])
            self.positions[key] = range(end - len(cells), end)
        return self.positions[key]


def _described(name: str, about: dict[str, Any]) -> dict[str, str | None]:
    """Return kind, workload and unit.

    In this suite a benchmark is called workload.Class.method but for a few classes, and its class says
    what it measures; a person's own is called so after `OWN`. Of any other name, asv's type of the
    benchmark does.
    """
    parts = name.removeprefix(OWN).split(".")
    prefix = _PREFIX.match(parts[-1])
    kind = str(about.get("type") or (prefix[1].lower() if prefix else "")) or None
    unit = str(about.get("unit") or _UNITS.get(kind or "", "")) or None
    if len(parts) == 3 and parts[1][:1].isupper():
        of_suite = f"{parts[0]}.{parts[1]}" if not name.startswith(OWN) else ""
        workload = _WORKLOADS.get(of_suite, parts[0])
        return {"kind": parts[1], "workload": workload, "unit": unit}
    return {"kind": kind, "workload": None, "unit": unit}


def _planned(about: dict[str, Any]) -> dict[str, int | None]:
    """Return processes and samples; asv's repeat is a whole number, or least, most and seconds."""
    rounds, repeat = about.get("rounds"), about.get("repeat")
    if not (type(rounds) is int and type(repeat) is int and min(rounds, repeat) > 0):
        return dict.fromkeys(PLAN)
    samples = rounds * repeat
    return dict(zip(PLAN, (rounds, samples) if samples <= LARGEST else (None, None), strict=True))


def _cells(
    name: str, params: list[list[str]], about: dict[str, Any]
) -> Iterator[tuple[str | None, str, float | None, str | None]]:
    """Yield the columns of each cell by itself, `_OF_CELL`, the last parameter fastest."""
    if not all(isinstance(text, str) for texts in params for text in texts):
        raise TypeError(f"{name} has parameters that are no texts")
    if (size := math.prod(map(len, params))) > LARGEST:
        raise ValueError(f"{name} has {size:.0e} sets of parameters")
    names = parameter_names(params, about.get("param_names"))
    for texts in itertools.product(*params):
        cell: Texts = dict(zip(names, texts, strict=True))
        backend, others, n = take(cell)
        yield backend, others, n, _grows(about.get("grows"), backend)


def _grows(said: Any, backend: str | None) -> str | None:
    """Return what somebody has said that the time grows with: of all backends, or of each."""
    text = said.get(backend) if isinstance(said, dict) else said
    return text if isinstance(text, str) else None
