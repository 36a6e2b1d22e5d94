"""Measure what the history lacks: a small selection under each release of JAX, NumPy and Numba that
analysis/store/history.toml names, each varied alone, or (--commits) at commits of this project. What the
results hold already is not measured again; an interrupt loses one step, and the next call goes on.
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

from rich.console import Console

from jitcost.commands import _common, _values
from jitcost.errors import BadCallError
from jitcost.measuring.backfilling import Backfill
from jitcost.measuring.checkout import checkout, commit_of, commits_of
from jitcost.measuring.configuration import pinned, settings_of
from jitcost.measuring.machine import machine_name
from jitcost.measuring.selection import Selection, require_backends
from jitcost.measuring.sources import resolved
from jitcost.measuring.targets import Target, installable_targets, narrowed, rows_of
from jitcost.show.summary import summary_of_history
from jitcost.show.terminal import PipeConsole, print_all
from jitcost.store import releases, results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost backfill recursion --library jax"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "workloads", nargs="*", metavar="WORKLOAD", help="default: those in history.toml"
    )
    parser.add_argument(
        "--library", action="append", metavar="NAME", help="default: all; or, beside --with, none"
    )
    _common.add_source_options(parser, "a column that history.toml has not")
    parser.add_argument(
        "--backend",
        action="append",
        metavar="NAME",
        help="default: the library's, and the baselines; repeatable",
    )
    parser.add_argument("--n", action="append", metavar="N", help="a size; repeatable")
    parser.add_argument("--machine", metavar="NAME", help="default: the host's name")
    parser.add_argument(
        "--commits",
        metavar="COMMITS",
        help="these instead of the releases: a range, or how many of the last that changed a kernel",
    )
    parser.add_argument("--at", metavar="COMMIT", help="under which to file; default: HEAD")
    parser.add_argument(
        "--build-only", action="store_true", help="make the environments and measure nothing"
    )
    parser.add_argument(
        "--ignore-changes",
        action="store_true",
        help="measure HEAD although the working tree differs from it",
    )


def run(args: argparse.Namespace) -> int:
    """Measure what is missing; return the exit status (1 where something still is)."""
    machine = machine_name(args.machine)
    table = releases.load()
    console = PipeConsole()
    root, head = checkout(ignore_changes=args.ignore_changes)
    sizes = None if args.n is None else list(map(_values.whole_number, args.n))
    ladders = table.commit_sizes if args.commits else table.sizes
    selection = Selection(args.workloads or list(ladders), sizes=sizes, ladders=ladders)
    settings = settings_of(root / "asv.conf.json")
    default = pinned(settings)
    require_backends(args.backend or ())
    if args.commits and (args.library or args.at or args.versions):
        raise BadCallError(
            "--commits are measured in the default environment: no --library, no --with, no --at"
        )
    if args.commits:
        found = [
            Target(commit[:8], default, commit, list(table.commit_backends))
            for commit in commits_of(root, args.commits)
        ]
    else:
        rows = rows_of(table, args.library) if args.library or not args.versions else []
        at = commit_of(root, args.at) if args.at else head
        work = (root / settings["results_dir"]).parent
        get = functools.partial(
            resolved,
            settings=settings,
            work=work,
            index_urls=args.index_urls,
            pre=args.pre,
            base=root,
        )
        found = installable_targets(console, [*rows, *args.versions], table, default, at, get)
    if args.backend:
        narrowed(found, args.backend)
    backfill = Backfill(console, root, head, machine, selection)
    complete = backfill.run(found, args.build_only)
    if not args.build_only:
        _show_history(console, backfill.kept, machine)
    return 0 if complete else 1


def _show_history(console: Console, folder: Path, machine: str) -> None:
    cells = results.of_machine(results.read(folder), machine)
    print_all(summary_of_history(cells), console)
    console.print(
        "jitcost history shows this again; jitcost keep puts the results into analysis/history"
    )
