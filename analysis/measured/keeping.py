"""Where results of a person's file are kept, and whether they may be."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from jitcost.measured.result import Measured, measured
from jitcost.measuring import lock, states
from jitcost.measuring.entries import Entry, Outcome, Watch
from jitcost.own.modules import digest

__all__ = ["alone", "kept"]


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the folder that a file's results are kept in, if there can be one.

    Raises
    ------
    BadCallError
        If another measurement is at work in it.
    """
    home = _home(path)
    if not _can_be_written(home):
        yield
        return
    home.mkdir(exist_ok=True)
    with lock.alone(home / "lock"):
        yield


def kept(
    path: Path,
    before: bytes,
    outcome: Outcome,
    entries: Sequence[Entry],
    machine: str,
    watch: Watch,
) -> Measured:
    """Keep what was measured of today's state beside the file, if that can be; return it.

    Parameters
    ----------
    path : Path
    before : bytes
        What was in the file when its names were read.
    outcome : Outcome
    entries : sequence of Entry
        Those of today's state.
    machine : str
        The name to keep it under.
    watch : Watch
        Hears why it is not kept.

    Raises
    ------
    NothingFoundError
        If nothing was measured.
    """
    path = path.resolve()
    seen = _seen(outcome, entries, path, before)
    there = {file: Path(file).read_bytes() for file in seen if Path(file).is_file()}
    home, why_not = _home(path), None
    if (changed := _changed(seen, there)) is not None:
        why_not = f"{Path(changed).relative_to(path.parent)} was changed while it was measured"
    elif not _can_be_written(home):
        why_not = f"{home.parent} cannot be written to"
    texts = {**there, str(path): before}
    inputs = {entry.kernel.problem: entry.source.inputs for entry in entries}
    state = states.state_of(path, texts, inputs)
    if why_not is not None:
        watch.say(f"{why_not}: the results are not kept")
        return measured(outcome, entries, state, machine)
    found = measured(outcome, entries, state, machine, home / "results")
    states.keep(home, state, path, texts)
    return found


def _home(path: Path) -> Path:
    return path.resolve().parent / states.HOME


def _can_be_written(home: Path) -> bool:
    return os.access(home if home.exists() else home.parent, os.W_OK)


def _seen(
    outcome: Outcome, entries: Sequence[Entry], path: Path, before: bytes
) -> dict[str, set[str]]:
    """Return the hashes of what was seen in each file of today's state, from the beginning on."""
    found = {str(path): {digest(before)}}
    julia = path.with_suffix(".jl")
    if julia.is_file():  # also where no Julia runs it
        found[str(julia)] = set()
    for entry in entries:
        for file, hashes in outcome.files.get(entry, {}).items():
            found[file] = found.get(file, set()) | hashes
    return found


def _changed(seen: Mapping[str, set[str]], there: Mapping[str, bytes]) -> str | None:
    """Return a file that has had several texts, the one on disk included, or that is gone; or None."""
    for file, hashes in seen.items():
        if file not in there or len(hashes | {digest(there[file])}) > 1:
            return file
    return None
