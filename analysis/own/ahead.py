"""Whether the next larger size is going to take too long, or too much memory, before it is tried."""

from __future__ import annotations

import math
import re
from pathlib import Path

from jitcost.units import format_seconds, size_text

try:
    import resource
except ImportError:  # not on Windows, where nothing is foreseen of memory
    resource = None  # type: ignore[assignment]

__all__ = ["Ahead"]

# A guess may be wrong by so much before a size is given up that nobody has tried.
_DOUBT = 4

# The same where only one size was seen: of threads that wait for a core its time says nothing.
_DOUBT_AT_FIRST = 10

# The whole check of a size, its results compared and kept, may take so many times as long as a call: of
# a matrix of 10^4 x 10^4 it took half a minute where the calls took one second each.
_CHECK = 20

# What a size may take of the memory that is there.
_SHARE = 0.5

# Less than this comes and goes with the interpreter's own doings.
_BYTES = 2**24

_MEMORY = Path("/proc/meminfo")


class Ahead:
    """What the sizes so far say of the next.

    Parameters
    ----------
    limit : float
        Seconds that a call may take.
    """

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.seen: list[
            tuple[float, float, float, float]
        ] = []  # n, seconds, bytes, check's seconds
        self.peak = _peak()

    def add(self, n: float, seconds: float, check: float = 0.0) -> None:
        """Remember what a size took: a call, and its whole check but for the compiling.

        Its bytes are what the process has grown by at its peak.
        """
        peak = _peak()
        self.seen.append((n, seconds, peak - self.peak, check))
        self.peak = max(self.peak, peak)

    def too_much(self, n: float) -> str | None:
        """Return why a size is not tried; None if it is."""
        if not self.seen or n <= self.seen[-1][0]:
            return None
        last, seconds, size, check = self.seen[-1]
        if seconds > self.limit:
            return (
                f"a call takes {format_seconds(seconds)} at n = {size_text(last)} already, and for all "
                f"to fit into the time it may take {format_seconds(self.limit)}"
            )
        ahead = seconds * (n / last) ** self._growth(1, 1e-5)
        if ahead > (_DOUBT if len(self.seen) > 1 else _DOUBT_AT_FIRST) * self.limit:
            return (
                f"a call would take about {format_seconds(ahead)}, and for all to fit into the time it "
                f"may take {format_seconds(self.limit)}"
            )
        # From two sizes on: what a process does for the first time is part of the first.
        check *= (n / last) ** self._growth(3, 1e-2) if len(self.seen) > 1 else 1.0
        if check > _CHECK * self.limit:
            return f"to check it would take about {format_seconds(check)}"
        needed, there = size * (n / last) ** self._growth(2, _BYTES), _available()
        if size > _BYTES and there is not None and needed > _SHARE * there:
            needed, there = needed / 2**30, there / 2**30
            return f"it would take about {needed:.1f} GiB of the {there:.1f} GiB that there are"
        return None

    def _growth(self, column: int, least: float) -> float:
        """Return the exponent of n that the last two sizes show, from 1 to 3; 1 where they show none."""
        if len(self.seen) < 2:
            return 1.0
        before, after = self.seen[-2:]
        if min(before[column], after[column]) < least or before[0] <= 0:
            return 1.0
        slope = math.log(after[column] / before[column]) / math.log(after[0] / before[0])
        return min(3.0, max(1.0, slope))


def _peak() -> float:
    """Return the most bytes that this process has had, 0 where nobody counts."""
    return 0.0 if resource is None else 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _available() -> float | None:
    try:
        found = re.search(r"^MemAvailable: +(\d+) kB", _MEMORY.read_text(), re.MULTILINE)
    except OSError:
        return None
    return 1024.0 * int(found[1]) if found else None
