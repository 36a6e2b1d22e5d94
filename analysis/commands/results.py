"""Show every measured cell of an asv results folder, this project's or another's: the newest commit
of each machine and environment, or what options leave of it. As CSV it is what R and Julia read; as
Parquet, one file or a folder of files by machine and kind, what DuckDB queries past memory. With
--processes, a row for each process that a cell was measured in. analysis/RESULTS.md has the columns.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import polars as pl

from jitcost.commands import _common
from jitcost.errors import BadCallError
from jitcost.files import replacing
from jitcost.show.cells_table import write_tables
from jitcost.store import exporting, results
from jitcost.store.processes import processes

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost results --format csv -o cells.csv"

FORMATS = ("table", "csv", "json", "parquet")


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
    _common.add_result_options(parser)
    _common.add_filter_options(parser)
    parser.add_argument("--all-commits", action="store_true", help="every commit, not the newest")
    parser.add_argument(
        "--processes",
        action="store_true",
        help="a row for each process instead, and what it told of the machine; not as table",
    )


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    if args.format == "parquet" and args.output is None:
        raise BadCallError("Parquet is no text for a terminal; say where to with -o PATH")
    if args.all_commits and args.commit is not None:
        raise BadCallError("--commit and --all-commits contradict each other; give one of them")
    if args.processes and (args.format == "table" or args.all_commits):
        raise BadCallError(
            "--processes goes with --format csv, json or parquet, and one commit at a time"
        )
    cells = _selected(args)
    if args.processes:
        if args.format == "parquet" and args.output.suffix != ".parquet":
            raise BadCallError(f"processes make one file: end {args.output} in .parquet")
        folder = args.results or results.default_folder()
        cells = (processes(batch, folder) for batch in cells)
    if args.output is None:
        _write(cells, args.format, sys.stdout)
        return 0
    try:
        if args.format == "parquet":
            exporting.write_parquet(args.output, cells)
        else:
            with replacing(args.output) as path, path.open("w", encoding="utf-8") as file:
                _write(cells, args.format, file)
    except OSError as error:
        raise BadCallError(f"cannot write {args.output}: {error.strerror or error}") from None
    return 0


def _selected(args: argparse.Namespace) -> Iterator[pl.DataFrame]:
    """Yield the cells that are asked for: all of every commit in batches, anything less at once."""
    folder = args.results or results.default_folder()
    filtered = args.environment or args.since or args.of_workloads or args.of_backends
    if args.all_commits and not filtered:
        yield from exporting.of_every_commit(folder, args.machine)
        return
    cells = (
        results.read(folder, machine=args.machine)
        if args.all_commits
        else _common.selected_cells(args)
    )
    cells, parameter = _common.narrowed(cells, args)
    if parameter is not None:
        raise BadCallError(f"{parameter!r} is a parameter, not a backend; its values are in params")
    yield cells


def _write(cells: Iterator[pl.DataFrame], form: str, to: TextIO) -> None:
    together = pl.concat(cells)
    if form == "csv":
        to.write(exporting.as_csv(together))
    elif form == "json":
        to.writelines(exporting.as_json(together))
    else:
        write_tables(together, to)
