"""asv's result files, format 1 and 2, in one form: columns over benchmarks.

A benchmark's entry in a column is a flat list over the product of its parameters, the last one
varying fastest. It may be None or `[None]` for a whole grid, and it may end early: asv leaves
trailing nulls out.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError

__all__ = [
    "BROKEN",
    "ResultFile",
    "is_value",
    "load",
    "load_benchmarks",
    "paths",
    "warn",
]

NOT_RESULTS = {"machine.json", "benchmarks.json"}
FORMATS = (1, 2)

# What a file raises that is cut short, lacks a key or holds something of another type.
BROKEN = (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True)
class ResultFile:
    """One result file: who measured what. Identity is what stands inside, not the file's name."""

    machine: str
    environment: str
    env_vars: dict[str, str]
    commit: str
    date: int  # of the commit, in ms since 1970
    python: str
    versions: dict[str, str]
    benchmarks: list[str]
    columns: dict[str, tuple[Any, ...]]  # named as in format 2; an entry for each benchmark


def paths(folder: Path) -> Iterator[Path]:
    """Yield the result files below a folder, in order; asv, too, looks at every depth."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".json") and name not in NOT_RESULTS:
                yield Path(root, name)


def load(path: Path) -> ResultFile:
    """Read one result file.

    Raises
    ------
    BadCallError
        If its format is not known.
    Exception
        One of `BROKEN`, if the file is.
    """
    content = json.loads(path.read_bytes())
    if not isinstance(content, dict) or not {"commit_hash", "results"} <= content.keys():
        raise ValueError("another program's file: it names no commit, or has no results")
    version = content["version"]
    if version not in FORMATS:
        known = " and ".join(map(str, FORMATS))
        raise BadCallError(f"{path} has asv's result format {version}; {known} are known here")
    rows, columns = _rows_of_1(content) if version == 1 else _rows_of_2(content)
    return ResultFile(
        machine=_text((content.get("params") or {}).get("machine") or path.absolute().parent.name),
        environment=_text(content["env_name"] if version == 2 else _name_in_1(content)),
        env_vars=_texts(content.get("env_vars") or {}),
        commit=_text(content["commit_hash"]),
        date=int(content["date"]),
        python=_text(content["python"]),
        versions=_texts(content["requirements"]),
        benchmarks=list(rows),
        # A row ends where nothing but nulls would follow.
        columns=dict(zip(columns, itertools.zip_longest(*rows.values()), strict=False)),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} where a text should stand")
    return value


def _texts(values: dict[str, Any]) -> dict[str, str]:
    """Return the entries as texts, in one order: equal environments have equal texts."""
    return {_text(key): str(value or "") for key, value in sorted(values.items())}


def _rows_of_2(content: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    return {name: row or [] for name, row in content["results"].items()}, content["result_columns"]


_COLUMNS_OF_1 = ["result", "params", "version", "samples", "stats_ci_99_a", "stats_ci_99_b"]
_STATS_OF_1 = ["q_25", "q_75", "number", "repeat"]


def _rows_of_1(content: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    versions = content.get("benchmark_version") or {}
    rows = {}
    for name, value in content["results"].items():
        # A bare number or null stands for a benchmark without parameters and statistics.
        row = value if isinstance(value, dict) else {"result": value}
        stats = row.get("stats")
        each = [one or {} for one in (stats if isinstance(stats, list) else [stats])]
        intervals = [one.get("ci_99") or (None, None) for one in each]
        samples = row.get("samples")
        if samples and isinstance(samples[0], float):  # without parameters: of the only cell
            samples = [samples]
        rows[name] = [
            *(row["result"], row.get("params"), versions.get(name), samples),
            *([low for low, _ in intervals], [high for _, high in intervals]),
            *([one.get(key) for one in each] for key in _STATS_OF_1),
        ]
    return rows, [*_COLUMNS_OF_1, *(f"stats_{key}" for key in _STATS_OF_1)]


def _name_in_1(content: dict[str, Any]) -> str:
    """Return the environment's name; the oldest files have none, and asv made it up as here."""
    if "env_name" in content:
        return str(content["env_name"])
    requirements = _texts(content["requirements"])
    name = "-".join([f"py{content['python']}", *(f"{key}{v}" for key, v in requirements.items())])
    return re.sub(r'[<>:"/\\^|?*\x00-\x1f]', "_", name)


def load_benchmarks(path: Path) -> dict[str, Any]:
    """Return what a benchmarks.json says of each benchmark; {} where there is none to read.

    It describes the commit that asv looked at last, which need not be the one of a result.
    """
    try:
        content = json.loads(path.read_bytes())
        return {name: about for name, about in content.items() if isinstance(about, dict)}
    except FileNotFoundError:
        return {}
    except BROKEN as error:
        warn(path, error)
        return {}


def is_value(result: Any) -> bool:
    """Tell whether a cell was measured: asv has NaN for one that was not, null for a failed one."""
    return result is not None and not (isinstance(result, float) and math.isnan(result))


def warn(path: Path, error: Exception) -> None:
    """Say that a file is left out, in one line: one broken file must not cost the others."""
    said = error if type(error) is ValueError else repr(error)
    print(f"jitcost: {path} is left out: {said}", file=sys.stderr)
