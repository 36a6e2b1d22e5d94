import numpy as np
import pytest
from scipy import optimize, stats

from jitcost.stats.fitting import fit
from jitcost.stats.yuen import trimmed_mean

SIZES = [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]
# logarithms of five processes about each time: the middle three -0.01, 0, 0.01
SPREAD = np.exp([-0.03, -0.01, 0.0, 0.01, 0.03])


def spread(times):
    return [(time * SPREAD).tolist() for time in times]


def curve(function):
    return spread([function(n) for n in SIZES])


def test_a_line_is_found_exactly_and_k_divides_its_costs():
    found = fit(SIZES, curve(lambda n: 4e-6 + 1e-9 * n), k=10)
    assert (found.verdict, found.law, found.broken, found.reason) == ("linear", "n", None, None)
    assert found.p == pytest.approx(1)
    assert found.misfit == pytest.approx(0, abs=1e-9)
    (line,) = found.pieces
    assert line == found.line
    assert (line.c0, line.c1) == (pytest.approx(4e-7), pytest.approx(1e-10))
    assert (line.call_cost, line.element_cost) == (pytest.approx(4e-6), pytest.approx(1e-9))
    assert line.call_cost_below is line.element_cost_below is None
    assert (line.n_min, line.n_max) == (10, 1e6)
    assert found.time(1e7) == pytest.approx(4e-6 + 1e-2)


def test_the_order_of_sizes_does_not_matter():
    times = curve(lambda n: 4e-6 + 1e-9 * n)
    order = [3, 0, 5, 1, 4, 2]
    shuffled = fit([SIZES[i] for i in order], [times[i] for i in order])
    assert shuffled == fit(SIZES, times)


def test_the_least_squares_and_intervals_of_an_independent_solver():
    rng = np.random.default_rng(5)
    n = np.array(SIZES)
    times = (4e-6 + 1e-9 * n)[:, None] * np.exp(0.03 * rng.standard_normal((6, 5)))
    found = fit(SIZES, times.tolist())
    assert found.verdict == "linear"
    means = trimmed_mean(np.log(times), resolution=0)
    variance = np.maximum(means.variance, np.median(means.variance) / (np.log(4) / 2)) + 0.0025**2

    def residuals(logs):
        return (means.mean - np.log(np.exp(logs[0]) + np.exp(logs[1]) * n)) / np.sqrt(variance)

    theirs = optimize.least_squares(residuals, np.log([1e-6, 1e-8]), xtol=1e-14, ftol=1e-14)
    assert [found.line.c0, found.line.c1] == pytest.approx(np.exp(theirs.x), rel=1e-5)
    # F(4, 12): six sizes less two coefficients, six variances of two degrees of freedom
    residual_sum = 2 * theirs.cost
    assert found.p == pytest.approx(stats.f.sf(residual_sum / 4, 4, 12), rel=1e-5)
    relative = np.sqrt(np.diag(np.linalg.inv(theirs.jac.T @ theirs.jac)))
    quantile, scale = (stats.t.ppf(0.975, 12), 1) if residual_sum < 4 else (0, 0)
    half = quantile * scale * relative * np.exp(theirs.x)
    assert found.line.c0_high - found.line.c0 == pytest.approx(half[0], rel=1e-4)
    assert found.line.c1_high - found.line.c1 == pytest.approx(half[1], rel=1e-4)


def test_a_jump_its_place_and_its_height():
    found = fit(SIZES, curve(lambda n: 4e-6 + 1e-9 * n + 20e-6 * (n > 500)), k=10)
    assert (found.verdict, found.broken.kind) == ("piecewise", "jump")
    assert found.broken.between == (100, 1000)
    assert found.broken.n_at == pytest.approx(316.2, abs=0.1)
    assert found.broken.jump == pytest.approx(20e-6, rel=1e-6)
    assert found.broken.jump_low < 20e-6 < found.broken.jump_high
    before, after = found.pieces
    assert (before.n_min, before.n_max, after.n_min, after.n_max) == (10, 100, 1000, 1e6)
    assert (before.c0, after.c0) == (pytest.approx(4e-7), pytest.approx(24e-7))
    assert before.c1 == after.c1 == pytest.approx(1e-10)
    assert found.time(100) == pytest.approx(4.1e-6)
    assert found.time(1000) == pytest.approx(25e-6)


def test_a_change_of_slope():
    found = fit(SIZES, curve(lambda n: 4e-6 + 1e-9 * n + 1e-9 * max(0, n - 1e4)))
    assert (found.verdict, found.broken.kind) == ("piecewise", "slope")
    assert found.broken.n_at == pytest.approx(1e4)
    assert found.broken.jump is None
    assert [piece.c1 for piece in found.pieces] == pytest.approx([1e-9, 2e-9])
    assert found.time(1e5) == pytest.approx(4e-6 + 2e-4 - 1e-5)


