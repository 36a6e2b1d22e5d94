"""What commands share: options, reading the selected cells, printing an answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jitcost.errors import BadCallError, NothingFoundError

if TYPE_CHECKING:  # a command that needs none of them starts without
    import polars as pl

    from jitcost.questions.answers import Answer
    from jitcost.questions.choosing import Chosen
    from jitcost.questions.newest import Placed
    from jitcost.show.table import Table

__all__ = [
    "ALL_ORIGINS",
    "FORMATS",
    "add_choosing_options",
    "add_filter_options",
    "add_format_options",
    "add_index_options",
    "add_question_options",
    "add_result_options",
    "add_source_options",
    "asked",
    "chosen",
    "narrowed",
    "newest",
    "print_as",
    "selected_cells",
    "show",
]

FORMATS = ("table", "json", "csv", "markdown", "html")

ALL_ORIGINS = "each environment's newest commit; default: of each machine the newest alone"

Row = TypeVar("Row")
OfOrigin = TypeVar("OfOrigin", bound="Placed")


def add_result_options(
    parser: argparse.ArgumentParser, commit: str = "default: the newest that was measured"
) -> None:
    """Add the options that say which results are meant; `commit` says what --commit does."""
    parser.add_argument(
        "--results",
        type=Path,
        metavar="PATH",
        help="an asv results folder, a machine's folder in it, or one result file (.json, .json.gz);"
        " default: the folder that asv.conf.json names",
    )
    parser.add_argument("--machine", metavar="NAME", help="default: all, each by itself")
    parser.add_argument("--commit", metavar="HASH", help=commit)


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what of these results is meant: see `narrowed`."""
    parser.add_argument(
        "--environment", metavar="NAME", help="its name, or a part such as jax0.9.2"
    )
    parser.add_argument("--since", metavar="DATE", help="commits from this day on: YYYY-MM-DD")
    parser.add_argument(
        "--workload",
        dest="of_workloads",
        action="append",
        default=[],
        metavar="NAME",
        help="this one only; repeatable",
    )
    parser.add_argument(
        "--backend",
        dest="of_backends",
        action="append",
        default=[],
        metavar="NAME",
        help="this one only; repeatable. Or, in other people's results, the parameter that tells apart "
        "what is compared",
    )


def add_choosing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what of these results is meant, in other people's suites as well."""
    add_filter_options(parser)
    parser.add_argument(
        "--benchmark",
        metavar="REGEX",
        help="those whose names it matches; default: SteadyState of each workload, or all of others'",
    )
    parser.add_argument(
        "--size",
        metavar="PARAM",
        help="the parameter that is n; default: n, or the only one with three or more numbers",
    )


