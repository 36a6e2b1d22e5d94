"""Account for a call's time: NumPy's and jit's in parts, what each change from one to the other is
worth, how far all of them are from the floor, and why the curves over n bend. From experiments: the
backends under one changed setting (variants), measured in turns, and NumPy's operations one by one.

jitcost figure waterfall account draws it.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.errors import NothingFoundError
from jitcost.questions import account
from jitcost.questions.causes import CURVES
from jitcost.show.answers.account import tables
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost account elementwise --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "workload", nargs="?", metavar="WORKLOAD", help=f"one of {', '.join(CURVES)}; default: all"
    )
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    cells = _common.asked(args).cells
    caches = account.known_caches(cells, args.results or results.default_folder())
    answer = account.ask(cells, account.Options(args.workload, caches))
    if not answer:
        of = f" of {args.workload}" if args.workload else ""
        raise NothingFoundError(
            f"these results hold no variants{of}, which an account is made from"
        )
    return _common.show(_common.newest(answer, cells, args), tables, args.format)
