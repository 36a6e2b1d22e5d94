"""asv's results as one table, a row per cell; `analysis/RESULTS.md` explains its columns.

The files themselves, with their odd forms, are the matter of `jitcost.store.asv_files`.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.progress import track

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.store import asv_files, catalogue
from jitcost.store.asv_files import default_folder
from jitcost.store.parameters import parse_size, take, unquote

__all__ = [
    "SCHEMA",
    "batches",
    "default_folder",
    "of_machine",
    "parse_size",
    "read",
    "require_commit",
    "require_machine",
    "select",
    "unquote",
    "with_parameters",
]

SCHEMA: dict[str, Any] = {
    "machine": pl.String,
    "environment": pl.String,
    "env_vars": pl.String,  # a JSON object; two environments may differ in nothing else
    "commit": pl.String,
    "date": pl.Datetime("ms", "UTC"),  # of the commit
    "python": pl.String,
    "versions": pl.String,  # a JSON object {requirement: version}
    "benchmark": pl.String,
    "version": pl.String,  # of what the benchmark measures; other versions are other quantities
    "kind": pl.String,  # SteadyState, FirstCall …; of others' benchmarks asv's type: time, track …
    "workload": pl.String,
    "backend": pl.String,
    "params": pl.String,  # a JSON object {parameter: its repr}, without n and backend
    "n": pl.Float64,
    "value": pl.Float64,
    "unit": pl.String,
    "state": pl.String,  # value, not_measured (skipped or not selected), failed
    "ci_low": pl.Float64,  # 99 % interval of the median, from asv
    "ci_high": pl.Float64,
    "q_25": pl.Float64,
    "q_75": pl.Float64,
    "number": pl.Int64,  # calls in a sample
    "repeat": pl.Int64,  # samples
    "samples": pl.List(pl.Float64),
}

# Which columns come from a file as a whole, and which from asv's columns, cell by cell; the others
# come from the catalogue.
_OF_FILE = ("machine", "environment", "env_vars", "commit", "date", "python", "versions")
_OF_CELL = {
    "value": "result",
    "ci_low": "stats_ci_99_a",
    "ci_high": "stats_ci_99_b",
    "q_25": "stats_q_25",
    "q_75": "stats_q_75",
    "number": "stats_number",
    "repeat": "stats_repeat",
    "samples": "samples",
}


def _with_progress(paths: list[Path]) -> Iterable[Path]:
    """Show a bar on standard error for what takes more than a moment, to a person only."""
    console = Console(stderr=True)
    hidden = len(paths) < 200 or not console.is_terminal
    return track(paths, "Reading results", console=console, transient=True, disable=hidden)


def read(folder: Path) -> pl.DataFrame:
    """Read every result file below a folder.

    A file that cannot be read is named on standard error, and so is one that repeats another's
    benchmarks; the others are read.

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
    (cells,) = batches(folder, math.inf)
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
    benchmarks = _Benchmarks(folder)
    known_cells = catalogue.Catalogue()
    holders: dict[tuple[Any, ...], Path] = {}
    files: list[tuple[Any, ...]] = []
    parts: list[dict[str, pl.Series]] = []
    cells = total = 0  # in the parts; in all of them
    for path in _with_progress(list(asv_files.paths(folder))):
        try:
            file = asv_files.load(path)
            about, part = _about(file), _cells(file, known_cells, benchmarks.near(path))
            _hold_once(holders, path, file, about)
        except (*asv_files.BROKEN, pl.exceptions.PolarsError) as error:
            asv_files.warn(path, error)
            continue
        if len(part["place"]):
            files.append(about)
            parts.append(part)
            cells += len(part["place"])
            total += len(part["place"])
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
    where = about[: _OF_FILE.index("date")]
    versions = file.columns.get("version", (None,) * len(file.benchmarks))
    keys = [(*where, *benchmark) for benchmark in zip(file.benchmarks, versions, strict=True)]
    for key in keys:
        if key in holders:
            raise ValueError(f"{holders[key]} has {key[-2]} of this machine and commit already")
    holders.update(dict.fromkeys(keys, path))


