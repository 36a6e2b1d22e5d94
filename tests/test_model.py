import numpy as np
import pytest

from analysis.model import fit


def test_relative_weights_decide():
    # c0 by hand: ordinary least squares, which the largest n decides, would give -7.59e-4
    n = [10**3, 10**4, 10**5, 10**6, 10**7]
    seconds = [2.5e-5, 1.2e-4, 1.1e-3, 1.0e-2, 1.3e-1]
    model = fit(n, seconds)
    assert model.c0 == pytest.approx(1.391e-5, rel=1e-3)
    assert model.c1 == pytest.approx(1.0938e-8, rel=1e-4)
    assert np.polyfit(n, seconds, 1)[1] == pytest.approx(-7.59e-4, rel=1e-2)


def test_k_divides_the_costs_and_not_the_pair_that_people_read():
    n, seconds = [1, 10, 100], [1.1e-6, 2e-6, 11e-6]  # exactly 1 us + 0.1 us n
    one, ten = fit(n, seconds), fit(n, seconds, k=10)
    assert one.c0 == pytest.approx(1e-6)
    assert one.c1 == pytest.approx(1e-7)
    assert ten.c0 == pytest.approx(1e-7)
    assert ten.call_cost == pytest.approx(1e-6)
    assert ten.element_cost == pytest.approx(1e-7)
    assert ten.misfit == pytest.approx(0, abs=1e-12)


def test_a_negative_cost_is_shown_and_not_clipped():
    n = [2**i for i in range(2, 11)]
    assert fit(n, [(30 * i - 90) * 1e-6 for i in n]).c0 == pytest.approx(-9e-5)


def test_the_interval_of_a_line_with_one_residual_worked_out_by_hand():
    # t = 1, 1, 1 (1 + d) at n = -1, 0, 1 has weights 1, 1, 1 + O(d): for small d the fit is
    # ordinary regression, residuals (d/6, -d/3, d/6), s = d / sqrt(6), se(c1) = s / sqrt(2), and
    # Student's t with 1 degree of freedom at 97.5 % is 12.706.
    d = 1e-4
    model = fit([-1, 0, 1], [1.0, 1.0, 1.0 + d])
    assert model.misfit == pytest.approx(d / np.sqrt(6), rel=1e-3)
    assert model.c1_high - model.c1 == pytest.approx(12.706 * d / np.sqrt(12), rel=1e-3)


def test_intervals_hold_the_truth_when_each_cell_has_an_error_of_its_own():
    rng = np.random.default_rng(7)
    n = np.array([10, 100, 1_000, 10_000, 100_000, 1_000_000])
    c0, c1 = 2e-6, 3e-9
    hits = np.zeros(2)
    for _ in range(400):
        model = fit(n.tolist(), ((c0 + c1 * n) * (1 + 0.05 * rng.standard_normal(6))).tolist())
        hits += model.c0_low <= c0 <= model.c0_high, model.c1_low <= c1 <= model.c1_high
    assert np.all((hits / 400 >= 0.90) & (hits / 400 <= 0.99)), hits / 400


@pytest.mark.parametrize(
    ("n", "seconds", "said"),
    [
        ([10], [1e-6], "fewer than three sizes"),
        ([10, 10, 10, 10], [1e-6, 2e-6, 1e-6, 2e-6], "fewer than three sizes"),
        ([1, 10, 100], [1e-6, 0.0, 1e-4], "positive"),
        ([1, 10, 100], [1e-6, float("nan"), 1e-4], "positive"),
    ],
)
def test_points_that_determine_no_line(n, seconds, said):
    with pytest.raises(ValueError, match=said):
        fit(n, seconds)
