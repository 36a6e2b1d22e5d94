import math

import pytest

from jitcost.stats import crossings as crossing
from jitcost.stats.breakeven import break_even
from jitcost.stats.interpolate import interpolate
from jitcost.stats.intervals import interval
from jitcost.stats.ratios import ratio


def crossings(first, second):
    """Return where two curves cross, each a mapping of size to its processes' numbers."""
    return crossing.crossings({n: ratio(first[n], second[n]) for n in first.keys() & second.keys()})


def near(time):
    return [time * (1 + share) for share in (0, 0.01, -0.01, 0.02, -0.02)]


def test_compiling_pays():
    # 1 s of compiling, 3 ms saved a call: 333.3, so 334 calls
    found = break_even(near(1.0), near(4e-3), near(1e-3))
    assert (found.verdict, found.calls) == ("pays", 334)
    assert found.saving == pytest.approx(3e-3)
    assert found.compile_cost == pytest.approx(1, rel=1e-4)
    assert found.low < 334 < found.high < 400
    # by hand: squares of winsorised values 0.01, 0.01, 0, 0.01, 0.01 over 3 * 2, plus 0.0025^2
    relative = math.sqrt(4e-4 / 6 + 0.0025**2)
    error = relative * math.hypot(4e-3, 1e-3)
    freedom = (4**2 + 1) ** 2 / ((4**4 + 1) / 2)
    assert freedom == pytest.approx(2.249, abs=1e-3)
    assert found.saving_high - found.saving == pytest.approx(3.88 * error, rel=0.01)  # t, 97.5 %
    cost = 4.3027 * relative
    below = math.hypot(cost, math.log(found.saving_high / found.saving))
    above = math.hypot(cost, math.log(found.saving / found.saving_low))
    assert found.low == math.ceil(1000 / 3 * math.exp(-below))
    assert found.high == math.ceil(1000 / 3 * math.exp(above))


def test_compiling_never_pays():
    found = break_even(near(1.0), near(1e-3), near(4e-3))
    assert (found.verdict, found.calls) == ("never", None)
    assert found.low == found.high == math.inf
    assert found.saving_high < 0


@pytest.mark.parametrize("ratio", [1.005, 0.995])
def test_a_saving_that_may_be_nothing(ratio):
    found = break_even(near(1.0), near(1e-3 * ratio), near(1e-3))
    assert found.verdict == "cannot tell"
    assert found.high == math.inf
    assert found.saving_low < 0 < found.saving_high
    assert found.low <= 1 / found.saving_high
    assert (found.calls is None) == (ratio < 1)


def test_it_has_paid_after_one_call_at_the_earliest():
    found = break_even(near(1e-6), near(4e-3), near(1e-3))
    assert (found.calls, found.low, found.high) == (1, 1, 1)


def test_a_first_call_that_was_no_slower_than_the_next():
    found = break_even([-1e-5, 1e-5, 0.0, 2e-5, 1e-5], near(4e-3), near(1e-3))
    assert (found.verdict, found.calls, found.low) == ("pays", 1, 1)
    nothing = break_even([-1e-5] * 5, near(4e-3), near(1e-3))
    assert (nothing.compile_cost, nothing.low, nothing.high) == (0, 1, 1)


def test_two_processes_cannot_tell():
    found = break_even([1.0], near(4e-3), near(1e-3))
    assert (found.verdict, found.calls, found.low, found.high) == ("cannot tell", 334, None, None)


@pytest.mark.parametrize("times", [[], [math.nan], [0.0]])
def test_what_is_no_time(times):
    with pytest.raises(ValueError, match="have to be"):
        break_even([1.0], times, [1.0])


