"""The trimmed means of a curve's sizes, with the variances that weigh them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from jitcost.stats.yuen import RESOLUTION, trimmed_mean

__all__ = ["SizeMeans", "size_means"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SizeMeans:
    """One curve of measured times.

    Attributes
    ----------
    sizes : ndarray, shape (sizes,)
        Ascending.
    logarithms : ndarray, shape (sizes,)
        Trimmed means of log of seconds.
    variances : ndarray, shape (sizes,)
        Their squared standard errors; 1 everywhere if `freedom` is 0, as nothing is known of them.
    freedom : int
        Degrees of freedom of all variances together.
    common : float
        Squared standard error of what all logarithms have in common, which `variances` do not hold;
        0 unless the sizes share their processes.
    common_freedom : int
        Degrees of freedom of `common`.
    """

    sizes: Array
    logarithms: Array
    variances: Array
    freedom: int
    common: float = 0.0
    common_freedom: int = 1

    @property
    def noise(self) -> float | None:
        """The typical standard error of a size's time, as a share of it; None if not known."""
        return float(np.median(np.sqrt(self.variances))) if self.freedom else None


def size_means(
    sizes: Sequence[float], processes: Sequence[Sequence[float]], *, same_processes: bool
) -> SizeMeans:
    """Return the means of a curve; parameters and errors as for `jitcost.stats.fitting.fit`."""
    order = np.argsort(np.asarray(sizes, dtype=np.float64))
    n = np.asarray(sizes, dtype=np.float64)[order]
    if len(processes) != n.size or not np.all(np.isfinite(n) & (n >= 0)) or np.any(np.diff(n) == 0):
        raise ValueError("sizes have to be different, not negative, and as many as lists of times")
    times = [np.asarray(processes[i], dtype=np.float64) for i in order.tolist()]
    if not all(t.size and np.all(np.isfinite(t) & (t > 0)) for t in times):
        raise ValueError("times have to be positive and finite, and each size has to have one")
    logarithms = [np.log(t) for t in times]
    common, common_freedom = 0.0, 1
    if same_processes and n.size > 1:
        if len({t.size for t in times}) > 1:
            raise ValueError("sizes that share their processes have equally many numbers")
        if times[0].size > 1:
            table = np.stack(logarithms)
            effects = table.mean(axis=0)
            shared = trimmed_mean(effects, resolution=0.0)
            common, common_freedom = float(shared.variance), shared.freedom
            # Taking a mean out of S residuals leaves (S - 1) / S of their variance. The level is the
            # trimmed mean of the processes: with their plain mean, one that was slowed throughout
            # would be in every size, and in no residual.
            centre = table.mean(axis=1, keepdims=True)
            rest = (table - centre - (effects - effects.mean())) * np.sqrt(n.size / (n.size - 1))
            logarithms = list(centre + rest + (shared.mean - effects.mean()))
    found = [trimmed_mean(t, resolution=0.0) for t in logarithms]
    freedom = np.array([one.freedom for one in found])
    means = np.array([float(one.mean) for one in found])
    if not freedom.any():
        return SizeMeans(n, means, np.ones_like(n), 0)
    variances = _floored(np.array([float(one.variance) for one in found]), freedom)
    return SizeMeans(
        n, means, variances + RESOLUTION**2, int(freedom.sum()), common, common_freedom
    )


def _floored(variances: Array, freedom: npt.NDArray[np.int_]) -> Array:
    """Raise variances that are small by chance to what the others make likely.

    With two degrees of freedom, five processes, one variance in ten is a tenth of the true one, and its
    size would decide the fit alone. The median of the sizes' variances, each divided by the median
    of chi-squared / degrees of freedom (0.693 for two), estimates the mean of what they have in common;
    no variance is taken for less. A size that was measured once has no other.
    """
    known = freedom > 0
    typical = stats.chi2.median(freedom[known]) / freedom[known]
    floor = np.median(variances[known] / typical)
    raised: Array = np.where(known, np.maximum(variances, floor), floor)
    return raised
