"""asv's result files, format 1 and 2, in one form: columns over benchmarks.

A benchmark's entry in a column is a flat list over the product of its parameters, the last one
varying fastest. It may be None or `[None]` for a whole grid, and it may end early: asv leaves
trailing nulls out.
"""

from __future__ import annotations

import itertools
import math
import re
import reprlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.store.finding import paths
from jitcost.store.json_files import BROKEN, read_json
from jitcost.store.remarks import warn

__all__ = [
    "BROKEN",
    "Head",
    "ResultFile",
    "head_of",
    "is_value",
    "load",
    "paths",
    "warn",
]

FORMATS = (1, 2)

END_OF_TIME = 253_402_300_800_000  # the year 10000, in ms since 1970


@dataclass(frozen=True)
class Head:
    """What a result file is of. Identity is what stands inside, not the file's name."""

    machine: str
    environment: str
    env_vars: dict[str, str]
    commit: str
    date: int  # of the commit, in ms since 1970


@dataclass(frozen=True)
class ResultFile(Head):
    """One result file: who measured what."""

    format: int  # of asv's
    python: str
    versions: dict[str, str]
    benchmarks: list[str]
    columns: dict[str, tuple[Any, ...]]  # named as in format 2; an entry for each benchmark


def load(path: Path) -> ResultFile:
    """Read one result file.

    Raises
    ------
    BadCallError
        If its format is not known.
    Exception
        One of `BROKEN`, if the file is.
    """
    content = read_json(path)
    if not isinstance(content, dict) or not {"commit_hash", "results"} <= content.keys():
        raise ValueError("another program's file: it names no commit, or has no results")
    version = content["version"]
    if version not in FORMATS:
        known, version = " and ".join(map(str, FORMATS)), reprlib.repr(version)
        raise BadCallError(f"{path} has asv's result format {version}; {known} are known here")
    rows, columns = _rows_of_1(content) if version == 1 else _rows_of_2(content)
    return ResultFile(
        **vars(head_of(content, path)),
        format=version,
        python=_text(content["python"]),
        versions=_texts(content["requirements"]),
        benchmarks=list(rows),
        # A row ends where nothing but nulls would follow.
        columns=dict(zip(columns, itertools.zip_longest(*rows.values()), strict=False)),
    )


def head_of(content: dict[str, Any], path: Path) -> Head:
    """Return what a file's content is of; one without a machine is of the folder's.

    Raises
    ------
    Exception
        One of `BROKEN`, if something is missing or of another type.
    """
    known = content["version"] == 2
    date = int(content["date"])
    if not 0 <= date < END_OF_TIME:
        raise ValueError(f"no date: {reprlib.repr(date)}")
    return Head(
        machine=_text((content.get("params") or {}).get("machine") or path.absolute().parent.name),
        environment=_text(content["env_name"] if known else _name_in_1(content)),
        env_vars=_texts(content.get("env_vars") or {}),
        commit=_text(content["commit_hash"]),
        date=date,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{reprlib.repr(value)} where a text should stand")
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


def is_value(result: Any) -> bool:
    """Tell whether a cell was measured: asv has NaN for one that was not, null for a failed one."""
    return result is not None and not (isinstance(result, float) and math.isnan(result))
