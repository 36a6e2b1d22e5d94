"""The model t = k (c0 + c1 n), fitted to measured times: the only fit in the project.

A verdict needs two numbers, how far the line misses and how far it may miss by chance. The second comes
from the processes; so the line is tested against it (lack of fit), not praised by an R^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

import numpy as np
import numpy.typing as npt
from scipy import special

from jitcost.stats.candidates import Candidate, Law, candidates, growth
from jitcost.stats.exponents import exponent
from jitcost.stats.fits import Break, Fit, Piece, Verdict
from jitcost.stats.least_squares import fit_logarithms
from jitcost.stats.size_means import SizeMeans, size_means

__all__ = ["fit"]

Array = npt.NDArray[np.float64]

# Lack of fit is significant below this: one true line in a hundred is doubted.
_LEVEL = 0.01

# A misfit that is not significantly larger is never a break, and such a fall none: caches and branch
# predictors bend every curve a little. The noise comes on top, twice its standard error.
_SMOOTH = 0.05
_NOISE = 2.0

# With a larger misfit nothing is called a model of the times.
_NO_MODEL = 0.25

# What each parameter has to take off the residual sum of squares. Akaike's 2 and Schwarz's log(sizes)
# overfit: the place of a break is searched for, and the variances come from few processes.
_PENALTY = 6.0

# A candidate that does not pass its own test is still worth saying if it explains this much.
_FOURFOLD = 4.0


def fit(
    sizes: Sequence[float],
    processes: Sequence[Sequence[float]],
    k: int = 1,
    *,
    law: Law = "n",
    same_processes: bool = False,
) -> Fit:
    """Fit the line, test it, and where it does not hold say what does.

    Weighted least squares on the trimmed means of the logarithms. The line holds if its lack of fit,
    F = RSS / df with variances from the processes, has p >= 0.01 (Draper and Smith 1998, section 2.1).
    Otherwise the candidate with the smallest RSS + 6 x parameters is chosen, if its own p >= 0.01 or
    its RSS is a quarter of the line's; of the growth laws only those are candidates that hold, and where
    the largest sizes tell the law (`jitcost.stats.exponents`), only what is in that law. Times that
    fall with n have no model, whatever fits them.

    Parameters
    ----------
    sizes : sequence of float, shape (sizes,)
        Different and not negative, in any order.
    processes : sequence of sequence of float
        For each size its processes' numbers, positive seconds of one call. A size may have only one; if
        none has more, nothing is known of the noise.
    k : int
        Number of operations in a call.
    law : {"n", "n log n", "n^2", "n^3"}
        What the line is in, t = k (c0 + c1 law(n)), and the two lines of a break: n, unless somebody
        knows better. The other laws are candidates.
    same_processes : bool
        Whether the i-th numbers of all sizes come from one process. What its sizes have in common says
        nothing of the curve's form: it is taken out of the residuals, and given back to the intervals.

    Raises
    ------
    ValueError
        If sizes repeat or are negative, a time is not positive, or the numbers do not match.
    """
    means = size_means(sizes, processes, same_processes=same_processes)
    replicated = means.freedom > 0
    if means.sizes.size < 3:
        return Fit("no model", k, replicated, "fewer than three sizes", noise=means.noise)
    models = _solve(list(candidates(means.sizes, law)), means)
    line = models[0]
    found = Fit(
        verdict=_held(law),
        k=k,
        replicated=replicated,
        pieces=line.pieces(means, k),
        misfit=line.misfit,
        line=line.pieces(means, k)[0],
        line_misfit=line.misfit,
        noise=means.noise,
        p=line.p(means),
        exponent=exponent(means),
    )
    fall = _fall(means)
    if fall is not None:
        reason = f"time falls between n = {fall[0]:g} and n = {fall[1]:g}"
        return replace(found, verdict="no model", reason=reason, pieces=(), misfit=None)
    if _fits(line, means):
        return replace(found, reason=_remark(found))
    better = _better(models, means, found.exponent.law if found.exponent else None)
    if better is not None:
        model = replace(
            found,
            verdict="piecewise" if better.candidate.kind else _held(better.candidate.law),
            pieces=better.pieces(means, k),
            broken=better.broken(means),
            misfit=better.misfit,
        )
        return replace(model, reason=_remark(model))
    if line.misfit > _NO_MODEL:
        reason = f"the line misses by {line.misfit:.0%}, and nothing else fits"
        return replace(found, verdict="no model", reason=reason, pieces=(), misfit=None)
    return replace(found, verdict="linear to", reason=_remark(found))


def _held(law: Law) -> Verdict:
    """Return the verdict of one line that holds."""
    return "linear" if law == "n" else "growth"


def _remark(found: Fit) -> str | None:
    if found.pieces[0].c0_high < 0:
        return "the call cost is significantly below zero"
    return None if found.replicated else "one process for each size: the misfit cannot be tested"


@dataclass(frozen=True, eq=False)
class _Model:
    """A candidate with its least-squares solution; see `least_squares.Solution`."""

    candidate: Candidate
    coefficients: Array
    covariance: Array
    residual_sum: float
    residuals: Array

    @property
    def degrees(self) -> int:
        return self.residuals.size - self.candidate.parameters

    @property
    def misfit(self) -> float:
        return float(np.abs(np.expm1(self.residuals)).max())

    def p(self, means: SizeMeans) -> float | None:
        """Return the p of the lack of fit; None where nothing is known of the noise.

        F, not chi-squared: the variances are estimates, and chi-squared rejects four to six true
        lines in a hundred for one.
        """
        if not means.freedom:
            return None
        ratio = self.residual_sum / self.degrees
        return float(special.fdtrc(self.degrees, means.freedom, ratio))

    def estimate(self, row: Array, means: SizeMeans) -> tuple[float, float, float]:
        """Return a linear combination of the coefficients with its 95 % interval.

        The standard error is widened by the misfit, sqrt(max(1, RSS / df)), as in Birge (1932); without
        replicates the misfit is all that it has. Student's t has the degrees of freedom of that one of
        the two that decides. What all sizes have in common multiplies every coefficient alike; its
        distance is added in squares (Zou and Donner 2008).
        """
        value = float(row @ self.coefficients)
        scale, freedom = self.residual_sum / self.degrees, self.degrees
        if means.freedom and scale < 1:
            scale, freedom = 1.0, means.freedom
        own = special.stdtrit(freedom, 0.975) * np.sqrt(scale * (row @ self.covariance @ row))
        common = special.stdtrit(means.common_freedom, 0.975) * value * np.sqrt(means.common)
        half = float(np.hypot(own, common))
        return value, value - half, value + half

    def pieces(self, means: SizeMeans, k: int) -> tuple[Piece, ...]:
        """Return the model's one or two pieces."""
        candidate, sizes = self.candidate, means.sizes
        parts = [(candidate.before, sizes)]
        if candidate.kind is not None:
            gap = candidate.gap
            parts = [(candidate.before, sizes[:gap]), (candidate.after, sizes[gap:])]
        return tuple(
            Piece(
                candidate.law,
                k,
                float(np.min(own)),
                float(np.max(own)),
                *(bound / k for row in rows for bound in self.estimate(row, means)),
            )
            for rows, own in parts
        )

    def broken(self, means: SizeMeans) -> Break | None:
        """Return the model's break."""
        candidate = self.candidate
        if candidate.kind is None:
            return None
        between = float(means.sizes[candidate.gap - 1]), float(means.sizes[candidate.gap])
        n_at = candidate.n_at
        if candidate.kind in ("slope", "cannot be told"):
            return Break(n_at, between, candidate.kind)
        row = np.array([1.0, float(growth(candidate.law, n_at))]) @ (
            candidate.after - candidate.before
        )
        return Break(n_at, between, candidate.kind, *self.estimate(row, means))


