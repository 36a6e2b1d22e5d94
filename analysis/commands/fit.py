"""Fit t = k (c0 + c1 n) to the time per call of each backend: what a call costs (k c0), what an
element costs (k c1), and whether one line does: linear, linear to some per cent, piecewise, another law
of growth, or no model.

In other people's results the only parameter with three or more numbers is the size. Or say which
benchmarks, and which of their parameters is the size and tells what is compared: jitcost fit --results
DIR --benchmark 'time_sum' --size n --backend dtype

Does time scale with the number of operations? jitcost fit --benchmark op_chain.SteadyState --size k
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.questions import fit
from jitcost.show.answers.fit import tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost fit --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    cells, parameter = _common.narrowed(_common.selected_cells(args), args)
    everything = fit.ask(cells, fit.Options(args.benchmark, args.size, parameter))
    answer = _common.newest(everything, cells, args)
    missing = ("for other people's, say which: --benchmark REGEX",)
    return _common.show(answer, tables, args.format, missing=missing)
