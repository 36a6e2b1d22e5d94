"""What the commands that answer a question share: their options, and how an answer is printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import polars as pl

from jitcost.errors import NothingFoundError
from jitcost.questions.answers import Answer

__all__ = ["FORMATS", "add_options", "cells", "show", "whole_number"]

FORMATS = ("table", "json", "csv", "markdown")

Row = TypeVar("Row")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which results are meant, and how the answer is printed."""
    from jitcost.cli import add_result_options

    add_result_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="strict JSON: the same as --format json",
    )


def cells(args: argparse.Namespace) -> pl.DataFrame:
    """Return the cells that the options select."""
    from jitcost.cli import selected_cells

    found: pl.DataFrame = selected_cells(args)
    return found


def whole_number(text: str, what: str) -> int:
    """Return an option's value as a number; `BadCallError` says which option it is."""
    from jitcost import cli

    return cli.whole_number(text, what)


def show(
    answer: Answer[Row],
    tables: Callable[[Answer[Row]], Sequence[Any]],
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
        from jitcost.show.terminal import print_tables

        print_tables(tables(answer))
    else:
        from jitcost.show.plain import as_csv, as_markdown

        sys.stdout.write({"csv": as_csv, "markdown": as_markdown}[form](tables(answer)))
    return 0