def test_two_lines_that_have_nothing_in_common():
    sizes = [10 * 4.0**i for i in range(9)]
    times = [4e-6 + 20e-9 * n if n < 1000 else 60e-6 + 3e-9 * n for n in sizes]
    found = fit(sizes, spread(times))
    assert (found.verdict, found.broken.kind) == ("piecewise", "both")
    assert [piece.c0 for piece in found.pieces] == pytest.approx([4e-6, 60e-6])
    assert [piece.c1 for piece in found.pieces] == pytest.approx([20e-9, 3e-9])
    expected = 56e-6 - 17e-9 * found.broken.n_at
    assert found.broken.jump == pytest.approx(expected)


@pytest.mark.parametrize(("where", "between"), [(30, (10, 100)), (3e5, (1e5, 1e6))])
def test_one_size_beyond_a_break_does_not_tell_its_kind(where, between):
    alone = min(SIZES) if where < 100 else max(SIZES)
    found = fit(SIZES, curve(lambda n: (8e-6 + 1e-9 * n) * (0.5 if n == alone else 1)))
    assert (found.verdict, found.broken.kind) == ("piecewise", "cannot be told")
    assert found.broken.between == between
    assert found.broken.jump is None


@pytest.mark.parametrize(
    ("law", "function"),
    [
        ("n log n", lambda n: n * np.log(n)),
        ("n^2", lambda n: n**2),
        ("n^3", lambda n: n**3),
    ],
)
def test_growth_laws(law, function):
    found = fit(SIZES, curve(lambda n: 4e-6 + 1e-9 * function(n)), k=2)
    assert (found.verdict, found.law) == ("growth", law)
    assert found.pieces[0].c1 == pytest.approx(0.5e-9)
    assert found.pieces[0].c0 == pytest.approx(2e-6)
    assert found.time(1e3) == pytest.approx(4e-6 + 1e-9 * function(1e3))


def test_a_line_in_another_law_that_somebody_knows():
    found = fit(SIZES, curve(lambda n: 4e-6 + 1e-12 * n**2), k=2, law="n^2")
    assert (found.verdict, found.law, found.line) == ("growth", "n^2", found.pieces[0])
    assert (found.line.c0, found.line.c1) == (pytest.approx(2e-6), pytest.approx(0.5e-12))
    assert found.line_misfit == pytest.approx(0, abs=1e-6)
    assert fit(SIZES, curve(lambda n: 4e-6 + 1e-12 * n**3), law="n^2").law == "n^3"
    plain = fit(SIZES, curve(lambda n: 4e-6 + 1e-9 * n), law="n^2")
    assert (plain.verdict, plain.law, plain.line.law) == ("linear", "n", "n^2")


def test_breaks_of_a_line_in_another_law():
    # at sizes of which the squares are SIZES: what is said of lines in n, in n^2
    sizes = [n**0.5 for n in SIZES]
    jump = fit(sizes, curve(lambda n: 4e-6 + 1e-9 * n + 20e-6 * (n > 500)), law="n^2")
    assert (jump.verdict, jump.law, jump.broken.kind) == ("piecewise", "n^2", "jump")
    assert jump.broken.n_at == pytest.approx(316.2**0.5, abs=0.1)
    assert jump.broken.jump == pytest.approx(20e-6, rel=1e-6)
    assert jump.time(1000**0.5) == pytest.approx(25e-6)
    slope = fit(sizes, curve(lambda n: 4e-6 + 1e-9 * n + 1e-9 * max(0, n - 1e4)), law="n^2")
    assert (slope.verdict, slope.broken.kind, slope.broken.n_at) == (
        *("piecewise", "slope"),
        pytest.approx(100),
    )
    assert [piece.c1 for piece in slope.pieces] == pytest.approx([1e-9, 2e-9])
    assert slope.time(1e5**0.5) == pytest.approx(4e-6 + 2e-4 - 1e-5)
    many = [2.0 * 2**i for i in range(9)]
    times = [4e-6 + 20e-9 * n**2 if n**2 < 2000 else 60e-6 + 3e-9 * n**2 for n in many]
    both = fit(many, spread(times), law="n^2")
    assert (both.broken.kind, both.broken.jump) == (
        "both",
        pytest.approx(56e-6 - 17e-9 * both.broken.n_at**2),
    )


def test_a_small_misfit_is_never_a_break():
    # a step of 8 %: clearly there, with processes 0.1 % apart, and yet a line misses by 4 % only
    times = [(4e-6 + 1e-9 * n) * (1.08 if n > 3e4 else 1) for n in SIZES]
    found = fit(SIZES, [(time * SPREAD**0.03).tolist() for time in times])
    assert found.p < 1e-6
    assert found.verdict == "linear to"
    assert found.misfit == found.line_misfit < 0.05
    assert found.noise == pytest.approx(0.0025, rel=0.1)


def test_a_misfit_that_nothing_explains():
    times = [
        (4e-6 + 1e-9 * n) * factor for n, factor in zip(SIZES, [1, 2, 1, 2, 1, 2], strict=True)
    ]
    times[2:] = [time * 3 for time in times[2:]]
    times[4:] = [time * 3 for time in times[4:]]
    found = fit(SIZES, spread(times))
    assert found.verdict == "no model"
    assert found.pieces == ()
    assert found.time(100) is None
    assert found.line is not None


