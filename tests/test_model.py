import numpy as np
import pytest

from jitcost.stats.model import fit, fit_line


def test_relative_weights_decide():
    # c0 by hand: ordinary least squares, which the largest n decides, would give -7.59e-4
    n = [10**3, 10**4, 10**5, 10**6, 10**7]
    seconds = [2.5e-5, 1.2e-4, 1.1e-3, 1.0e-2, 1.3e-1]
    line = fit_line(n, seconds)
    assert line.c0 == pytest.approx(1.391e-5, rel=1e-3)
    assert line.c1 == pytest.approx(1.0938e-8, rel=1e-4)
    assert np.polyfit(n, seconds, 1)[1] == pytest.approx(-7.59e-4, rel=1e-2)


def test_k_divides_the_costs_and_not_the_pair_that_people_read():
    n, seconds = [1, 10, 100], [1.1e-6, 2e-6, 11e-6]  # exactly 1 us + 0.1 us n
    one, ten = fit_line(n, seconds), fit_line(n, seconds, k=10)
    assert one.c0 == pytest.approx(1e-6)
    assert one.c1 == pytest.approx(1e-7)
    assert ten.c0 == pytest.approx(1e-7)
    assert ten.call_cost == pytest.approx(1e-6)
    assert ten.element_cost == pytest.approx(1e-7)
    assert ten.misfit == pytest.approx(0, abs=1e-12)
    assert ten.time(1000) == pytest.approx(101e-6)


def test_a_negative_cost_is_flagged_and_not_clipped():
    n = [2**i for i in range(2, 11)]
    found = fit(n, [(30 * i - 90) * 1e-6 for i in n])
    assert found.line.c0 == pytest.approx(-9e-5)
    assert found.verdict == "holds"
    assert found.reason == "c0 is negative: below n = 3 the model is not a time"


def test_the_interval_of_a_line_with_one_residual_worked_out_by_hand():
    # t = 1, 1, 1 (1 + d) at n = -1, 0, 1 has weights 1, 1, 1 + O(d): for small d the fit is
    # ordinary regression, residuals (d/6, -d/3, d/6), s = d / sqrt(6), se(c1) = s / sqrt(2), and
    # Student's t with 1 degree of freedom at 97.5 % is 12.706.
    d = 1e-4
    line = fit_line([-1, 0, 1], [1.0, 1.0, 1.0 + d])
    assert line.misfit == pytest.approx(d / np.sqrt(6), rel=1e-3)
    assert line.c1_high - line.c1 == pytest.approx(12.706 * d / np.sqrt(12), rel=1e-3)


@pytest.mark.parametrize(
    "sizes", [10.0 ** np.arange(1, 7), 10 ** (np.arange(15) / 2)], ids=["quick", "ladder"]
)
def test_intervals_hold_the_truth_when_each_cell_has_an_error_of_its_own(sizes):
    rng = np.random.default_rng(7)
    c0, c1 = 2e-6, 3e-9
    hits, holds = np.zeros(2), 0
    for _ in range(200):
        errors = 0.05 * rng.standard_normal(sizes.size)
        found = fit(sizes.tolist(), ((c0 + c1 * sizes) * (1 + errors)).tolist())
        line = found.line
        holds += found.verdict == "holds"
        hits += line.c0_low <= c0 <= line.c0_high, line.c1_low <= c1 <= line.c1_high
    assert np.all((hits / 200 >= 0.90) & (hits / 200 <= 0.99)), hits / 200
    assert holds >= 190  # and noise is not taken for a bend


HALF_DECADES = [10 ** (3 + i / 2) for i in range(9)]


def test_a_bend_is_found_and_both_sides_are_fitted():
    seconds = [1e-6 + 1e-9 * n if n <= 1e5 else 1.01e-4 + 4e-9 * (n - 1e5) for n in HALF_DECADES]
    found = fit(HALF_DECADES, seconds)
    assert found.verdict == "bends"
    assert found.bends == pytest.approx([1e5], rel=0.05)
    assert [piece.c1 for piece in found.pieces] == pytest.approx([1e-9, 4e-9], rel=0.05)
    assert found.piece(1e4) is found.pieces[0]
    assert found.piece(1e6) is found.pieces[1]
    assert found.piece(1e8) is None


def test_a_bend_is_found_under_noise():
    rng = np.random.default_rng(3)
    places = []
    for _ in range(50):
        seconds = [
            (1e-6 + 1e-9 * n if n <= 1e5 else 1.01e-4 + 4e-9 * (n - 1e5)) * (1 + error)
            for n, error in zip(HALF_DECADES, 0.02 * rng.standard_normal(9), strict=True)
        ]
        found = fit(HALF_DECADES, seconds)
        places += found.bends if found.verdict == "bends" else (np.nan,)
    assert np.mean(np.isfinite(places)) > 0.9
    assert 5e4 < np.nanmedian(places) < 2e5


def test_a_step_bends_between_its_neighbours():
    # a call of 2 us to n = 100, 40 us from n = 300 on: jit's hand-off to another thread
    n = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]
    found = fit(n, [2e-6 + 1e-9 * i if i <= 100 else 40e-6 + 1e-9 * i for i in n])
    assert found.verdict == "bends"
    assert found.bends == pytest.approx([np.sqrt(100 * 300)])
    assert [piece.call_cost for piece in found.pieces] == pytest.approx([2e-6, 40e-6], rel=1e-6)


@pytest.mark.parametrize(
    ("n", "seconds", "verdict", "reason"),
    [
        ([], [], "no fit", "no times"),
        ([10], [1e-6], "no fit", "one size"),
        ([10, 10, 10, 10], [1e-6, 2e-6, 1e-6, 2e-6], "no fit", "all sizes are equal"),
        ([10, 100], [1e-6, 2e-6], "no fit", "fewer than three sizes"),
        ([1, 10, 100], [1e-6, 1e-6, 1e-6], "no fit", "all times are equal"),
        ([1, 10, 100], [1e-6, 0.0, 1e-4], "no fit", "a time is zero, negative or not finite"),
        ([1, 10, 100], [1e-6, -1e-6, 1e-4], "no fit", "a time is zero, negative or not finite"),
        ([1, 10, 100], [1e-6, np.nan, 1e-4], "no fit", "a time is zero, negative or not finite"),
        ([1, np.nan, 100], [1e-6, 1e-6, 1e-4], "no fit", "a size is not a number"),
        ([0, 1, 2, 4], [1e-6, 2e-6, 3e-6, 5e-6], "holds", "n = 0 is among the sizes: its time"),
        ([1, 10, 100, 1000], [1e-6, 9e-6, 2e-6, 1e-6], "no fit", "too few sizes to tell where"),
    ],
)
def test_what_determines_no_line_has_a_reason(n, seconds, verdict, reason):
    found = fit(n, seconds)
    assert found.verdict == verdict
    assert reason in found.reason
