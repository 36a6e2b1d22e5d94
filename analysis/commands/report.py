"""Write one HTML page with the tables, the figures and a small planner. It loads nothing from anywhere:
send it, print it, put it on a server. Each machine, environment and commit has a section of its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jitcost.commands import _common
from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.show.report import page
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost report -o report.html"


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
    _common.add_result_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write the page and print its path."""
    folder = args.results or results.default_folder()
    # A commit that is asked for has a history of releases only.
    everything = results.of_machine(results.read(folder), args.machine)
    cells = results.select(everything, commit=args.commit)
    text = page(cells, folder, everything=everything if args.commit is None else cells)
    try:
        write_atomically(args.file, text)
    except OSError as error:
        raise BadCallError(f"cannot write {args.file}: {error.strerror}") from None
    print(args.file)
    return 0
