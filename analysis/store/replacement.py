"""Put a set of results in the place of all that is kept of their machines.

First all that goes is set aside, then one file after another is written or removed: who is interrupted
has old files and new ones, each of them whole, and calls again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from jitcost.store import finding, records
from jitcost.store.belongings import copy_provenance, of_no_result
from jitcost.store.heads import head, machine_of
from jitcost.store.json_files import compressed
from jitcost.store.setting_aside import copy, set_aside

__all__ = ["replace_results"]

BENCHMARKS = "benchmarks.json"


def replace_results(fresh: Path, kept: Path, replaced: Path) -> list[Path]:
    """Copy results into the kept ones, and remove what else is kept of their machines.

    Parameters
    ----------
    fresh : Path
        A results folder; nothing in it is compressed.
    kept : Path
        The results folder in which they take the place of others.
    replaced : Path
        Where those are copied before they go, and what belongs to them or describes them.

    Returns
    -------
    list of Path
        The result files that were set aside.
    """
    targets = {path: kept / path.relative_to(fresh) for path in finding.paths(fresh)}
    machines = {head(path).machine for path in targets}
    superseded = list(_superseded(kept, targets.values(), machines))
    folders = {path.parent for path in (*targets.values(), *superseded)}
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    changed = [
        target
        for path, target in targets.items()
        if target.exists() and _all_of(target) != _all_of(path)
    ]
    # All of it before anything is written: a compressed file shares what belongs to it with the plain
    # one that takes its place.
    aside = [set_aside(path, replaced / path.relative_to(kept)) for path in (*changed, *superseded)]
    for path in _of_nothing(folders):
        set_aside(path, replaced / path.relative_to(kept))
    _describe(fresh, kept, replaced, anything_goes=bool(aside))
    for path, target in targets.items():
        compressed(target).unlink(missing_ok=True)  # or it would be read with the new lines
        _take_the_place(path, target)
    for path in superseded:
        path.unlink(missing_ok=True)
    for path in _of_nothing(folders):
        path.unlink()
    return aside


def _superseded(kept: Path, targets: Collection[Path], machines: Collection[str]) -> Iterator[Path]:
    """Yield the kept result files that go and are not written anew."""
    # Where the file system takes two spellings of a name for one, a target may have another path here.
    there = {_identity(target) for target in targets if target.exists()}
    packed = {compressed(target) for target in targets}
    for path in finding.paths(kept):
        if _identity(path) not in there and (path in packed or machine_of(path) in machines):
            yield path


def _identity(path: Path) -> tuple[int, int]:
    """Return what two paths of one file have in common."""
    about = path.stat()
    return about.st_dev, about.st_ino


def _all_of(path: Path) -> tuple[object, ...]:
    """Return what a result file and what belongs to it hold."""
    told = records.lines(records.beside(path), warn=lambda *_: None)
    provenance = finding.beside(path, finding.PROVENANCE)
    return (
        path.read_bytes(),
        [one.text for one in told],
        provenance.read_bytes() if provenance.is_file() else None,
    )


def _of_nothing(folders: Collection[Path]) -> Iterator[Path]:
    for folder in sorted(folders):
        yield from of_no_result(folder)


def _describe(fresh: Path, kept: Path, replaced: Path, *, anything_goes: bool) -> None:
    """Copy what describes results: it comes before them.

    Parameters
    ----------
    fresh, kept, replaced : Path
        See `replace_results`.
    anything_goes : bool
        Whether results are set aside, and with them what is known of their benchmarks.
    """
    for path in sorted(fresh.rglob("*.json")):
        if finding.stem(path) is not None:
            continue
        name = path.relative_to(fresh)
        target = kept / name
        if target.exists():
            differs = target.read_bytes() != path.read_bytes()
            if differs or (anything_goes and path.name == BENCHMARKS):
                set_aside(target, replaced / name)
        copy(path, target)


def _take_the_place(path: Path, target: Path) -> None:
    """Write a result file, and what belongs to it, where there may be another one."""
    lines = records.beside(path)
    told = lines.read_text(encoding="utf-8", errors="replace") if lines.is_file() else ""
    records.write_both(target, path.read_text(encoding="utf-8"), told)
    if not told:
        records.place(target).unlink()
    if not copy_provenance(path, target):
        for place in (plain := finding.plain(target, finding.PROVENANCE), compressed(plain)):
            place.unlink(missing_ok=True)
