"""What disturbed the measurement? A busy machine, and processes that differ from their cell's.

Nothing is left out for it: a number from a busy machine is shown, with the remark. How often a process
had to make room for another is on record, and no disturbance: on an idle machine of two cores one in
seven did so as often as on a busy one, for threads of its own (JAX's).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer

__all__ = ["Disturbance", "DisturbedCell", "Options", "Process", "Row", "ask", "processes_of"]

Disturbance = Literal["load", "steal", "outlying", "first"]

# Of the CPUs' time, taken by other virtual machines: what is lost is up to as much of a time, and 1 % is
# what this project still tells apart with ten processes.
MOST_STEAL = 0.01

# Processes of an idle machine differ by 1 to 10 %, and a single one by more than this was slowed.
FAR = 0.25

# Of the first process against all others of its cell: beyond what processes differ by.
FIRST_FAR = 0.1
FEWEST_OTHERS = 4


@dataclass(frozen=True)
class Options:
    """What has to be known of the machine.

    Attributes
    ----------
    cores : int or None
        Its number of cores; None: not known, and its load is not judged.
    """

    cores: int | None = None


@dataclass(frozen=True)
class Process:
    """What is known of one process that measured a cell; None where nobody counted.

    Attributes
    ----------
    benchmark : str
    params : str
        The other parameters, as the cells have them.
    backend : str or None
    n : float or None
        With the benchmark and the other parameters they are the cell.
    load : float or None
        Processes that ran or waited to, over a minute, this one among them: the larger of its beginning
        and its end.
    steal : float or None
        The share of the CPUs' time that other virtual machines took.
    fastest : float or None
        Its fastest sample, seconds per call.
    """

    benchmark: str
    params: str
    backend: str | None
    n: float | None
    load: float | None = None
    steal: float | None = None
    fastest: float | None = None


@dataclass(frozen=True)
class DisturbedCell:
    """A cell, and how many of its processes were disturbed.

    Attributes
    ----------
    benchmark, params, backend, n
        As in `Process`.
    disturbed, processes : int
        How many of its processes were, and how many it has.
    """

    benchmark: str
    params: str
    backend: str | None
    n: float | None
    disturbed: int
    processes: int


@dataclass(frozen=True)
class Row:
    """One kind of disturbance.

    Attributes
    ----------
    disturbance : {"load", "steal", "outlying", "first"}
        More wants to run than there are cores; other virtual machines took time; the process took far
        longer than its cell's median, or far less; it was the first of its cell, and took longer than
        all others, or less.
    disturbed, processes : int
        How many processes were, of how many of which that is known.
    worst : float
        The largest load; share; or the ratio to the median of the others that is farthest from 1.
    cores : int or None
        Of the machine.
    cells : tuple of DisturbedCell
        In the order of their first processes.
    """

    disturbance: Disturbance
    disturbed: int
    processes: int
    worst: float
    cores: int | None
    cells: tuple[DisturbedCell, ...]


def ask(records: Sequence[Process], options: Options = Options()) -> Answer[Row]:
    """Say what disturbed the processes.

    Parameters
    ----------
    records : sequence of Process
        Those of a cell in the order in which they ran.
    options : Options

    Returns
    -------
    Answer of Row
        One for each kind of disturbance that there was.
    """
    cells: dict[tuple[object, ...], list[Process]] = {}
    for process in records:
        cell = process.benchmark, process.params, process.backend, process.n
        cells.setdefault(cell, []).append(process)
    grouped = list(cells.values())
    cores = options.cores
    found = (
        _row(
            "load", grouped, _each(lambda one: one.load), lambda x: cores is not None and x > cores
        ),
        _row("steal", grouped, _each(lambda one: one.steal), lambda share: share > MOST_STEAL),
        _row("outlying", grouped, _distances, lambda ratio: _is_far(ratio, FAR)),
        _row("first", grouped, _first_distance, lambda ratio: _is_far(ratio, FIRST_FAR)),
    )
    return Answer(tuple(_with(row, cores) for row in found if row is not None))


def processes_of(told: pl.DataFrame) -> tuple[Process, ...]:
    """Return what processes told of themselves, as the store has it.

    Parameters
    ----------
    told : polars.DataFrame
        As `jitcost.store.processes.processes` returns it; those of a cell in their order.
    """
    return tuple(
        Process(
            row["benchmark"],
            row["params"],
            row["backend"],
            row["n"],
            row["load"],
            row["steal"],
            row["value"],
        )
        for row in told.iter_rows(named=True)
    )


# What a cell's processes are judged by: a number for each; None where it is not known.
_Numbers = Callable[[Sequence[Process]], Sequence[float | None]]


def _each(number: Callable[[Process], float | None]) -> _Numbers:
    return lambda processes: [number(process) for process in processes]


def _distances(processes: Sequence[Process]) -> list[float | None]:
    """Return the ratio of each process to the median of the cell; the first is another question."""
    times = [process.fastest for process in processes]
    known = [time for time in times if time is not None]
    if len(known) < len(times) or len(known) < 3:
        return [None] * len(times)
    middle = statistics.median(known)
    ratios: list[float | None] = [time / middle for time in known]
    first = _first_distance(processes)[0]
    return [None, *ratios[1:]] if first is not None and _is_far(first, FIRST_FAR) else ratios


def _first_distance(processes: Sequence[Process]) -> list[float | None]:
    """Return the ratio of the first process to the median of the others, 1 if it lies among them."""
    nothing: list[float | None] = [None] * (len(processes) - 1)
    times = [process.fastest for process in processes]
    known = [time for time in times if time is not None]
    if len(known) < len(times) or len(known) - 1 < FEWEST_OTHERS:
        return [None, *nothing]
    first, others = known[0], known[1:]
    among = min(others) <= first <= max(others)
    return [1.0 if among else first / statistics.median(others), *nothing]


def _is_far(ratio: float, share: float) -> bool:
    return abs(math.log(ratio)) > math.log1p(share)


def _row(
    disturbance: Disturbance,
    cells: Sequence[Sequence[Process]],
    numbers: _Numbers,
    is_disturbed: Callable[[float], bool],
) -> Row | None:
    known, found, disturbed = 0, [], []
    for processes in cells:
        own = [number for number in numbers(processes) if number is not None]
        far = list(filter(is_disturbed, own))
        known += len(own)
        found += far
        if far:
            one = processes[0]
            where = one.benchmark, one.params, one.backend, one.n
            disturbed.append(DisturbedCell(*where, len(far), len(processes)))
    if not found:
        return None
    ratios = disturbance in ("outlying", "first")
    worst = max(found, key=lambda number: abs(math.log(number)) if ratios else number)
    return Row(disturbance, len(found), known, worst, None, tuple(disturbed))


def _with(row: Row, cores: int | None) -> Row:
    return Row(row.disturbance, row.disturbed, row.processes, row.worst, cores, row.cells)
