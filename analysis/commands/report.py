"""Write one HTML page with the tables, the figures and a small planner. It loads nothing from anywhere:
send it, print it, put it on a server. Each machine, environment and commit has a section of its own; of
many, the newest have.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from jitcost.commands import _common
from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.questions import history
from jitcost.questions.groups import origin_groups
from jitcost.questions.newest import newest_origins
from jitcost.show.answers.titles import left_out
from jitcost.show.report import page
from jitcost.show.report.past import Past
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost report -o report.html"

# A section has some dozens of figures: a page of more is not read, and is tens of megabytes.
SECTIONS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "-o",
        dest="file",
        type=Path,
        default=Path("report.html"),
        metavar="FILE",
        help="default: report.html",
    )
    parser.add_argument(
        "--all-origins",
        action="store_true",
        help=f"a section for each machine, environment and commit; default: for the newest {SECTIONS}",
    )
    _common.add_result_options(parser)
    _common.add_choosing_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write the page and print its path."""
    folder = args.results or results.default_folder()
    # A commit that is asked for has a history of releases only.
    machines = results.of_machine(results.read(folder), args.machine)
    everything = _common.chosen(machines, args, alone=True).cells
    cells = results.select(everything, commit=args.commit)
    past = everything if args.commit is None else cells
    shown, rest = newest_origins(
        history.without_releases(cells, past), len(cells) if args.all_origins else SECTIONS
    )
    text = page(shown, folder, Past.of(past))
    try:
        write_atomically(args.file, text)
    except OSError as error:
        raise BadCallError(f"cannot write {args.file}: {error.strerror}") from None
    print(args.file)
    if rest:
        print(
            f"jitcost: {left_out(rest, [origin for origin, _ in origin_groups(shown)])}",
            file=sys.stderr,
        )
    return 0
