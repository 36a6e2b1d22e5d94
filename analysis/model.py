"""The model t = k (c0 + c1 n), fitted to measured times: the only fit in the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg, stats

__all__ = ["Fit", "fit"]


@dataclass(frozen=True)
class Fit:
    """The model fitted to one backend's times, with 95 % intervals.

    Attributes
    ----------
    k : int
        Number of operations.
    points, n_min, n_max : int
        The sizes that the fit has seen.
    c0, c0_low, c0_high : float
        Fixed cost of an operation, seconds.
    c1, c1_low, c1_high : float
        Cost of an operation and element, seconds.
    misfit : float
        Root mean square of the relative residuals (t - model) / t, over points minus 2.
    """

    k: int
    points: int
    n_min: int
    n_max: int
    c0: float
    c0_low: float
    c0_high: float
    c1: float
    c1_low: float
    c1_high: float
    misfit: float

    @property
    def call_cost(self) -> float:
        """`k c0`: seconds of a call that do not depend on n."""
        return self.k * self.c0

    @property
    def element_cost(self) -> float:
        """`k c1`: seconds that each element adds."""
        return self.k * self.c1


def fit(n: Sequence[int], seconds: Sequence[float], k: int = 1) -> Fit:
    """Fit t = k (c0 + c1 n) by least squares of the relative residuals.

    A time's error is a share of it: clocks drift, caches and neighbours interfere in proportion.
    Unweighted, the largest n would decide alone and the intercept, which is what a call costs,
    would be noise. Each residual is therefore divided by its time.

    Parameters
    ----------
    n : sequence of int
        At least three sizes, not all equal.
    seconds : sequence of float
        The time at each size, positive.
    k : int
        Number of operations.

    Returns
    -------
    Fit
        The intervals are those of linear regression: the relative residuals' variance, Student's t
        with points - 2 degrees of freedom.

    Raises
    ------
    ValueError
        If the points do not determine a line and its error.
    """
    size, time = np.asarray(n, dtype=float), np.asarray(seconds, dtype=float)
    if np.unique(size).size < 3:
        raise ValueError("a line and its error take times at three sizes or more")
    if not np.all(np.isfinite(time) & (time > 0)):
        raise ValueError("times must be positive")
    design = k * np.column_stack([np.ones_like(size), size]) / time[:, None]
    scale = np.linalg.norm(design, axis=0)  # the columns differ by the size of n
    coefficients = linalg.lstsq(design / scale, np.ones_like(time))[0] / scale
    residuals = 1 - design @ coefficients
    freedom = size.size - 2
    variance = residuals @ residuals / freedom
    covariance = variance * np.linalg.inv((design / scale).T @ (design / scale))
    half = stats.t.ppf(0.975, freedom) * np.sqrt(np.diag(covariance)) / scale
    (c0, c1), (h0, h1) = map(float, coefficients), map(float, half)
    return Fit(
        k=k,
        points=size.size,
        n_min=int(size.min()),
        n_max=int(size.max()),
        c0=c0,
        c0_low=c0 - h0,
        c0_high=c0 + h0,
        c1=c1,
        c1_low=c1 - h1,
        c1_high=c1 + h1,
        misfit=float(np.sqrt(variance)),
    )
