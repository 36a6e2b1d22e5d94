"""Whether a cell's processes measured one time at all, or two, or one that was still rising."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

__all__ = ["unstable"]

# Processes are 1 to 10 % apart, those of threaded kernels 30 %; so far apart they ran different things:
# with BLAS threads that another process keeps from their cores, 0.58 and 472 ms were one kernel's.
_APART = 2.0

# Of five processes and more, one at each end may have met anything.
_ENOUGH = 5

# A sample is a mean over 10 ms: while nothing rises, the last of four is this much above the first in
# fewer than one process in a thousand.
_RISE, _SAMPLES = 1.5, 3


def unstable(processes: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Return between what the samples lie, if they are no measurement of one time; else None.

    They are none if the processes differ by more than a factor of two, the single largest and smallest
    of five or more left out; or if in half of the processes each sample is above the one before it, and
    the last by half of the first.

    Parameters
    ----------
    processes : sequence of sequence of float
        The samples of each, in the order in which they were taken, seconds per call.

    Examples
    --------
    >>> unstable([[1.0, 1.1], [1.2, 1.0], [9.0, 9.9]])
    (1.0, 9.9)
    >>> unstable([[1.0, 1.1], [1.2, 1.0], [1.1, 1.0], [1.1, 1.2], [9.0, 9.9]]) is None
    True
    >>> unstable([[1.0, 1.2, 1.4, 1.6]] * 3)
    (1.0, 1.6)
    """
    numbers = sorted(min(samples) for samples in processes if samples)
    inner = numbers[1:-1] if len(numbers) >= _ENOUGH else numbers
    apart = len(inner) > 1 and inner[-1] > _APART * inner[0]
    if not apart and 2 * sum(map(_rises, processes)) < max(2, len(numbers)):
        return None
    every = [sample for samples in processes for sample in samples]
    return min(every), max(every)


def _rises(samples: Sequence[float]) -> bool:
    pairs = itertools.pairwise(samples)
    rising = all(before < after for before, after in pairs)
    return len(samples) >= _SAMPLES and rising and samples[-1] >= _RISE * samples[0]
