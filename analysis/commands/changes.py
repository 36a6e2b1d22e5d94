"""What has changed for good over the releases of a library, and over the commits: the steps of every
series on record, the newest first, each with its size, its interval and the runs on its sides. Looked
at are ratios to the baseline of the same run, where it was timed, and else times; of five runs or more.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common, _values
from jitcost.errors import NothingFoundError
from jitcost.questions import changes
from jitcost.questions.filters import backends_among
from jitcost.show.answers.changes import nothing_text, tables
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost changes --over jax --least 10%"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--over", metavar="WHAT", help="a library, or commits; default: all that there is"
    )
    parser.add_argument(
        "--least",
        default="5%",
        metavar="SHARE",
        help="the smallest change that is told, like 10%% or 0.1; default: 5%%",
    )
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    least = _values.share(args.least, "--least")
    everything = results.read(args.results or results.default_folder())
    of_machine = results.of_machine(everything, args.machine)
    found = _common.chosen(of_machine, args, alone=True, all_backends=True)
    named = backends_among(found.cells, args.of_backends)
    answer = changes.ask(found.cells, changes.Options(args.over, args.commit, least, named))
    if not answer.judged and not answer.short:
        said = "these results hold no two releases or commits to compare"
        raise NothingFoundError("; ".join([said, *found.missing]))
    none_found = nothing_text(answer, least)
    return _common.show(answer, lambda _: tables(answer), args.format, none_found=none_found)
