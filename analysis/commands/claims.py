"""Which of the article's quantitative claims hold on this machine? Each with its figure, ours, and
why the two may differ. Ours is the median of each process's fastest sample, as everywhere, or where the
processes are not known that of all samples; which of them is said. The article took minima.

A claim about a time holds where ours is within a factor of two; a claim about an order or a ratio
holds where the order does, or the ratio is within a factor of two.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.questions import claims
from jitcost.show.answers.claims import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost claims --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none but those that select results."""
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    cells = _common.asked(args).cells
    answer = _common.newest(claims.ask(cells), cells, args)
    return _common.show(answer, tables, args.format)