def _solve(models: list[Candidate], means: SizeMeans) -> list[_Model]:
    """Solve the candidates; those of equally many terms at once."""
    solved: dict[int, _Model] = {}
    ordered = sorted(range(len(models)), key=lambda i: models[i].design.shape[1])
    for _, group in groupby(ordered, key=lambda i: models[i].design.shape[1]):
        members = list(group)
        designs = np.stack([models[i].design for i in members])
        found = fit_logarithms(designs, means.logarithms, means.variances)
        for at, i in enumerate(members):
            solved[i] = _Model(
                models[i],
                found.coefficients[at],
                found.covariance[at],
                float(found.residual_sum[at]),
                found.residuals[at],
            )
    return [solved[i] for i in range(len(models))]


def _better(models: list[_Model], means: SizeMeans, told: Law | None) -> _Model | None:
    """Return what describes the times better than the line, which comes first; None if nothing does.

    Where the largest sizes tell the law, no other one is taken: of six quadratic times two lines miss by
    a sixth only.
    """
    line, *others = models
    models = [line, *(model for model in others if told in (None, model.candidate.law))]
    if _smooth(line, means):
        return None
    if not means.freedom:
        # No noise to measure a gain by: only a growth law, and only where the line is no model at all.
        laws = [model for model in models[1:] if model.candidate.kind is None]
        best = min(laws, key=lambda model: model.residual_sum)
        return best if line.misfit > _NO_MODEL and _smooth(best, means) else None
    # A law is a claim about the algorithm, and has to hold as well as a line has to: n log n comes
    # within 20 % of many a curve whose elements get dearer as they leave the caches. Two lines only
    # describe, and may be rough.
    best = min(
        (
            m
            for m in models
            if m.candidate.kind or m is line or _fits(m, means) or _smooth(m, means)
        ),
        key=lambda model: model.residual_sum + _PENALTY * model.candidate.parameters,
    )
    if best is line or best.misfit > _NO_MODEL:
        return None
    explains = best.residual_sum <= line.residual_sum / _FOURFOLD
    return best if explains or _fits(best, means) else None


def _fits(model: _Model, means: SizeMeans) -> bool:
    p = model.p(means)
    return p is not None and p >= _LEVEL


def _smooth(model: _Model, means: SizeMeans) -> bool:
    """Return whether no misfit is significantly more than any curve may have."""
    noise = _NOISE * np.sqrt(means.variances) if means.freedom else 0.0
    return bool(np.all(np.abs(model.residuals) - noise < np.log1p(_SMOOTH)))


def _fall(means: SizeMeans) -> tuple[float, float] | None:
    """Return two sizes of which the larger takes significantly less time, if there are any.

    All pairs are compared, one-sided with the floored variances, at a hundredth divided among them
    (Bonferroni), with the fall that any curve may have.
    """
    pairs = list(combinations(range(means.sizes.size), 2))
    quantile = 0.0
    if means.freedom:
        quantile = float(special.stdtrit(means.freedom, 1 - _LEVEL / len(pairs)))
    found = None
    most = 0.0
    for i, j in pairs:
        drop = means.logarithms[i] - means.logarithms[j]
        error = np.sqrt(means.variances[i] + means.variances[j])
        if drop > most and drop - quantile * error > np.log1p(_SMOOTH):
            most, found = drop, (float(means.sizes[i]), float(means.sizes[j]))
    return found
