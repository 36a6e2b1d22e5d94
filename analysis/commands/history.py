"""What has changed over the releases of a library, and over the commits of this project: times at the
same sizes and compile cost C, each against the release before it; call cost, element cost and break-even
calls m* beside them. What all cells of a run have in common against the run before is divided by, and a
change is one beyond 3 %, which runs differ by with nothing changed. Where all runs of a series together
tell a step (`jitcost changes`), it is marked. `jitcost backfill` measures them.

Of a long history the newest releases and the last ten commits of each machine are shown; --since and
--all-origins show more.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import polars as pl

from jitcost.commands import _common, _series
from jitcost.errors import BadCallError
from jitcost.questions import changes, history, recent
from jitcost.questions.answers import Answer
from jitcost.questions.filters import backends_among
from jitcost.show.answers.history import tables
from jitcost.show.answers.titles import not_shown

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost history --over jax --figure jax.svg"

_EVERYTHING = (
    "all of the history; default: of each machine the newest releases and the last "
    f"{recent.COMMITS_SHOWN} commits"
)

FIGURES = (".png", ".svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw it, too: a name that ends in .svg or .png"
    )
    _series.add_arguments(parser, "the newest commit's with two")
    parser.add_argument("--all-origins", action="store_true", help=_EVERYTHING)


def run(args: argparse.Namespace) -> int:
    """Answer, and draw the answer if asked to; return the exit status."""
    if args.figure is not None and args.figure.suffix not in FIGURES:
        raise BadCallError(f"{args.figure} ends in none of {', '.join(FIGURES)}")
    found = _series.cells_of(args)
    named = backends_among(found.cells, args.of_backends)
    cells = found.cells if _has_chosen(args) else _recent(found.cells)
    answer = history.ask(cells, history.Options(args.over, args.commit, named))
    if not answer:
        raise _series.nothing_found(found.missing)
    asked = changes.Options(args.over, args.commit, backends=named)
    steps = changes.ask(found.cells, asked)
    if args.figure is not None:
        _draw(answer, steps, args.figure)
    _common.show(answer, lambda _: tables(answer, steps), args.format)
    if args.figure is not None and args.format == "table":
        print(args.figure)
    return 0


def _has_chosen(args: argparse.Namespace) -> bool:
    """Tell whether a person has said which releases or commits; a library may lack newer ones."""
    library = args.over not in (None, history.COMMITS)
    return library or args.all_origins or args.since is not None or args.commit is not None


def _recent(cells: pl.DataFrame) -> pl.DataFrame:
    """Return the cells that are shown unasked; say on standard error what these are not."""
    cells, shown, others = recent.recent(cells, recent.COMMITS_SHOWN)
    if others:
        what = f"shown are each machine's newest releases and last {recent.COMMITS_SHOWN} commits"
        print(f"jitcost: {what}; {not_shown(others, shown)}", file=sys.stderr)
    return cells


def _draw(answer: Answer[history.Row], steps: Answer[changes.Row], file: Path) -> None:
    from jitcost.show.figures import figure
    from jitcost.show.figures.history import history as drawing
    from jitcost.show.figures.layout import save

    drawn = drawing(answer, steps)
    try:
        save(figure(drawn.panels, drawn.caption), file)
    except OSError as error:
        raise BadCallError(f"cannot write {file}: {error.strerror}") from None
