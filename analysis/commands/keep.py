"""Put results into analysis/history, small enough to be committed: samples are dropped. `jitcost site`
publishes what is there. Only results of commits that HEAD leads back to by first parents are kept,
since asv draws no others. Then commit the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jitcost.commands.site import HISTORY
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.files import write_atomically
from jitcost.measuring.running import checkout, git
from jitcost.store import asv_files, results
from jitcost.store.merging import merge_results

__all__ = ["add_arguments", "run", "slim"]

EXAMPLE = "jitcost keep --machine vm"

# Needed by nothing that reads a kept result, and most of a file.
_DROPPED = ("samples", "profile", "started_at", "duration")


# Of benchmarks.json, as asv 0.6 reads it.
BENCHMARKS_FORMAT = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="an asv results folder; default: the one that asv.conf.json names",
    )
    parser.add_argument("--machine", metavar="NAME", help="default: all")
    parser.add_argument(
        "--commit", metavar="HASH", action="append", help="default: all; repeatable"
    )


def run(args: argparse.Namespace) -> int:
    """Copy what can be kept; print what cannot, and where the rest is."""
    folder = args.results or results.default_folder()
    if not folder.is_dir():
        raise BadCallError(f"no results folder {folder}; make one with `make history`")
    files = _selected(folder, args.machine, args.commit)
    root, _ = checkout(ignore_changes=True)
    drawn = set(git("rev-list", "--first-parent", "HEAD").stdout.split())
    history = root / HISTORY
    with tempfile.TemporaryDirectory() as temporary:
        slimmed = Path(temporary, "results")
        kept = _copy(files, folder, slimmed, history, drawn)
        if not kept:
            raise NothingFoundError(f"{folder} holds no results that can be kept")
        merge_results(slimmed, history, root / ".asv" / "replaced", fill="kept")
    size = sum(path.stat().st_size for path in history.rglob("*.json"))
    print(f"{kept} result files are in {os.path.relpath(history)}, {size / 1e6:.1f} MB in all")
    return 0


def _selected(
    folder: Path, machine: str | None, commits: Sequence[str] | None
) -> list[tuple[Path, asv_files.ResultFile]]:
    """Return the result files of a machine and of commits; None means all."""
    files = []
    for path in asv_files.paths(folder):
        try:
            files.append((path, asv_files.load(path)))
        except asv_files.BROKEN as error:
            asv_files.warn(path, error)
    if not files:
        raise NothingFoundError(f"no results in {folder}")
    if machine is not None:
        results.require_machine(machine, {file.machine for _, file in files})
        files = [(path, file) for path, file in files if file.machine == machine]
    if commits:
        there = {file.commit for _, file in files}
        meant = {full for one in commits for full in results.require_commit(one, there)}
        files = [(path, file) for path, file in files if file.commit in meant]
    return files


def _copy(
    files: Sequence[tuple[Path, asv_files.ResultFile]],
    folder: Path,
    to: Path,
    history: Path,
    drawn: set[str],
) -> int:
    """Write the slim copies; return of how many result files."""
    kept, benchmarks = 0, set[str]()
    for path, file in files:
        if file.commit not in drawn:
            print(f"left out: {path.name}: HEAD does not lead back to {file.commit[:8]}")
            continue
        target = to / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        content = slim(json.loads(path.read_text(encoding="utf-8")))
        write_atomically(target, json.dumps(content, separators=(",", ":")))
        for beside in (path.with_suffix(".provenance"), path.with_name("machine.json")):
            if beside.is_file():
                shutil.copyfile(beside, target.with_name(beside.name))
        kept += 1
        benchmarks |= set(file.benchmarks)
    if kept:
        _describe(benchmarks, folder / "benchmarks.json", history / "benchmarks.json", to)
    return kept


def _describe(names: set[str], measured: Path, kept: Path, to: Path) -> None:
    """Write what asv knows of these benchmarks and those kept before; it would draw empty graphs."""
    known = asv_files.load_benchmarks(measured)
    described = asv_files.load_benchmarks(kept) | {n: known[n] for n in names & known.keys()}
    text = json.dumps({**described, "version": BENCHMARKS_FORMAT}, separators=(",", ":"))
    write_atomically(to / "benchmarks.json", text)


def slim(content: dict[str, Any]) -> dict[str, Any]:
    """Return a result file's content without what is large and no longer needed.

    Parameters
    ----------
    content : dict
        As asv writes it, format 2.
    """
    columns = content["result_columns"]
    rows = {}
    for name, row in content["results"].items():
        short = [
            None if column in _DROPPED else value
            for column, value in zip(columns, row, strict=False)
        ]
        while short and short[-1] is None:  # as asv does
            short.pop()
        rows[name] = short
    return {**content, "results": rows, "durations": {}}
