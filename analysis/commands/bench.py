"""Measure the checked-out commit with asv in an environment of its own, publish the history pages and
show which backend wins where. Every step that has finished is kept, also when one after it does not.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from jitcost import backends, cli
from jitcost.asv_plugin import REPORT
from jitcost.errors import BadCallError
from jitcost.measuring.running import (
    Asv,
    alone,
    checkout,
    describe,
    machine_name,
    private_conf,
    progress_of,
    record,
    say_with_what,
    settings_of,
)
from jitcost.measuring.selection import Selection, steps
from jitcost.show.summary import summary, summary_of_variants
from jitcost.show.terminal import print_all
from jitcost.store import results
from jitcost.store.merging import merge_results

__all__ = ["add_arguments", "bench", "run", "say_how_to_look"]

EXAMPLE = "jitcost bench recursion --backend numpy --backend numba --n 1000 --n 10000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="default: all; or floors")
    parser.add_argument(
        "--backend", action="append", metavar="NAME", help="default: all; repeatable"
    )
    parser.add_argument("--n", action="append", metavar="N", help="a size; repeatable")
    parser.add_argument("--machine", metavar="NAME", help="default: the host's name")
    parser.add_argument("--full", action="store_true", help="every size, samples recorded")
    parser.add_argument(
        "--variants",
        action="store_true",
        help="only the experiments, backends under one changed setting",
    )
    parser.add_argument(
        "--with",
        dest="versions",
        action="append",
        metavar="NAME=VERSION",
        help="another release than asv.conf.json's, such as jax=0.9.2; repeatable",
    )
    parser.add_argument(
        "--ignore-changes",
        action="store_true",
        help="measure HEAD although the working tree differs from it",
    )


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    selection = Selection(
        workloads=args.workloads or None,
        backends=args.backend,
        sizes=None if args.n is None else list(map(cli.whole_number, args.n)),
        full=args.full,
        variants=args.variants,
    )
    return bench(
        selection,
        versions=args.versions or (),
        ignore_changes=args.ignore_changes,
        machine=args.machine,
    )


def bench(
    selection: Selection,
    *,
    versions: Sequence[str] = (),
    ignore_changes: bool = False,
    machine: str | None = None,
) -> int:
    """Measure, publish and show; return the exit status (1 where a cell has failed)."""
    machine = machine_name(machine)
    console = Console()
    root, commit = checkout(ignore_changes=ignore_changes)
    settings = settings_of(root / "asv.conf.json")
    requirements = _requirements(settings, versions)
    kept, html = root / settings["results_dir"], root / settings["html_dir"]
    work = kept.parent
    work.mkdir(parents=True, exist_ok=True)
    with alone(work / "lock"):
        log = work / "asv.log"
        log.write_text("")
        failures = _measure(console, root, commit, selection, requirements, log, machine)
        console.print("Publishing the pages")
        Asv(root / "asv.conf.json", log).publish(console)
    cells = results.read(kept).filter(machine=machine, commit=commit)
    if selection.variants:
        print_all(summary_of_variants(cells, kept))
    else:
        print_all(summary(cells))
    say_how_to_look(console, html)
    for name, messages in failures.items():
        console.print(f"[red]failed[/] in {name}, see {log}", *messages, sep="\n  ")
    return 1 if failures else 0


def _requirements(settings: dict[str, Any], versions: Sequence[str]) -> dict[str, str] | None:
    """Return the environment's releases, some of them asked for; None: all are the project's own."""
    if not versions:
        return None
    requirements = {name: pins[0] for name, pins in settings["matrix"]["req"].items()}
    for text in versions:
        name, _, version = text.partition("=")
        if name not in requirements or not version:
            known = ", ".join(requirements)
            raise BadCallError(f"--with {text}: give NAME=VERSION; the names are {known}")
        requirements[name] = version
    return requirements


def _measure(
    console: Console,
    root: Path,
    commit: str,
    selection: Selection,
    requirements: dict[str, str] | None,
    log: Path,
    machine: str,
) -> dict[str, list[str]]:
    """Run every step; return the messages of those in which a cell has failed.

    asv saves when a run ends and not before: with one run for each workload and class, an interrupt
    loses at most the one under way.
    """
    conf_file = root / "asv.conf.json"
    kept, work = root / settings_of(conf_file)["results_dir"], log.parent
    fresh = work / "unmerged"

    def merge() -> None:
        for path in merge_results(fresh, kept, work / "replaced"):
            console.print(
                f"Replaced; what was there is now {os.path.relpath(path)}", soft_wrap=True
            )

    merge()  # what a run has left that was killed outright
    asv = Asv(private_conf(conf_file, fresh, work, commit, requirements), log)
    asv.introduce(machine)
    measure = ("run", f"{commit}^!", "--machine", machine)
    console.print(f"Building {commit[:8]} and asv's environment; the first time takes minutes")
    asv.run(*measure, "--bench", "just-discover")
    planned = steps(json.loads((fresh / "benchmarks.json").read_text()), selection)
    if not planned:
        raise BadCallError("no benchmark has all of these workloads, backends and sizes")
    described = describe(asv)
    say_with_what(console, described["backends"])

    failures: dict[str, list[str]] = {}
    samples = ["--record-samples"] if selection.full or selection.variants else []
    try:
        for step, count in progress_of(console, planned):
            patterns = [f"--bench={pattern}" for pattern in step.patterns]
            call = (*measure, "-v", "--show-stderr", *samples, *patterns)
            if asv.run(*call, on_line=count) != 0:
                failures[step.name] = asv.errors()
            record(described, fresh)
    finally:
        merge()
    return failures


def say_how_to_look(console: Console, html: Path) -> None:
    """Say where the pages are, and how to open them."""
    shown = os.path.relpath(html)
    serve = ["-m", "http.server", "--bind", "127.0.0.1", "--directory", shown]
    graph = "#elementwise.SteadyState.time_call?x-axis=n&y-axis-scale=log"
    graph += "".join(f"&p-backend=%27{name}%27" for name in backends.NAMES)
    for line in (
        f"\nThe history pages and a report are in {shown}. To look at them, run",
        f"  {shlex.join([os.path.relpath(sys.executable), *serve])}",
        "and open in a browser",
        f"  http://127.0.0.1:8000/{REPORT}  the report: tables, figures, a planner",
        "  http://127.0.0.1:8000/  asv's history; all backends over n in one graph are at",
        f"  http://127.0.0.1:8000/{graph}",
    ):
        console.print(line, soft_wrap=True, highlight=False)