def test_a_crossing_between_neighbours():
    # 1 + n and 11 at 1, 100: ratios 2 / 11 and 101 / 11
    found = crossings({1: near(2), 100: near(101)}, {1: near(11), 100: near(11), 7: near(1)})
    assert found.sizes == (1, 100)
    (crossing,) = found.crossings
    assert (crossing.n_low, crossing.n_high, crossing.first_faster_below) == (1, 100, True)
    share = math.log(11 / 2) / math.log(101 / 2)
    assert crossing.n_at == pytest.approx(100**share, rel=1e-3)
    assert found.undecided == ()


def test_a_crossing_somewhere_among_sizes_that_do_not_differ():
    first = {1: near(2.0), 10: near(1.0), 20: near(1.0), 100: near(0.5)}
    found = crossings(first, {n: near(1.0) for n in first})
    (crossing,) = found.crossings
    assert (crossing.n_low, crossing.n_high, crossing.n_at) == (1, 100, None)
    assert not crossing.first_faster_below
    assert found.undecided == ((10, 20),)


def test_no_crossing_beyond_the_measured_sizes_and_none_of_one_side_alone():
    first = {1: near(2.0), 10: near(1.5), 100: near(1.01)}
    found = crossings(first, {n: near(1.0) for n in first})
    assert found.crossings == ()
    assert found.undecided == ((100, 100),)


@pytest.mark.parametrize(("sizes", "level"), [(3, 0.05), (6, 0.05), (12, 0.025), (20, 0.015)])
def test_more_sizes_share_the_level(sizes, level):
    curve = {n: near(1.0) for n in range(1, sizes + 1)}
    assert crossings(curve, curve).level == pytest.approx(level)


def test_crossings_of_nothing_in_common():
    found = crossings({1: near(1.0)}, {2: near(1.0)})
    assert (found.crossings, found.undecided, found.sizes) == ((), (), ())


def cells(function, sizes=(10.0, 1000.0)):
    return {n: interval(near(function(n))) for n in sizes}


def test_a_measured_size_is_its_own_cell():
    own = cells(lambda n: n)
    found = interpolate(own, 10.0)
    assert found.measured
    assert (found.value, found.low, found.high) == (own[10].value, own[10].low, own[10].high)


@pytest.mark.parametrize(
    "function", [lambda n: 1e-5 + 1e-7 * n, lambda n: 1e-7 * n, lambda n: 1e-9 * n**2]
)
def test_fixed_costs_and_powers_are_interpolated_exactly(function):
    found = interpolate(cells(function), 100.0)
    assert found.value == pytest.approx(function(100.0))
    assert found.low < found.value < found.high
    assert found.between == (10, 1000)
    assert not found.measured


def test_the_interval_of_a_power_by_hand():
    # both neighbours from 2 % below to 2 % above, each with half the weight
    found = interpolate(cells(lambda n: 1e-7 * n), 100.0)
    assert found.low == pytest.approx(1e-5 * math.exp(math.log(0.98) * math.sqrt(0.5)), rel=0.02)
    # the upper neighbour has nearly all the weight of the line in n: the wider one decides
    weight = 90 / 990 * 1000 / 100
    spread = math.hypot(weight, 1 - weight)
    assert found.low == pytest.approx(1e-5 * math.exp(math.log(0.98) * spread))


def test_the_interval_holds_both_forms():
    found = interpolate(cells(lambda n: 1e-5 + 1e-7 * n), 100.0)
    power = math.sqrt((1e-5 + 1e-6) * (1e-5 + 1e-4))
    assert found.value < power < found.high


def test_nothing_is_interpolated_outside():
    own = cells(lambda n: n)
    assert interpolate(own, 9.0) is interpolate(own, 1001.0) is interpolate({}, 5.0) is None


def test_from_a_size_of_nothing_time_is_linear():
    found = interpolate(cells(lambda n: 1.0 + n, (0.0, 4.0)), 1.0)
    assert found.value == pytest.approx(2)


def test_neighbours_without_intervals_give_none():
    found = interpolate({1.0: interval([1.0]), 4.0: interval(near(4.0))}, 2.0)
    assert found.value == pytest.approx(2)
    assert found.low is found.high is None
