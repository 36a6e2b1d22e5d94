"""Which backend for M calls of a workload at size N, and how long will they take? The first call, with
its compiling, and M - 1 calls in steady state. Between measured sizes times are interpolated, beyond
them they are the model's, and marked. No winner is named while a backend that runs N has no time.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common, _values
from jitcost.questions import plan
from jitcost.show.answers.plan import tables

__all__ = ["add_arguments", "options", "run"]

# 10^4 replications of a recursion of 10^5 steps: the simulation study of the article's introduction.
EXAMPLE = "jitcost plan recursion --n 100000 --calls 10000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("workload", metavar="WORKLOAD")
    parser.add_argument("--n", required=True, metavar="N", help="the size of each call")
    parser.add_argument("--calls", required=True, metavar="M", help="how many calls")
    _common.add_question_options(parser)


def options(args: argparse.Namespace) -> plan.Options:
    """Return what is planned; `BadCallError` if a number is none."""
    n, calls = (_values.whole_number(getattr(args, name), name) for name in ("n", "calls"))
    return plan.Options(args.workload, n, calls)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    wanted = options(args)
    found = _common.asked(args, alone=True)
    answer = _common.newest(plan.ask(found.cells, wanted), found.cells, args)
    return _common.show(answer, tables, args.format, missing=found.missing)