@pytest.mark.parametrize("processes", [1, 5])
def test_time_that_falls_has_no_model(processes):
    times = curve(lambda n: (59e-6 if n < 4096 else 30e-6) + 1e-9 * n)
    found = fit(SIZES, [own[:processes] for own in times])
    assert found.verdict == "no model"
    assert "falls between n = 1000 and n = 10000" in found.reason


def test_a_call_cost_that_is_not_above_zero():
    found = fit(SIZES, curve(lambda n: 1e-9 * n))
    assert found.verdict == "linear"
    assert found.line.call_cost_below == pytest.approx(found.line.c0_high)
    assert 0 < found.line.call_cost_below < 1e-9


def test_a_call_cost_below_zero_is_told_and_not_clipped():
    found = fit(SIZES[1:], spread([1e-9 * n - 5e-8 for n in SIZES[1:]]))
    assert found.line.c0 == pytest.approx(-5e-8)
    assert found.reason == "the call cost is significantly below zero"
    assert found.line.call_cost_below == 0


def test_time_that_does_not_depend_on_n():
    found = fit(SIZES, curve(lambda n: 4e-6))
    assert found.verdict == "linear"
    assert found.line.element_cost_below > 0
    assert found.line.call_cost_below is None


def test_one_process_a_size_cannot_tell_misfit_from_noise():
    found = fit(SIZES, [[4e-6 + 1e-9 * n] for n in SIZES])
    assert (found.verdict, found.replicated, found.p, found.noise) == (
        "linear to",
        False,
        None,
        None,
    )
    assert found.reason == "one process for each size: the misfit cannot be tested"
    jump = fit(SIZES, [[4e-6 + 1e-9 * n + 20e-6 * (n > 500)] for n in SIZES])
    assert jump.verdict == "no model"
    assert fit(SIZES, [[4e-6 + 1e-9 * n**2] for n in SIZES]).law == "n^2"
    # n = -1, 0, 1 about a far size, times 1, 1, 1 + d: by hand s = d / sqrt(6), one degree of freedom
    d = 1e-4
    line = fit([9, 10, 11], [[1.0], [1.0], [1.0 + d]]).line
    assert line.c1_high - line.c1 == pytest.approx(12.706 * d / np.sqrt(12), rel=1e-3)


def test_some_sizes_with_one_process():
    times = curve(lambda n: 4e-6 + 1e-9 * n)
    times[2] = times[2][2:3]
    found = fit(SIZES, times)
    assert (found.verdict, found.replicated) == ("linear", True)


def test_what_a_process_has_at_all_sizes_is_no_misfit_but_widens_the_intervals():
    n = np.array(SIZES)
    process = np.exp([0.1, -0.1, 0.02, -0.02, 0.3])
    rng = np.random.default_rng(2)
    within = np.exp(0.005 * rng.standard_normal((6, 5)))
    times = ((4e-6 + 1e-9 * n)[:, None] * within * process).tolist()
    apart, together = fit(SIZES, times), fit(SIZES, times, same_processes=True)
    assert together.noise < 0.005 < 0.03 < apart.noise
    assert together.line.c0_high / together.line.c0 - 1 > 0.1  # the processes' own spread
    # a jump of 10 % is then seen, which the processes' spread would hide
    jumped = [
        [t * (1.3 if size > 3000 else 1) for t in own] for size, own in zip(n, times, strict=True)
    ]
    assert fit(SIZES, jumped, same_processes=True).p < 1e-4 < 0.01 < fit(SIZES, jumped).p


def test_a_size_of_nothing():
    found = fit([0, 1, 10, 100, 1000], spread([1e-6 + 1e-8 * n for n in (0, 1, 10, 100, 1000)]))
    assert found.verdict == "linear"
    assert found.line.call_cost == pytest.approx(1e-6)


def test_two_sizes_are_no_fit():
    found = fit([1, 10], spread([1e-6, 2e-6]))
    assert (found.verdict, found.line, found.reason) == ("no model", None, "fewer than three sizes")


@pytest.mark.parametrize(
    ("sizes", "processes", "message"),
    [
        ([1, 1, 2], [[1.0]] * 3, "different"),
        ([-1, 1, 2], [[1.0]] * 3, "negative"),
        ([1, 2, 3], [[1.0]] * 2, "as many"),
        ([1, 2, 3], [[1.0], [], [1.0]], "positive"),
        ([1, 2, 3], [[1.0], [0.0], [1.0]], "positive"),
    ],
)
def test_what_cannot_be_fitted(sizes, processes, message):
    with pytest.raises(ValueError, match=message):
        fit(sizes, processes)


def test_sizes_that_share_processes_have_them_all():
    with pytest.raises(ValueError, match="equally many"):
        fit([1, 2, 3], [[1.0, 1.0], [1.0], [1.0, 1.0]], same_processes=True)
