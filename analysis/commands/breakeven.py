"""After how many calls has compiling paid? m* = C / (t_interpreted - t_compiled), rounded up.

C is the compile cost: the first call of a freshly made kernel less one call in steady state. All
three are of one machine, environment, commit and size. Where the compiled call is significantly
slower, it is never; where it is neither slower nor faster, that cannot be told.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.questions import breakeven
from jitcost.show.answers.breakeven import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost breakeven --baseline python"


# What other people's suites rarely have.
NO_FIRST_CALLS = "it takes first calls (class FirstCall) beside calls in steady state, of one size"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--baseline", metavar="BACKEND", help="the interpreted one; default: numpy or python"
    )
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    found = _common.asked(args)
    everything = breakeven.ask(found.cells, breakeven.Options(args.baseline))
    answer = _common.newest(everything, found.cells, args)
    missing = (*found.missing, NO_FIRST_CALLS)
    return _common.show(answer, tables, args.format, missing=missing)
