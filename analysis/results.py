"""Read asv's result files into one table, a row per cell.

asv keeps for each machine, environment and commit one JSON file; in it, for each benchmark, a row
of columns: flat lists over the product of the parameters, the last one varying fastest.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from analysis.errors import BadCallError, NothingFoundError

__all__ = ["SCHEMA", "parse_size", "read"]

SCHEMA: dict[str, Any] = {
    "machine": pl.String,
    "environment": pl.String,
    "commit": pl.String,
    "date": pl.Datetime("ms", "UTC"),  # of the commit
    "python": pl.String,
    "benchmark": pl.String,
    "version": pl.String,
    "workload": pl.String,
    "kind": pl.String,
    "backend": pl.String,
    "n": pl.Int64,
    "value": pl.Float64,  # seconds, or the unit of a track_ benchmark
    "state": pl.String,  # value, not_measured (skipped or not selected), failed
    "ci_low": pl.Float64,  # 99 % interval of the median, from asv
    "ci_high": pl.Float64,
    "q_25": pl.Float64,
    "q_75": pl.Float64,
    "repeat": pl.Int64,  # samples taken
}

NOT_RESULTS = {"machine.json", "benchmarks.json"}
FORMAT = 2


def read(folder: Path) -> pl.DataFrame:
    """Read every result file below a folder.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`.

    Returns
    -------
    polars.DataFrame
        A row per cell, with the columns of `SCHEMA`.

    Raises
    ------
    BadCallError
        If there is no such folder, or a file has a format that is not known.
    NothingFoundError
        If it holds no results.
    """
    if not folder.is_dir():
        raise BadCallError(f"no results folder {folder}; make one with `make bench`")
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA}
    for path in sorted(folder.glob("*/*.json")):
        if path.name not in NOT_RESULTS:
            for row in _cells(path):
                for name, value in zip(SCHEMA, row, strict=True):
                    columns[name].append(value)
    if not columns["benchmark"]:
        raise NothingFoundError(f"no results in {folder}; measure some with `make bench`")
    return pl.DataFrame(columns, schema=SCHEMA)


def parse_size(text: str) -> int | None:
    """Return the whole number that a parameter's `repr` text stands for, or None."""
    try:
        return int(text)
    except ValueError:
        return None


def _cells(path: Path) -> Iterator[tuple[Any, ...]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        version = content["version"]
        if version != FORMAT:
            raise BadCallError(f"{path} has asv's result format {version}; {FORMAT} is known here")
        about = (
            content["params"]["machine"],
            content["env_name"],
            content["commit_hash"],
            content["date"],
            content["python"],
        )
        rows = [
            (*about, *cell)
            for name, row in content["results"].items()
            for cell in _benchmark_cells(
                name, dict(zip(content["result_columns"], row, strict=False))
            )
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        # One broken file must not cost the others.
        print(f"jitcost: {path} is left out: {error!r}", file=sys.stderr)
        return
    yield from rows


def _benchmark_cells(name: str, row: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    workload, kind, _ = ("..", *name.split("."))[-3:]
    grid = list(itertools.product(*row["params"]))
    size, backend = _position_of_size(row["params"]), _position_of_backend(row["params"])

    def column(key: str) -> Sequence[Any]:
        values = row.get(key) or []
        return [*values, *[None] * (len(grid) - len(values))]

    for texts, value, *stats in zip(
        grid,
        column("result"),
        *(column(f"stats_{key}") for key in ("ci_99_a", "ci_99_b", "q_25", "q_75", "repeat")),
        strict=True,
    ):
        missing = value is None or math.isnan(value)
        yield (
            name,
            row.get("version"),
            workload,
            kind,
            None if backend is None else texts[backend].strip("'"),
            None if size is None else parse_size(texts[size]),
            None if missing else value,
            "failed" if value is None else "not_measured" if missing else "value",
            *stats,
        )


def _position_of_size(params: list[list[str]]) -> int | None:
    return next(
        (i for i, texts in enumerate(params) if all(parse_size(t) is not None for t in texts)), None
    )


def _position_of_backend(params: list[list[str]]) -> int | None:
    return next((i for i, texts in enumerate(params) if all(t[:1] == "'" for t in texts)), None)
