"""Measure what is missing in several environments or at several commits, and go on where it stopped."""

from __future__ import annotations

import contextlib
import json
import math
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from jitcost.backends import compiled, workloads
from jitcost.benchmarks._environment import is_promised
from jitcost.errors import AsvError
from jitcost.measuring import missing
from jitcost.measuring.asv import Asv
from jitcost.measuring.configuration import private_conf, settings_of
from jitcost.measuring.lock import alone
from jitcost.measuring.machine import introduce
from jitcost.measuring.planning import Step
from jitcost.measuring.progress import progress_of, seconds_of
from jitcost.measuring.provenance import describe, record
from jitcost.measuring.selection import (
    Cell,
    Selection,
    chosen,
    class_of,
    pattern,
)
from jitcost.measuring.targets import Target
from jitcost.store import records
from jitcost.store.asv_files import BROKEN, load
from jitcost.store.merging import merge_results
from jitcost.store.parameters import unquote

__all__ = ["Backfill", "holds_what_it_promises", "needed"]

# Processes of each cell. They are measured round by round, and each round in all environments before the
# next one: what is to be compared is measured side by side, whatever the clock does.
ROUNDS = 3

# What a person is told to expect, in seconds, besides what is measured: a look at what an environment
# holds, and the making of one with a warm cache of wheels.
LOOK, BUILD = 6.0, 45.0


def holds_what_it_promises(described: Mapping[str, Any], requirements: Mapping[str, str]) -> None:
    """Raise `AsvError` if an environment holds other versions than it was made for.

    Each benchmark refuses what *it* has imported in another version; this looks at all of it.
    """
    sources = described.get("sources", {})
    for name, version in requirements.items():
        there = described["distributions"].get(name)
        origin = sources.get(name, {"imported": {}})["imported"].get("direct_url") or {"url": ""}
        if not is_promised(version, str(there), str(there), origin["url"]):  # type: ignore[no-untyped-call]
            raise AsvError(f"the environment holds {name} {there} where {version} is promised")


