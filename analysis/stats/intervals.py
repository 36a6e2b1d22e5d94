"""What one cell's time is, and the interval that its processes give it.

The process is the unit: the samples of one process agree with each other better than two processes do
(Kalibera and Jones 2013; Georges, Buytaert and Eeckhout 2007), so that intervals from pooled samples
promise far more than they hold.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jitcost.stats.yuen import trimmed_mean

__all__ = ["COVERAGE", "FEWEST", "ORDERED", "Interval", "fastest_samples", "interval"]
__all__ += ["median_interval", "recover_processes"]

# What the smallest and the largest of five cover, 1 - 2 / 2^5: the least that an interval may promise.
COVERAGE = 0.9375

# With fewer processes their spread is not known: two differ by anything from nothing to everything.
FEWEST = 3

# From here on two order statistics promise enough, whatever the distribution.
ORDERED = 5


@dataclass(frozen=True)
class Interval:
    """A cell's time.

    Attributes
    ----------
    value : float
        The median of the processes' numbers, in their unit (seconds).
    low, high : float or None
        Bounds in the same unit; None where there are fewer than three processes.
    processes : int
        How many there were.
    kind : {"of processes", "none"}
        Which interval it is.
    confidence : float or None
        The coverage that theory promises: 0.9375 or more for five processes and more, 0.95 for three
        and four.
    """

    value: float
    low: float | None
    high: float | None
    processes: int
    kind: Literal["of processes", "none"]
    confidence: float | None


def recover_processes(
    samples: Sequence[float], rounds: int
) -> tuple[tuple[float, ...], ...] | None:
    """Divide a flat list of samples into its processes.

    Parameters
    ----------
    samples : sequence of float
        One process's samples after the other's, as asv stores the samples of several rounds.
    rounds : int
        The number of processes.

    Returns
    -------
    tuple of tuple of float, or None
        None where the processes cannot have the same number of samples each: where one ends and the
        next begins is then not known.
    """
    if rounds < 1 or not samples or len(samples) % rounds:
        return None
    each = len(samples) // rounds
    return tuple(tuple(samples[i : i + each]) for i in range(0, len(samples), each))


def fastest_samples(processes: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return each process's number: its fastest sample.

    What disturbs a process only ever adds to its time, and a sample is already a mean over many calls;
    so the minimum is the steadiest of the usual summaries (Chen and Revels 2016). Compare cells of
    equal numbers of samples: the minimum of more samples is lower.
    """
    return tuple(min(samples) for samples in processes)


def interval(numbers: Sequence[float]) -> Interval:
    """Return a cell's value and interval from one number for each process.

    Five and more: from the k-th smallest to the k-th largest, k as large as a coverage of 93.75 % of
    the median allows, 1 - 2 P(B < k) with B binomial (n, 1/2) (David and Nagaraja 2003, section 7.1);
    nothing is assumed of the distribution. Three and four: Student's t on the logarithms. Fewer: none.

    Parameters
    ----------
    numbers : sequence of float, shape (n,)
        Positive; seconds.

    Raises
    ------
    ValueError
        If there is no number, or one is not a positive time.
    """
    if not numbers or not all(0 < number < math.inf for number in numbers):
        raise ValueError("times have to be positive and finite, and there has to be one")
    count = len(numbers)
    value = statistics.median(numbers)
    if count < FEWEST:
        return Interval(value, None, None, count, "none", None)
    if count < ORDERED:
        low, high = np.exp(trimmed_mean(np.log(numbers)).interval())
        return Interval(value, float(low), float(high), count, "of processes", 0.95)
    rank, confidence = _order_statistics(count)
    ordered = sorted(numbers)
    return Interval(value, ordered[rank - 1], ordered[-rank], count, "of processes", confidence)


def median_interval(values: Sequence[float], resolution: float = 0.0) -> tuple[float, float] | None:
    """Return the interval of numbers that may have any sign: the differences within rounds.

    By the rule of `interval`, but for Student's t, which is taken of the numbers as they are.

    Parameters
    ----------
    values : sequence of float
        One for each round.
    resolution : float
        A standard error of three or four that is there even where they agree, in their unit.

    Returns
    -------
    tuple of float, or None
        None for fewer than three.
    """
    if len(values) < FEWEST:
        return None
    if len(values) < ORDERED:
        low, high = trimmed_mean(values, resolution=resolution).interval()
        return float(low), float(high)
    rank, _ = _order_statistics(len(values))
    ordered = sorted(values)
    return ordered[rank - 1], ordered[-rank]


def _order_statistics(count: int) -> tuple[int, float]:
    """Return the largest k whose pair of order statistics covers enough, and what it covers."""
    # In whole numbers, for five processes cover 93.75 % exactly.
    outside, rank, covered = 0, 0, 1.0
    while True:
        outside += math.comb(count, rank)
        following = 1 - 2 * outside / 2**count
        if following < COVERAGE:
            return rank, covered
        rank, covered = rank + 1, following
