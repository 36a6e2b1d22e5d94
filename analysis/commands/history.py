"""What has changed over the releases of a library, and over the commits of this project: times at the
same sizes and compile cost C, each against the release before it; call cost, element cost and break-even
calls m* beside them. What all cells of a run have in common against the run before is divided by, and a
change is one beyond 3 %, which runs differ by with nothing changed. `jitcost backfill` measures them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jitcost.commands import _common
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions import history
from jitcost.questions.answers import Answer
from jitcost.show.answers.history import tables
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost history --over jax --figure jax.svg"

FIGURES = (".png", ".svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--over", metavar="WHAT", help="a library, or commits; default: all that there is"
    )
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw it, too: a name that ends in .svg or .png"
    )
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer, and draw the answer if asked to; return the exit status."""
    if args.figure is not None and args.figure.suffix not in FIGURES:
        raise BadCallError(f"{args.figure} ends in none of {', '.join(FIGURES)}")
    everything = results.read(args.results or results.default_folder())
    found = _common.chosen(results.of_machine(everything, args.machine), args, alone=True)
    answer = history.ask(found.cells, history.Options(args.over, args.commit))
    if not answer:
        said = "these results hold no two releases or commits to compare"
        raise NothingFoundError("; ".join([said, *found.missing]))
    if args.figure is not None:
        _draw(answer, args.figure)
    _common.show(answer, tables, args.format)
    if args.figure is not None and args.format == "table":
        print(args.figure)
    return 0


def _draw(answer: Answer[history.Row], file: Path) -> None:
    from jitcost.show.figures import figure
    from jitcost.show.figures.history import history as drawing
    from jitcost.show.figures.layout import save

    drawn = drawing(answer)
    try:
        save(figure(drawn.panels, drawn.caption), file)
    except OSError as error:
        raise BadCallError(f"cannot write {file}: {error.strerror}") from None
