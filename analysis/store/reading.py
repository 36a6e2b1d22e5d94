"""asv's results as one table, a row per cell; `analysis/RESULTS.md` explains its columns.

The files themselves, with their odd forms, are the matter of `jitcost.store.asv_files`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from rich.console import Console
from rich.progress import track

from jitcost.errors import NothingFoundError
from jitcost.store import asv_files
from jitcost.store.benchmark_files import NearBenchmarks
from jitcost.store.catalogue import COLUMNS, PLAN, Catalogue
from jitcost.store.cells import OF_FILE, SCHEMA
from jitcost.store.columns import columns_of
from jitcost.store.finding import paths, results_folder
from jitcost.store.remarks import Remarks
from jitcost.store.wanted import EVERYTHING, Wanted

__all__ = ["batches", "read"]

T = TypeVar("T")


def _with_progress(files: list[T]) -> Iterable[T]:
    """Show a bar on standard error for what takes more than a moment, to a person only."""
    console = Console(stderr=True)
    hidden = len(files) < 200 or not console.is_terminal
    return track(files, "Reading results", console=console, transient=True, disable=hidden)


def read(
    folder: str | Path,
    *,
    machine: str | None = None,
    commit: str | None = None,
    environment: str | None = None,
    benchmark: str | None = None,
) -> pl.DataFrame:
    """Read the results below a folder, or those of them that are wanted, which is faster.

    A file that cannot be read is named on standard error, and so is one that repeats another's
    benchmarks; the others are read. Of a file that is not wanted no more is read, and said, than tells
    what it is of.

    Parameters
    ----------
    folder : str or Path
        What asv calls `results_dir`; or a machine's folder in it, or one result file.
    machine, environment : str, optional
        Their names; by default all of them.
    commit : str, optional
        A hash or the beginning of one; `"newest"`: for each machine and environment, the newest commit
        that there are (such) results of, as `select` has it; by default all.
    benchmark : str, optional
        A regular expression, searched for in asv's names of the benchmarks; by default all.

    Returns
    -------
    polars.DataFrame
        A row per cell, with the columns of `SCHEMA`.

    Raises
    ------
    BadCallError
        If there is no such folder, or a file has a format that is not known; if there are no results
        of this machine, environment or commit, or of several commits that begin so.
    NothingFoundError
        If it holds no results, or no such benchmark's.
    """
    wanted = Wanted(machine, commit, environment, benchmark)
    (cells,) = batches(Path(folder), math.inf, wanted)
    return cells


def batches(folder: Path, size: float, wanted: Wanted = EVERYTHING) -> Iterator[pl.DataFrame]:
    """Read the result files below a folder as `read` does, some at a time.

    Parameters
    ----------
    folder : Path
        As for `read`.
    size : float
        How many cells make a batch, or more: a file is not divided.
    wanted : Wanted

    Yields
    ------
    polars.DataFrame
        A row per cell, with the columns of `SCHEMA`.

    Raises
    ------
    BadCallError, NothingFoundError
        As `read`.
    """
    there = list(paths(folder))
    reader = _Reader(NearBenchmarks(results_folder(folder)), wanted)
    total = 0
    with reader.remarks:
        for commits in _with_progress(list(wanted.files(there, reader.remarks))):
            for files in commits:
                if sum(map(reader.add, files)):
                    break
            if len(reader) >= size:
                total += len(reader)
                yield reader.taken(there)
        if len(reader):
            yield reader.taken(there)
        elif not total:
            which = "" if wanted.benchmark is None else f" of benchmarks like {wanted.benchmark!r}"
            raise NothingFoundError(
                f"no results{which} in {folder}; measure some with `make bench`"
            )


class _Reader:
    """What has been read of the files of one folder."""

    def __init__(self, benchmarks: NearBenchmarks, wanted: Wanted) -> None:
        self.remarks = Remarks()
        self._benchmarks, self._wanted = benchmarks, wanted
        self._known_cells = Catalogue()
        self._holders: dict[tuple[Any, ...], Path] = {}
        self._parts: dict[Path, tuple[tuple[Any, ...], dict[str, pl.Series]]] = {}
        self._cells = 0

    def __len__(self) -> int:
        """Return how many cells have been read and not taken."""
        return self._cells

    def add(self, path: Path) -> int:
        """Read a file; return how many cells it has, of the wanted ones."""
        try:
            file = asv_files.load(path)
            about = _about(file)
            benchmarks = self._benchmarks.near(path, self.remarks)
            part = columns_of(
                *(path, self._wanted.benchmarks_of(file), self._known_cells),
                *(benchmarks, self.remarks),
            )
            _hold_once(self._holders, path, file, about)
        except (*asv_files.BROKEN, pl.exceptions.PolarsError) as error:
            self.remarks.file(path, error)
            return 0
        size = len(part["position"])
        if size:
            self._parts[path] = about, part
            self._cells += size
        return size

    def taken(self, order: Sequence[Path]) -> pl.DataFrame:
        """Return the cells that have been read since the last time, file by file in this order."""
        read = [self._parts[path] for path in order if path in self._parts]
        files, parts = zip(*read, strict=True)
        self._parts, self._cells = {}, 0
        return _joined(files, parts, self._known_cells)


def _about(file: asv_files.ResultFile) -> tuple[Any, ...]:
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
    files: Sequence[tuple[Any, ...]], parts: Sequence[dict[str, pl.Series]], known_cells: Catalogue
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
