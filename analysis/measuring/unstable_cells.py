"""Which cells were no measurement of one time, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from jitcost.measuring.entries import Outcome
from jitcost.stats.unstable import unstable
from jitcost.units import scale_of, size_text

__all__ = ["unstable_cells"]


def unstable_cells(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each: `rbf numpy at n = 1,000: unstable: 0.58 to 472 ms (threads?)`."""
    for (entry, size), processes in outcome.cells.items():
        found = unstable([process.samples for process in processes])
        if found is not None:
            n = size_text(outcome.n[entry.kernel.problem, size])
            scale, unit = scale_of(found[1])
            low, high = (f"{value / scale:.3g}" for value in found)
            yield f"{entry.label} at n = {n}: unstable: {low} to {high} {unit} (threads?)"
