"""What fits into a time: worked out by hand, rule by rule."""

import pytest

from jitcost.measuring import budget
from jitcost.measuring.budget import Known

SIZES = (10.0, 100.0, 1_000.0)


def known(name="numpy", calls=None, start=0.5, first=0.0, compiles=False):
    calls = dict.fromkeys(SIZES, 1e-6) if calls is None else calls
    return Known(name, start, calls, dict.fromkeys(calls, first), compiles)


def test_a_call_may_take_its_share():
    # 60 s / (8 calls x 2 kernels x 5 processes x 3 sizes)
    assert budget.largest_call(60, 2, 5, 3) == 0.25


def test_two_samples_of_what_is_slow():
    assert [budget.samples(seconds) for seconds in (1e-6, 0.1, 0.11, 3.0)] == [4, 4, 2, 2]


@pytest.mark.parametrize(("slowest", "kept"), [(0.499, SIZES), (0.501, SIZES[:2])])
def test_a_size_stays_while_eight_calls_are_its_share(slowest, kept):
    calls = {10.0: 1e-6, 100.0: 1e-5, 1_000.0: slowest}
    found = budget.plan([known(calls=calls)], 60, 60, 5)  # 60 / (8 x 1 x 5 x 3) = 0.5 s
    assert found.sizes == (kept,)
    assert found.processes == 5
    said = (
        "numpy is left out from n = 1,000 on: a call takes 501 ms, and for all to fit into 60 s "
        "(--time) it may take 500 ms"
    )
    assert found.lines == (() if kept == SIZES else (said,))


def test_the_smallest_size_stays_whatever_it_takes():
    found = budget.plan([known(calls={10.0: 3.0, 100.0: 3.0})], 60, 100, 5)
    assert found.sizes == ((10.0,),)
    # A start, and of 3 s: the first, finding out how long it takes, and two samples.
    assert found.seconds == pytest.approx(5 * (0.5 + 4 * 3 + 0.02))


def test_what_a_plan_takes():
    # 0.5 s of start, and for each size 20 ms to find a batch of 11 ms, of which there are four.
    found = budget.plan([known()], 60, 60, 5)
    assert found.seconds == pytest.approx(5 * (0.5 + 3 * (0.02 + 4 * 0.011)), rel=1e-4)
    # The first kernel of a process compiles to warm it; then each size has a first call.
    found = budget.plan([known(first=1.0, compiles=True)], 60, 60, 5)
    assert found.seconds == pytest.approx(5 * (0.5 + 1 + 3 * 1 + 3 * (0.02 + 4 * 0.011)), rel=1e-4)
    assert (found.firsts, found.first_calls, found.lines) == ((SIZES,), (3,), ())


def test_first_calls_at_fewer_sizes_come_first():
    # 23.5 s with three first calls in each process, 18.5 with two, 13.5 with one.
    one = known("numba", first=1.0, compiles=True)
    found = budget.plan([one], 60, 19, 5)
    assert (found.processes, found.first_calls, found.sizes) == (5, (2,), (SIZES,))
    # Two in each of five processes: ten, three for each of three sizes.
    assert (found.firsts, found.lines) == ((SIZES,), ())
    found = budget.plan([one], 60, 14, 5)
    # One in each of five: enough for one size, the largest.
    assert (found.processes, found.first_calls, found.firsts) == (5, (1,), ((1_000.0,),))
    assert found.lines == ("numba: first calls at 1 of 3 sizes only, since one takes 1.00 s",)


def test_then_fewer_processes_three_at_least():
    found = budget.plan([known()], 60, 2.1, 5)  # 0.692 s each
    assert (found.processes, found.sizes) == (3, (SIZES,))
    assert found.lines == ("3 processes of each kernel instead of 5: time is short (--time)",)
    assert budget.plan([known()], 60, 2.8, 5).processes == 4
    assert budget.plan([known()], 60, 2.8, 2).processes == 2  # as a person has asked


def test_then_the_largest_sizes_go():
    # Of 0.09 s a call: 0.56 s a size, of 1e-6 s: 0.064 s. With it 3.57 s, without 1.88 s.
    calls = {10.0: 1e-6, 100.0: 1e-6, 1_000.0: 0.09}
    found = budget.plan([known(calls=calls)], 60, 2.0, 3)
    assert (found.processes, found.sizes) == (3, (SIZES[:2],))
    assert found.lines == ("time is short: numpy left out at n = 1,000",)


def test_what_saves_nothing_is_not_left_out():
    found = budget.plan([known(start=2.0), known("jax_jit", start=2.0)], 20, 1.0, 3)
    assert found.sizes == (SIZES, SIZES)
    assert found.lines == (
        "3 processes of each kernel take about 13 s, longer than there is time: fewer have no interval",
    )


def test_no_first_calls_where_nobody_wants_them():
    found = budget.plan([known(first=1.0, compiles=True)], 60, 60, 5, first_calls=False)
    assert (found.firsts, found.first_calls) == (((),), (0,))


def test_both_states_of_a_kernel_have_the_same_sizes():
    sizes = ((10.0, 100.0), (10.0,), (10.0, 100.0))
    assert budget.common(("a", "a", "b"), sizes) == ((10.0,), (10.0,), (10.0, 100.0))
