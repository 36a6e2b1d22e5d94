"""How good are predictions? Leave out every second size, predict it from the others, and compare: by
interpolation, as a plan does between measured sizes, and by the model, as it does beyond them.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.questions import predict
from jitcost.show.answers.predict import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost predict"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none but those of every question."""
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    found = _common.asked(args, alone=True)
    answer = _common.newest(predict.ask(found.cells), found.cells, args)
    return _common.show(answer, tables, args.format, missing=found.missing)
