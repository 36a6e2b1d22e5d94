"""How far the runs of a series lie from what is taken for its course, and what follows for two sides.

One standard deviation for the whole series, so that a side of one run has an interval as well: the root
mean square of the residuals, the largest fifth winsorised (Tukey 1962), which takes lone outliers for
what they are.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scipy import special

from jitcost.stats.yuen import RESOLUTION

__all__ = ["Scatter", "about_medians", "residuals", "scatter"]

# Of the residuals, the fifth that is largest is taken to be as large as the next.
_WINSORISED = 5


@dataclass(frozen=True)
class Scatter:
    """What single runs differ by, of logarithms.

    Attributes
    ----------
    variance : float
    freedom : int
        The degrees of freedom of t; below one nothing is known.
    kept : float
        Which share of the variance of normal runs the winsorised have.
    """

    variance: float
    freedom: int
    kept: float = 1.0

    def unwinsorised(self) -> Scatter:
        """Return it as of normal runs before they were winsorised.

        Of few runs, the degrees of freedom that winsorising costs make up for what it takes away; of
        sixty that differ by 10 %, one flat series in ten would be told to drift.
        """
        return replace(self, variance=self.variance / self.kept)

    def half_width(self, before: int, after: int, level: float) -> float:
        """Return that of the two-sided interval of a difference of two sides' medians.

        Their standard errors are sqrt(pi / 2n) of one run's standard deviation; for one run and for
        two this is more than it has to be. A resolution of 0.25 % is added to each side's.

        Parameters
        ----------
        before, after : int
            The runs on each side.
        level : float
            0.05 for an interval of 95 %.
        """
        if self.freedom < 1:
            return math.inf
        return float(special.stdtrit(self.freedom, 1 - level / 2)) * self._error(before, after)

    def p(self, difference: float, before: int, after: int) -> float:
        """Return the two-sided p of a difference of two sides' medians."""
        if self.freedom < 1:
            return 1.0
        t = abs(difference) / self._error(before, after)
        return float(2 * special.stdtr(self.freedom, -t))

    def _error(self, before: int, after: int) -> float:
        sides = 1 / before + 1 / after
        return math.sqrt(self.variance * sides * math.pi / 2 + 2 * RESOLUTION**2)


def scatter(apart: Sequence[float], parameters: int) -> Scatter:
    """Estimate it.

    Parameters
    ----------
    apart : sequence of float
        How far each run is from a course of so many `parameters`: a median lies on a run, or halfway
        between two, and takes one degree of freedom.
    parameters : int
    """
    freedom = len(apart) - parameters
    if freedom < 1:
        return Scatter(math.inf, 0)
    sizes = sorted(map(abs, apart))
    winsorised = freedom // _WINSORISED
    largest = sizes[-1 - winsorised]
    variance = sum(min(size, largest) ** 2 for size in sizes) / freedom
    return Scatter(variance, freedom - winsorised, _kept(winsorised / len(sizes)))


def _kept(share: float) -> float:
    """Return the variance of a standard normal number of which the largest, a share, are cut down."""
    if share == 0:
        return 1.0
    end = float(special.ndtri(1 - share / 2))
    density = math.exp(-(end**2) / 2) / math.sqrt(2 * math.pi)
    return 1 - share - 2 * end * density + share * end**2


def residuals(levels: Sequence[Sequence[float]]) -> list[float]:
    """Return how far each run is from the median of its level."""
    return [run - statistics.median(its) for its in levels for run in its]


def about_medians(levels: Sequence[Sequence[float]]) -> Scatter:
    """Estimate it from a series that is divided into levels."""
    return scatter(residuals(levels), parameters=len(levels))
