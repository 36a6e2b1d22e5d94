"""Two states of a file, old and new in turns: what has become slower or faster, and whether it is true.

By the gate's rule (`jitcost.stats.gate`): a first look says where to look again, and only fresh
processes decide. Each size of a kernel is judged, and the kernel over all of its sizes, which shows
a change of all of them that no single one would.
"""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jitcost.measuring.entries import Entry, Outcome, Process, Request, Watch
from jitcost.measuring.own_run import Run
from jitcost.own.jobs import Size
from jitcost.stats import gate
from jitcost.stats.ratios import Ratio, ratio

__all__ = ["Compared", "compare"]

# Fresh processes of each side decide; with the first look's they would condemn what was chosen for it.
_FRESH = 10

# Of the whole time, the share that the first look may take.
_FIRST_LOOK = 0.4


@dataclass(frozen=True)
class Compared:
    """What two states say of one kernel.

    Attributes
    ----------
    problem, backend : str
    n : float or None
        None: over all sizes.
    old, new : float
        Seconds per call; over all sizes their geometric mean.
    ratio : Ratio
        new / old, with its interval: of the fresh processes where there are some.
    verdict : {"slower", "faster", "not significantly different"}
    processes : int
        On each side.
    """

    problem: str
    backend: str
    n: float | None
    old: float
    new: float
    ratio: Ratio
    verdict: str
    processes: int


_Cells = dict[tuple[Entry, Size], list[Process]]

# Problem, backend, and a size or None for all.
_Key = tuple[str, str, Size | None]
_Pair = tuple[Sequence[float], Sequence[float]]


def compare(
    request: Request, pairs: Sequence[tuple[Entry, Entry]], watch: Watch
) -> tuple[list[Compared], Outcome]:
    """Measure two states of the same kernels.

    Parameters
    ----------
    request : Request
        Its entries are replaced by those of the pairs.
    pairs : sequence of pair of Entry
        Each kernel's old and new state.
    watch : Watch

    Returns
    -------
    list of Compared
        By kernel and n, each kernel's whole after its sizes.
    Outcome
    """
    entries = tuple(entry for old, new in pairs for entry in (new, old))
    first_look = replace(
        request, entries=entries, budget=_FIRST_LOOK * request.budget, first_calls=False
    )
    with tempfile.TemporaryDirectory(prefix="jitcost-") as shared:
        run = Run(first_look, watch, shared)
        fresh: _Cells = {}
        try:
            run.scout()
            run.rounds()
            left = request.budget - (time.perf_counter() - run.beginning)
            _look_again(run, pairs, left, fresh)
        except KeyboardInterrupt:
            run.outcome.finished = False
        return _compared(run.outcome, pairs, fresh), run.outcome


def _look_again(run: Run, pairs: Sequence[tuple[Entry, Entry]], left: float, fresh: _Cells) -> None:
    """Measure the suspicious kernels once more, in fresh processes."""
    found = _pairs(run.outcome, pairs, run.outcome.cells)
    suspicious = gate.suspicious(
        {key: its for key, its in found.items() if min(map(len, its)) >= gate.FEWEST}, either=True
    )
    wanted = {(problem, backend) for problem, backend, _ in suspicious}
    chosen = [pair for pair in pairs if (pair[1].kernel.problem, pair[1].kernel.name) in wanted]
    if not chosen:
        return
    sizes = {
        entry: [
            size
            for size in run.outcome.sizes_of(entry.kernel.problem)
            if all(run.outcome.cells.get((side, size)) for side in pair)
        ]
        for pair in chosen
        for entry in pair
    }
    seconds = _seconds(run, sizes)
    processes = max(gate.FEWEST, min(_FRESH, math.floor(left / seconds)))
    if processes < _FRESH:
        run.watch.say(f"{processes} fresh processes a side instead of {_FRESH}: time is short")
    rounds = [
        {entry: run.jobs_of(entry, its, 1000 + number) for entry, its in sizes.items()}
        for number in range(processes)
    ]
    run.in_turns(rounds, processes * seconds, fresh)


def _seconds(run: Run, sizes: Mapping[Entry, Sequence[Size]]) -> float:
    """Return about how many seconds one process of each takes."""
    spent = dict.fromkeys(sizes, 0.0)
    for (entry, _), processes in run.outcome.cells.items():
        if entry in spent:
            spent[entry] = max(
                spent[entry], statistics.median(p.record["seconds"] for p in processes)
            )
    return sum(spent.values()) + 0.3 * len(spent)


def _pairs(
    outcome: Outcome, pairs: Sequence[tuple[Entry, Entry]], cells: _Cells
) -> dict[_Key, _Pair]:
    """Return the numbers of old and new, by kernel and size, and of each kernel over all sizes."""
    found: dict[_Key, _Pair] = {}
    for old, new in pairs:
        problem, backend = new.kernel.problem, new.kernel.name
        sizes = [
            size
            for size in outcome.sizes_of(problem)
            if cells.get((old, size)) and cells.get((new, size))
        ]
        for size in sizes:
            found[problem, backend, size] = (
                _numbers(cells[old, size]),
                _numbers(cells[new, size]),
            )
        if len(sizes) > 1:
            found[problem, backend, None] = (_over(cells, old, sizes), _over(cells, new, sizes))
    return found


def _numbers(processes: Sequence[Process]) -> list[float]:
    return [min(process.samples) for process in processes]


def _over(cells: _Cells, entry: Entry, sizes: Sequence[Size]) -> list[float]:
    """Return each process's geometric mean over the sizes."""
    by_size = [_numbers(cells[entry, size]) for size in sizes]
    return [statistics.geometric_mean(its) for its in zip(*by_size, strict=False)]


def _compared(
    outcome: Outcome, pairs: Sequence[tuple[Entry, Entry]], fresh: _Cells
) -> list[Compared]:
    first, again = (_pairs(outcome, pairs, cells) for cells in (outcome.cells, fresh))
    enough = {key: its for key, its in again.items() if min(map(len, its)) >= gate.FEWEST}
    verdicts = gate.confirmed(enough, either=True)
    rows = []
    for key, looked in first.items():
        problem, backend, size = key
        old, new = enough.get(key, looked)
        verdict = verdicts[key].verdict if key in verdicts else "not significantly different"
        rows.append(
            Compared(
                problem,
                backend,
                None if size is None else outcome.n[problem, size],
                statistics.median(old),
                statistics.median(new),
                ratio(new, old),
                verdict,
                min(len(old), len(new)),
            )
        )
    return rows
