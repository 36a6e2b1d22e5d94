"""Measure one's own functions: a scout of each kernel, a plan that fits the time, processes in turns."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.measuring import budget
from jitcost.measuring.entries import Entry, Outcome, Process, Request, Watch
from jitcost.measuring.own_jobs import Jobs
from jitcost.measuring.unstable_cells import unstable_cells
from jitcost.measuring.workers import Message
from jitcost.own.jobs import Size, SizeJob, size_of
from jitcost.own.kernels import STAND_INS
from jitcost.own.problem import SEED
from jitcost.units import size_text

__all__ = ["DECADES", "Run", "measure"]

# The sizes of a problem whose file names none: as far as time and memory go.
DECADES: tuple[Size, ...] = tuple(10**exponent for exponent in range(1, 7))

# A round more is begun if it ends so soon after the time is over, as a share of what is planned.
_GRACE = 0.05

# A scout stops where a call takes longer, whatever the share of the whole time.
_LEAST_SHARE = 0.002


def measure(request: Request, watch: Watch) -> Outcome:
    """Measure.

    An interrupt ends it, and what has been measured is kept.

    Parameters
    ----------
    request : Request
    watch : Watch
        Is told while it goes on.

    Returns
    -------
    Outcome

    Raises
    ------
    BadCallError
        If the file cannot be loaded, or its sizes are none.
    """
    with tempfile.TemporaryDirectory(prefix="jitcost-") as shared:
        run = Run(request, watch, shared)
        try:
            run.scout()
            run.rounds()
        except KeyboardInterrupt:
            run.outcome.finished = False
        run.outcome.remarks += unstable_cells(run.outcome)
        return run.outcome


class Run:
    """The steps of a measurement.

    Parameters
    ----------
    request : Request
    watch : Watch
    shared : str
        A folder for what its processes share.
    """

    def __init__(self, request: Request, watch: Watch, shared: str) -> None:
        self.request, self.watch = request, watch
        self.outcome = Outcome()
        self.jobs = Jobs(self.outcome, watch, shared, request.timeout)
        self.beginning = time.perf_counter()
        self.sizes: dict[str, tuple[Size, ...]] = {}
        self.calls: dict[tuple[Entry, Size], float] = {}
        self.firsts: dict[tuple[Entry, Size], float] = {}
        self.starts: dict[Entry, float] = {}
        self.compiles: dict[Entry, bool] = {}
        # Where a process has hung or crashed: the next one would, too.
        self.dead: set[tuple[Entry, Size | None]] = set()
        self.left_out: dict[Entry, str] = {}
        # Whose result the others are held against comes first.
        self.entries = sorted(request.entries, key=_place)

    def _describe(self) -> None:
        """Load each problem's file once, and see what it says of sizes and growth."""
        today = {entry.kernel.problem: entry for entry in reversed(self.entries)}
        for problem, entry in today.items():
            self.watch.doing(f"loading {Path(entry.source.path).name}", None)
            functions = [
                one.kernel.function
                for one in self.entries
                if one.source == entry.source and one.source.julia is None
            ]
            for message in self.jobs.describe(entry, functions, self.request.sizes or ()):
                if message["what"] == "unusable":
                    raise BadCallError(message["reason"])
                if message["what"] == "described":
                    self._described(problem, message)
                if message["what"] == "ended" and problem not in self.sizes:
                    name = Path(entry.source.path).name
                    raise BadCallError(f"{name} cannot be loaded: {message['reason']}")
        if not self.entries:
            raise BadCallError("none of the kernels is a function")
        self.watch.begin(self.entries)

    def _described(self, problem: str, message: Message) -> None:
        self.sizes[problem] = tuple(map(size_of, message["sizes"] or DECADES))
        if message["grows"] is not None:
            self.outcome.grows[problem] = message["grows"]
        for entry in list(self.entries):
            if (what := message["no_functions"].get(entry.kernel.function)) is not None:
                self.entries.remove(entry)
                self.watch.say(f"{entry.kernel.function} is no function but {what}: left out")

    def scout(self) -> None:
        """Check every kernel, from its smallest size up.

        Raises
        ------
        BadCallError
            If a file cannot be loaded, or its sizes are none.
        """
        start = time.perf_counter()
        self._describe()
        share = budget.largest_call(
            self.request.budget,
            len(self.entries),
            self.request.processes,
            max(map(len, self.sizes.values())),
        )
        for entry in self.entries:
            self.watch.doing(f"checking {entry.label}", None)
            self._scout(entry, max(share, _LEAST_SHARE))
        self.watch.looked()
        self.outcome.seconds["scout"] = time.perf_counter() - start

    def _scout(self, entry: Entry, limit: float) -> None:
        problem = entry.kernel.problem
        sizes = self.sizes[problem]
        if entry.side != self.entries[0].side:  # inputs and references are the other state's
            sizes = tuple(size for size in sizes if (problem, size) in self.outcome.n)
        if not sizes:
            return
        jobs = tuple(map(SizeJob, sizes))
        began = time.perf_counter()
        for message in self.jobs.run(entry, "scout", jobs, limit):
            what = message["what"]
            if what == "ready":
                self.starts[entry] = time.perf_counter() - began
                self.compiles[entry] = message["compiles"]
            elif what == "scouted":
                size = size_of(message["size"])
                n = self.outcome.n.setdefault((problem, size), message["n"])
                self.calls[entry, size] = message["seconds"]
                self.firsts[entry, size] = message["first"]
                self.jobs.remark(entry, message["remarks"])
                self.watch.scouted(entry, n, message["seconds"])
            elif what == "left_out":
                size = size_of(message["size"])
                n_text = str(size) if isinstance(size, tuple) else size_text(size)
                self.left_out[entry] = (
                    f"{entry.label} is left out from n = {n_text} on: {message['reason']}"
                )

    def rounds(self) -> None:
        """Time what fits, processes of the kernels in turns."""
        start = time.perf_counter()
        entries = [one for one in self.entries if any(one == entry for entry, _ in self.calls)]
        if not entries:
            return
        request = self.request
        left = request.budget - (start - self.beginning)
        known = [self._known(entry) for entry in entries]
        found = budget.plan(
            known, request.budget, left, request.processes, first_calls=request.first_calls
        )
        for place, entry in enumerate(entries):
            # Unless it is left out from a smaller size on, which the plan says.
            if entry in self.left_out and max(known[place].calls) in found.sizes[place]:
                self.outcome.left_out.append(self.left_out[entry])
        self.outcome.left_out += found.lines
        found = replace(found, sizes=budget.common([one.key for one in entries], found.sizes))
        jobs = [
            {entry: self._jobs(entry, found, place, number) for place, entry in enumerate(entries)}
            for number in range(found.processes)
        ]
        self.in_turns(jobs, found.seconds, self.outcome.cells, self.beginning + request.budget)
        self.outcome.seconds["rounds"] = time.perf_counter() - start

    def in_turns(
        self,
        rounds: Sequence[Mapping[Entry, tuple[SizeJob, ...]]],
        seconds: float,
        cells: dict[tuple[Entry, Size], list[Process]],
        deadline: float,
    ) -> None:
        """Run a process of each entry in every round, there and back: nobody is always after another.

        Parameters
        ----------
        rounds : sequence of mapping
            The sizes of each process.
        seconds : float
            About how long all of it takes.
        cells : dict
            Gets what the processes measure.
        deadline : float
            When the time is over: what was planned may take longer on a busy machine.
        """
        start = time.perf_counter()
        for number, jobs in enumerate(rounds):
            if number >= budget.FEWEST:
                passed = time.perf_counter() - start
                if start + passed * (number + 1) / number > deadline + _GRACE * seconds:
                    self.outcome.left_out.append(
                        f"{number} processes of each kernel instead of {len(rounds)}: they took longer "
                        "than the first look had said"
                    )
                    return
            for entry in list(jobs) if number % 2 == 0 else reversed(list(jobs)):
                its = tuple(one for one in jobs[entry] if (entry, one.size) not in self.dead)
                if its and (entry, None) not in self.dead:
                    doing = f"process {number + 1} of {len(rounds)}: {entry.label}"
                    self.watch.doing(doing, max(0.0, start + seconds - time.perf_counter()))
                    self._process(entry, its, cells, number)

    def _known(self, entry: Entry) -> budget.Known:
        problem = entry.kernel.problem
        sizes = [size for one, size in self.calls if one == entry]
        return budget.Known(
            name=entry.label,
            start=self.starts[entry],
            calls={self.outcome.n[problem, size]: self.calls[entry, size] for size in sizes},
            firsts={self.outcome.n[problem, size]: self.firsts[entry, size] for size in sizes},
            compiles=self.compiles[entry],
        )

    def _jobs(
        self, entry: Entry, found: budget.Plan, place: int, number: int
    ) -> tuple[SizeJob, ...]:
        """Return the sizes of one process, as planned; first calls of those whose turn it is."""
        problem = entry.kernel.problem
        count, its = found.first_calls[place], found.firsts[place]
        turn = {its[(number * count + i) % len(its)] for i in range(count)}
        kept = [
            size
            for size in self.outcome.sizes_of(problem)
            if self.outcome.n[problem, size] in found.sizes[place]
        ]
        first = {size for size in kept if self.outcome.n[problem, size] in turn}
        return self.jobs_of(entry, kept, number, first)

    def jobs_of(
        self, entry: Entry, sizes: Iterable[Size], number: int, first: Collection[Size] = ()
    ) -> tuple[SizeJob, ...]:
        """Return the sizes of one process, in a random order that another run has, too."""
        # As many samples of every state of a kernel: the fastest of more is faster.
        states = [one for one in self.entries if one.key == entry.key]
        slowest = {size: max(self.calls.get((one, size), 0.0) for one in states) for size in sizes}
        jobs = [SizeJob(size, size in first, budget.samples(t)) for size, t in slowest.items()]
        random.Random(f"{SEED} {entry.kernel.problem} {number}").shuffle(jobs)
        return tuple(jobs)

    def _process(
        self,
        entry: Entry,
        jobs: tuple[SizeJob, ...],
        cells: dict[tuple[Entry, Size], list[Process]],
        number: int,
    ) -> None:
        for message in self.jobs.run(entry, "measure", jobs):
            if message["what"] == "ended" and message["reason"] is not None:
                self.dead.add((entry, message["size"]))
            if message["what"] != "timed":
                continue
            size = size_of(message["size"])
            samples = tuple(message["samples"])
            processes = cells.setdefault((entry, size), [])
            processes.append(Process(samples, message["first"], message["record"], number))
            n = self.outcome.n[entry.kernel.problem, size]
            self.watch.timed(entry, n, processes)


def _place(entry: Entry) -> int:
    name = entry.kernel.name
    return STAND_INS.index(name) if name in STAND_INS else len(STAND_INS)
