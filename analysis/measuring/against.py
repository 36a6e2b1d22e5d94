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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from jitcost.measuring import budget
from jitcost.measuring.entries import Entry, Outcome, Process, Request, Watch
from jitcost.measuring.own_run import Run
from jitcost.own.jobs import Size

__all__ = ["Key", "Looks", "Pair", "compare"]

# Fresh processes of each side decide; with the first look's they would condemn what was chosen for it.
_FRESH = 10

# Of the whole time, the share that the first look may take.
_FIRST_LOOK = 0.4


# Each process's numbers, old and new, by problem, backend and n; n is None for a kernel's geometric
# means over all of its sizes.
Key = tuple[str, str, float | None]
Pair = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True)
class Looks:
    """What two states of a file were measured as.

    Attributes
    ----------
    first : mapping
        The pair of each kernel and size.
    fresh : mapping
        The pairs of those that looked suspicious, from processes that only then were started.
    suspicious : tuple of Key
        Those that did, whether or not there was the time to measure them again.
    outcome : Outcome
    """

    first: Mapping[Key, Pair]
    fresh: Mapping[Key, Pair]
    suspicious: tuple[Key, ...]
    outcome: Outcome


_Cells = dict[tuple[Entry, Size], list[Process]]


def compare(
    request: Request,
    pairs: Sequence[tuple[Entry, Entry]],
    watch: Watch,
    scouted: Callable[[Outcome], None],
) -> Looks:
    """Measure two states of the same kernels.

    Parameters
    ----------
    request : Request
        Its entries are replaced by those of the pairs.
    pairs : sequence of pair of Entry
        Each kernel's old and new state.
    watch : Watch
    scouted : callable
        Is called once every kernel was loaded and checked; what it raises ends the comparison.

    Returns
    -------
    Looks
    """
    entries = tuple(entry for old, new in pairs for entry in (new, old))
    first_look = replace(
        request, entries=entries, budget=_FIRST_LOOK * request.budget, first_calls=False
    )
    # SciPy takes a second to import, and whoever compares nothing needs none of it.
    from jitcost.stats import gate

    with tempfile.TemporaryDirectory(prefix="jitcost-") as shared:
        run = Run(first_look, watch, shared)
        first: dict[Key, Pair] = {}
        suspicious: tuple[Key, ...] = ()
        fresh: _Cells = {}
        try:
            run.scout()
            scouted(run.outcome)
            run.rounds()
            first = _pairs(run.outcome, pairs, run.outcome.cells)
            suspicious = gate.suspicious(first, either=True)
            left = request.budget - (time.perf_counter() - run.beginning)
            _look_again(run, pairs, suspicious, left, fresh)
        except KeyboardInterrupt:
            run.outcome.finished = False
            first = _pairs(run.outcome, pairs, run.outcome.cells)
            suspicious = gate.suspicious(first, either=True)
        again = _pairs(run.outcome, pairs, fresh)
        enough = {key: its for key, its in again.items() if min(map(len, its)) >= budget.FEWEST}
        chosen = {key: its for key, its in enough.items() if key in suspicious}
        return Looks(first, chosen, suspicious, run.outcome)


def _look_again(
    run: Run,
    pairs: Sequence[tuple[Entry, Entry]],
    suspicious: Sequence[Key],
    left: float,
    fresh: _Cells,
) -> None:
    """Measure the suspicious kernels once more, in fresh processes."""
    wanted = {(problem, backend) for problem, backend, _ in suspicious}
    chosen = [pair for pair in pairs if pair[1].key in wanted]
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
    processes = max(budget.FEWEST, min(_FRESH, math.floor(left / seconds)))
    if processes < _FRESH:
        run.watch.say(f"{processes} fresh processes a side instead of {_FRESH}: time is short")
    rounds = [
        {entry: run.jobs_of(entry, its, 1000 + number) for entry, its in sizes.items()}
        for number in range(processes)
    ]
    deadline = time.perf_counter() + left
    run.in_turns(rounds, processes * seconds, fresh, deadline)


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
) -> dict[Key, Pair]:
    """Return the numbers of old and new, by kernel and size, and of each kernel over all sizes."""
    found: dict[Key, Pair] = {}
    for old, new in pairs:
        problem, backend = new.key
        sizes = [
            size
            for size in outcome.sizes_of(problem)
            if cells.get((old, size)) and cells.get((new, size))
        ]
        both = [_numbers(cells[old, size], cells[new, size]) for size in sizes]
        for size, (before, after) in zip(sizes, both, strict=True):
            n = outcome.n[problem, size]
            found[problem, backend, n] = list(before.values()), list(after.values())
        if len(sizes) > 1:
            means = [_over(side) for side in zip(*both, strict=True)]
            if all(means):
                found[problem, backend, None] = means[0], means[1]
    return found


# One number of each process, by its round.
_ByRound = dict[int, float]


def _numbers(old: Sequence[Process], new: Sequence[Process]) -> tuple[_ByRound, _ByRound]:
    """Return each process's fastest sample, of as many samples of all: that of more is faster."""
    fewest = min(len(process.samples) for process in (*old, *new))
    before, after = (
        {process.round: min(process.samples[:fewest]) for process in side} for side in (old, new)
    )
    return before, after


def _over(by_size: Sequence[_ByRound]) -> list[float]:
    """Return the geometric mean over the sizes of each process that has measured all of them."""
    complete = sorted(set.intersection(*map(set, by_size)))
    return [statistics.geometric_mean(its[number] for its in by_size) for number in complete]