class Backfill:
    """The measurement.

    Parameters
    ----------
    console : rich.console.Console
        Where to say what happens.
    root : Path
        The checkout.
    head : str
        The commit whose benchmarks are measured.
    machine : str
        The name to keep results under.
    selection : Selection
        Workloads and sizes; the backends are each target's.
    """

    def __init__(
        self, console: Console, root: Path, head: str, machine: str, selection: Selection
    ) -> None:
        self.console = console
        self.head = head
        self.machine = machine
        self.selection = selection
        self.conf_file = root / "asv.conf.json"
        settings = settings_of(self.conf_file)
        self.kept, self.envs = root / settings["results_dir"], root / settings["env_dir"]
        self.work = self.kept.parent
        self.work.mkdir(parents=True, exist_ok=True)
        self.fresh, self.log = self.work / "unmerged-history", self.work / "asv.log"
        self.python = f"{sys.version_info.major}.{sys.version_info.minor}"

    def run(self, targets: list[Target], build_only: bool) -> bool:
        """Measure what the results lack; tell whether they lack nothing any more."""
        with alone(self.work / "lock"):
            self.log.write_text("")
            self._merge()  # what a run has left that was killed outright
            discovered = self._discover(targets)
            self._look_for_gaps(targets, discovered)
            self._say_what_is_to_do(targets)
            if build_only:
                self._build(targets)
                return not any(one.reasons for one in targets)
            try:
                described = self._build([one for one in targets if one.lacking])
                self._measure(targets, described)
            finally:
                self._look_for_gaps(targets, discovered)
                self._say_what_is_missing(targets)
            Asv(self.conf_file, self.log).publish(self.console)
        return not any(one.lacking for one in targets)

    def _asv_for(self, target: Target) -> Asv:
        wanted = target.requirements, target.sources
        conf = private_conf(self.conf_file, self.fresh, self.work, self.head, *wanted)
        return Asv(conf, self.log)

    def _call(self, target: Target, *args: str) -> tuple[str, ...]:
        return ("run", f"{target.commit}^!", "--machine", self.machine, *args)

    def _merge(self) -> None:
        # What is fresh is the kept cells with further processes (see `_seed`).
        merge_results(self.fresh, self.kept, self.work / "replaced", fill="kept")

    def _discover(self, targets: list[Target]) -> dict[str, Any]:
        """Return what asv knows of the benchmarks, from the first environment that can be made."""
        for target in targets:
            with self.console.status(f"Looking for the benchmarks in {target.name}"):
                if self._make(target):
                    text = (self.fresh / "benchmarks.json").read_text(encoding="utf-8")
                    discovered: dict[str, Any] = json.loads(text)
                    return discovered
        raise AsvError(f"no environment can be made: {targets[0].reasons[0]}")

    def _make(self, target: Target) -> bool:
        """Make the environment and install the commit in it; tell whether that has worked."""
        asv = self._asv_for(target)
        try:
            introduce(self.machine)
            asv.run(*self._call(target, "--bench", "just-discover"))
        except (AsvError, OSError) as error:
            target.reasons.append(str(error))
            return False
        return True

    def _look_for_gaps(self, targets: list[Target], discovered: dict[str, Any]) -> None:
        """Find out for each target which cells the results lack."""
        have = missing.measured(self.kept, self.machine)
        for target in targets:
            origin = missing.origin_of(self.python, target.requirements, target.commit)
            wanted = [
                (name, about, needed(name, cells, target.backends))
                for name, about, cells in chosen(discovered, self.selection)
            ]
            target.rounds = [
                dict(sorted(missing.missing(wanted, have.get(origin, {}), number).items()))
                for number in range(1, ROUNDS + 1)
            ]

    def _say_what_is_to_do(self, targets: list[Target]) -> None:
        todo = [step for step, _ in _steps(targets)]
        processes = sum(step.processes for step in todo)
        made = list(self._made())
        new = [one for one in targets if (self.python, one.requirements) not in made]
        gaps = sum(bool(target.lacking) for target in targets)
        seconds = seconds_of(todo) + gaps * LOOK + len(new) * BUILD
        names = ", ".join(target.name for target in targets)
        self.console.print(f"{len(targets)} environments or commits: {names}", soft_wrap=True)
        self.console.print(
            f"{len(new)} environments to make; {processes} processes for what is missing in "
            f"{gaps} of them: about {max(1, math.ceil(seconds / 60))} min"
        )

    def _made(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the Python and the versions of each environment that asv has made."""
        for path in self.envs.glob("*/asv-env-info.json"):
            with contextlib.suppress(*BROKEN):  # asv makes such an environment anew
                made = json.loads(path.read_text("utf-8"))
                yield made["python"], made["requirements"]

    def _build(self, targets: list[Target]) -> dict[int, dict[str, Any]]:
        """Make the targets' environments; return what each holds, by the target's id."""
        described: dict[int, dict[str, Any]] = {}
        for number, target in enumerate(targets, 1):
            self.console.print(f"{number}/{len(targets)} Making the environment of {target.name}")
            if not self._make(target):
                said = escape(target.reasons[-1])
                self.console.print(f"  [red]failed[/]: {said}", soft_wrap=True)
                continue
            try:
                about = describe(self._asv_for(target), target.sources)
                holds_what_it_promises(about, target.requirements)
            except (AsvError, OSError, ValueError, subprocess.SubprocessError) as error:
                target.reasons.append(str(error))
                self.console.print(f"  [red]refused[/]: {escape(str(error))}", soft_wrap=True)
                continue
            described[id(target)] = about
            for name in target.backends:
                if not about["backends"][name]["available"]:
                    target.reasons.append(about["backends"][name]["reason"])
        return described

    def _measure(self, targets: list[Target], described: Mapping[int, dict[str, Any]]) -> None:
        """Measure class by class and round by round, the environments in turn."""
        todo = [one for one in _steps(targets) if id(one[1]) in described]
        if not todo:
            return
        planned = [step for step, _ in todo]
        for (step, count), (_, target) in zip(
            progress_of(self.console, planned), todo, strict=True
        ):
            asv = self._asv_for(target)
            patterns = [f"--bench={pattern}" for pattern in step.patterns]
            call = self._call(target, "-v", "--show-stderr", *step.arguments, *patterns)
            self._seed(target)
            try:
                try:
                    if asv.run(*call, on_line=count):
                        target.reasons += asv.errors()
                finally:  # what asv has saved before it gave up is this target's
                    record(described[id(target)], self.fresh, asv.processes)
                    self._merge()
            except (AsvError, OSError) as error:
                target.reasons.append(str(error))

    def _seed(self, target: Target) -> None:
        """Put the kept results of a target where asv finds them, and adds the next processes."""
        origin = missing.origin_of(self.python, target.requirements, target.commit)
        for path in (self.kept / self.machine).glob(f"{target.commit[:8]}-*.json"):
            with contextlib.suppress(*BROKEN):  # named when the gaps were looked for
                if missing.origin_of_file(load(path)) == origin:
                    (self.fresh / self.machine).mkdir(parents=True, exist_ok=True)
                    for one in filter(Path.is_file, (path, records.beside(path))):
                        shutil.copyfile(one, self.fresh / self.machine / one.name)

    def _say_what_is_missing(self, targets: list[Target]) -> None:
        for target in targets:
            if target.lacking:
                of_each = ", ".join(
                    f"{len(cells)} cells of {class_of(name)}"
                    for name, cells in target.lacking.items()
                )
                self.console.print(f"[yellow]missing[/] {target.name}: {of_each}", soft_wrap=True)
            for reason in dict.fromkeys(target.reasons):
                self.console.print(f"  {reason}", soft_wrap=True, markup=False)
        if any(target.lacking for target in targets):
            self.console.print("The same command measures what is missing.")


def needed(name: str, cells: Sequence[Cell], backends: Sequence[str]) -> list[Cell]:
    """Return the cells of a benchmark that these backends' numbers come from.

    C takes the first calls of what compiles, and m* the workload's baseline, too.
    """
    compiling = [backend for backend in backends if backend in compiled()]
    if class_of(name).endswith(".FirstCall"):
        wanted = compiling
    else:
        spec = workloads.known(name.split(".")[0])
        baseline = "numpy" if spec is None else spec.baseline
        wanted = [*backends, *([baseline] if compiling else [])]
    return [cell for cell in cells if unquote(cell[-1]) in wanted]


def _steps(targets: Sequence[Target]) -> Iterator[tuple[Step, Target]]:
    """Yield the calls of asv that are needed: for each benchmark class and round, each target.

    Every other round the targets come in the opposite order, as in asv's own interleaving: none is
    always measured after the same other one.
    """
    for its_class in sorted({class_of(name) for target in targets for name in target.lacking}):
        for number in range(ROUNDS):
            for target in targets if number % 2 == 0 else reversed(targets):
                its = {
                    name: cells
                    for name, cells in (target.rounds[number] if target.rounds else {}).items()
                    if class_of(name) == its_class
                }
                if its:
                    patterns = tuple(pattern(name, cells) for name, cells in its.items())
                    cells = sum(map(len, its.values()))
                    step = Step(f"{its_class} {target.name}", patterns, cells, cells)
                    yield step.in_rounds(1, append=True), target
