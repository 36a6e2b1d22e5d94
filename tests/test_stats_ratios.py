import math

import numpy as np
import pytest
from scipy import stats

from jitcost.stats.ratios import processes_needed, ratio
from jitcost.stats.stars import stars

WIDE = [1.0, 1.1, 1.2, 1.35, 2.0]


def test_a_ratio_is_scipys_where_noise_hides_the_resolution():
    first, second = np.array(WIDE) ** 4, 3 * np.array([1.0, 1.3, 1.5, 1.9, 9.0]) ** 4
    found = ratio(first.tolist(), second.tolist())
    theirs = stats.ttest_ind(np.log(first), np.log(second), trim=0.2, equal_var=False)
    interval = theirs.confidence_interval()
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-3)
    assert math.log(found.low) == pytest.approx(interval.low, rel=1e-3)
    assert math.log(found.high) == pytest.approx(interval.high, rel=1e-3)
    assert found.p_less + found.p_greater == pytest.approx(1)
    assert found.p == pytest.approx(2 * min(found.p_less, found.p_greater))


def test_a_ratio_and_its_inverse():
    up, down = ratio(WIDE, [1.0] * 5), ratio([1.0] * 5, WIDE)
    assert up.value == pytest.approx(1 / down.value)
    assert up.low == pytest.approx(1 / down.high)
    assert up.p_greater == pytest.approx(down.p_less)
    assert up.processes == (5, 5)


def test_equal_numbers_are_not_infinitely_well_known():
    found = ratio([1.0] * 5, [1.0] * 5)
    assert (found.value, found.p) == (1, 1)
    half = stats.t.ppf(0.975, 4) * math.sqrt(2) * 0.0025
    assert found.high == pytest.approx(math.exp(half))
    assert found.would_show == pytest.approx(math.exp(2 * half) - 1)
    assert not found.significant()


def test_two_processes_are_compared_by_their_number_alone():
    found = ratio([2.0, 2.0], [1.0] * 5)
    assert found.value == pytest.approx(2)
    assert found.low is found.high is found.p is found.would_show is None
    assert not found.significant()
    assert processes_needed([2.0, 2.0], [1.0] * 5, 0.1) is None


def test_processes_that_are_needed():
    noisy = [1.0, 1.05, 0.95, 1.02, 0.98]
    coarse, fine = (processes_needed(noisy, noisy, share) for share in (0.2, 0.05))
    assert 3 <= coarse < fine < 200
    # with so many as are said to be needed, equally spread ones would show what was asked for
    spread = np.exp(stats.norm.ppf((np.arange(40) + 0.5) / 40) * 0.03).tolist()
    shown = ratio(spread, spread).would_show
    assert processes_needed(spread, spread, shown) == pytest.approx(40, abs=8)


def test_no_number_of_processes_shows_what_is_below_the_resolution():
    assert processes_needed([1.0] * 5, [1.0] * 5, 0.005) is None


@pytest.mark.parametrize("numbers", [[], [0.0] * 5, [math.nan] * 5])
def test_what_is_no_time(numbers):
    with pytest.raises(ValueError, match="positive"):
        ratio(numbers, WIDE)


def near(time):
    return [time * (1 + share) for share in (0, 0.01, -0.01, 0.02, -0.02)]


def test_the_smallest_and_what_is_not_significantly_slower_are_starred():
    found = stars({"numpy": near(2.0), "jax_jit": near(1.0), "numba": near(1.005)})
    assert found.fastest == "jax_jit"
    assert found.starred == ("jax_jit", "numba")
    assert found.p.keys() == {"numpy", "numba"}
    assert found.p["numpy"] < 0.0125 < found.p["numba"]
    assert not found.provisional


def test_the_level_is_divided_among_the_others():
    # one-sided p of 0.02 against the fastest: a loss for one of two, not for one of three
    slower = 1.0
    while ratio(near(slower), near(1.0)).p_greater > 0.02:
        slower += 0.0005
    two = {"a": near(1.0), "b": near(slower)}
    assert stars(two).starred == ("a",)
    assert stars({**two, "c": near(9.0)}).starred == ("a", "b")


def test_too_few_processes_star_the_smallest_number_alone():
    found = stars({"numpy": near(1.0), "numba": [0.99, 0.98]})
    assert (found.starred, found.provisional, found.unjudged) == (("numba",), True, ("numpy",))
    assert found.p == {}


def test_a_slower_number_of_few_processes_is_not_judged():
    found = stars({"numpy": near(1.0), "numba": [1.01], "julia": near(1.0)})
    assert found.starred == ("numpy", "julia")
    assert (found.provisional, found.unjudged) == (False, ("numba",))


def test_one_backend_is_the_fastest():
    found = stars({"numpy": near(1.0)})
    assert found.starred == ("numpy",)


def test_what_is_wholly_apart_from_a_fastest_that_scatters_loses_its_star():
    # One process in five of a threaded backend took three times as long: its t has two degrees of
    # freedom. All five of another are slower than all of its: 1 / C(10, 5) < .025 / 4.
    fast = [15.0, 16.0, 16.5, 30.0, 50.0]
    cells = {"jax_jit": fast, "numpy": [21.0, 22.0, 22.5, 23.0, 24.0], "numba": near(28.0)}
    cells["python"] = near(111.0)
    found = stars(cells)
    assert found.starred == ("jax_jit", "numpy", "numba")
    assert found.p["python"] == pytest.approx(1 / 252)


def test_three_processes_wholly_apart_are_no_proof():
    # 1 / C(6, 3) = .05 is no smaller than .025
    assert stars({"a": [1.0, 1.5, 2.0], "b": [2.1, 2.2, 2.3]}).starred == ("a", "b")
