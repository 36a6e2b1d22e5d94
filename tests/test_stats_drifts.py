"""Drifts of series, runs that stand apart, and p among many series."""

import doctest
import math

import numpy as np
import pytest

from jitcost.stats import apart as module_of_apart
from jitcost.stats import drifts, many
from jitcost.stats.apart import apart
from jitcost.stats.drifts import drift
from jitcost.stats.many import among_many
from jitcost.stats.scatter import scatter
from jitcost.stats.steps import steps
from simulate_series import among_all, drifts_told


def test_a_drift_is_the_ratio_of_the_outer_thirds_with_t_about_the_resistant_line():
    """Worked out by hand: 0.1 a run, and what the runs lie beside that."""
    beside = [0.0, 0.01, -0.01, 0.02, 0.0, -0.02, 0.0, 0.01, -0.01]
    found = drift(np.exp([0.1 * run + one for run, one in enumerate(beside)]).tolist())
    # the thirds' medians are 0.11 and 0.71, six runs apart: the line rises by 0.1 a run, and leaves
    # 0 0 0, four of .01 and two of .02; 9 - 2 = 7 degrees of freedom, one residual cut to the next.
    # Normal runs, the largest ninth cut at 1.5932 (from a table, its density .1121), keep .8136
    kept = 8 / 9 - 2 * 1.5932 * 0.11213 + 1.5932**2 / 9
    variance = (4 * 0.01**2 + 2 * 0.02**2) / 7 / kept
    error = math.sqrt(variance * math.pi / 2 * (2 / 3) + 2 * 0.0025**2)
    half = 2.446912 * error  # the 97.5 % point of t with six, from a table
    assert math.log(found.ratio) == pytest.approx(0.6)
    assert math.log(found.low) == pytest.approx(0.6 - half, rel=1e-5)
    assert math.log(found.high) == pytest.approx(0.6 + half, rel=1e-5)
    assert found.runs == 3


def test_small_changes_without_a_step_are_a_drift():
    values = [1.05**run for run in range(20)]
    assert steps(values) == ()
    assert drift(values).ratio == pytest.approx(1.05**14)  # of the medians of the runs 2.5 and 16.5
    assert drift(values[::-1]).ratio == pytest.approx(1.05**-14)


def test_what_is_small_short_or_chance_is_no_drift():
    assert drift([1.005**run for run in range(12)]) is None  # 4 % from third to third
    assert drift([1.005**run for run in range(12)], least=0.03) is not None
    assert drift([1.05**run for run in range(8)]) is None
    assert drift([1.0] * 30) is None
    assert drift([1.0, 1.3, 0.8, 1.2, 0.9, 1.3, 1.1, 0.9, 1.2]) is None


@pytest.mark.parametrize("place", [0, 1, 5, 10, 11])
def test_an_outlier_makes_no_drift(place):
    values = [1.0, 1.01, 0.99, 1.0, 1.02, 1.0, 0.98, 1.0, 1.01, 1.0, 0.99, 1.0]
    values[place] *= 3
    assert drift(values) is None


@pytest.mark.parametrize("noise", [0.03, 0.10, (0.014, "slowed"), (0.03, "slowed")])
@pytest.mark.parametrize("runs", [9, 60])
def test_flat_series_hardly_ever_drift(noise, runs):
    assert drifts_told(np.random.default_rng(5), noise, 200, runs) <= 0.07


def test_a_run_apart_is_told_against_the_others_of_its_level():
    """Worked out by hand: the others lie 0 and .01 beside their median."""
    (one,) = apart(np.exp([0.0, 0.01, -0.01, 1.0, 0.01, -0.01, 0.0]).tolist(), ())
    # six others, 6 - 1 = 5 degrees of freedom, one residual cut to the next, which is as large
    error = math.sqrt(4 * 0.01**2 / 5 * math.pi / 2 * (1 + 1 / 6) + 2 * 0.0025**2)
    half = 2.776445 * error  # the 97.5 % point of t with four, from a table
    assert (one.position, one.runs) == (3, 6)
    assert math.log(one.ratio) == pytest.approx(1.0)
    assert math.log(one.low) == pytest.approx(1.0 - half)
    assert math.log(one.high) == pytest.approx(1.0 + half)
    assert one.p < 1e-3


def test_two_runs_apart_do_not_hide_one_another_and_noise_is_none():
    flat = [1.0, 1.01, 0.99, 1.0]
    found = apart([*flat, 5.0, 5.1, *flat], ())
    assert [one.position for one in found] == [4, 5]
    assert apart([1.0, 1.3, 0.8, 1.2, 0.9, 1.3, 1.1], ()) == ()
    assert apart([*flat, 1.04], ()) == ()  # less than is told
    stepped = [*flat, 2.0, 2.01, 1.99, 9.0]
    (one,) = apart(stepped, steps(stepped))
    assert (one.position, one.runs) == (7, 3)
    assert one.ratio == pytest.approx(9 / math.sqrt(2 * 2.01))  # the median of four


def test_p_and_interval_are_of_one_distribution():
    """At 2.776445, the 97.5 % point of t with four degrees of freedom, p is 5 %."""
    found = scatter([0.01, -0.01, 0.02, -0.02, 0.0], parameters=1)
    assert found.freedom == 4
    # four of .01 or .02, of which none is cut down (a fifth of four is none)
    error = math.sqrt((2 * 0.01**2 + 2 * 0.02**2) / 4 * math.pi / 2 * (5 / 6) + 2 * 0.0025**2)
    assert found.half_width(2, 3, 0.05) == pytest.approx(2.776445 * error)
    assert found.p(found.half_width(2, 3, 0.05), 2, 3) == pytest.approx(0.05)
    assert found.p(found.half_width(2, 3, 0.001), 2, 3) == pytest.approx(0.001)
    unknown = scatter([0.0, 0.0], parameters=2)
    assert (unknown.half_width(1, 1, 0.05), unknown.p(1.0, 1, 1)) == (math.inf, 1.0)


def test_p_counts_all_that_was_looked_at():
    # the largest counts as it is, the one before it times ten ninths at most, and so on
    assert among_many([0.004, 0.01, 0.2], 7) == pytest.approx([0.04, 0.05, 2 / 3])
    assert among_many([0.01], 0) == [0.01]
    assert among_many([], 5) == []


def test_among_many_flat_series_few_rows_are_told_and_changes_of_half_are_found():
    false, _ = among_all(np.random.default_rng(8), 0.05, 10, 9, changed=1)
    assert false <= 0.5
    false, found = among_all(np.random.default_rng(9), 0.05, 5, 9, 1.5)
    assert false <= 1
    assert found >= 0.9


@pytest.mark.parametrize("module", [module_of_apart, drifts, many])
def test_the_examples_in_the_docstrings(module):
    done = doctest.testmod(module)
    assert done.failed == 0
    assert done.attempted >= 1


def test_a_step_is_no_drift_and_a_drift_that_looks_like_a_step_is_none():
    rng = np.random.default_rng(2)
    stepped = np.where(np.arange(20) < 10, 1.0, 1.5) * np.exp(0.02 * rng.standard_normal(20))
    found = steps(stepped.tolist())
    assert len(found) == 1
    assert drift(stepped.tolist(), steps=found) is None
    drifting = [1.0, 1.03, 1.07, 1.09, 1.12, 1.17, 1.29, 1.31, 1.35, 1.40, 1.44, 1.48]
    assert len(steps(drifting, least=0.2)) == 1
    assert drift(drifting, steps=steps(drifting, least=0.2)) is not None
