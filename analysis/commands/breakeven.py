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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--baseline", metavar="BACKEND", help="the interpreted one; default: numpy or python"
    )
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    answer = breakeven.ask(_common.selected_cells(args), breakeven.Options(args.baseline))
    return _common.show(answer, tables, args.format)
