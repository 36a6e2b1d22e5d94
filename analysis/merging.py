"""Add a run's results to those that are kept.

A run measures into a folder of its own. asv itself would leave, at the same commit, the cells of an
earlier run standing beside the new ones: other sizes, another hour, another clock. Here a benchmark
that was measured again is replaced as a whole, and what it replaces is set aside, not lost.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

__all__ = ["merge_results", "write_atomically"]


def merge_results(fresh: Path, kept: Path, replaced: Path) -> None:
    """Move the results of one run into the kept ones.

    Parameters
    ----------
    fresh : Path
        The run's results folder; gone afterwards. It may hold only the part of a run that had
        finished, or nothing.
    kept : Path
        The results folder to add to; made if need be.
    replaced : Path
        Where a kept file goes before a benchmark in it is replaced.
    """
    if not fresh.is_dir():
        return
    for path in sorted(p for p in fresh.rglob("*") if p.is_file()):
        target = kept / path.relative_to(fresh)
        target.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_text(encoding="utf-8")
        is_result = path.suffix == ".json" and path.name not in ("machine.json", "benchmarks.json")
        if is_result and target.exists():
            old, new = json.loads(target.read_text(encoding="utf-8")), json.loads(content)
            if old["results"].keys() & new["results"].keys():
                _set_aside(target, replaced / path.relative_to(fresh))
            content = json.dumps(_merged(old, new))
        write_atomically(target, content)
    shutil.rmtree(fresh)


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the results with the benchmarks of both runs; where both have one, the new one."""
    if (
        old.get("result_columns") != new["result_columns"]
    ):  # written by another asv: cannot be joined
        return new
    return {
        **new,
        "results": {**old["results"], **new["results"]},
        "durations": {**old.get("durations", {}), **new.get("durations", {})},
    }


def _set_aside(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while (numbered := to.with_suffix(f".{number}.json")).exists():
        number += 1
    shutil.copyfile(path, numbered)


def write_atomically(path: Path, content: str) -> None:
    """Write a file so that a reader, or an interrupt, finds the old content or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(content, encoding="utf-8")
    temporary.replace(path)
