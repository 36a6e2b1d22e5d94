"""Add a run's results to those that are kept.

A run measures into a folder of its own. asv itself would leave, at the same commit, the cells of an
earlier run standing beside the new ones: other sizes, another hour, another clock. Here a benchmark
that was measured again is replaced as a whole, and what it replaces is set aside, not lost.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from analysis.files import write_atomically

__all__ = ["merge_results"]


def merge_results(fresh: Path, kept: Path, replaced: Path) -> list[Path]:
    """Move the results of one run into the kept ones.

    Parameters
    ----------
    fresh : Path
        The run's results folder; gone afterwards. It may hold only the part of a run that had
        finished, or nothing.
    kept : Path
        The results folder to add to; made if need be.
    replaced : Path
        Where a kept file goes before a benchmark in it is replaced; and a file that is broken.

    Returns
    -------
    list of Path
        What was set aside.
    """
    aside: list[Path] = []
    for path in sorted(p for p in fresh.rglob("*") if p.is_file()):
        name = path.relative_to(fresh)
        target = kept / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json" and _content(path) is None:  # cut short as the run was killed
            aside.append(_set_aside(path, replaced / name))
            continue
        text = path.read_text(encoding="utf-8")
        if target.exists() and path.suffix == ".provenance":
            if target.read_text(encoding="utf-8") != text:
                aside.append(_set_aside(target, replaced / name))
        elif target.exists() and name.name not in ("machine.json", "benchmarks.json"):
            old, new = _content(target), json.loads(text)
            joinable = old is not None and old.get("result_columns") == new["result_columns"]
            if old is None or not joinable or old["results"].keys() & new["results"].keys():
                aside.append(_set_aside(target, replaced / name))
            if old is not None and joinable:
                text = json.dumps(_merged(old, new))
        write_atomically(target, text)
    shutil.rmtree(fresh, ignore_errors=True)
    return aside


def _content(path: Path) -> dict[str, Any] | None:
    """Return a result file's content, or None if it is broken."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the results with the benchmarks of both runs; where both have one, the new one."""
    return {
        **new,
        "results": {**old["results"], **new["results"]},
        "durations": {**old.get("durations", {}), **new.get("durations", {})},
    }


def _set_aside(path: Path, to: Path) -> Path:
    to.parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while (numbered := to.with_suffix(f".{number}{to.suffix}")).exists():
        number += 1
    shutil.copyfile(path, numbered)
    return numbered
