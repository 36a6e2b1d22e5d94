"""A person's file: measured and kept, or held against another state of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.measured.keeping import alone, kept
from jitcost.measured.result import Measured
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
        If the file cannot be measured as it stands, or another measurement is at work in its folder.
    NothingFoundError
        If nothing could be measured.
    """
    machine = machine_name(options.machine)
    entries, before = _entries(path, options, watch), path.read_bytes()
    with alone(path):
        outcome = own_run.measure(options.request(entries), watch)
        return kept(path, before, outcome, entries, machine, watch)


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
        If there is no such state, it has none of the kernels, or imports what is not of that state;
        or if another measurement is at work in the file's folder.
    NothingFoundError
        If nothing could be compared.
    """
    machine = machine_name(options.machine)
    new, before = _entries(path, options, watch, side="new"), path.read_bytes()
    with states.earlier(path, what) as other:
        pairs = _pairs(new, other, options.name or path.stem, watch)
        watch.say(f"old: {other.name}; new: {path}")
        with alone(path):
            looks = _looks(options.request(()), pairs, other, watch)
            today = [entry for _, entry in pairs]
            kept(path, before, looks.outcome, today, machine, watch)
    from jitcost.questions import states as asked

    answer = asked.ask(looks.first, looks.fresh, looks.suspicious)
    return Comparison(other.name, answer, looks.outcome)


def _entries(path: Path, options: Options, watch: Watch, side: str = "") -> list[Entry]:
    entries, near_misses = of_file(path, side, options.name)
    for line in near_misses:
        watch.say(line)
    return chosen(entries, only=options.only, wanted=options.backends)


def _pairs(
    new: Sequence[Entry], other: states.Earlier, name: str, watch: Watch
) -> list[tuple[Entry, Entry]]:
    """Return each kernel's old and new state."""
    old, _ = of_file(other.path, "old", name, other.roots, other.instead_of)
    there = {entry.key: entry for entry in old}
    pairs = []
    for entry in new:
        if entry.key in there:
            pairs.append((there[entry.key], entry))
        else:
            watch.say(f"{entry.label} is not in {other.name}: left out")
    if not pairs:
        raise BadCallError(f"{other.name} has none of these kernels")
    return pairs


def _looks(
    request: Request,
    pairs: Sequence[tuple[Entry, Entry]],
    other: states.Earlier,
    watch: Watch,
) -> against.Looks:
    """Measure both states; refuse an old one that runs what is not of it, at once and at the end."""

    def checked(outcome: Outcome) -> dict[str, None]:
        """Return the files that the old state has imported."""
        states.refuse_compiled(file for its in outcome.files.values() for file in its)
        found = dict.fromkeys(file for old, _ in pairs for file in outcome.files.get(old, ()))
        states.refuse_todays(other, found)
        return found

    def scouted(outcome: Outcome) -> None:
        if (line := states.origin(other, checked(outcome))) is not None:
            watch.say(line)

    looks = against.compare(request, pairs, watch, scouted)
    checked(looks.outcome)  # what was imported since, or not at all before an interrupt
    if not looks.first:
        said = "; ".join(["nothing could be compared", *lines_of(looks.outcome)])
        raise NothingFoundError(said)
    return looks
