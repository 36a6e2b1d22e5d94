"""Add a run's results to those that are kept.

A run measures into a folder of its own. asv itself would leave, at the same commit, the cells of an
earlier run standing beside the new ones: other sizes, another hour, another clock. Here a benchmark
that was measured again is replaced as a whole, and what it replaces is set aside, not lost; unless
one of the two is there to fill the gaps of the other. What the processes of a cell told goes with it.
"""

from __future__ import annotations

import itertools
import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from jitcost.files import write_atomically
from jitcost.store import records
from jitcost.store.asv_files import is_value
from jitcost.store.belongings import copy_provenance
from jitcost.store.checking import is_readable
from jitcost.store.finding import PROVENANCE, beside, owner, stem
from jitcost.store.json_files import BROKEN, existing, read_json
from jitcost.store.setting_aside import copy, set_aside

__all__ = ["merge_results"]

# What two rows have to agree on, for one to fill the other's gaps: the columns of their cells.
_MEASURED = ("params", "version")

Row = dict[str, Any]  # a benchmark's entries, by asv's column


def merge_results(
    fresh: Path, kept: Path, replaced: Path, *, fill: Literal["fresh", "kept"] | None = None
) -> list[Path]:
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
    fill : {'fresh', 'kept'}, optional
        Whose cells only fill the gaps of the other's; nothing is then set aside for them.

    Returns
    -------
    list of Path
        What was set aside.
    """
    aside: list[Path] = []
    for path in sorted(p for p in fresh.rglob("*") if p.is_file()):
        name = path.relative_to(fresh)
        if owner(path) is not None:  # goes with its result file
            continue
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json" and _content(path) is None:  # cut short as the run was killed
            aside.append(set_aside(path, replaced / name))
        elif stem(path) is None:
            copy(path, kept / name)
        else:
            aside += _merge_file(path, kept / name, replaced / name.parent, fill)
    shutil.rmtree(fresh, ignore_errors=True)
    return aside


def _merge_file(
    path: Path, target: Path, replaced: Path, fill: Literal["fresh", "kept"] | None
) -> list[Path]:
    """Add one result file, and what belongs to it, to the kept one; return what was set aside."""
    text, told = path.read_text(encoding="utf-8"), _told(path)
    aside: list[Path] = []
    there = existing(target)
    if there.exists():
        old, new = _content(there) if is_readable(there) else None, json.loads(text)
        joinable = old is not None and old.get("result_columns") == new["result_columns"]
        filling = fill if joinable and _same_grids(old or {}, new) else None
        if not filling and (not old or not joinable or old["results"].keys() & new["results"]):
            aside.append(set_aside(there, replaced / there.name))
        told = _merged_records(path, there, old if joinable else None, new, filling)
        if old is not None and filling:
            new = _filled(new, old) if fill == "fresh" else _filled(old, new)
        if old is not None and joinable:
            text = json.dumps(_merged(old, new))
    provenance = beside(target, PROVENANCE)
    if not fill and not aside and _differ(beside(path, PROVENANCE), provenance):
        aside.append(set_aside(provenance, replaced / provenance.name))
    if told is None:
        write_atomically(target, text)
    else:
        records.write_both(target, text, told)
    copy_provenance(path, target)
    if there != target:  # it was compressed, and all of it is in the plain file now, or set aside
        there.unlink()
    return aside


def _differ(one: Path, other: Path) -> bool:
    """Tell whether both are there, and do not hold the same."""
    return one.is_file() and other.is_file() and one.read_bytes() != other.read_bytes()


def _told(path: Path) -> str | None:
    """Return what the processes of a result file told; None where nobody did."""
    lines = records.beside(path)
    if not lines.is_file():
        return None
    return lines.read_text(encoding="utf-8", errors="replace")


def _merged_records(
    path: Path,
    target: Path,
    old: dict[str, Any] | None,
    new: dict[str, Any],
    filling: Literal["fresh", "kept"] | None,
) -> str | None:
    """Return the lines of the processes that the merged values are of; None where nobody told.

    Parameters
    ----------
    path, target : Path
        The fresh result file and the kept one.
    old : dict, optional
        The kept one's content; None if nothing of it stays.
    new : dict
        The fresh one's.
    filling : {'fresh', 'kept'}, optional
        Whose cells only fill gaps.
    """
    before, now = (records.lines(records.beside(one)) for one in (target, path))
    if not before and not now:
        return None
    values = _with_value(new)
    replaced = set[records.Cell]()
    superfluous = {
        one.cell for one in now
    } - values  # a later process has failed, and with it the cell
    if old is None:
        before = []
    elif filling == "fresh":
        superfluous |= _with_value(old)
    elif filling == "kept":
        replaced = values
    else:
        replaced = {one.cell for one in before if one.cell[0] in new["results"]}
    return records.merged(before, now, replaced=replaced, superfluous=superfluous)


def _with_value(content: dict[str, Any]) -> set[records.Cell]:
    """Return which cells a result file has values of."""
    rows = (
        (name, dict(zip(content["result_columns"], row or (), strict=False)))
        for name, row in content["results"].items()
    )
    return {
        cell
        for name, row in rows
        for cell in records.cells_of(name, row.get("params"), row.get("result"))
    }


def _content(path: Path) -> dict[str, Any] | None:
    """Return a result file's content, or None if it is broken."""
    try:
        content = read_json(path)
    except BROKEN:
        return None
    return content if isinstance(content, dict) else None


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the results with the benchmarks of both runs; where both have one, the new one."""
    return {
        **new,
        "results": {**old["results"], **new["results"]},
        "durations": {**_durations(old), **_durations(new)},
    }


def _durations(content: dict[str, Any]) -> dict[str, Any]:
    durations = content.get("durations")
    return durations if isinstance(durations, dict) else {}


def _both(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, Row, Row]]:
    """Yield the benchmarks that both have: name, old row and new row, each by column."""
    for name in old["results"].keys() & new["results"].keys():
        before, now = (
            dict(itertools.zip_longest(new["result_columns"], one["results"][name] or ()))
            for one in (old, new)
        )
        yield name, before, now


def _same_grids(old: dict[str, Any], new: dict[str, Any]) -> bool:
    return all(
        before.get(key) == now.get(key) for _, before, now in _both(old, new) for key in _MEASURED
    )


def _filled(filler: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the results of both, with the filler's cells where those alone have a value."""
    rows = {}
    for name, gaps, row in _both(filler, other):
        size = math.prod(map(len, row.get("params") or ()))
        keep = [is_value(value) for value in _spread(row.get("result"), size)]
        for key in row:
            if key in ("result", "samples") or key.startswith("stats_"):
                both = zip(keep, _spread(row[key], size), _spread(gaps.get(key), size), strict=True)
                row[key] = [one if kept else another for kept, one, another in both]
        rows[name] = list(row.values())
    return {**other, "results": {**filler["results"], **other["results"], **rows}}


def _spread(values: Any, size: int) -> list[Any]:
    """Return a column at its full length: asv writes None for a grid of them."""
    listed = values if isinstance(values, list) else [values]
    return [*listed, *[None] * (size - len(listed))]
