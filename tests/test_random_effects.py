"""The mean over machines: published values, sums by hand, and how often what is promised is so."""

import math

import mpmath
import numpy as np
import pytest

from jitcost.stats.random_effects import between_variance, random_effects
from jitcost.stats.yuen import difference, trimmed_mean

# Thirteen trials of a vaccine (Colditz and others 1994): cases and others among the vaccinated, cases
# and others among the rest. The data of most textbooks of meta-analysis.
BCG = [
    (4, 119, 11, 128),
    (6, 300, 29, 274),
    (3, 228, 11, 209),
    (62, 13536, 248, 12619),
    (33, 5036, 47, 5761),
    (180, 1361, 372, 1079),
    (8, 2537, 10, 619),
    (505, 87886, 499, 87892),
    (29, 7470, 45, 7232),
    (17, 1699, 65, 1600),
    (186, 50448, 141, 27197),
    (5, 2493, 3, 2338),
    (27, 16886, 29, 17825),
]

# Student's t at 97.5 %, from a printed table, by degrees of freedom
T = {2: 4.303, 4: 2.776, 12: 2.179}


def log_risks():
    """Return the trials' log risk ratios and standard errors."""
    values, errors = [], []
    for a, b, c, d in BCG:
        values.append(math.log(a / (a + b) / (c / (c + d))))
        errors.append(math.sqrt(1 / a - 1 / (a + b) + 1 / c - 1 / (c + d)))
    return values, errors


def test_the_spread_of_the_textbooks_trials_is_the_published_one():
    # 0.3181 is what metafor prints for method="PM" of its dat.bcg
    assert between_variance(*log_risks()) == pytest.approx(0.3181, abs=5e-5)


def test_the_textbooks_mean_and_intervals_by_another_road():
    """Solve Paule and Mandel's equation with 40 digits by bisection, and sum up from it."""
    values, errors = log_risks()
    with mpmath.workdps(40):

        def squares(between):
            weights = [1 / (between + mpmath.mpf(s) ** 2) for s in errors]
            mean = mpmath.fsum(w * y for w, y in zip(weights, values, strict=True))
            mean /= mpmath.fsum(weights)
            terms = (w * (y - mean) ** 2 for w, y in zip(weights, values, strict=True))
            return mpmath.fsum(terms), mean, 1 / mpmath.fsum(weights)

        low, high = mpmath.mpf(0), mpmath.mpf(10)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if squares(middle)[0] > 12 else (low, middle)
        _, mean, variance = squares(low)
        measured = mpmath.fsum(mpmath.mpf(s) ** 2 for s in errors) / 13
        half = T[12] * mpmath.sqrt(variance)
        further = T[12] * mpmath.sqrt(low + measured + variance)
    found = random_effects(values, errors)
    assert found.tau == pytest.approx(float(mpmath.sqrt(low)), rel=1e-9)
    assert found.mean == pytest.approx(float(mean), rel=1e-9)
    bounds = (found.low, found.high, found.further_low, found.further_high)
    expected = [float(mean + sign * width) for width in (half, further) for sign in (-1, 1)]
    assert bounds == pytest.approx(expected, abs=3e-4)  # the table's t has four digits
    assert (found.count, found.weighted) == (13, True)


def test_equal_errors_are_the_plain_mean_and_the_spread_less_the_errors():
    # deviations of 3, 1 and 4 of 10: variance 13, of which 4 are the measurement's
    found = random_effects([13.0, 11.0, 6.0], [2.0, 2.0, 2.0])
    assert found.mean == pytest.approx(10)
    assert found.tau == pytest.approx(3)
    assert found.high - 10 == pytest.approx(T[2] * math.sqrt(13 / 3), rel=1e-3)
    assert found.further_high - 10 == pytest.approx(T[2] * math.sqrt(13 + 13 / 3), rel=1e-3)
    alone = random_effects([13.0, 11.0, 6.0])
    assert alone.tau == pytest.approx(math.sqrt(13))
    assert not alone.weighted
    for bound in ("mean", "low", "high", "further_low", "further_high"):
        assert getattr(alone, bound) == pytest.approx(getattr(found, bound))


def test_two_values_have_their_plain_mean_whatever_they_err_by():
    found = random_effects([0.0, 1.0], [0.01, 1.0])
    assert (found.mean, found.low, found.tau, found.weighted) == (0.5, None, None, False)


def test_values_that_agree_better_than_their_errors_promise_no_more_than_these():
    found = random_effects([1.0, 1.0, 1.0], [0.3, 0.3, 0.3])
    assert found.tau == 0
    assert found.high - 1 == pytest.approx(T[2] * 0.3 / math.sqrt(3), rel=1e-3)
    equal = random_effects([1.0, 1.0, 1.0])
    assert (equal.low, equal.high, equal.tau) == (1, 1, 0)


def test_a_value_of_a_large_error_counts_for_little():
    sure = [0.0, 0.1, -0.1]
    found = random_effects([*sure, 9.0], [0.1, 0.1, 0.1, 1e6])
    assert found.mean == pytest.approx(0, abs=1e-6)
    assert random_effects([*sure, 9.0]).mean == pytest.approx(9 / 4)


@pytest.mark.parametrize("errors", [None, [0.1, 0.1]])
def test_two_machines_have_a_mean_and_no_interval(errors):
    found = random_effects([1.0, 2.0], errors)
    assert (found.mean, found.count) == (1.5, 2)
    nothing = (found.low, found.high, found.tau, found.further_low, found.further_high)
    assert nothing == (None,) * 5


@pytest.mark.parametrize(
    ("values", "errors"),
    [([], None), ([1.0, math.inf, 2.0], None), ([1.0, 2.0], [0.1]), ([1.0, 2.0], [0.1, 0.0])],
)
def test_what_is_no_number_is_refused(values, errors):
    with pytest.raises(ValueError, match=r"values have to|one standard error"):
        random_effects(values, errors)


# five machines, five processes a side: apart by much more than the measurement errs, by as much, not
@pytest.mark.parametrize(("tau", "noise"), [(0.3, 0.02), (0.05, 0.05), (0.0, 0.05)])
def test_five_machines_cover_what_they_promise(tau, noise):
    """A rate of 5 % in 600 sets has a standard error of 0.9 %."""
    rng, sets = np.random.default_rng(30), 600
    covered = {"mean": 0, "measured": 0, "unweighted": 0}
    for _ in range(sets):
        machines = rng.normal(0, tau, 6)
        one = trimmed_mean(machines[:, None] + rng.normal(0, noise, (6, 5)))
        ratios = difference(one, trimmed_mean(rng.normal(0, noise, (6, 5))))
        values, errors = ratios.estimate[:5], ratios.half_width()[:5] / 1.96
        found, plain = random_effects(values, errors), random_effects(values)
        covered["mean"] += found.low <= 0 <= found.high
        covered["measured"] += found.further_low <= ratios.estimate[5] <= found.further_high
        covered["unweighted"] += plain.low <= 0 <= plain.high
    assert min(covered.values()) / sets >= 0.925
    assert covered["unweighted"] / sets <= 0.975
