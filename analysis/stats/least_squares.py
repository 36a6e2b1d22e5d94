"""Least squares of the logarithms of a sum of terms: many candidate models at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Solution", "fit_logarithms"]

Array = npt.NDArray[np.float64]

# Gauss-Newton starts next to the minimum (see below) and takes three or four steps where the model is
# any good; where it is bad, a little more or less of its residual sum does not matter.
_STEPS = 25
_HALVINGS = 6
_CONVERGED = 1e-9


@dataclass(frozen=True, eq=False)
class Solution:
    """The least-squares fits of a stack of models.

    Attributes
    ----------
    coefficients : ndarray, shape (models, terms)
    residual_sum : ndarray, shape (models,)
        Sum of squared residuals, each divided by its standard error: a pure number.
    residuals : ndarray, shape (models, sizes)
        Of the logarithms, measured less fitted, not divided by anything.
    covariance : ndarray, shape (models, terms, terms)
        Of the coefficients, if the variances are right.
    """

    coefficients: Array
    residual_sum: Array
    residuals: Array
    covariance: Array


def fit_logarithms(designs: Array, logarithms: Array, variances: Array) -> Solution:
    """Minimise the weighted sum of squares of log t - log(X b), for each design X.

    The error of a time is a share of it, so that the logarithms have errors of comparable size while
    the model is a sum of times. Gauss-Newton with halved steps (Björck 1996, section 9.2), from the
    least squares of the relative residuals, which are the first order of those of the logarithms.

    Parameters
    ----------
    designs : ndarray, shape (models, sizes, terms)
        X b are seconds. The first column is 1 everywhere.
    logarithms : ndarray, shape (sizes,)
        log of seconds.
    variances : ndarray, shape (sizes,)
        Squared standard errors of `logarithms`, positive.
    """
    time = np.exp(logarithms)
    root = np.sqrt(1 / variances)
    # Elements' costs and calls' costs differ by the size of n: work in columns of comparable norm, as
    # shares of the time.
    shares = designs / time[:, None]
    norm = np.linalg.norm(shares, axis=1)
    shares = shares / norm[:, None, :]

    inverse = np.linalg.pinv(root[:, None] * shares)
    coefficients = np.einsum("mts,s->mt", inverse, root)
    # A start that is not a time at some size: a constant is one.
    bad = (np.einsum("mst,mt->ms", shares, coefficients) <= 0).any(axis=1)
    constant = np.zeros(designs.shape[2])
    constant[0] = np.exp(np.average(logarithms, weights=1 / variances))
    coefficients[bad] = constant * norm[bad]

    residuals, total = _residuals(shares, coefficients, root)
    for _ in range(_STEPS):
        jacobian = root[:, None] * shares * np.exp(residuals)[:, :, None]
        step = np.einsum("mts,ms->mt", np.linalg.pinv(jacobian), root * residuals)
        length = np.ones(len(designs))
        for _ in range(_HALVINGS):
            tried = coefficients + length[:, None] * step
            new_residuals, new_total = _residuals(shares, tried, root)
            worse = ~(new_total <= total)
            if not worse.any():
                break
            length[worse] /= 2
        better = ~worse
        gain = np.where(better, total - new_total, 0.0)
        coefficients[better], residuals[better] = tried[better], new_residuals[better]
        total = np.where(better, new_total, total)
        if np.all(gain <= _CONVERGED * (1 + total)):
            break

    inverse = np.linalg.pinv(root[:, None] * shares * np.exp(residuals)[:, :, None])
    covariance = np.einsum("mis,mjs->mij", inverse, inverse)
    covariance /= norm[:, :, None] * norm[:, None, :]
    return Solution(coefficients / norm, total, residuals, covariance)


def _residuals(shares: Array, coefficients: Array, root: Array) -> tuple[Array, Array]:
    """Return log t - log(X b) and its weighted sum of squares; infinite where X b is no time."""
    fitted = np.einsum("mst,mt->ms", shares, coefficients)
    with np.errstate(invalid="ignore", divide="ignore"):
        residuals = -np.log(fitted)
    total = np.sum((root * residuals) ** 2, axis=1)
    return residuals, np.where((fitted > 0).all(axis=1), total, np.inf)
