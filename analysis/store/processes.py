"""The processes that cells were measured in: a row each, and how right what they computed was."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from jitcost.store import asv_files, records
from jitcost.store.benchmark_files import NearBenchmarks
from jitcost.store.catalogue import OWN, Catalogue
from jitcost.store.cells import SCHEMA as OF_CELLS
from jitcost.store.finding import results_folder
from jitcost.store.heads import head
from jitcost.store.remarks import Remarks

__all__ = ["SCHEMA", "agreement", "processes", "with_agreement"]

_ORIGIN = ("machine", "environment", "env_vars", "commit")
_CELL = ("benchmark", "backend", "params", "n")

SCHEMA: dict[str, Any] = {
    **{name: OF_CELLS[name] for name in (*_ORIGIN, "benchmark", "workload", *_CELL[1:])},
    "process": pl.Int64,  # 1 is the cell's first
    "value": pl.Float64,  # its fastest sample
    "samples": pl.List(pl.Float64),
    "m": pl.Int64,
    "started": records.SCHEMA["started"],
    "seconds": pl.Float64,  # from its first import of the benchmarks to its end
    "load": pl.Float64,  # the larger of those at its start and at its end
    "steal": pl.Float64,
    "switches": pl.Int64,
    "error": pl.Float64,
    "tolerance": pl.Float64,
}


def processes(cells: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Return the processes of cells, a row each.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.store.results.read` returns them.
    folder : Path
        Where they were read from: what the processes told is beside the result files.

    Returns
    -------
    polars.DataFrame
        With the columns of `SCHEMA`. Of a cell whose samples nobody can divide there are no rows.
    """
    first = pl.col("process") - 1
    each = pl.col("samples").list.len() // pl.col("processes")
    known = (pl.col("processes") > 0) & (pl.col("samples").list.len() > 0)
    rows = (
        cells.filter(known)
        .drop("m")
        .with_columns(process=pl.int_ranges(1, pl.col("processes") + 1))
        .explode("process")
        .with_columns(samples=pl.col("samples").list.slice(first * each, each))
        .with_columns(value=pl.col("samples").list.min())
    )
    keys = [*_ORIGIN, *_CELL, "process"]
    told = _told(cells, folder).with_columns(
        load=pl.max_horizontal("load_start", "load_end"),
        process=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over(*_ORIGIN, *_CELL),
    )
    joined = rows.join(told, on=keys, how="left", nulls_equal=True, maintain_order="left")
    return joined.select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())


def agreement(cells: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Return what the processes have found of the errors of results, as cells of kind Agreement.

    Each process checks its kernel before it times it. Of one result there is one cell: the largest of
    its processes' errors, in steady state and at first calls; none where the error was measured by
    itself (`jitcost bench --full`).

    Parameters
    ----------
    cells, folder
        As for `processes`.

    Returns
    -------
    polars.DataFrame
        With the columns of `cells`; those of statistics are null.
    """
    errors = _told(cells, folder).filter(pl.col("error").is_not_null())
    own = pl.col("benchmark").str.starts_with(OWN).alias("own")
    of_result = ["workload", *_CELL[1:]]
    found = (
        cells.filter(pl.col("kind").is_in(["SteadyState", "FirstCall"]), state="value")
        .join(
            errors.group_by(*_ORIGIN, *_CELL).agg(pl.max("error")),
            on=[*_ORIGIN, *_CELL],
            nulls_equal=True,
            maintain_order="left",
        )
        .group_by(*_ORIGIN, own, *of_result, maintain_order=True)
        .agg(pl.max("error").alias("value"), pl.first("date", "python", "versions", "state"))
        .with_columns(
            benchmark=pl.when("own").then(pl.lit(OWN)).otherwise(pl.lit(""))
            + pl.col("workload")
            + ".Agreement.track_max_relative_error",
            kind=pl.lit("Agreement"),
        )
        .drop("own")
    )
    measured = cells.filter(kind="Agreement", state="value")
    new = found.join(measured, on=[*_ORIGIN, *_CELL], how="anti", nulls_equal=True)
    return pl.concat([cells.clear(), new], how="diagonal")


def with_agreement(cells: pl.DataFrame, folder: Path | None) -> pl.DataFrame:
    """Return the cells, and after them what their processes have found of the errors of results.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.store.results.read` returns them.
    folder : Path or None
        Where they were read from; None: not known, and they are returned alone.
    """
    return cells if folder is None else pl.concat([cells, agreement(cells, folder)])


def _told(cells: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Return what the processes of all these cells' commits told, with what tells cells apart."""
    wanted = set(cells["commit"].unique())
    keys = {name: OF_CELLS[name] for name in (*_ORIGIN, *_CELL)}
    empty = pl.DataFrame(schema=keys | {k: v for k, v in records.SCHEMA.items() if k not in keys})
    return pl.concat([empty, *_of_files(folder, wanted)], how="diagonal")


def _of_files(folder: Path, commits: set[str]) -> Iterator[pl.DataFrame]:
    near, known_cells = NearBenchmarks(results_folder(folder)), Catalogue()
    with Remarks() as remarks:
        for path in asv_files.paths(folder):
            beside = records.beside(path)
            if not beside.is_file():
                continue
            try:
                if head(path).commit in commits:
                    file = asv_files.load(path)
                    where = _where(file, near.near(path, remarks), known_cells)
                    yield _with_keys(records.read_processes(beside), file, where, known_cells)
            except asv_files.BROKEN as error:
                remarks.file(path, error)


def _where(
    file: asv_files.ResultFile, benchmarks: dict[str, Any], known_cells: Catalogue
) -> dict[records.Cell, int]:
    """Return where each cell of a file stands in the catalogue."""
    nothing = (None,) * len(file.benchmarks)
    versions, params = (file.columns.get(key, nothing) for key in ("version", "params"))
    return {
        (name, texts): position
        for name, version, grid in zip(file.benchmarks, versions, params, strict=True)
        for texts, position in zip(
            itertools.product(*grid or ()),
            known_cells.positions_of(name, version, grid, benchmarks),
            strict=True,
        )
    }


def _with_keys(
    told: pl.DataFrame,
    file: asv_files.ResultFile,
    where: dict[records.Cell, int],
    known_cells: Catalogue,
) -> pl.DataFrame:
    """Return a file's lines with machine, environment and commit, and their cells' parameters."""
    cells = zip(told["benchmark"], told["params"], strict=True)
    told = told.with_columns(
        position=pl.Series(
            [where.get((name, tuple(texts))) for name, texts in cells], dtype=pl.Int64
        )
    ).drop_nulls("position")
    of_cell = {
        name: [known_cells.columns[name][position] for position in told["position"]]
        for name in _CELL
    }
    env_vars = json.dumps(file.env_vars)
    origin = (file.machine, file.environment, env_vars, file.commit)
    return told.drop("position").with_columns(
        *(pl.lit(text).alias(name) for name, text in zip(_ORIGIN, origin, strict=True)),
        *(pl.Series(name, of_cell[name], dtype=OF_CELLS[name]) for name in _CELL),
    )
