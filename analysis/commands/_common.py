"""What commands share: options, reading the selected cells, printing an answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jitcost.errors import BadCallError, NothingFoundError

if TYPE_CHECKING:  # a command that needs none of them starts without
    import polars as pl

    from jitcost.questions.answers import Answer
    from jitcost.show.table import Table

__all__ = [
    "FORMATS",
    "add_json_option",
    "add_question_options",
    "add_result_options",
    "print_tables",
    "seconds",
    "selected_cells",
    "show",
    "whole_number",
]

FORMATS = ("table", "json", "csv", "markdown", "html")

Row = TypeVar("Row")


def add_result_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which results are meant."""
    parser.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="an asv results folder; default: the one that asv.conf.json names",
    )
    parser.add_argument("--machine", metavar="NAME", help="default: all, each by itself")
    parser.add_argument("--commit", metavar="HASH", help="default: the newest that was measured")


def add_question_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a question: which results are meant, and how the answer is printed."""
    add_result_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="strict JSON: the same as --format json",
    )


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print strict JSON, not tables")


def whole_number(text: str, what: str = "n") -> int:
    """Return an option's value as a number; `BadCallError` says which option it is."""
    try:
        return int(text)
    except ValueError:
        said = f"{what} = {text!r} is not a whole number; give one of at least 1"
        raise BadCallError(said) from None


def selected_cells(args: argparse.Namespace) -> pl.DataFrame:
    """Return the cells (see `jitcost.store`) that the result options select."""
    from jitcost.store import results

    folder = args.results or results.default_folder()
    return results.select(results.read(folder), machine=args.machine, commit=args.commit)


def show(
    answer: Answer[Row],
    tables: Callable[[Answer[Row]], Sequence[Table]],
    form: str,
    *,
    none_found: str | None = None,
    hint: str = "",
) -> int:
    """Print an answer; return the exit status.

    Parameters
    ----------
    answer : Answer
    tables : callable
        Makes the tables of the answer.
    form : str
        One of `FORMATS`.
    none_found : str, optional
        What an answer without rows means, where it is an answer, too.
    hint : str
        What else to try where there is no answer.

    Raises
    ------
    NothingFoundError
        If the answer has no rows, and that is none.
    """
    if not answer and none_found is None:
        raise NothingFoundError(f"these results hold nothing that answers this{hint}")
    if form == "json":
        print(json.dumps(answer.objects(), indent=1, allow_nan=False))
    elif not answer:
        print(none_found)
    elif form == "table":
        from jitcost.show.terminal import print_all

        print_all(tables(answer))
    elif form == "html":
        from jitcost.show.html import as_html

        sys.stdout.write(as_html(tables(answer)))
    else:
        from jitcost.show.plain import as_csv, as_markdown

        sys.stdout.write({"csv": as_csv, "markdown": as_markdown}[form](tables(answer)))
    return 0


def print_tables(renderables: Iterable[Any], width: int) -> None:
    """Print what a person reads; where that is no terminal, of this width."""
    from jitcost.show.terminal import console_for

    console = console_for(width)
    for renderable in renderables:
        console.print(renderable)


def seconds(text: str, option: str) -> float:
    """Return an option's value in seconds; `BadCallError` says which option it is."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise BadCallError(f"{option} {text}: give seconds, such as 60")
    return number
