"""The model t = k (c0 + c1 n), fitted to measured times: the only fit in the project."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
from scipy import linalg, stats

__all__ = ["Fit", "Line", "fit", "fit_line"]

# Timings repeat to about this (relative). Where one line misses by no more, a better description of
# the points would describe their noise.
NOISE = 0.1

# Where no pieces describe the points better, one line is said to hold up to this misfit.
SCATTER = 0.25

# Differences below this are not worth a further piece, however exact the times are.
RESOLUTION = 0.01

# A piece is a line with at least one point to spare.
PIECE_POINTS = 3
MOST_PIECES = 3


@dataclass(frozen=True)
class Line:
    """The model over a range of sizes, with 95 % intervals.

    Attributes
    ----------
    k : int
        Number of operations.
    points : int
        Number of times.
    n_min, n_max : float
        The smallest and the largest size among them.
    c0, c0_low, c0_high : float
        Fixed cost of an operation, seconds.
    c1, c1_low, c1_high : float
        Cost of an operation and element, seconds.
    misfit : float
        Root of the residual sum of squares of (t - model) / t over points - 2.
    covariance : tuple of float
        Variance of c0, covariance, variance of c1.
    """

    k: int
    points: int
    n_min: float
    n_max: float
    c0: float
    c0_low: float
    c0_high: float
    c1: float
    c1_low: float
    c1_high: float
    misfit: float
    covariance: tuple[float, float, float] = field(repr=False)

    @property
    def call_cost(self) -> float:
        """`k c0`: seconds of a call that do not depend on n."""
        return self.k * self.c0

    @property
    def element_cost(self) -> float:
        """`k c1`: seconds that each element adds."""
        return self.k * self.c1

    def time(self, n: float) -> float:
        """Return the model's seconds at size n."""
        return self.call_cost + self.element_cost * n

    @property
    def quantile(self) -> float:
        """Student's t for 95 %, with points - 2 degrees of freedom."""
        return float(stats.t.ppf(0.975, self.points - 2))

    def interval(self, n: float) -> tuple[float, float]:
        """Return the 95 % interval of one further measurement at size n, seconds; not below 0.

        The prediction interval of linear regression: the uncertainty of the line, and the scatter
        around it, which is relative.
        """
        v00, v01, v11 = self.covariance
        line = self.k**2 * (v00 + 2 * v01 * n + v11 * n**2)
        half = self.quantile * math.sqrt(line + (self.misfit * self.time(n)) ** 2)
        return max(0.0, self.time(n) - half), self.time(n) + half


@dataclass(frozen=True)
class Fit:
    """What may be said of one backend's times over the sizes.

    Attributes
    ----------
    verdict : str
        `holds`; `bends`, then fitted in pieces; or `no fit`.
    reason : str or None
        Why there is no fit, or what to mind about the one there is.
    line : Line or None
        One line through everything; None where the points determine none.
    bends : tuple of float
        The sizes at which one piece ends and the next begins.
    pieces : tuple of Line
        One more than there are bends; without any, the line itself.
    """

    verdict: str
    reason: str | None = None
    line: Line | None = None
    bends: tuple[float, ...] = ()
    pieces: tuple[Line, ...] = field(default=())

    def piece(self, n: float) -> Line | None:
        """Return the line that holds at size n; None outside the measured range or without a fit."""
        if not self.pieces or not self.pieces[0].n_min <= n <= self.pieces[-1].n_max:
            return None
        return self.pieces[sum(n > bend for bend in self.bends)]


def fit_line(n: Sequence[float], seconds: Sequence[float], k: int = 1) -> Line:
    """Fit one line by least squares of the relative residuals.

    A time's error is a share of it: clocks drift, caches and neighbours interfere in proportion.
    Unweighted, the largest n would decide alone and the intercept, which is what a call costs,
    would be noise. Each residual is therefore divided by its time.

    Parameters
    ----------
    n : sequence of float
        At least three different sizes.
    seconds : sequence of float
        The time at each size, positive.
    k : int
        Number of operations.

    Returns
    -------
    Line
        The intervals are those of linear regression: the variance of the relative residuals, and
        Student's t with points - 2 degrees of freedom.

    Raises
    ------
    ValueError
        If the points do not determine a line and its error.
    """
    size, time = np.asarray(n, dtype=float), np.asarray(seconds, dtype=float)
    if np.unique(size).size < 3:
        raise ValueError("fewer than three sizes")
    if not np.all(np.isfinite(time) & (time > 0)):
        raise ValueError("a time is zero, negative or not finite")
    design = k * np.column_stack([np.ones_like(size), size]) / time[:, None]
    scale = np.linalg.norm(design, axis=0)  # the columns differ by the size of n
    coefficients = linalg.lstsq(design / scale, np.ones_like(time))[0] / scale
    residuals = 1 - design @ coefficients
    freedom = size.size - 2
    variance = residuals @ residuals / freedom
    unscaled = variance * np.linalg.inv((design / scale).T @ (design / scale))
    covariance = unscaled / np.outer(scale, scale)
    half = stats.t.ppf(0.975, freedom) * np.sqrt(np.diag(covariance))
    (c0, c1), (h0, h1) = map(float, coefficients), map(float, half)
    return Line(
        k=k,
        points=size.size,
        n_min=float(size.min()),
        n_max=float(size.max()),
        c0=c0,
        c0_low=c0 - h0,
        c0_high=c0 + h0,
        c1=c1,
        c1_low=c1 - h1,
        c1_high=c1 + h1,
        misfit=math.sqrt(variance),
        covariance=(float(covariance[0, 0]), float(covariance[0, 1]), float(covariance[1, 1])),
    )


