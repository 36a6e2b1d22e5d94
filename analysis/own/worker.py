"""A process that does one job: `python -P -m jitcost.own.worker`, the job on its standard input.

It tells what it finds line by line, each a JSON object, on what was its standard output:
what a person's kernels print goes nowhere else than to nothing, and is told, too.

Never a process of multiprocessing: its spawn imports the script that has asked, and runs it again where
that has no main guard.
"""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from typing import IO, Any

from jitcost import backends
from jitcost.backends import BackendUnavailable, Call
from jitcost.benchmarks import _process
from jitcost.own import modules, settings, timing
from jitcost.own.ahead import Ahead
from jitcost.own.calls import Made, to_native
from jitcost.own.errors import OwnFileError, RefusedError
from jitcost.own.gate import Gate
from jitcost.own.jobs import Job, SizeJob
from jitcost.own.opening import kernel_of
from jitcost.own.problem import load, one_line
from jitcost.own.shared import Shared

__all__ = ["Worker", "main"]

_PR_SET_PDEATHSIG = 1

Tell = Callable[..., None]


def main() -> None:
    """Do the job."""
    job = Job.from_json(sys.stdin.read())
    _end_with(job.parent)
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    # What is printed is kept up to the end of the check, to be told of, and then goes to nothing.
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)
        _do(job, protocol, printed.fileno())


def _end_with(parent: int) -> None:
    """Have Linux end this process with the one that waits for it, however that ends.

    Elsewhere a kernel that hangs would go on alone; any other ends when it has something to tell.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended already
            sys.exit()


def _do(job: Job, protocol: IO[str], printed: int) -> None:
    before = 0  # what the file has printed while it was loaded

    def tell(what: str, **about: Any) -> None:
        nonlocal before
        if what == "ready":
            sys.stdout.flush()
            before = os.fstat(printed).st_size
        protocol.write(json.dumps({"what": what, **about}) + "\n")

    try:
        Worker(job, tell).run()
    except (OwnFileError, BackendUnavailable) as error:
        tell("unusable", reason=str(error))
    except MemoryError:
        tell("unusable", reason="not enough memory")
    sys.stdout.flush()
    if os.fstat(printed).st_size > before:
        tell("printed")
    # Once more: kernels may have imported something, and whoever edits a file is found out.
    tell("end", load=_process.load_average(), files=modules.imported(job.source))


class Worker:
    """The steps of a job.

    Parameters
    ----------
    job : Job
    tell : callable
        Gets what is found: what it is by name, and about what.
    """

    def __init__(self, job: Job, tell: Tell) -> None:
        self.job, self.tell = job, tell

    def run(self) -> None:
        """Do the job.

        Raises
        ------
        OwnFileError, BackendUnavailable
            If nothing of it can be done.
        """
        job, kernel = self.job, self.job.kernel
        # Before the folder of the file is on the path: a file may be called jax.py.
        self.backend = backends.load("numpy" if kernel is None else kernel.backend)
        sys.path += [folder for folder in job.path if folder not in sys.path]
        self.problem = load(job.source)
        if kernel is None:
            self.tell(
                "described",
                **settings.described(self.problem, job.functions, [one.size for one in job.sizes]),
            )
            return
        self.kernel = kernel_of(self.problem, job.source, self.backend, kernel)
        self.shared = Shared(job.shared, self.problem)
        self.gate = Gate(
            self.problem, self.shared, self.backend, self.kernel, kernel.names, self._calls
        )
        self.tell(
            "ready",
            details=self.backend.details(),
            files=modules.imported(job.source),
            compiles=self.kernel.compiles,
        )
        if job.task == "scout":
            self._scout()
        else:
            self._measure()

    def _scout(self) -> None:
        """Check the kernel, from the smallest size up, until a call takes too long or too much."""
        made, ahead = None, Ahead(self.job.limit)
        for one in sorted(self.job.sizes, key=lambda one: self.problem.n_of(one.size)):
            n = self.problem.n_of(one.size)
            if (reason := ahead.too_much(n)) is not None:
                self.tell("left_out", size=one.size, reason=reason)
                return
            self.tell("begin", size=one.size)
            start = time.perf_counter()
            try:
                found, made = self.gate.check(one.size, made)
            except MemoryError:
                self.tell("left_out", size=one.size, reason="there is not enough memory")
                return
            except (Exception, SystemExit) as error:
                self._failed(one, error)
                continue
            ahead.add(n, found.seconds, time.perf_counter() - start - found.first)
            self.tell("scouted", size=one.size, n=n, **dataclasses.asdict(found))

    def _failed(self, one: SizeJob, error: BaseException) -> None:
        known = isinstance(error, RefusedError | OwnFileError)
        reason = str(error) if known else one_line(error)
        self.tell("failed", size=one.size, reason=reason, refused=isinstance(error, RefusedError))

    def _measure(self) -> None:
        warnings.simplefilter("ignore")
        sys.stdout.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        made = self._warm()
        for one in self.job.sizes:
            self.tell("begin", size=one.size)
            try:
                made = self._measure_size(one, made)
            except (Exception, SystemExit) as error:
                self._failed(one, error)

    def _warm(self) -> Made | None:
        """Pay what is due once in a process: the runtime's start, Numba's first compile, imports.

        Returns
        -------
        Made or None
            The kernel, which sizes without a first call use again: it need not be compiled twice.
        """
        size = min((one.size for one in self.job.sizes), key=self.problem.n_of)
        try:
            return self.gate.run_once(size, 0, None)[0]
        except (Exception, SystemExit):  # is told when the size has its turn
            return None

    def _calls(self) -> None:
        """Tell that it is alive: a call may take a while."""
        self.tell("calls")

    def _measure_size(self, one: SizeJob, earlier: Made | None) -> Made:
        """Time a size; return its kernel, which may run the next one, too."""
        inputs = self.shared.inputs(one.size, 0)
        arguments: tuple[Any, ...] = to_native(self.backend, inputs)
        fresh = one.first and self.kernel.compiles_anew
        made = self.kernel.made_for(arguments, None if fresh else earlier)
        call = self.kernel.call(made, arguments)
        first, result = timing.first_call(call)
        value = self.gate.value_of(result, arguments, inputs)
        found = self.gate.compared(value, one.size, 0)
        del result, value
        if self.gate.mutates:

            def on_a_copy() -> Call:
                return self.kernel.call(made, to_native(self.backend, inputs))

            warm, _ = timing.first_call(on_a_copy())  # the first one may have compiled
            taken, m = timing.mutating_samples(on_a_copy, warm, one.repeat, self._calls)
        else:
            taken, m = timing.samples(call, one.repeat, self._calls)
        n = self.problem.n_of(one.size)
        facts = {"error": found.error, "tolerance": found.tolerance, "m": m}
        self.tell(
            "timed",
            size=one.size,
            n=n,
            samples=taken,
            first=first if fresh else None,
            record=_process.record("own.time_call", facts),
        )
        return made


if __name__ == "__main__":
    main()
