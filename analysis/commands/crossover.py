"""At which n does another backend become the faster one? The crossings of the measured times, all that
are significant, each with the sizes between which it lies. Nothing outside the measured range.
"""

from __future__ import annotations

import argparse
import math

from jitcost.commands import _common
from jitcost.questions import compare, crossover
from jitcost.questions.newest import of_origins
from jitcost.show.answers.crossover import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost crossover --baseline python"

# An answer too.
NONE_FOUND = "no crossover within the measured sizes"

NO_BASELINE = "the baseline has no times here: --baseline NAME takes another"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--baseline", metavar="BACKEND", help="default: numpy; recursions: python")
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    found = _common.asked(args)
    everything = crossover.ask(found.cells, crossover.Options(args.baseline))
    # An origin without a crossover has answered, too.
    compared = compare.ask(found.cells, compare.Options(args.baseline))
    held = _common.newest(compared, found.cells, args)
    answer = of_origins(everything, [row.of.origin for row in held])
    if any(row.backend == row.baseline and math.isfinite(row.n) for row in held):
        return _common.show(answer, tables, args.format, none_found=NONE_FOUND)
    missing = (*found.missing, *([NO_BASELINE] if held else []))
    return _common.show(answer, tables, args.format, missing=missing)
