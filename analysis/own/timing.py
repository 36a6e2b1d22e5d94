"""The times of a call: as the suite's own benchmarks take them, on the path that asv takes."""

from __future__ import annotations

import gc
import math
import time
import timeit
from collections.abc import Callable
from typing import Any

from jitcost.benchmarks import _suite

__all__ = ["first_call", "mutating_samples", "samples"]


def first_call(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of one call, and its result."""
    results: list[Any] = []
    gc.collect()  # the kernel before this one is not to be collected inside the timing
    seconds = timeit.Timer(lambda: results.append(call())).timeit(1)
    return seconds, results[0]


def samples(call: Callable[[], Any], repeat: int) -> tuple[list[float], int]:
    """Return samples, seconds per call, and how many calls one is a mean of."""
    batch = _suite.Batch(call)
    timer = timeit.Timer(batch.run, timer=batch.timer)
    return [timer.timeit(1) for _ in range(repeat)], batch.m


def mutating_samples(
    make: Callable[[], Callable[[], Any]], seconds: float, repeat: int
) -> tuple[list[float], int]:
    """Return the same of a kernel that changes its inputs: each call has its own, made outside of it.

    Every call is timed by itself, which adds what reading the clock costs.

    Parameters
    ----------
    make : callable
        Returns a call on inputs of its own.
    seconds : float
        About how long a call takes.
    repeat : int
        How many samples.
    """
    m = max(1, math.ceil(_suite.BATCH_SECONDS / max(seconds, 1e-6)))
    found = []
    for _ in range(repeat):
        total = 0.0
        for _ in range(m):
            call = make()
            start = time.perf_counter()
            call()
            total += time.perf_counter() - start
        found.append(total / m)
    return found, m
