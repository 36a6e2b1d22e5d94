"""What commands share: the options that say which results are meant, reading them, printing answers."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitcost.errors import BadCallError

if TYPE_CHECKING:
    import polars as pl  # a command that needs none starts without

__all__ = [
    "add_json_option",
    "add_result_options",
    "print_answer",
    "print_tables",
    "selected_cells",
    "whole_number",
]


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
    """Return the cells (see `jitcost.store.results`) that the result options select."""
    from jitcost.store import results

    folder = args.results or results.default_folder()
    return results.select(results.read(folder), machine=args.machine, commit=args.commit)


def print_answer(
    rows: Any, render: Callable[[Any], Iterable[Any]], as_json: bool, width: int | None = None
) -> None:
    """Print JSON-ready objects as strict JSON, or what a person reads instead."""
    if as_json:
        print(json.dumps(_strict(rows), indent=1, allow_nan=False))
    else:
        print_tables(render(rows), width)


def print_tables(renderables: Iterable[Any], width: int | None = None) -> None:
    """Print what a person reads; where that is no terminal, as wide as the tables need."""
    from rich.console import Console

    console = Console()
    if width is not None and not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(width=width)
    for renderable in renderables:
        console.print(renderable)


def _strict(value: Any) -> Any:
    """Return a value that strict JSON can hold: null for what is not finite, whole sizes as such."""
    if isinstance(value, dict):
        return {key: _strict(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_strict(member) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value
