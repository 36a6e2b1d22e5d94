"""How good are predictions by the model? Fit every second size, predict the others, and compare: the
relative error of each prediction, and their distribution.
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
    return _common.show(predict.ask(_common.selected_cells(args)), tables, args.format)