def _cells(
    file: asv_files.ResultFile, known_cells: catalogue.Catalogue, benchmarks: dict[str, Any]
) -> dict[str, pl.Series]:
    """Return the numbers of one file's cells, and where in the catalogue each stands."""
    nothing = (None,) * len(file.benchmarks)
    versions, params = (file.columns.get(key, nothing) for key in ("version", "params"))
    places = [
        known_cells.place(*one, benchmarks)
        for one in zip(file.benchmarks, versions, params, strict=True)
    ]
    sizes = list(map(len, places))
    columns = {
        name: _series(name, file.columns.get(key, nothing), sizes) for name, key in _OF_CELL.items()
    }
    place = pl.Series(list(itertools.chain.from_iterable(places)), dtype=pl.UInt32)
    return {"place": place, **columns}


def _series(name: str, column: Sequence[Any], sizes: list[int]) -> pl.Series:
    """Return a column's values, one for each cell: sizes says how many a benchmark has."""
    if column.count(None) == len(column):
        return _nulls(name, sum(sizes))
    if set(map(type, column)) != {list} or list(map(len, column)) != sizes:
        column = [_whole(values, size) for values, size in zip(column, sizes, strict=True)]
    values = list(itertools.chain.from_iterable(column))
    return _samples(values) if name == "samples" else pl.Series(values, dtype=SCHEMA[name])


@functools.lru_cache
def _nulls(name: str, size: int) -> pl.Series:
    return pl.Series([None] * size, dtype=SCHEMA[name])


def _whole(values: Any, size: int) -> list[Any]:
    """Return one benchmark's values at their full length."""
    if not isinstance(values, list):  # None, or in format 1 a number by itself
        values = [values]
    if len(values) > size:
        raise ValueError(f"{len(values)} results stand for {size} sets of parameters")
    return [*values, *[None] * (size - len(values))]


def _samples(values: list[Any]) -> pl.Series:
    """Return lists of samples; grouping all of them at once takes a fifth of a list's time each."""
    lengths = [len(one or ()) for one in values]
    cells = list(itertools.chain.from_iterable(map(itertools.repeat, itertools.count(), lengths)))
    samples = list(itertools.chain.from_iterable(filter(None, values)))
    frame = pl.DataFrame(
        {
            "cell": pl.Series(cells, dtype=pl.UInt32).set_sorted(),
            "samples": pl.Series(samples, dtype=pl.Float64),
        }
    )
    grouped = frame.group_by("cell", maintain_order=True).agg("samples")["samples"]
    count = itertools.count()
    where = [next(count) if length else None for length in lengths]
    return grouped.gather(pl.Series(where, dtype=pl.UInt32))


def _joined(
    files: list[tuple[Any, ...]],
    known_cells: catalogue.Catalogue,
    parts: list[dict[str, pl.Series]],
) -> pl.DataFrame:
    """Spread what is known of each file and each benchmark over the cells."""
    schema = {name: SCHEMA[name] for name in _OF_FILE}
    of_file = (
        pl.DataFrame(files, schema=schema | {"date": pl.Int64}, orient="row")
        .cast({"date": schema["date"]})
        .with_columns(cells=pl.Series([len(part["place"]) for part in parts]))
        .select(pl.exclude("cells").repeat_by("cells").explode())
    )
    of_grid = pl.DataFrame(
        known_cells.columns, schema={name: SCHEMA[name] for name in catalogue.COLUMNS}
    )
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
            of_grid[cells["place"]],
            cells.drop("place").with_columns(state, value.fill_nan(None), *finite),
        ],
        how="horizontal",
    ).select(*SCHEMA)


