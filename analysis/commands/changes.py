"""What has changed for good over the releases of a library, and over the commits: the steps of every
series on record, the newest first, each with its size, its interval and the runs on its sides, and the
drifts of those without a step. Looked at are ratios to the baseline of the same run, where it was timed,
and else times; of five runs or more.
"""

from __future__ import annotations

import argparse
import sys

from jitcost.commands import _common, _series, _values
from jitcost.questions import changes
from jitcost.questions.filters import backends_among
from jitcost.show.answers.changes import nothing_text, passed_over_text, tables
from jitcost.show.answers.intervals import count_text
from jitcost.stats.steps import FEWEST_RUNS

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost changes --over jax --least 10%"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--least",
        default="5%",
        metavar="SHARE",
        help="the smallest change that is told, like 10%% or 0.1; default: 5%%",
    )
    _series.add_arguments(parser, f"the newest commit's with {count_text(FEWEST_RUNS)}")


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    least = _values.share(args.least, "--least")
    found = _series.cells_of(args)
    named = backends_among(found.cells, args.of_backends)
    answer = changes.ask(found.cells, changes.Options(args.over, args.commit, least, named))
    if not answer.judged and not answer.short:
        raise _series.nothing_found(found.missing)
    for newest, looked in answer.passed_over:
        print(f"jitcost: {passed_over_text(newest, looked)}", file=sys.stderr)
    none_found = nothing_text(answer, least)
    shown = answer if args.format == "json" else answer.settled()
    return _common.show(shown, lambda _: tables(answer), args.format, none_found=none_found)
