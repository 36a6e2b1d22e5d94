"""What several machines have in common: the mean of their log ratios, and how far machines differ.

Each machine has a ratio of its own, and a further one will have another: the machines are a sample, and
what is asked is of those that were not measured. So the mean has the spread between machines in its
interval, and the number of machines as its degrees of freedom, however many processes ran on each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from jitcost.stats.intervals import FEWEST

__all__ = ["RandomEffects", "between_variance", "random_effects"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RandomEffects:
    """A mean over machines, all of it in the unit of the values: of logarithms, pure numbers.

    Attributes
    ----------
    mean : float
    low, high : float or None
        Its 95 % interval; None for fewer than three values.
    tau : float or None
        The standard deviation between machines; where the values had no standard errors, of the
        values as they are, what is measurement in them included. None for fewer than three.
    further_low, further_high : float or None
        The 95 % prediction interval of what a further machine would show; None for fewer than three.
    count : int
        The number of values.
    weighted : bool
        Whether by their standard errors; else, and of fewer than three, each counts as one value.
    """

    mean: float
    low: float | None
    high: float | None
    tau: float | None
    further_low: float | None
    further_high: float | None
    count: int
    weighted: bool


def random_effects(
    values: Sequence[float], standard_errors: Sequence[float] | None = None
) -> RandomEffects:
    """Return the mean of the values, its interval, and the prediction interval of a further one.

    With standard errors: each value has the weight 1 / (tau^2 + s^2), tau^2 by `between_variance`. The
    interval is that of Hartung and Knapp (2001) and of Sidik and Jonkman (2002): Student's t with k - 1
    degrees of freedom, and the variance of the mean times the weighted mean square of the deviations,
    but not less than once (Knapp and Hartung 2003): values that agree by chance better than their
    errors allow promise nothing more. Without: mean, standard deviation and Student's t.

    The prediction interval is that of Higgins, Thompson and Spiegelhalter (2009) for what would be
    *measured* on a further machine: the mean square of the errors is added, and t has k - 1 degrees of
    freedom. In 2,000 simulated sets each of three, five and ten machines it covered 95 to 100 %. Theirs,
    of the true value and with k - 2, covered 78 % with ten machines that differ by as much as they err.

    Parameters
    ----------
    values : sequence of float, shape (k,)
        Such as the logarithm of a ratio on each machine.
    standard_errors : sequence of float, shape (k,), optional
        Positive, in the unit of the values; None where one of them is not known.

    Raises
    ------
    ValueError
        If there is no value, one of them is not finite, or an error is not a positive number.
    """
    y, weighted = np.asarray(values, dtype=np.float64), standard_errors is not None
    if y.size == 0 or not np.isfinite(y).all():
        raise ValueError("values have to be finite, and there has to be one")
    errors = np.zeros_like(y) if standard_errors is None else _checked(y, standard_errors)
    if y.size < FEWEST:
        return RandomEffects(float(y.mean()), None, None, None, None, None, y.size, False)
    if weighted:
        between = between_variance(y, errors)
        weights = 1 / (between + errors**2)
        variance = max(1.0, _mean_square(y, weights)) / float(weights.sum())
    else:
        between, weights = float(y.var(ddof=1)), np.ones_like(y)
        variance = between / y.size
    mean = float(np.average(y, weights=weights))
    quantile = float(special.stdtrit(y.size - 1, 0.975))
    half = quantile * math.sqrt(variance)
    further = quantile * math.sqrt(between + float(np.mean(errors**2)) + variance)
    return RandomEffects(
        *(mean, mean - half, mean + half, math.sqrt(between)),
        *(mean - further, mean + further, y.size, weighted),
    )


def between_variance(values: npt.ArrayLike, standard_errors: npt.ArrayLike) -> float:
    """Return tau^2, the variance between machines, by Paule and Mandel (1982).

    The one with which the weighted squares of the deviations come to k - 1, as they do on average; zero
    where they do not reach that with none. One of the two estimators, with restricted maximum
    likelihood, that Veroniki and others (2016) recommend; it assumes no distribution.

    Parameters
    ----------
    values, standard_errors : array_like, shape (k,)
        Of one unit; at least two, the errors positive.
    """
    y, variances = np.asarray(values, dtype=np.float64), np.square(standard_errors)

    def excess(between: float) -> float:
        return _mean_square(y, 1 / (between + variances)) - 1

    if excess(0.0) <= 0:
        return 0.0
    # Falls with `between`; and with the values' whole variance, or more, it is below zero.
    most = float(y.var(ddof=1)) * y.size
    return float(optimize.brentq(excess, 0.0, most, xtol=1e-12 * most, rtol=1e-12))


def _mean_square(y: Array, weights: Array) -> float:
    deviations = y - np.average(y, weights=weights)
    return float(np.sum(weights * deviations**2) / (y.size - 1))


def _checked(y: Array, standard_errors: Sequence[float]) -> Array:
    errors = np.asarray(standard_errors, dtype=np.float64)
    if errors.shape != y.shape or not (np.isfinite(errors) & (errors > 0)).all():
        raise ValueError("each value has one standard error, a positive number")
    return errors
