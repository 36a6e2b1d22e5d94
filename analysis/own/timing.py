"""The times of a call: as the suite's own benchmarks take them, on the path that asv takes."""

from __future__ import annotations

import gc
import math
import time
import timeit
from collections.abc import Callable
from typing import Any

from jitcost.benchmarks import _process, _suite

__all__ = ["MutatingBatch", "first_call", "mutating_samples", "samples"]


# Of the time that a copy of the inputs takes, what counts for how many calls make a sample.
_COPIES = 0.2


def first_call(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of one call, and its result."""
    results: list[Any] = []
    gc.collect()  # the kernel before this one is not to be collected inside the timing
    seconds = timeit.Timer(lambda: results.append(call())).timeit(1)
    return seconds, results[0]


def samples(
    call: Callable[[], Any], repeat: int, alive: Callable[[], object] = lambda: None
) -> tuple[list[float], int]:
    """Return samples, seconds per call, and how many calls one is a mean of.

    Parameters
    ----------
    call : callable
    repeat : int
        How many samples.
    alive : callable
        Is called between them.
    """
    return _taken(_suite.Batch(call), repeat, alive)


class MutatingBatch:
    """Calls of a kernel that changes its inputs: each has its own, made outside of what is timed.

    Every call is timed by itself, which adds what reading the clock costs.

    Parameters
    ----------
    make : callable
        Returns a call on inputs of its own.
    seconds : float
        About how long a call takes.
    """

    def __init__(self, make: Callable[[], Callable[[], Any]], seconds: float) -> None:
        self.make = make
        start = time.perf_counter()
        make()
        # Of small inputs the copies take longer than the calls: they, too, are to take their time.
        longest = max(seconds, _COPIES * (time.perf_counter() - start), 1e-6)
        self.m = max(1, math.ceil(_suite.BATCH_SECONDS / longest))
        self.total = 0.0
        _process.note(m=self.m)

    def run(self) -> None:
        """Take one sample."""
        for _ in range(self.m):
            call = self.make()
            start = time.perf_counter()
            call()
            self.total += time.perf_counter() - start

    def timer(self) -> float:
        """Return the time in the calls so far, in m-ths of a second: two differ by seconds per call."""
        return self.total / self.m


def mutating_samples(
    make: Callable[[], Callable[[], Any]],
    seconds: float,
    repeat: int,
    alive: Callable[[], object] = lambda: None,
) -> tuple[list[float], int]:
    """Return the same of a kernel that changes its inputs; the parameters are `MutatingBatch`'s."""
    return _taken(MutatingBatch(make, seconds), repeat, alive)


def _taken(batch: Any, repeat: int, alive: Callable[[], object]) -> tuple[list[float], int]:
    timer = timeit.Timer(batch.run, timer=batch.timer)
    found = []
    for _ in range(repeat):
        alive()
        found.append(timer.timeit(1))
    return found, batch.m
