"""Measure one commit, step by step: what `jitcost bench` does before it shows the numbers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from jitcost.errors import BadCallError
from jitcost.measuring.asv import Asv
from jitcost.measuring.checkout import checkout
from jitcost.measuring.configuration import pinned, private_conf, settings_of
from jitcost.measuring.lock import alone
from jitcost.measuring.machine import introduce, machine_name
from jitcost.measuring.planning import FIRST, planned_steps
from jitcost.measuring.progress import progress_of, say_with_what
from jitcost.measuring.provenance import describe, record
from jitcost.measuring.selection import Selection
from jitcost.measuring.sources import Source, resolved
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
    index_urls: Sequence[str] = (),
    pre: bool = False,
    ignore_changes: bool = False,
    machine: str | None = None,
    processes: int | None = None,
    first_look: Callable[[Path, str, str], object] = lambda *_: None,
) -> Bench:
    """Measure the checked-out commit and publish the pages.

    Parameters
    ----------
    console : rich.console.Console
        Where to say what happens.
    selection : Selection
    versions : sequence of str
        What is to be measured instead of the project's own releases; see `sources`.
    index_urls : sequence of str
        Indexes where pip may find it, besides its own.
    pre : bool
        Whether pre-releases may be the newest.
    ignore_changes : bool
        Measure HEAD although the working tree differs from it.
    machine : str, optional
        The name to keep results under; by default the host's.
    processes : int, optional
        How many a timed cell gets; by default as many as its benchmark says.
    first_look : callable, optional
        Called once in a long run, when each cell of the article's two problems has been measured in one
        process: with a results folder, the machine and the commit.

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
    kept, html = root / settings["results_dir"], root / settings["html_dir"]
    work = kept.parent
    with console.status("Getting what is to be measured"):
        sources = resolved(versions, settings, work=work, index_urls=index_urls, pre=pre)
    requirements = None
    if sources:
        requirements = pinned(settings) | {key: one.version for key, one in sources.items()}
    work.mkdir(parents=True, exist_ok=True)
    with alone(work / "lock"):
        log = work / "asv.log"
        log.write_text("")
        run = _Run(console, root, commit, machine, requirements, sources, log)
        failures = run.measure(selection, processes, first_look)
        console.print("Publishing the pages")
        Asv(root / "asv.conf.json", log).publish(console)
    return Bench(machine, commit, kept, html, log, failures)


class _Run:
    """What a run of asv needs, step by step.

    asv saves when a run ends and not before: with one run for each workload and class, an interrupt
    loses at most the one under way.
    """

    def __init__(
        self,
        console: Console,
        root: Path,
        commit: str,
        machine: str,
        requirements: dict[str, str] | None,
        sources: dict[str, Source],
        log: Path,
    ) -> None:
        conf_file, self.work = root / "asv.conf.json", log.parent
        self.console, self.commit, self.machine = console, commit, machine
        self.sources = sources
        self.kept = root / settings_of(conf_file)["results_dir"]
        self.fresh = self.work / "unmerged"
        self._merge()  # what a run has left that was killed outright
        conf = private_conf(conf_file, self.fresh, self.work, commit, requirements, sources)
        self.asv = Asv(conf, log)

    def measure(
        self,
        selection: Selection,
        processes: int | None,
        first_look: Callable[[Path, str, str], object],
    ) -> dict[str, list[str]]:
        """Run every step; return the messages of those in which a cell has failed."""
        introduce(self.machine)
        said = f"Building {self.commit[:8]} and asv's environment; the first time takes minutes"
        self.console.print(said)
        self._asv("--bench", "just-discover")
        described = describe(self.asv, self.sources)
        say_with_what(self.console, described["backends"])
        unavailable = [k for k, about in described["backends"].items() if not about["available"]]
        discovered = json.loads((self.fresh / "benchmarks.json").read_text("utf-8"))
        planned = planned_steps(discovered, selection, processes, unavailable)
        if not planned:
            raise BadCallError("no benchmark has all of these workloads, backends and sizes")
        failures: dict[str, list[str]] = {}
        looks = sum(step.name.endswith(FIRST) for step in planned)
        try:
            for number, (step, count) in enumerate(progress_of(self.console, planned), 1):
                patterns = [f"--bench={pattern}" for pattern in step.patterns]
                call = ("-v", "--show-stderr", "--record-samples", *step.arguments, *patterns)
                try:
                    if self._asv(*call, on_line=count) != 0:
                        failures[step.name] = self.asv.errors()
                finally:
                    record(described, self.fresh, self.asv.processes)
                if number == looks:
                    first_look(self.fresh, self.machine, self.commit)
        finally:
            self._merge()
        return failures

    def _asv(self, *args: str, on_line: Callable[[str], object] = len) -> int:
        return self.asv.run(
            "run", f"{self.commit}^!", "--machine", self.machine, *args, on_line=on_line
        )

    def _merge(self) -> None:
        for path in merge_results(self.fresh, self.kept, self.work / "replaced"):
            self.console.print(
                f"Replaced; what was there is now {os.path.relpath(path)}",
                soft_wrap=True,
                markup=False,
            )
