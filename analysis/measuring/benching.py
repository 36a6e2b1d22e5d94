"""Measure one commit, step by step: what `jitcost bench` does before it shows the numbers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from jitcost.errors import BadCallError
from jitcost.measuring.asv import Asv
from jitcost.measuring.checkout import checkout
from jitcost.measuring.configuration import private_conf, settings_of, with_releases
from jitcost.measuring.lock import alone
from jitcost.measuring.machine import introduce, machine_name
from jitcost.measuring.progress import progress_of, say_with_what
from jitcost.measuring.provenance import describe, record
from jitcost.measuring.selection import Selection, steps
from jitcost.store.merging import merge_results

__all__ = ["Bench", "bench"]


@dataclass(frozen=True)
class Bench:
    """What was measured, and where it is.

    Attributes
    ----------
    machine, commit : str
        As asv has them.
    results, html, log : Path
        The results folder, the published pages, and all that asv has said.
    failures : mapping
        The messages of the steps in which a cell has failed, by step.
    """

    machine: str
    commit: str
    results: Path
    html: Path
    log: Path
    failures: Mapping[str, Sequence[str]]


def bench(
    console: Console,
    selection: Selection,
    *,
    versions: Sequence[str] = (),
    ignore_changes: bool = False,
    machine: str | None = None,
) -> Bench:
    """Measure the checked-out commit and publish the pages.

    Parameters
    ----------
    console : rich.console.Console
        Where to say what happens.
    selection : Selection
    versions : sequence of str
        NAME=VERSION of releases that are to be measured instead of the project's own.
    ignore_changes : bool
        Measure HEAD although the working tree differs from it.
    machine : str, optional
        The name to keep results under; by default the host's.

    Raises
    ------
    BadCallError
        If the call cannot be carried out; nothing is then made.
    AsvError
        If asv gives up; the steps that had finished are kept.
    """
    machine = machine_name(machine)
    root, commit = checkout(ignore_changes=ignore_changes)
    settings = settings_of(root / "asv.conf.json")
    requirements = with_releases(settings, versions)
    kept, html = root / settings["results_dir"], root / settings["html_dir"]
    work = kept.parent
    work.mkdir(parents=True, exist_ok=True)
    with alone(work / "lock"):
        log = work / "asv.log"
        log.write_text("")
        failures = _measure(console, root, commit, selection, requirements, log, machine)
        console.print("Publishing the pages")
        Asv(root / "asv.conf.json", log).publish(console)
    return Bench(machine, commit, kept, html, log, failures)


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
                f"Replaced; what was there is now {os.path.relpath(path)}",
                soft_wrap=True,
                markup=False,
            )

    merge()  # what a run has left that was killed outright
    asv = Asv(private_conf(conf_file, fresh, work, commit, requirements), log)
    introduce(machine)
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
