"""asv's results as one table, a row per cell; `analysis/RESULTS.md` explains its columns.

The files themselves, with their odd forms, are the matter of `jitcost.store.asv_files`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.progress import track

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.store import asv_files
from jitcost.store.catalogue import COLUMNS, PLAN, Catalogue
from jitcost.store.cells import OF_FILE, SCHEMA
from jitcost.store.columns import columns_of

__all__ = ["NearBenchmarks", "batches", "read"]


def _with_progress(paths: list[Path]) -> Iterable[Path]:
    """Show a bar on standard error for what takes more than a moment, to a person only."""
    console = Console(stderr=True)
    hidden = len(paths) < 200 or not console.is_terminal
    return track(paths, "Reading results", console=console, transient=True, disable=hidden)


def read(folder: str | Path) -> pl.DataFrame:
    """Read every result file below a folder.

    A file that cannot be read is named on standard error, and so is one that repeats another's
    benchmarks; the others are read.

    Parameters
    ----------
    folder : str or Path
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
    (cells,) = batches(Path(folder), math.inf)
    return cells


def batches(folder: Path, size: float) -> Iterator[pl.DataFrame]:
    """Read the result files below a folder as `read` does, some at a time.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`.
    size : float
        How many cells make a batch, or more: a file is not divided.

    Yields
    ------
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
    benchmarks = NearBenchmarks(folder)
    known_cells = Catalogue()
    holders: dict[tuple[Any, ...], Path] = {}
    files: list[tuple[Any, ...]] = []
    parts: list[dict[str, pl.Series]] = []
    cells = total = 0  # in the parts; in all of them
    for path in _with_progress(list(asv_files.paths(folder))):
        try:
            file = asv_files.load(path)
            about = _about(file)
            part = columns_of(path, file, known_cells, benchmarks.near(path))
            _hold_once(holders, path, file, about)
        except (*asv_files.BROKEN, pl.exceptions.PolarsError) as error:
            asv_files.warn(path, error)
            continue
        if len(part["position"]):
            files.append(about)
            parts.append(part)
            cells += len(part["position"])
            total += len(part["position"])
        if cells >= size:
            yield _joined(files, known_cells, parts)
            files, parts, cells = [], [], 0
    if parts:
        yield _joined(files, known_cells, parts)
    if not total:
        raise NothingFoundError(f"no results in {folder}; measure some with `make bench`")


def _about(file: asv_files.ResultFile) -> tuple[Any, ...]:
    if not 0 <= file.date < 253_402_300_800_000:  # the year 10000
        raise ValueError(f"no date: {file.date}")
    env_vars, versions = (json.dumps(texts) for texts in (file.env_vars, file.versions))
    return (
        *(file.machine, file.environment, env_vars, file.commit),
        *(file.date, file.python, versions),
    )


def _hold_once(
    holders: dict[tuple[Any, ...], Path],
    path: Path,
    file: asv_files.ResultFile,
    about: tuple[Any, ...],
) -> None:
    """Raise ValueError if another file has a benchmark of the same machine, environment and commit.

    A folder was copied, or two machines have one name: together, their cells would be points of one
    fit, and which of two times a comparison takes would be left to chance.
    """
    where = about[: OF_FILE.index("date")]
    versions = file.columns.get("version", (None,) * len(file.benchmarks))
    keys = [(*where, *benchmark) for benchmark in zip(file.benchmarks, versions, strict=True)]
    for key in keys:
        if key in holders:
            raise ValueError(f"{holders[key]} has {key[-2]} of this machine and commit already")
    holders.update(dict.fromkeys(keys, path))


def _joined(
    files: list[tuple[Any, ...]],
    known_cells: Catalogue,
    parts: list[dict[str, pl.Series]],
) -> pl.DataFrame:
    """Spread what is known of each file and each benchmark over the cells."""
    schema = {name: SCHEMA[name] for name in OF_FILE}
    of_file = (
        pl.DataFrame(files, schema=schema | {"date": pl.Int64}, orient="row")
        .cast({"date": schema["date"]})
        .with_columns(cells=pl.Series([len(part["position"]) for part in parts]))
        .select(pl.exclude("cells").repeat_by("cells").explode())
    )
    grid_schema = {name: SCHEMA[name] for name in COLUMNS} | dict.fromkeys(PLAN, pl.Int64)
    of_grid = pl.DataFrame(known_cells.columns, schema=grid_schema)
    cells = pl.DataFrame({name: pl.concat([part[name] for part in parts]) for name in parts[0]})
    value = pl.col("value")
    finite = [
        pl.when(pl.col(name).is_finite()).then(name).alias(name)
        for name in ("ci_low", "ci_high", "q_25", "q_75")
    ]
    state = (
        pl.when(value.is_null())
        .then(pl.lit("failed"))
        .when(value.is_nan())
        .then(pl.lit("not_measured"))
        .otherwise(pl.lit("value"))
        .alias("state")
    )
    return pl.concat(
        [
            of_file,
            of_grid.select(COLUMNS)[cells["position"]],
            cells.drop("position").with_columns(
                state, value.fill_nan(None), _processes(cells, of_grid), *finite
            ),
        ],
        how="horizontal",
    ).select(*SCHEMA)


def _processes(cells: pl.DataFrame, of_grid: pl.DataFrame) -> pl.Series:
    """Return from how many processes each cell's samples come, null where that is not known.

    By what the processes told; else as the benchmark says, if there are as many samples as it plans
    (an option of asv's may have asked for others, and a benchmarks.json may be of another commit).
    """
    samples, told = pl.col("samples"), pl.col("processes")
    by_benchmark = pl.when(samples == pl.col("planned_samples")).then("rounds")
    by_process = pl.when((samples > 0) & (samples % told == 0)).then(told)
    return (
        of_grid.select(PLAN)[cells["position"]]
        .with_columns(cells["processes"], cells["samples"].list.len().cast(pl.Int64))
        .select(processes=pl.when(told.is_null()).then(by_benchmark).otherwise(by_process))
        .to_series()
    )


class NearBenchmarks:
    """The benchmarks.json nearest to each file, up to the folder: it may hold several results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.near_folder: dict[Path, dict[str, Any]] = {}

    def near(self, path: Path) -> dict[str, Any]:
        """Return what is known of the benchmarks of a result file."""
        here = path.parent
        if here not in self.near_folder:
            known = asv_files.load_benchmarks(here / "benchmarks.json")
            if not known and here != self.folder:
                known = self.near(here)
            self.near_folder[here] = known
        return self.near_folder[here]
