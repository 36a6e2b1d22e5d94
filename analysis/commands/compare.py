"""Compare the backends: the time per call by n, the best marked, and each one's ratio to a baseline
(the workload's own: numpy, or python for recursions) with its interval. What is not significantly slower
than the best is marked like it.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.questions import compare
from jitcost.show.answers.compare import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost compare --baseline numba"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--baseline", metavar="BACKEND", help="default: numpy; recursions: python")
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    found = _common.asked(args)
    answer = compare.ask(found.cells, compare.Options(args.baseline))
    return _common.show(answer, tables, args.format, missing=found.missing)
