"""Show every measured cell of an asv results folder, this project's or another's: the newest commit
of each machine and environment. As CSV it is what R and Julia read; as Parquet, one file or a folder of
files by machine and kind, what DuckDB queries past memory. analysis/RESULTS.md has the columns.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import polars as pl
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from jitcost import cli
from jitcost.errors import BadCallError
from jitcost.files import replacing, replacing_folder
from jitcost.store import results
from jitcost.units import format_seconds, size_text

__all__ = ["add_arguments", "as_csv", "as_json", "as_tables", "run"]

EXAMPLE = "jitcost results --format csv -o cells.csv"

FORMATS = ("table", "csv", "json", "parquet")

# What the folders of a dataset are named after: what nearly every query asks for, and few values each.
PARTITIONS = ("machine", "kind")

# How many cells of a history are in memory at once.
BATCH = 250_000

# More than a person reads; the other formats have every cell.
ROWS_SHOWN = 500

# A table that is not written to a terminal: wide enough for a benchmark's name and its numbers.
WIDTH = 160


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="the same as --format json",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="default: standard output; for Parquet a file if it ends in .parquet, else a folder",
    )
    cli.add_result_options(parser)
    parser.add_argument("--all-commits", action="store_true", help="every commit, not the newest")


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    if args.format == "parquet" and args.output is None:
        raise BadCallError("Parquet is no text for a terminal; say where to with -o PATH")
    if args.all_commits and args.commit is not None:
        raise BadCallError("--commit and --all-commits contradict each other; give one of them")
    cells = _selected(args)
    if args.output is None:
        _write(pl.concat(cells), args.format, sys.stdout)
    else:
        try:
            _write_to(args.output, cells, args.format)
        except OSError as error:
            raise BadCallError(f"cannot write {args.output}: {error.strerror or error}") from None
    return 0


def _selected(args: argparse.Namespace) -> Iterator[pl.DataFrame]:
    """Yield the cells that are asked for: the newest at once, those of every commit in batches."""
    folder = args.results or results.default_folder()
    if not args.all_commits:
        yield results.select(results.read(folder), machine=args.machine, commit=args.commit)
        return
    there: set[str] = set()
    for cells in results.batches(folder, BATCH):
        there.update(cells["machine"].unique())
        yield cells if args.machine is None else cells.filter(machine=args.machine)
    if args.machine is not None:
        results.require_machine(args.machine, there)


def _write_to(path: Path, cells: Iterator[pl.DataFrame], form: str) -> None:
    """Write the cells in the path's place, whole or not at all."""
    if form != "parquet":
        with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            _write(pl.concat(cells), form, file)
    elif path.suffix == ".parquet":
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


def _write(cells: pl.DataFrame, form: str, to: TextIO) -> None:
    if form == "csv":
        to.write(as_csv(cells))
    elif form == "json":
        to.writelines(as_json(cells))
    else:
        console = Console(file=to)
        if not console.is_terminal and "COLUMNS" not in os.environ:
            console = Console(file=to, width=WIDTH)
        for renderable in as_tables(cells):
            console.print(renderable)


def as_csv(cells: pl.DataFrame) -> str:
    """Return the cells as CSV: whole n without a point, samples joined by semicolons, dates ISO."""
    whole = pl.col("n").cast(pl.Int64, strict=False)
    samples = pl.col("samples").list.eval(pl.element().cast(pl.String)).list.join(";")
    return cells.with_columns(
        pl.when(whole == pl.col("n"))
        .then(whole.cast(pl.String))
        .otherwise(pl.col("n").cast(pl.String))
        .alias("n"),
        pl.col("date").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        samples,
    ).write_csv()


def as_json(cells: pl.DataFrame) -> Iterator[str]:
    """Yield the cells as one list of objects, an object a line: strict JSON, null for what is not."""
    yield "["
    separator = "\n"
    for row in cells.iter_rows(named=True):
        for name in ("env_vars", "versions", "params"):
            row[name] = json.loads(row[name])
        row["date"] = row["date"].isoformat()
        row["n"] = _number(row["n"])
        row["value"] = _number(row["value"], whole=False)
        if row["samples"] is not None:
            row["samples"] = [_number(sample, whole=False) for sample in row["samples"]]
        yield separator + json.dumps(row, allow_nan=False)
        separator = ",\n"
    yield "\n]\n"


def _number(value: float | None, *, whole: bool = True) -> float | int | None:
    if value is None or not math.isfinite(value):
        return None  # JSON has no infinity
    return int(value) if whole and value.is_integer() else value


def as_tables(cells: pl.DataFrame) -> Iterator[RenderableType]:
    """Yield a table for each machine, environment and commit, and what the tables leave out."""
    shown = cells.filter(pl.col("state") != "not_measured")
    left_out = len(cells) - len(shown)
    together = ["machine", "environment", "env_vars", "commit"]
    for values, group in shown.head(ROWS_SHOWN).group_by(together, maintain_order=True):
        yield _table(dict(zip(together, values, strict=True)), group)
    if len(shown) > ROWS_SHOWN:
        yield Text(f"not shown: {len(shown) - ROWS_SHOWN:,} more; --format csv -o FILE writes all")
    if left_out:
        yield Text(
            f"not measured (skipped, or not selected), and not shown: {left_out:,} of {len(cells):,}"
        )


def _table(head: dict[str, Any], group: pl.DataFrame) -> Table:
    env_vars = " ".join(f"{key}={text}" for key, text in json.loads(head["env_vars"]).items())
    title = ", ".join(
        filter(
            None, (head["machine"], head["environment"], env_vars, f"commit {head['commit'][:8]}")
        )
    )
    rows = list(group.iter_rows(named=True))
    versions = group.select("benchmark", "version").unique()
    columns = {
        "benchmark": [row["benchmark"] for row in rows],
        # Two versions of a benchmark have measured two different things.
        "version": [
            (row["version"] or "")[:8] if versions["benchmark"].is_duplicated().any() else ""
            for row in rows
        ],
        "n": ["" if row["n"] is None else size_text(row["n"]) for row in rows],
        "backend": [row["backend"] or "" for row in rows],
        "params": [_params(row["params"]) for row in rows],
        "value": [_quantity(row["value"], row["unit"]) for row in rows],
        "99 % interval": [_interval(row) for row in rows],
        "state": [row["state"] for row in rows],
    }
    table = Table(title=Text(title))
    kept = {heading: texts for heading, texts in columns.items() if any(texts)}
    for heading in kept:
        right = heading in ("n", "value", "99 % interval")
        table.add_column(heading, justify="right" if right else "left", overflow="fold")
    for texts in zip(*kept.values(), strict=True):
        table.add_row(*map(Text, texts))
    return table


def _params(text: str) -> str:
    return ", ".join(f"{name}={value}" for name, value in json.loads(text).items())


def _quantity(value: float | None, unit: str | None) -> str:
    if value is None:
        return ""
    return format_seconds(value) if unit == "seconds" else f"{value:.4g} {unit or ''}".rstrip()


def _interval(row: dict[str, Any]) -> str:
    low, high = row["ci_low"], row["ci_high"]
    if low is None and high is None:
        return ""
    texts = (
        "unbounded" if bound is None else _quantity(bound, row["unit"]) for bound in (low, high)
    )
    return " to ".join(texts)
