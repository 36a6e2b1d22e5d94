"""A person's file: measured and kept, or held against another state of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.measured.result import Measured, measured
from jitcost.measuring import against, own_run, states
from jitcost.measuring.entries import Entry, Outcome, Request, Watch
from jitcost.measuring.machine import machine_name
from jitcost.measuring.own_files import chosen, of_file
from jitcost.measuring.own_lines import lines_of, notes_of
from jitcost.own.jobs import Size

if TYPE_CHECKING:
    from jitcost.questions.answers import Answer
    from jitcost.questions.states import Row
    from jitcost.show.table import Table

__all__ = ["Comparison", "Options", "compare_states", "measure_file"]


@dataclass(frozen=True)
class Options:
    """What a person asks for.

    Attributes
    ----------
    sizes : tuple of Size or None
        None: the file's, or decades.
    backends, only : tuple of str
        Of which kernels, and of which problems; empty: all.
    processes : int
        Of each kernel.
    budget, timeout : float
        Seconds of the whole, and of a call.
    name : str or None
        What the problem of a bare `kernel` is called; by default as the file.
    machine : str or None
        The name to keep results under; by default the host's.
    """

    sizes: tuple[Size, ...] | None = None
    backends: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    processes: int = 5
    budget: float = 60.0
    timeout: float = 30.0
    name: str | None = None
    machine: str | None = None

    def request(self, entries: Sequence[Entry]) -> Request:
        """Return what is to be measured."""
        return Request(tuple(entries), self.sizes, self.processes, self.budget, self.timeout)


@dataclass(frozen=True)
class Comparison:
    """Two states of a file, held against each other.

    Attributes
    ----------
    with_what : str
        What the other state is called.
    answer : Answer of jitcost.questions.states.Row
    outcome : Outcome
        What was seen while it was measured.
    """

    with_what: str
    answer: Answer[Row]
    outcome: Outcome

    def objects(self) -> dict[str, Any]:
        """Return it as strict JSON can hold it."""
        return {"against": self.answer.objects(), **notes_of(self.outcome)}

    def parts(self) -> Iterator[Table | str]:
        """Yield the tables, and lines of text below them."""
        from jitcost.show.answers.states import tables

        yield from tables(self.answer, self.with_what)
        yield from lines_of(self.outcome)


def measure_file(path: Path, options: Options, watch: Watch) -> Measured:
    """Measure a file's functions, and keep what was measured beside it.

    Raises
    ------
    BadCallError
        If the file cannot be measured as it stands.
    NothingFoundError
        If nothing could be measured.
    """
    machine = machine_name(options.machine)
    entries, before = _entries(path, options, watch), path.read_bytes()
    outcome = own_run.measure(options.request(entries), watch)
    return _kept(path, before, outcome, entries, machine, watch)


def _kept(
    path: Path,
    before: bytes,
    outcome: Outcome,
    entries: Sequence[Entry],
    machine: str,
    watch: Watch,
) -> Measured:
    """Keep what was measured of today's state beside the file, if that can be; return it."""
    files = _files(outcome, entries, path)
    inputs = {entry.kernel.problem: entry.source.inputs for entry in entries}
    state = states.state_of(files, inputs)
    home = path.resolve().parent / states.HOME
    why_not = None
    if path.read_bytes() != before:
        why_not = f"{path.name} was changed while it was measured"
    elif not os.access(home if home.exists() else home.parent, os.W_OK):
        why_not = f"{home.parent} cannot be written to"
    if why_not is not None:
        watch.say(f"{why_not}: the results are not kept")
        return measured(outcome, entries, state, machine)
    found = measured(outcome, entries, state, machine, home / "results")
    states.keep(home, state, files)
    return found


def compare_states(path: Path, what: str, options: Options, watch: Watch) -> Comparison:
    """Hold a file against another state of it, in turns; what is measured of today's is kept.

    Parameters
    ----------
    path : Path
    what : str
        `last`, `git:REF`, or another file.
    options : Options
    watch : Watch

    Returns
    -------
    Comparison

    Raises
    ------
    BadCallError
        If there is no such state, or it has none of the kernels.
    """
    machine = machine_name(options.machine)
    new, before = _entries(path, options, watch, side="new"), path.read_bytes()
    with states.earlier(path, what) as (other, called):
        old, _ = of_file(other, "old", options.name or path.stem)
        there = {(entry.kernel.problem, entry.kernel.name): entry for entry in old}
        pairs = []
        for entry in new:
            key = entry.kernel.problem, entry.kernel.name
            if key in there:
                pairs.append((there[key], entry))
            else:
                watch.say(f"{entry.label} is not in {called}: left out")
        if not pairs:
            raise BadCallError(f"{called} has none of these kernels")
        watch.say(f"old: {called}; new: {path}")
        looks = against.compare(options.request(()), pairs, watch)
        states.refuse_compiled(file for its in looks.outcome.files.values() for file in its)
    if not looks.first:
        said = "; ".join(["nothing could be compared", *lines_of(looks.outcome)])
        raise NothingFoundError(said)
    _kept(path, before, looks.outcome, [today for _, today in pairs], machine, watch)
    from jitcost.questions import states as asked

    return Comparison(called, asked.ask(looks.first, looks.fresh, looks.suspicious), looks.outcome)


def _entries(path: Path, options: Options, watch: Watch, side: str = "") -> list[Entry]:
    entries, near_misses = of_file(path, side, options.name)
    for line in near_misses:
        watch.say(line)
    return chosen(entries, only=options.only, wanted=options.backends)


def _files(outcome: Outcome, entries: Sequence[Entry], path: Path) -> list[str]:
    """Return the file and all that its kernels' processes have imported from its folder."""
    found = dict.fromkeys([str(path.resolve())])
    for entry in entries:
        found |= dict.fromkeys(outcome.files.get(entry, ()))
    julia = path.resolve().with_suffix(".jl")
    return [*found, *([str(julia)] if julia.is_file() else [])]
