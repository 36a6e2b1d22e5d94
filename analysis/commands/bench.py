"""Measure the checked-out commit with asv in an environment of its own, publish the history pages and
show which backend wins where. Every step that has finished is kept, also when one after it does not.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.markup import escape

from jitcost.commands import _common, _values
from jitcost.measuring.benching import bench
from jitcost.measuring.checkout import own_problems
from jitcost.measuring.selection import Selection
from jitcost.questions import compare
from jitcost.show.answers import compare as compare_tables
from jitcost.show.site import how_to_look
from jitcost.show.summary import summary, summary_of_variants
from jitcost.show.terminal import PipeConsole, print_all
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost bench recursion --backend numpy --backend numba --n 1000 --n 10000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="default: all; or floors")
    parser.add_argument(
        "--backend", action="append", metavar="NAME", help="default: all; repeatable"
    )
    parser.add_argument("--n", action="append", metavar="N", help="a size; repeatable")
    parser.add_argument("--machine", metavar="NAME", help="default: the host's name")
    parser.add_argument("--full", action="store_true", help="every size")
    parser.add_argument(
        "--processes",
        metavar="N",
        help="of a timed cell; default: five for elementwise and recursion, three for the others",
    )
    parser.add_argument(
        "--variants",
        action="store_true",
        help="only the experiments, backends under one changed setting",
    )
    _common.add_source_options(parser, "instead of what asv.conf.json names")
    parser.add_argument(
        "--ignore-changes",
        action="store_true",
        help="measure HEAD although the working tree differs from it",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, publish and show; return the exit status (1 where a cell has failed)."""
    console = PipeConsole()
    selection = Selection(
        workloads=args.workloads or None,
        backends=args.backend,
        sizes=None if args.n is None else list(map(_values.whole_number, args.n)),
        full=args.full,
        variants=args.variants,
        own=own_problems(),
    )
    processes = (
        None if args.processes is None else _values.whole_number(args.processes, "--processes")
    )

    def first_look(folder: Path, machine: str, commit: str) -> None:
        console.print("\nProvisional: one process a cell, and no interval")
        cells = results.read(folder).filter(machine=machine, commit=commit)
        print_all(compare_tables.tables(compare.ask(cells)))

    done = bench(
        console,
        selection,
        versions=args.versions,
        index_urls=args.index_urls,
        pre=args.pre,
        ignore_changes=args.ignore_changes,
        machine=args.machine,
        processes=processes,
        first_look=first_look,
    )
    cells = results.read(done.results).filter(machine=done.machine, commit=done.commit)
    if args.variants:
        print_all(summary_of_variants(cells, done.results))
    else:
        print_all(summary(cells, done.results))
    for line in how_to_look(done.html):
        console.print(line, soft_wrap=True, highlight=False, markup=False)
    for name, messages in done.failures.items():
        said = [f"[red]failed[/] in {name}, see {escape(str(done.log))}", *map(escape, messages)]
        console.print(*said, sep="\n  ")
    return 1 if done.failures else 0
