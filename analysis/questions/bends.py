"""Where the curves over n bend, and which of the known causes an experiment supports.

A cause is taken away by a variant. Where the curve bends because of it, the ratio of the curve to the
variant is another one beyond the bend than before it; where the variant bends alike, it is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jitcost.questions.causes import CURVES, Cause, causes_of
from jitcost.questions.experiments import Experiment
from jitcost.questions.groups import k_of
from jitcost.stats.candidates import Kind
from jitcost.stats.estimates import Estimate, product
from jitcost.stats.fits import Break, Verdict
from jitcost.stats.fitting import fit

__all__ = ["Bend", "CauseVerdict", "Comparison", "Curve", "JudgedCause", "bends", "judged_causes"]

CauseVerdict = Literal["supported", "not supported", "not measured"]

# A ratio of two variants' times that changes by less than a tenth explains no bend: caches and branch
# predictors bend each curve a little in its own way, whatever the cause.
_LEAST_STEP = 0.1


@dataclass(frozen=True)
class Comparison:
    """The ratio of two variants on both sides of a cause, at the nearest sizes.

    Attributes
    ----------
    present, without : str
        The variants with and without the cause.
    left, right : float
        The sizes before the cause and beyond it.
    at_left, at_right : Estimate
        The ratio of their times, present / without.
    step : Estimate
        The ratio at the right over that at the left.
    jump : Estimate
        The difference of their times at the right less that at the left, seconds per call: what the
        cause adds to a call beyond it.
    shown : bool
        Whether the step is beyond its interval and a tenth, in the cause's direction.
    """

    present: str
    without: str
    left: float
    right: float
    at_left: Estimate
    at_right: Estimate
    step: Estimate
    jump: Estimate
    shown: bool


@dataclass(frozen=True)
class JudgedCause:
    """A cause, and what the experiments say of it.

    Attributes
    ----------
    curve : str
        The variant whose curve may bend for it.
    cause, text : str
        What it is called, and what happens.
    verdict : str
        Supported where each variant without it shows it.
    tests : tuple of Comparison
        One for each variant without it that was measured on both sides.
    missing : tuple of str
        The variants without it that were not.
    """

    curve: str
    cause: str
    text: str
    verdict: CauseVerdict
    tests: tuple[Comparison, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Bend:
    """A bend of a curve.

    Attributes
    ----------
    n : float
        The size at which it is, by the fit.
    left, right : float
        The measured sizes around it.
    kind : {"jump", "slope", "both", "cannot be told"}
        What changes, see `jitcost.stats.fits.Break`.
    jump : Estimate or None
        By the fit, the seconds that a call takes longer just beyond it; None for a change of slope, and
        where the kind cannot be told. An experiment's is in the tests of the causes.
    supported, candidates : tuple of str
        The supported causes, and all causes, that set in or end within a measured size of it.
    """

    n: float
    left: float
    right: float
    kind: Kind
    jump: Estimate | None
    supported: tuple[str, ...]
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Curve:
    """What the fit says of a curve.

    Attributes
    ----------
    curve : str
        The variant.
    verdict, reason : str, str or None
        The fit's, see `jitcost.stats.fits.Fit`.
    misfit : float or None
        The largest distance of a measured time from the fit, as a share of it; None without a model.
    bends : tuple of Bend
    """

    curve: str
    verdict: Verdict
    reason: str | None
    misfit: float | None
    bends: tuple[Bend, ...]


def judged_causes(experiment: Experiment, caches: Mapping[str, int]) -> tuple[JudgedCause, ...]:
    """Return each cause that the workload's curves are known to bend for, judged.

    Parameters
    ----------
    experiment : Experiment
        The workload's variants.
    caches : mapping of str to int
        The bytes of the machine's caches by name; empty where they are not known.
    """
    return tuple(_judged(experiment, cause) for cause in causes_of(experiment.of.workload, caches))


def _judged(experiment: Experiment, cause: Cause) -> JudgedCause:
    present = cause.present or cause.curve
    found = (_test(experiment, cause, present, without) for without in cause.without)
    tests = tuple(test for test in found if test is not None)
    missing = tuple(sorted(set(cause.without) - {test.without for test in tests}))
    verdict: CauseVerdict = "not measured"
    if tests:
        shown = not missing and all(test.shown for test in tests)
        verdict = "supported" if shown else "not supported"
    return JudgedCause(cause.curve, cause.name, cause.text, verdict, tests, missing)


def _test(experiment: Experiment, cause: Cause, present: str, without: str) -> Comparison | None:
    """Compare the ratio on both sides of the cause, at the nearest sizes; None if one has none."""
    sizes = experiment.sizes(present, without)
    before = [n for n in sizes if n <= cause.low]
    beyond = [n for n in sizes if n >= cause.high]
    if not before or not beyond:
        return None
    left, right = before[-1], beyond[0]
    at_left, at_right = (
        {experiment.at(present, n): 1, experiment.at(without, n): -1} for n in (left, right)
    )
    step = product({**at_right, **{time: -power for time, power in at_left.items()}})
    rises = step.low > 1 and step.value > 1 + _LEAST_STEP
    falls = step.high < 1 and step.value < 1 / (1 + _LEAST_STEP)
    return Comparison(
        present,
        without,
        left,
        right,
        product(at_left),
        product(at_right),
        step,
        _jump(experiment, present, without, left, right),
        shown={True: rises, False: falls, None: rises or falls}[cause.rises],
    )


def _jump(
    experiment: Experiment, present: str, without: str, left: float, right: float
) -> Estimate:
    at_left, at_right = (experiment.sum(n, **{present: 1, without: -1}) for n in (left, right))
    return (at_right - at_left).estimate()


def bends(experiment: Experiment, causes: Sequence[JudgedCause]) -> tuple[Curve, ...]:
    """Return what the fit says of each curve, and the causes that come into question for its bends.

    Parameters
    ----------
    experiment : Experiment
        The workload's variants.
    causes : sequence of JudgedCause
        Of the same.
    """
    return tuple(
        _curve(experiment, curve, [cause for cause in causes if cause.curve == curve])
        for curve in CURVES.get(experiment.of.workload or "", ())
    )


def _curve(experiment: Experiment, curve: str, causes: Sequence[JudgedCause]) -> Curve:
    sizes = experiment.sizes(curve)
    measured = [experiment.at(curve, n) for n in sizes]
    # Of samples, a size has one number, and there is no noise to test a misfit against.
    found = fit(sizes, [one.rounds or (one.value,) for one in measured], k_of(experiment.of))
    around = () if found.broken is None else (_bend(found.broken, sizes, causes),)
    return Curve(curve, found.verdict, found.reason, found.misfit, around)


def _bend(found: Break, sizes: list[float], causes: Sequence[JudgedCause]) -> Bend:
    left, right = found.between
    place = sizes.index(left)
    # Noise can move a bend by one measured size.
    low, high = sizes[max(0, place - 1)], sizes[min(place + 2, len(sizes) - 1)]
    candidates = [
        cause
        for cause in causes
        if any(max(low, test.left) < min(high, test.right) for test in cause.tests)
    ]
    supported = tuple(cause.cause for cause in candidates if cause.verdict == "supported")
    names = tuple(cause.cause for cause in candidates)
    jump = None
    if found.jump is not None and found.jump_low is not None and found.jump_high is not None:
        jump = Estimate(found.jump, found.jump_low, found.jump_high)
    return Bend(found.n_at, left, right, found.kind, jump, supported, names)
