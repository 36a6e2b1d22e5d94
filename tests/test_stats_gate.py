import math

import pytest

from jitcost.stats.gate import changed, common_factor, confirmed, suspicious
from jitcost.stats.ratios import Ratio, ratio


def near(time, count=5):
    return [time * (1 + 0.01 * (i % 5 - 2)) for i in range(count)]


def of(value, half=0.01):
    width = math.exp(half)
    return Ratio(value, value / width, value * width, 0.5, 0.5, 0.5, (5, 5))


def test_the_first_look_lets_slower_cells_through_and_those_it_knows_nothing_of():
    cells = {
        "same": (near(1.0), near(1.0)),
        "slower": (near(1.0), near(1.1)),
        "faster": (near(1.0), near(0.9)),
        "few": ([1.0], [1.0]),
    }
    assert suspicious(cells) == ("slower", "few")


def test_the_fresh_processes_decide():
    found = confirmed({1: (near(1.0, 10), near(1.1, 10)), 2: (near(1.0, 10), near(1.0, 10))})
    assert found[1].slower
    assert not found[2].slower
    assert found[1].ratio == ratio(near(1.1, 10), near(1.0, 10))
    # Benjamini and Hochberg: the smallest of two p counts twice, the largest once
    assert found[1].p == pytest.approx(2 * found[1].ratio.p_greater)
    assert found[2].p == pytest.approx(found[2].ratio.p_greater)


def test_both_ways():
    cells = {
        "same": (near(1.0), near(1.0)),
        "slower": (near(1.0), near(1.1)),
        "faster": (near(1.0), near(0.9)),
        "few": ([1.0], [1.0]),
    }
    assert suspicious(cells, either=True) == ("slower", "faster", "few")
    fresh = {
        name: (near(1.0, 10), near(later, 10))
        for name, later in {"same": 1.0, "slower": 1.1, "faster": 0.9, "hardly": 1.006}.items()
    }
    found = confirmed(fresh, either=True)
    assert {name: its.verdict for name, its in found.items()} == {
        "same": "neither",
        "slower": "slower",
        "faster": "faster",
        "hardly": "neither",
    }
    assert [name for name, its in found.items() if its.slower] == ["slower"]
    # Benjamini and Hochberg on two-sided p: the third smallest of four counts 4 / 3 times
    ratios = {name: its.ratio for name, its in found.items()}
    assert ratios["hardly"].p == pytest.approx(2 * ratios["hardly"].p_greater)
    assert found["hardly"].p == pytest.approx(4 / 3 * ratios["hardly"].p)


def test_who_looks_one_way_sees_nothing_faster():
    found = confirmed({"faster": (near(1.0, 10), near(0.9, 10))})["faster"]
    assert (found.verdict, found.slower) == ("neither", False)
    assert found.p > 0.99


def test_nothing_suspicious_nothing_confirmed():
    assert confirmed({}) == {}


def test_few_fresh_processes_decide_nothing():
    with pytest.raises(ValueError, match="fewer than three"):
        confirmed({"cell": ([1.0], [2.0])})


def test_a_common_factor_forgives_one_cell_that_changed():
    found = common_factor([of(1.02), of(1.02), of(1.02), of(1.02), of(2.0)])
    assert found.value == pytest.approx(1.02)
    assert found.cells == 5
    assert found.low <= 1.02 <= found.high


def test_two_cells_know_of_no_common_factor():
    assert common_factor([of(1.0), of(1.0)]) is None


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (1.045, "slower"),
        (1.038, "not significantly different"),
        (1.0, "not significantly different"),
        (1 / 1.038, "not significantly different"),
        (1 / 1.045, "faster"),
    ],
)
def test_a_change_has_its_interval_beyond_the_margin(value, verdict):
    found = changed(of(value))  # the bounds are 1 % away, the margin is 3 %
    assert found.verdict == verdict
    assert found.would_show == pytest.approx(1.03 * math.exp(0.02) - 1)


def test_what_all_cells_do_is_no_change_of_one():
    common = common_factor([of(1.10), of(1.11), of(1.10), of(1.09), of(1.10)])
    assert changed(of(1.10)).verdict == "slower"
    found = changed(of(1.10), common)
    assert found.verdict == "not significantly different"
    assert found.value == pytest.approx(1)
    shared = math.log(common.high / common.value)
    assert math.log(found.high / found.value) == pytest.approx(math.hypot(0.01, shared))


def test_another_margin():
    assert changed(of(1.045), margin=0.05).verdict == "not significantly different"


def test_two_processes_have_no_interval():
    found = changed(ratio([2.0], [1.0]))
    assert (found.verdict, found.value) == ("no interval", pytest.approx(2))
    assert math.isnan(found.low)