def add_question_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a question: which results are meant, and how the answer is printed."""
    add_result_options(parser)
    add_choosing_options(parser)
    parser.add_argument("--all-origins", action="store_true", help=ALL_ORIGINS)
    add_format_options(parser)


def add_format_options(parser: argparse.ArgumentParser) -> None:
    """Add --format, and --json for one of them."""
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="strict JSON: the same as --format json",
    )


def add_source_options(parser: argparse.ArgumentParser, what: str) -> None:
    """Add --with, of which `what` says what it does, and where pip looks for that."""
    forms = (
        "jax==0.9.2, jax (the newest), 'jax>=0.9,<0.10', 'jax @ git+https://...@main', or the path"
    )
    each = f"{what}: {forms} of a wheel or of a source folder; repeatable"
    parser.add_argument(
        "--with", dest="versions", action="append", default=[], metavar="WHAT", help=each
    )
    add_index_options(parser)


def add_index_options(parser: argparse.ArgumentParser) -> None:
    """Add where pip looks for versions, and whether it takes pre-releases."""
    more = "where pip looks for it, too, such as the nightlies; repeatable"
    parser.add_argument(
        "--extra-index-url",
        dest="index_urls",
        action="append",
        default=[],
        metavar="URL",
        help=more,
    )
    said = "the newest of it may be a pre-release; pip gets --pre, too"
    parser.add_argument("--pre", action="store_true", help=said)


def selected_cells(args: argparse.Namespace) -> pl.DataFrame:
    """Return the cells (see `jitcost.store`) that the result options select."""
    from jitcost.store import results

    folder = args.results or results.default_folder()
    commit = results.NEWEST if args.commit is None else args.commit
    return results.read(folder, machine=args.machine, commit=commit)


def narrowed(
    cells: pl.DataFrame, args: argparse.Namespace, *, all_backends: bool = False
) -> tuple[pl.DataFrame, str | None]:
    """Return the cells that `--environment`, `--since`, `--workload` and `--backend` leave.

    And the parameter, where `--backend` names one of the cells' parameters and no backends.
    `all_backends` leaves those that are not named, too: as baselines, for instance.

    Raises
    ------
    BadCallError
        If there is nothing of a name, or a parameter and others are named.
    """
    from jitcost.questions.choosing import parameters_of
    from jitcost.questions.filters import Filters, day, filtered, of_backends

    since = None if args.since is None else day(args.since)
    cells = filtered(cells, Filters(args.environment, tuple(args.of_workloads), since))
    known = parameters_of(cells) if args.of_backends else set()
    parameters = [name for name in args.of_backends if name in known]
    if not parameters:
        named = of_backends(cells, args.of_backends)
        return cells if all_backends else named, None
    if len(args.of_backends) > 1:
        raise BadCallError(f"--backend {parameters[0]} is a parameter; give it alone")
    return cells, parameters[0]


def chosen(
    cells: pl.DataFrame,
    args: argparse.Namespace,
    *,
    alone: bool = False,
    all_backends: bool = False,
) -> Chosen:
    """Return what of these cells all choosing options mean; say on standard error what was guessed.

    See `jitcost.questions.choosing.choose`, and `narrowed`.
    """
    from jitcost.questions.choosing import Choice, choose

    cells, parameter = narrowed(cells, args, all_backends=all_backends)
    choice = Choice(args.benchmark, args.size, parameter)
    found = choose(cells, choice, alone=alone)
    for sentence in found.guessed:
        print(f"jitcost: {sentence}", file=sys.stderr)
    return found


def asked(args: argparse.Namespace, *, alone: bool = False) -> Chosen:
    """Return the cells that a question is asked of, by all of its options; see `chosen`."""
    return chosen(selected_cells(args), args, alone=alone)


def newest(
    answer: Answer[OfOrigin], cells: pl.DataFrame, args: argparse.Namespace
) -> Answer[OfOrigin]:
    """Return the rows of each machine's newest origin, or all; say what is left out."""
    from jitcost.questions.newest import newest, of_origins
    from jitcost.show.answers.titles import left_out

    if args.all_origins:
        return answer
    shown, others = newest(answer, cells)
    if others:
        print(f"jitcost: {left_out(others, shown)}", file=sys.stderr)
    return of_origins(answer, shown)


def show(
    answer: Answer[Row],
    tables: Callable[[Answer[Row]], Sequence[Table]],
    form: str,
    *,
    none_found: str | None = None,
    missing: Sequence[str] = (),
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
    missing : sequence of str
        What is not known of the cells, which may be why there is no answer.

    Raises
    ------
    NothingFoundError
        If the answer has no rows, and that is none.
    """
    if not answer and none_found is None:
        said = "; ".join(["these results hold nothing that answers this", *missing])
        raise NothingFoundError(said)
    if not answer and form not in ("json", "csv"):
        print(none_found)
    else:
        if not answer:  # no rows are read by programs as no rows, whatever they mean
            print(f"jitcost: {none_found}", file=sys.stderr)
        print_as(form, answer.objects, lambda: tables(answer))
    return 0


def print_as(
    form: str,
    objects: Callable[[], Any],
    tables: Callable[[], Sequence[Table]],
    width: int | None = None,
) -> None:
    """Print in one of `FORMATS`: objects as strict JSON, tables as everything else.

    Parameters
    ----------
    form : str
    objects, tables : callable
        Make what is printed.
    width : int, optional
        Of tables that go to no terminal.
    """
    if form == "json":
        print(json.dumps(objects(), indent=1, allow_nan=False))
    elif form == "table":
        from jitcost.show.terminal import console_for, print_all

        print_all(tables(), console_for() if width is None else console_for(width))
    elif form == "html":
        from jitcost.show.html import as_html

        sys.stdout.write(as_html(tables()))
    else:
        from jitcost.show.plain import as_csv, as_markdown

        sys.stdout.write({"csv": as_csv, "markdown": as_markdown}[form](tables()))
