"""Steps of series: where they are, how large, and what is none."""

import math

import numpy as np
import pytest

from jitcost.stats.steps import ALONE, steps
from simulate_series import step_rates
from simulate_stats import factors


def places(values, **options):
    return [step.position for step in steps(values, **options)]


def test_a_step_is_told_with_its_place_its_ratio_and_the_runs_on_its_sides():
    (step,) = steps([1.0, 1.01, 0.99, 1.0, 1.5, 1.49, 1.51])
    assert (step.position, step.runs_before, step.runs_after) == (4, 4, 3)
    assert step.ratio == pytest.approx(1.5)
    assert step.low < 1.5 < step.high


def test_the_interval_is_t_of_winsorised_residuals():
    """Worked out by hand: medians, residuals, the largest fifth cut down, 0.25 % a side."""
    before, after = [0.0, 0.01, -0.01, 0.03], [1.0, 1.01, 0.98]
    (step,) = steps(np.exp([*before, *after]).tolist())
    # medians 0.005 and 1; residuals .005 .005 .015 .025 and 0 .01 .02; 7 - 2 = 5 degrees of freedom,
    # of which one residual, .025, is cut down to the next, .02: four are left
    squares = 2 * 0.005**2 + 0.015**2 + 0.02**2 + 0.01**2 + 0.02**2
    error = math.sqrt(squares / 5 * math.pi / 2 * (1 / 4 + 1 / 3) + 2 * 0.0025**2)
    half = 2.776445 * error  # the 97.5 % point of t with four, from a table
    assert math.log(step.ratio) == pytest.approx(0.995)
    assert math.log(step.low) == pytest.approx(0.995 - half)
    assert math.log(step.high) == pytest.approx(0.995 + half)


def test_the_unit_of_the_values_makes_no_difference():
    values = np.exp(np.random.default_rng(3).normal(0, 0.02, 12))
    values[7:] *= 1.3
    told = steps(values.tolist())
    assert [step.position for step in told] == [7]
    for unit in (1e-9, 1e6):
        for one, other in zip(told, steps((values * unit).tolist()), strict=True):
            assert one.position == other.position
            assert one.ratio == pytest.approx(other.ratio)
            assert one.high == pytest.approx(other.high)


def test_a_step_below_the_least_is_none_and_the_medians_are_taken_anew():
    values = [1.0] * 6 + [1.04] * 6 + [2.0] * 6
    assert places(values) == [12]
    assert steps(values)[0].ratio == pytest.approx(2 / 1.04**0.5)  # the median of twelve
    assert places(values, least=0.03) == [6, 12]
    down = [1.0] * 6 + [1 / 1.04] * 6
    assert places(down) == []
    assert places(down, least=0.03) == [6]


@pytest.mark.parametrize("factor", [3.0, 1 / 3.0])
@pytest.mark.parametrize("place", [0, 1, 5, 10, 11])
def test_a_lone_outlier_is_no_step_wherever_it_stands(factor, place):
    values = [1.0, 1.01, 0.99, 1.0, 1.02, 1.0, 0.98, 1.0, 1.01, 1.0, 0.99, 1.0]
    values[place] *= factor
    assert places(values) == []


def test_a_lone_outlier_beside_a_step_belongs_to_the_nearer_level():
    assert places([1.0, 1.01, 1.0, 1.0, 3.0, 1.5, 1.51, 1.5, 1.49]) == [4]
    # a run between the two levels is on the way from one to the other
    assert places([1.0, 1.01, 1.0, 1.0, 1.5, 3.0, 3.01, 3.0, 2.99]) == [4, 5]


def test_two_runs_from_which_a_series_comes_back_are_no_steps():
    flat = [1.0, 1.01, 0.99, 1.0, 1.0, 1.01]
    assert places([*flat, 1.5, 1.52, *flat]) == []
    assert places([*flat, 1.5, 1.52, 1.51, *flat]) == [6, 9]
    assert places([*flat, 1.5, 1.52, 2.0, 2.01, 1.99, 2.0]) == [6, 8]


def test_one_run_at_an_end_is_a_step_only_where_no_further_run_will_tell_and_none_was_so_disturbed():
    flat = [1.0, 1.01, 0.99, 1.0, 1.0, 1.01, 0.99, 1.0]
    for values, place in (([2.1, *flat], 1), ([*flat, 2.1], 8), ([0.45, *flat], 1)):
        assert places(values) == []
        assert places(values, alone=ALONE) == [place]
    assert places([1.9, *flat], alone=ALONE) == []
    assert places([2.1, 2.1, *flat]) == [2]  # two at an end


def test_fewer_than_five_runs_have_no_steps():
    assert places([1.0, 1.0, 5.0, 5.0]) == []
    assert places([1.0, 1.0, 5.0, 5.0, 5.0]) == [2]
    assert places([]) == []


def test_equal_values_have_no_steps():
    assert places([2e-6] * 40) == []


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        ([1.0, 0.0, 1.0], {}, "positive and finite"),
        ([1.0, math.inf, 1.0], {}, "positive and finite"),
        ([1.0, math.nan, 1.0], {}, "positive and finite"),
        ([1.0] * 5, {"least": -0.1}, "least"),
        ([1.0] * 5, {"alone": 0.5}, "alone"),
    ],
)
def test_what_is_no_series_is_refused(values, options, said):
    with pytest.raises(ValueError, match=said):
        steps(values, **options)


@pytest.mark.parametrize(
    ("noise", "most"), [(0.03, 0.01), ((0.014, "slowed"), 0.06), ((0.03, "slowed"), 0.06)]
)
def test_flat_series_hardly_ever_step(noise, most):
    """Of 2,000 series of 30 runs 0.1, 3.9 and 2.2 % had one."""
    rng = np.random.default_rng(5)
    told = [bool(steps(runs.tolist())) for runs in factors(rng, noise, (200, 30))]
    assert np.mean(told) <= most


def test_a_step_of_a_tenth_is_found_where_it_is():
    found, covered = step_rates(np.random.default_rng(6), 0.02, 200, 30, 1.1)
    assert found >= 0.8
    assert covered >= 0.9


@pytest.mark.parametrize("noise", [0.03, (0.014, "slowed"), (0.03, "slowed")])
def test_intervals_of_true_steps_hold_the_truth(noise):
    found, covered = step_rates(np.random.default_rng(7), noise, 200, 30, 1.5)
    assert found >= 0.8
    assert covered >= 0.9