def fit(n: Sequence[float], seconds: Sequence[float], k: int = 1) -> Fit:
    """Fit the model, say whether it holds, and where it does not, fit it in pieces.

    Parameters
    ----------
    n, seconds, k
        As for `fit_line`, but whatever they are: what determines no line is given a reason.

    Returns
    -------
    Fit
    """
    size, time = np.asarray(n, dtype=float), np.asarray(seconds, dtype=float)
    order = np.argsort(size, kind="stable")
    size, time = size[order], time[order]
    if size.size == 0:
        return Fit("no fit", "no times")
    if not np.all(np.isfinite(size)):
        return Fit("no fit", "a size is not a number")
    if np.unique(size).size == 1:
        return Fit("no fit", "one size" if size.size == 1 else "all sizes are equal")
    try:
        line = fit_line(size.tolist(), time.tolist(), k)
    except ValueError as error:
        return Fit("no fit", str(error))
    if np.all(time == time[0]):
        return Fit("no fit", "all times are equal")
    remark = _remark(line)
    if line.misfit <= NOISE:
        return Fit("holds", remark, line, (), (line,))
    enough = size.size >= _parameters(2) + 2
    pieces = _best_pieces(size, time, k) if enough else None
    if pieces is None and line.misfit <= SCATTER:
        scatter = f"the times scatter by {line.misfit:.0%} around it"
        return Fit("holds", remark or scatter, line, (), (line,))
    if pieces is None:
        why = "nor a few pieces" if enough else "too few sizes to tell where it bends"
        return Fit("no fit", f"not one line: misfit {line.misfit:.0%}; {why}", line)
    bends = tuple(_bend(left, right) for left, right in pairwise(pieces))
    return Fit("bends", remark, line, bends, tuple(pieces))


def _remark(line: Line) -> str | None:
    if line.c0_high < 0:
        return f"c0 is negative: below n = {-line.c0 / line.c1:.3g} the model is not a time"
    return "n = 0 is among the sizes: its time is fixed cost alone" if line.n_min == 0 else None


def _parameters(pieces: int) -> int:
    # two coefficients each, the places of the bends, and the variance
    return 2 * pieces + (pieces - 1) + 1


def _score(residual_sum: float, points: int, pieces: int) -> float:
    """Return Akaike's criterion with its correction for few points; the lower, the better.

    Hurvich and Tsai (1989), "Regression and time series model selection in small samples".
    """
    p = _parameters(pieces)
    if points - p - 1 <= 0:
        return math.inf
    variance = max(residual_sum / points, RESOLUTION**2)
    return points * math.log(variance) + 2 * p + 2 * p * (p + 1) / (points - p - 1)


def _best_pieces(
    size: npt.NDArray[np.float64], time: npt.NDArray[np.float64], k: int
) -> list[Line] | None:
    """Return the best division of the sorted sizes into pieces, or None if one line is no worse."""
    edges = [i for i in range(1, size.size) if size[i] > size[i - 1]]
    candidates = []
    for count in range(1, MOST_PIECES + 1):
        for cuts in combinations(edges, count - 1):
            spans = list(pairwise((0, *cuts, size.size)))
            try:
                lines = [fit_line(size[a:b].tolist(), time[a:b].tolist(), k) for a, b in spans]
            except ValueError:  # a piece with fewer than three sizes
                continue
            residual_sum = sum(line.misfit**2 * (line.points - 2) for line in lines)
            candidates.append((_score(residual_sum, size.size, count), lines))
    best = min(candidates, key=lambda candidate: candidate[0])
    return best[1] if len(best[1]) > 1 else None


def _bend(left: Line, right: Line) -> float:
    """Return where two pieces meet: where their lines cross, if that is between their points."""
    if right.c1 != left.c1:
        crossing = (left.c0 - right.c0) / (right.c1 - left.c1)
        # A crossing at a piece's last point is found to rounding error only.
        if left.n_max * (1 - 1e-6) <= crossing <= right.n_min * (1 + 1e-6):
            return crossing
    return math.sqrt(left.n_max * right.n_min)
