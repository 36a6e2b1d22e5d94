"""Which commit, or which release of a library, has changed a cell: halving, each one measured in turns
with the earlier end as `jitcost check` does. Of the cells that are selected it takes the one that has
changed most between the ends. What cannot be told, or installed, is passed over and named. The same call
goes on where one was interrupted.
"""

from __future__ import annotations

import argparse
from dataclasses import astuple

from jitcost.commands import _common, _gate
from jitcost.measuring.bisecting import bisect
from jitcost.measuring.comparing import commits_between, versions_between
from jitcost.measuring.suite import find_suite
from jitcost.questions import bisect as question
from jitcost.questions.answers import objects_of
from jitcost.show.answers.bisect import tables
from jitcost.show.terminal import PipeConsole

__all__ = ["add_arguments", "run"]

EXAMPLE = (
    'jitcost bisect "jax==0.5.3" "jax==0.10.2" --workload recursion --backend jax_jit --n 10000'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("earlier", metavar="EARLIER", help="a commit, or NAME==VERSION")
    parser.add_argument("later", metavar="LATER", help="another one")
    _common.add_index_options(parser)
    _gate.add_wanted_options(parser)
    parser.add_argument("--json", action="store_true", help="print strict JSON, not a table")


def run(args: argparse.Namespace) -> int:
    """Search, and show; return the exit status."""
    with _gate.own_faults():
        suite = find_suite(args.config, ignore_changes=args.ignore_changes)
        wanted = _gate.wanted(args, suite)
        if "=" in args.earlier:
            sides = versions_between(
                suite, args.earlier, args.later, index_urls=args.index_urls, pre=args.pre
            )
        else:
            sides = commits_between(suite, args.earlier, args.later)
        found = bisect(PipeConsole(stderr=args.json), suite, sides, wanted)
    answer = question.ask(
        [side.name for side in sides],
        found.cell,
        found.benchmarks,
        ends=astuple(found.ends),
        steps=((astuple(step), like) for step, like in found.steps),
        bracket=found.bracket,
        between=found.between,
        neighbours=astuple(found.neighbours),
    )
    form = "json" if args.json else "table"
    _common.print_as(form, lambda: objects_of(answer), lambda: tables(answer))
    return 0
