"""Compare the backends: the time per call by n, the best marked, and each one's ratio to a baseline
(the workload's own: numpy, or python for recursions) with its interval. What is not significantly slower
than the best is marked like it.

Over machines: the ratios alone, on each machine and on the average one, with the spread between machines
and the ratio to be expected on a further one. Of each machine the newest results are taken.
"""

from __future__ import annotations

import argparse
import sys

from jitcost.commands import _common
from jitcost.errors import BadCallError
from jitcost.questions import compare, over_machines
from jitcost.show.answers import over_machines as show_over_machines
from jitcost.show.answers.compare import tables
from jitcost.show.answers.titles import not_shown

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost compare --baseline numba"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--baseline", metavar="BACKEND", help="default: numpy; recursions: python")
    parser.add_argument(
        "--over",
        choices=["machines"],
        help="the ratios on all machines together; default: each by itself",
    )
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    if args.over and args.all_origins:
        raise BadCallError(
            "--over machines takes one origin of each machine; leave --all-origins out"
        )
    found = _common.asked(args)
    if args.over:
        over = over_machines.ask(found.cells, over_machines.Options(args.baseline))
        if over.left_out:
            said = not_shown(over.left_out, over.shown, "--environment or --commit choose")
            print(f"jitcost: {said}", file=sys.stderr)
        return _common.show(over, show_over_machines.tables, args.format, missing=found.missing)
    answer = compare.ask(found.cells, compare.Options(args.baseline))
    shown = _common.newest(answer, found.cells, args)
    return _common.show(shown, tables, args.format, missing=found.missing)
