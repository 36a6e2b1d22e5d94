"""Put a set of results in the place of all that is kept of their machines.

File by file, and what goes is set aside before: who is interrupted has old files and new ones, each of
them whole, and calls again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.store import finding, records
from jitcost.store.heads import head
from jitcost.store.json_files import BROKEN
from jitcost.store.setting_aside import copy, set_aside

__all__ = ["replace_results"]

# What lies beside a result file: of its name and another ending, or (`records.write_both`) of both.
_BESIDE = re.compile(r"(.+?)(?:\.json(?:\.gz)?)?\.(?:processes|provenance)(?:\.gz)?")


def replace_results(fresh: Path, kept: Path, replaced: Path) -> list[Path]:
    """Copy results into the kept ones, and remove what else is kept of their machines.

    Parameters
    ----------
    fresh : Path
        A results folder; nothing in it is compressed.
    kept : Path
        The results folder in which they take the place of others.
    replaced : Path
        Where those are copied before they go.

    Returns
    -------
    list of Path
        The result files that were set aside.
    """
    results = list(finding.paths(fresh))
    machines = {head(path).machine for path in results}
    names = {path.relative_to(fresh) for path in results}
    for path in fresh.rglob("*.json"):  # what describes results comes before them
        if path.relative_to(fresh) not in names:
            (kept / path.relative_to(fresh)).parent.mkdir(parents=True, exist_ok=True)
            copy(path, kept / path.relative_to(fresh))
    aside = []
    for path in results:
        name = path.relative_to(fresh)
        target = kept / name
        if target.exists() and _all_of(target) != _all_of(path):
            aside.append(_set_aside(target, replaced / name))
        _take_the_place(path, target)
    superseded = [
        path
        for path in finding.paths(kept)
        if path.relative_to(kept) not in names and _machine(path) in machines
    ]
    for path in superseded:
        aside.append(_set_aside(path, replaced / path.relative_to(kept)))
        path.unlink()
    for folder in {(kept / name).parent for name in names} | {path.parent for path in superseded}:
        for path in _beside_nothing(folder):
            path.unlink()
    return aside


def _machine(path: Path) -> str:
    """Return which machine a kept result file is of; one that cannot be read is of the folder's."""
    try:
        return head(path).machine
    except (*BROKEN, BadCallError):
        return path.parent.name


def _all_of(path: Path) -> tuple[object, ...]:
    """Return what a result file and what belongs to it hold."""
    told = records.lines(records.beside(path), warn=lambda *_: None)
    provenance = finding.beside(path, ".provenance")
    return (
        path.read_bytes(),
        [one.text for one in told],
        provenance.read_bytes() if provenance.is_file() else None,
    )


def _set_aside(path: Path, to: Path) -> Path:
    aside = set_aside(path, to)
    provenance = finding.beside(path, ".provenance")
    if provenance.is_file():
        ending = provenance.name.removeprefix(finding.stem(path) or path.stem)
        copy(provenance, aside.with_name(f"{finding.stem(aside)}{ending}"))
    return aside


def _take_the_place(path: Path, target: Path) -> None:
    """Write a result file, and what belongs to it, where there may be another one."""
    lines = records.beside(path)
    told = lines.read_text(encoding="utf-8", errors="replace") if lines.is_file() else ""
    records.write_both(target, path.read_text(encoding="utf-8"), told)
    if not told:
        records.place(target).unlink()
    provenance, place = (finding.beside(one, ".provenance") for one in (path, target))
    if provenance.is_file():
        copy(provenance, place)
    else:
        place.unlink(missing_ok=True)


def _beside_nothing(folder: Path) -> Iterator[Path]:
    """Yield what belonged to result files that are no longer there; it was set aside with them."""
    there = {finding.stem(path) for path in finding.paths(folder)}
    for path in sorted(folder.iterdir()):
        of = _BESIDE.fullmatch(path.name)
        if of is not None and of[1] not in there:
            yield path
