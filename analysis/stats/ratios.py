"""How many times as long one cell takes as another, and whether that is significant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from jitcost.stats.intervals import FEWEST
from jitcost.stats.yuen import RESOLUTION, TrimmedMean, difference, trimmed_mean

__all__ = ["Ratio", "processes_needed", "ratio"]


@dataclass(frozen=True)
class Ratio:
    """A ratio of two cells' times.

    Attributes
    ----------
    value : float
        exp of the difference of the trimmed means of the logarithms. Not the ratio of the medians: this
        is the number that the interval and the tests are about, and it is the less noisy one. The two
        differ by less than the interval's half-width.
    low, high : float or None
        The interval, 95 % where nobody asked for another; None where a side has fewer than three
        processes.
    p : float or None
        Two-sided: of a ratio of 1.
    p_less, p_greater : float or None
        One-sided: small where the ratio is below 1, and above 1.
    processes : tuple of int
        Of the first and of the second cell.
    """

    value: float
    low: float | None
    high: float | None
    p: float | None
    p_less: float | None
    p_greater: float | None
    processes: tuple[int, int]

    @property
    def would_show(self) -> float | None:
        """The difference, as a share, that a pair as noisy as this one would have shown.

        Twice the half-width: a true difference of one half-width is missed every second time, one of
        two is found nearly always (Cohen 1988, with a power of about 95 %).
        """
        if self.low is None or self.high is None:
            return None
        return self.high / self.low - 1  # twice the half-width of the logarithm, hence the quotient

    def significant(self, level: float = 0.05) -> bool:
        """Return whether the cells differ at this level; never without an interval.

        An interval that came without a test is taken at its own level.
        """
        if self.p is None:
            return self.low is not None and self.high is not None and not self.low <= 1 <= self.high
        return self.p < level


def ratio(first: Sequence[float], second: Sequence[float], confidence: float = 0.95) -> Ratio:
    """Return first / second with Yuen's test and interval.

    Trimmed t on the logarithms, variances unequal (Yuen 1974), a resolution of 0.25 % in each side's
    standard error; at four processes and fewer it is Welch's.

    Parameters
    ----------
    first, second : sequence of float
        One positive number for each process, both in one unit.
    confidence : float
        Of the interval; what is looked at more than once before it is decided takes more than 0.95.

    Raises
    ------
    ValueError
        If a side is empty, or a number is not a positive time.
    """
    sides = [_logarithms(numbers) for numbers in (first, second)]
    found = difference(*sides)
    value, counts = math.exp(found.estimate), (len(first), len(second))
    if min(counts) < FEWEST:
        return Ratio(value, None, None, None, None, None, counts)
    half = math.exp(found.half_width(confidence))
    return Ratio(
        value,
        value / half,
        value * half,
        float(found.p_two_sided),
        float(found.p_less),
        float(found.p_greater),
        counts,
    )


def processes_needed(
    first: Sequence[float], second: Sequence[float], share: float, most: int = 1000
) -> int | None:
    """Return how many processes a side would tell cells apart that differ by this share.

    The smallest number with which twice the half-width, if processes vary as they did, is no more than
    the difference: the same standard as `Ratio.would_show`. A plan from five processes is itself good to
    a factor of two only, and knows of no slowed process that it has not seen.

    Parameters
    ----------
    first, second : sequence of float
        The processes that there are, three or more a side.
    share : float
        0.04 for 4 %.
    most : int
        Look no further.

    Returns
    -------
    int or None
        For each side, in all; None where no number up to `most` would do, or where the present ones do
        not tell how much processes vary.
    """
    if min(len(first), len(second)) < FEWEST:
        return None
    sides = [_logarithms(numbers) for numbers in (first, second)]
    # The variance of one process: that of the mean, without the resolution, times their number. More
    # often than not a variance from few is too small; the median of chi-squared says by how much.
    known = sum(side.freedom for side in sides)
    of_one = sum((float(side.variance) - RESOLUTION**2) * side.count for side in sides)
    of_one *= known / stats.chi2.median(known)
    count = np.arange(FEWEST, most + 1)
    freedom = 2 * (count - 2 * (count // 5) - 1)
    error = np.sqrt(of_one / count + 2 * RESOLUTION**2)
    enough = 2 * special.stdtrit(freedom, 0.975) * error <= math.log1p(share)
    return int(count[np.argmax(enough)]) if enough.any() else None


def _logarithms(numbers: Sequence[float]) -> TrimmedMean:
    if not numbers or not all(0 < number < math.inf for number in numbers):
        raise ValueError("times have to be positive and finite, and there has to be one")
    return trimmed_mean(np.log(numbers))
