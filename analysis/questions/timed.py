"""What one cell's time is, for every question alike: of its processes where they are known.

asv's own number is the median of all samples. This one is the median of each process's fastest sample,
and so lower: what disturbs a process only ever adds to its time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from jitcost.stats import fitting
from jitcost.stats import times as timing
from jitcost.stats.candidates import Law
from jitcost.stats.fits import Fit
from jitcost.stats.intervals import fastest_samples, recover_processes
from jitcost.stats.times import Time

__all__ = ["Time", "fit_of", "is_time", "sizes_of", "time_of", "times_of"]


# Seconds that no clock has measured; a ratio of sizes to such times, and their cubes, may overflow.
_SHORTEST, _LONGEST = 1e-30, 1e30


def time_of(cell: Mapping[str, Any]) -> Time:
    """Return the time of a row of cells, seconds per call.

    Where the samples' processes are known, it is theirs; else the value, with the interval that the
    file has, which is one of samples.
    """
    if cell["samples"] and cell["processes"]:
        processes = recover_processes(cell["samples"], cell["processes"])
        if processes is not None:
            numbers = fastest_samples(processes)
            if all(_SHORTEST < number < _LONGEST for number in numbers):
                return timing.of_processes(numbers)
    low, high = cell["ci_low"], cell["ci_high"]
    return timing.of_samples(cell["value"], low if low is not None and low > 0 else None, high)


def is_time(time: Time | None) -> bool:
    """Tell whether it is one that ratios can be made of: there, above zero and within all bounds."""
    return time is not None and _SHORTEST < time.value < _LONGEST


def times_of(group: pl.DataFrame) -> dict[tuple[str, float], Time]:
    """Return the times of a group of cells by backend and size."""
    return {(cell["backend"], cell["n"]): time_of(cell) for cell in group.iter_rows(named=True)}


def sizes_of(times: Mapping[tuple[str, float], Time], backend: str) -> dict[float, Time]:
    """Return one backend's times by size: those that ratios can be made of."""
    return {n: time for (name, n), time in times.items() if name == backend and is_time(time)}


def fit_of(times: Mapping[float, Time], k: int = 1, law: Law = "n") -> Fit:
    """Fit the model to one backend's times, by size.

    What cannot be fitted has no model, with the reason. A cell of which the processes are not known
    counts as one process: a misfit is then tested against those of others, or not at all.

    Parameters
    ----------
    times : mapping of float to Time
        By size.
    k : int
        Number of operations in a call.
    law : {"n", "n log n", "n^2", "n^3"}
        What the times are known to grow with.
    """
    if not times:
        return Fit("no model", k, False, "no times")
    if not all(map(math.isfinite, times)):
        return Fit("no model", k, False, "a size is not a number")
    if min(times) < 0:
        return Fit("no model", k, False, "a size is negative")
    if not all(map(is_time, times.values())):
        return Fit("no model", k, False, "a time is zero, negative or beyond all bounds")
    if len(times) == 1:
        return Fit("no model", k, False, "one size")
    numbers = [time.numbers or (time.value,) for time in times.values()]
    return fitting.fit(list(times), numbers, k, law=law)
