"""Put results where they are committed: small enough, and only those that asv will draw."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.store import asv_files, finding, records
from jitcost.store.abandoned import remove_abandoned
from jitcost.store.benchmark_files import load_benchmarks
from jitcost.store.candidates import Candidate, candidates
from jitcost.store.finding import results_folder, stem
from jitcost.store.json_files import existing, read_bytes, read_json
from jitcost.store.merging import merge_results
from jitcost.store.replacement import replace_results
from jitcost.store.slimming import slim, slim_lines, slim_provenance

__all__ = ["Kept", "keep"]

# Of benchmarks.json, as asv 0.6 reads it.
BENCHMARKS_FORMAT = 2


@dataclass
class Kept:
    """What has become of the result files that were to be kept.

    Attributes
    ----------
    files : int
        How many were kept.
    left_out : list of Candidate
        Those of commits that asv would not draw.
    set_aside : list of Path
        The copies of kept files in which something was replaced.
    """

    files: int = 0
    left_out: list[Candidate] = field(default_factory=list)
    set_aside: list[Path] = field(default_factory=list)


def keep(
    folder: Path,
    history: Path,
    replaced: Path,
    drawn: Collection[str],
    *,
    machine: str | None = None,
    commits: Sequence[str] | None = None,
    replace: bool = False,
) -> Kept:
    """Copy what can be kept into the kept results, without what is large and no longer needed.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`.
    history : Path
        The kept results.
    replaced : Path
        Where a copy of a kept file goes before a benchmark in it, or all of it, is replaced.
    drawn : collection of str
        The commits that asv draws results of; no others are kept.
    machine : str, optional
        By default all.
    commits : sequence of str, optional
        Hashes or beginnings of them; by default all.
    replace : bool
        Whether these take the place of all that is kept of their machines; else they are added to it.

    Raises
    ------
    BadCallError
        If there is no such folder, or nothing of this machine or commit; if results would take the place
        of what is kept, and not all of them can be kept. Nothing is changed then.
    NothingFoundError
        If the folder holds no results.
    """
    if not folder.exists():
        raise BadCallError(f"no results folder {folder}; make one with `make history`")
    all_results = results_folder(folder)
    found = candidates(folder, drawn, machine, commits)
    if replace:
        found.require_all()
    found.warn()
    kept, benchmarks = Kept(len(found.files), found.undrawn), set[str]()
    remove_abandoned(history)
    with tempfile.TemporaryDirectory() as temporary:
        slimmed = Path(temporary, "results")
        for path, file in found.files:
            _write(slim(read_json(path)), path, slimmed / _kept_as(path, all_results))
            benchmarks |= set(file.benchmarks)
        if kept.files:
            _describe(benchmarks, all_results, history, slimmed)
            if replace:
                kept.set_aside = replace_results(slimmed, history, replaced)
                _forget_what_is_gone(history)
            else:
                kept.set_aside = merge_results(slimmed, history, replaced, fill="kept")
    return kept


def _kept_as(path: Path, folder: Path) -> Path:
    """Return a result file's path below the folder; asv reads no compressed ones."""
    return path.resolve().relative_to(folder.resolve()).with_name(f"{stem(path)}.json")


def _write(content: dict[str, Any], path: Path, target: Path) -> None:
    """Write a result file's content to the target, and copies of what belongs beside it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, json.dumps(content, separators=(",", ":")))
    provenance = finding.beside(path, finding.PROVENANCE)
    if provenance.is_file():
        text = read_bytes(provenance).decode(errors="replace")
        write_atomically(finding.plain(target, finding.PROVENANCE), slim_provenance(text))
    machine = existing(path.with_name("machine.json"))
    if machine.is_file():
        target.with_name("machine.json").write_bytes(read_bytes(machine))
    told = records.beside(path)
    if told.is_file():
        text = read_bytes(told).decode(errors="replace")
        records.place(target).write_text(slim_lines(text), encoding="utf-8")


def _describe(names: set[str], folder: Path, history: Path, to: Path) -> None:
    """Write what asv knows of these benchmarks and those kept before; it would draw empty graphs."""
    known, described = (load_benchmarks(one / "benchmarks.json") for one in (folder, history))
    described |= {name: known[name] for name in names & known.keys()}
    _write_benchmarks(described, to / "benchmarks.json")


def _forget_what_is_gone(history: Path) -> None:
    """Leave out of benchmarks.json what there are no kept results of, if all of them can be read."""
    path = history / "benchmarks.json"
    there = set[str]()
    for result_file in asv_files.paths(history):
        try:
            there |= set(asv_files.load(result_file).benchmarks)
        except (*asv_files.BROKEN, BadCallError) as error:
            asv_files.warn(result_file, error)
            return
    described = load_benchmarks(path)
    _write_benchmarks({name: described[name] for name in described if name in there}, path)


def _write_benchmarks(described: dict[str, Any], path: Path) -> None:
    text = json.dumps({**described, "version": BENCHMARKS_FORMAT}, separators=(",", ":"))
    write_atomically(path, text)
