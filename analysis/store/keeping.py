"""Put results where they are committed: small enough, and only those that asv will draw."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.files import write_atomically
from jitcost.store import asv_files, finding, records
from jitcost.store.benchmark_files import load_benchmarks
from jitcost.store.checking import checked
from jitcost.store.finding import results_folder, stem
from jitcost.store.json_files import existing, read_bytes, read_json
from jitcost.store.merging import merge_results
from jitcost.store.replacement import replace_results
from jitcost.store.selecting import require_commit, require_machine
from jitcost.store.slimming import slim, slim_lines

__all__ = ["Kept", "keep"]

# Of benchmarks.json, as asv 0.6 reads it.
BENCHMARKS_FORMAT = 2

# As `jitcost.files.replacing` calls what it has not completed.
_ABANDONED = re.compile(r"\..+\.\d+\.tmp")

File = tuple[Path, asv_files.ResultFile]


@dataclass
class Kept:
    """What has become of the result files that were to be kept.

    Attributes
    ----------
    files : int
        How many were kept.
    left_out : list of File
        Those of commits that asv would not draw.
    set_aside : list of Path
        The copies of kept files in which something was replaced.
    """

    files: int = 0
    left_out: list[File] = field(default_factory=list)
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
        If there is no such folder, or nothing of this machine or commit.
    NothingFoundError
        If the folder holds no results.
    """
    if not folder.exists():
        raise BadCallError(f"no results folder {folder}; make one with `make history`")
    all_results = results_folder(folder)
    _remove_abandoned(history)
    kept, benchmarks = Kept(), set[str]()
    with tempfile.TemporaryDirectory() as temporary:
        slimmed = Path(temporary, "results")
        for path, file in _selected(folder, machine, commits):
            if file.commit not in drawn:
                kept.left_out.append((path, file))
                continue
            content = read_json(path)
            if "result_columns" not in content:
                asv_files.warn(
                    path, ValueError("it has asv's format 1; `asv update` brings it to 2")
                )
                continue
            _write(slim(content), path, slimmed / _kept_as(path, all_results))
            kept.files += 1
            benchmarks |= set(file.benchmarks)
        if kept.files:
            _describe(benchmarks, all_results, history, slimmed)
            if replace:
                kept.set_aside = replace_results(slimmed, history, replaced)
                _forget_what_is_gone(history)
            else:
                kept.set_aside = merge_results(slimmed, history, replaced, fill="kept")
    return kept


def _remove_abandoned(history: Path) -> None:
    """Remove what a call that was killed had begun to write: it would be committed."""
    for path in history.rglob(".*.tmp"):
        if _ABANDONED.fullmatch(path.name):
            path.unlink()


def _selected(folder: Path, machine: str | None, commits: Sequence[str] | None) -> list[File]:
    """Return the result files of a machine and of commits; None means all."""
    files = []
    for path in asv_files.paths(folder):
        try:
            files.append((path, checked(path)))
        except (*asv_files.BROKEN, pl.exceptions.PolarsError) as error:
            asv_files.warn(path, error)
    if not files:
        raise NothingFoundError(f"no results in {folder}")
    if machine is not None:
        require_machine(machine, {file.machine for _, file in files})
        files = [(path, file) for path, file in files if file.machine == machine]
    if commits:
        there = {file.commit for _, file in files}
        meant = {full for one in commits for full in require_commit(one, there)}
        files = [(path, file) for path, file in files if file.commit in meant]
    return files


def _kept_as(path: Path, folder: Path) -> Path:
    """Return a result file's path below the folder; asv reads no compressed ones."""
    return path.resolve().relative_to(folder.resolve()).with_name(f"{stem(path)}.json")


def _write(content: dict[str, Any], path: Path, target: Path) -> None:
    """Write a result file's content to the target, and copies of what belongs beside it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, json.dumps(content, separators=(",", ":")))
    for beside, plain in (
        (finding.beside(path, ".provenance"), finding.beside(target, ".provenance")),
        (existing(path.with_name("machine.json")), target.with_name("machine.json")),
    ):
        if beside.is_file():
            plain.write_bytes(read_bytes(beside))
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
    """Leave out of benchmarks.json what there are no kept results of."""
    path = history / "benchmarks.json"
    there = set[str]()
    for result_file in asv_files.paths(history):
        try:
            there |= set(asv_files.load(result_file).benchmarks)
        except (*asv_files.BROKEN, BadCallError) as error:
            asv_files.warn(result_file, error)
    described = load_benchmarks(path)
    _write_benchmarks({name: described[name] for name in described if name in there}, path)


def _write_benchmarks(described: dict[str, Any], path: Path) -> None:
    text = json.dumps({**described, "version": BENCHMARKS_FORMAT}, separators=(",", ":"))
    write_atomically(path, text)