class _Benchmarks:
    """The benchmarks.json nearest to each file, up to the folder: it may hold several results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.near_folder: dict[Path, dict[str, Any]] = {}

    def near(self, path: Path) -> dict[str, Any]:
        here = path.parent
        if here not in self.near_folder:
            known = asv_files.load_benchmarks(here / "benchmarks.json")
            if not known and here != self.folder:
                known = self.near(here)
            self.near_folder[here] = known
        return self.near_folder[here]


def with_parameters(
    cells: pl.DataFrame, size: str | None = None, backend: str | None = None
) -> pl.DataFrame:
    """Say which parameters are the size n and the backend, where they have other names.

    A benchmark without a parameter of that name is left as it is.

    Parameters
    ----------
    cells : polars.DataFrame
        As `read` returns it.
    size, backend : str, optional
        The names of the parameters; None leaves a column as it is.

    Returns
    -------
    polars.DataFrame
        The cells with `n` and `backend` set from these parameters, and `params` holding the rest.

    Raises
    ------
    BadCallError
        If no cell has a parameter of that name, or both are the same.
    """
    known = {name for text in cells["params"].unique() for name in json.loads(text)}
    known |= {name for name in ("n", "backend") if cells[name].count()}
    for name in (size, backend):
        if name is not None and name not in known:
            there = f"there are {', '.join(sorted(known))}" if known else "there are none"
            raise BadCallError(f"no parameter {name!r}; {there}")
    if size is not None and size == backend:
        raise BadCallError(f"{size!r} cannot be both the size and the backend")

    @functools.cache
    def taken(
        params: str, n: float | None, name: str | None
    ) -> tuple[str | None, str, float | None]:
        texts = json.loads(params)
        # What was taken before may be an ordinary parameter now.
        texts |= {} if n is None else {"n": _number_text(n)}
        texts |= {} if name is None else {"backend": repr(name)}
        return take(
            texts,
            size if size is not None and size in texts else "n",
            backend if backend is not None and backend in texts else "backend",
        )

    rows = [taken(*row) for row in cells.select("params", "n", "backend").iter_rows()]
    return cells.with_columns(
        pl.Series(name, values, dtype=SCHEMA[name])
        for name, values in zip(("backend", "params", "n"), zip(*rows, strict=True), strict=True)
    )


def _number_text(number: float) -> str:
    return str(int(number)) if number.is_integer() else str(number)


def select(
    cells: pl.DataFrame, *, machine: str | None = None, commit: str | None = None
) -> pl.DataFrame:
    """Return the cells of one machine and commit.

    Parameters
    ----------
    cells : polars.DataFrame
        As `read` returns it.
    machine : str, optional
        Its name; by default all of them.
    commit : str, optional
        A hash or the beginning of one; by default, for each machine and environment, the newest
        commit that there are results of.

    Raises
    ------
    BadCallError
        If there are no results of this machine, or of no commit or several that begin so.
    """
    cells = of_machine(cells, machine)
    if commit is None:
        newest = pl.col("commit").sort_by("date", "commit").last()
        where = ["machine", "environment", "env_vars"]
        return cells.filter(pl.col("commit") == newest.over(where))
    fitting = require_commit(commit, cells["commit"].unique())
    if len(fitting) > 1:
        raise BadCallError(f"several commits begin with {commit!r}; there are {_short(fitting)}")
    return cells.filter(pl.col("commit") == fitting[0])


def of_machine(cells: pl.DataFrame, machine: str | None) -> pl.DataFrame:
    """Return the cells of one machine; None means all.

    Raises
    ------
    BadCallError
        If there are none.
    """
    if machine is None:
        return cells
    require_machine(machine, cells["machine"].unique())
    return cells.filter(pl.col("machine") == machine)


def require_machine(machine: str, there: Iterable[str]) -> None:
    """Raise `BadCallError` if a machine is not among those that there are."""
    names = sorted(there)
    if machine not in names:
        raise BadCallError(f"no results of a machine {machine!r}; there are {', '.join(names)}")


def require_commit(commit: str, there: Iterable[str]) -> list[str]:
    """Return which commits begin so; raise `BadCallError` if none of those that there are does."""
    known = sorted(there)
    fitting = [full for full in known if full.startswith(commit.lower())]
    if not fitting:
        said = f"no measured commit begins with {commit!r}; there are {_short(known)}"
        raise BadCallError(said)
    return fitting


def _short(commits: Sequence[str]) -> str:
    return ", ".join(full[:12] for full in commits[:10]) + (", …" if len(commits) > 10 else "")
