"""At which n does another backend become the faster one? The crossings of the measured times, all that
are significant, each with the sizes between which it lies. Nothing outside the measured range.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.questions import crossover
from jitcost.show.answers.crossover import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost crossover --baseline python"

# An answer too.
NONE_FOUND = "no crossover within the measured sizes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--baseline", metavar="BACKEND", help="default: numpy; recursions: python")
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    cells = _common.selected_cells(args)
    answer = crossover.ask(cells, crossover.Options(args.baseline))
    timed = not cells.filter(kind="SteadyState").is_empty()
    return _common.show(answer, tables, args.format, none_found=NONE_FOUND if timed else None)
