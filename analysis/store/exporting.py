"""Cells as other programs read them: CSV, strict JSON, and Parquet, one file or a dataset of many."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl
import polars.selectors as cs

from jitcost.errors import BadCallError
from jitcost.files import replacing, replacing_folder
from jitcost.store.reading import batches
from jitcost.store.selecting import require_machine

__all__ = ["PARTITIONS", "as_csv", "as_json", "of_every_commit", "write_parquet"]

# What the folders of a dataset are named after: what nearly every query asks for, and few values each.
PARTITIONS = ("machine", "kind")

# How many cells of a history are in memory at once.
BATCH = 250_000


def of_every_commit(folder: Path, machine: str | None = None) -> Iterator[pl.DataFrame]:
    """Yield the cells of every commit in batches, for a history may be past memory.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`.
    machine : str, optional
        By default all.

    Raises
    ------
    BadCallError
        As `jitcost.store.results.read`; or, when all is read, if nothing is of this machine.
    """
    there: set[str] = set()
    for cells in batches(folder, BATCH):
        there.update(cells["machine"].unique())
        yield cells if machine is None else cells.filter(machine=machine)
    if machine is not None:
        require_machine(machine, there)


def write_parquet(path: Path, cells: Iterable[pl.DataFrame]) -> None:
    """Write batches of cells in the path's place, whole or not at all.

    Parameters
    ----------
    path : Path
        A single file if it ends in .parquet, else a dataset: a folder of files by machine and kind.
    cells : iterable of polars.DataFrame

    Raises
    ------
    BadCallError
        If a folder of something else would be replaced.
    """
    if path.suffix == ".parquet":
        with replacing(path) as temporary:
            pl.concat(cells).write_parquet(temporary)
    else:
        path = path.resolve()  # what a link leads to is replaced, and not the link
        _refuse_other_content(path)
        with replacing_folder(path) as temporary:
            for number, batch in enumerate(cells):
                _add(temporary, number, batch)


def _add(dataset: Path, number: int, cells: pl.DataFrame) -> None:
    """Add a batch to a dataset: files beside those of the batches before."""
    with tempfile.TemporaryDirectory(dir=dataset) as folder:
        cells.write_parquet(folder, partition_by=list(PARTITIONS))
        for file in Path(folder).rglob("*.parquet"):
            target = dataset / file.relative_to(folder).parent / f"{number:06}-{file.name}"
            target.parent.mkdir(parents=True, exist_ok=True)
            file.rename(target)


def _refuse_other_content(folder: Path) -> None:
    """Refuse to replace what is no dataset: nobody means to lose a folder of other things."""
    if folder.is_file():
        raise BadCallError(f"{folder} is a file; a dataset is a folder, a single file *.parquet")
    for path in sorted(folder.iterdir()) if folder.exists() else ():
        if not path.name.startswith(f"{PARTITIONS[0]}="):
            raise BadCallError(f"{folder} would be replaced, and holds {path.name}; name another")


def as_csv(cells: pl.DataFrame) -> str:
    """Return the cells as CSV: whole n without a point, samples joined by semicolons, dates ISO.

    `jitcost.store.processes.processes`, too, are cells here.
    """
    whole = pl.col("n").cast(pl.Int64, strict=False)
    samples = pl.col("samples").list.eval(pl.element().cast(pl.String)).list.join(";")
    return cells.with_columns(
        pl.when(whole == pl.col("n"))
        .then(whole.cast(pl.String))
        .otherwise(pl.col("n").cast(pl.String))
        .alias("n"),
        cs.datetime().dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        samples,
    ).write_csv()


def as_json(cells: pl.DataFrame) -> Iterator[str]:
    """Yield the cells as one list of objects, an object a line: strict JSON, null for what is not."""
    texts = {"env_vars", "versions", "params"}
    objects = [name for name in cells.columns if name in texts]
    dates = cells.select(cs.datetime()).columns
    numbers = cells.select(cs.float()).columns
    yield "["
    separator = "\n"
    for row in cells.iter_rows(named=True):
        for name in objects:
            row[name] = json.loads(row[name])
        for name in dates:
            row[name] = row[name] and row[name].isoformat()
        for name in numbers:
            row[name] = _number(row[name], whole=name == "n")
        if row["samples"] is not None:
            row["samples"] = [_number(sample, whole=False) for sample in row["samples"]]
        yield separator + json.dumps(row, allow_nan=False)
        separator = ",\n"
    yield "\n]\n"


def _number(value: float | None, *, whole: bool = True) -> float | int | None:
    if value is None or not math.isfinite(value):
        return None  # JSON has no infinity
    return int(value) if whole and value.is_integer() else value
