"""Cells of which the processes are known, and cells of which only an interval of samples is."""

import math

import pytest

from jitcost.stats import times
from jitcost.stats.times import of_processes, of_samples

FIVE = [1.00, 1.01, 1.02, 1.03, 1.04]


def scaled(factor):
    return of_processes([factor * number for number in FIVE])


def test_a_cell_is_the_median_of_its_processes():
    time = scaled(1)
    assert (time.value, time.low, time.high) == (1.02, 1.00, 1.04)
    assert (time.kind, time.processes) == ("of processes", 5)


def test_two_processes_have_no_interval():
    time = of_processes([1.0, 1.1])
    assert (time.kind, time.low, time.high, time.processes) == ("none", None, None, 2)
    assert time.bounds() == (0.0, math.inf)


def test_samples_keep_the_interval_that_came_with_them():
    time = of_samples(2.0, 1.9, 2.2)
    assert (time.kind, time.processes, time.bounds()) == ("of samples", None, (1.9, 2.2))
    assert of_samples(2.0, None, None).kind == "none"


def test_a_ratio_of_samples_goes_by_the_bounds():
    found = times.ratio(of_samples(2.0, 1.8, 2.2), of_samples(1.0, 0.9, 1.1))
    assert (found.value, found.low, found.high) == (2.0, 1.8 / 1.1, 2.2 / 0.9)
    assert found.p is None
    assert found.significant()
    # 0.9 / 1.1 to 1.2 / 0.9: it may be 1
    assert not times.ratio(of_samples(1.0, 0.9, 1.2), of_samples(1.0, 0.9, 1.1)).significant()


def test_a_ratio_to_what_may_be_nothing_has_no_interval():
    found = times.ratio(of_samples(2.0, 1.8, 2.2), of_samples(1.0, None, None))
    assert (found.value, found.low, found.high) == (2.0, None, None)
    assert not found.significant()


def test_one_side_of_samples_makes_a_comparison_of_samples():
    assert times.ratio(scaled(2), of_samples(1.0, 0.9, 1.1)).p is None
    assert times.ratio(scaled(2), scaled(1)).p < 0.001


@pytest.mark.parametrize(
    ("cells", "names", "provisional"),
    [
        ({"a": scaled(1), "b": scaled(2)}, ("a",), False),
        ({"a": scaled(1), "b": scaled(1)}, ("a", "b"), False),
        ({"a": of_samples(1.0, 0.9, 1.1), "b": of_samples(1.15, 1.1, 1.2)}, ("a", "b"), False),
        ({"a": of_samples(1.0, 0.9, 1.1), "b": of_samples(1.2, 1.11, 1.3)}, ("a",), False),
        ({"a": of_samples(1.0, None, None), "b": of_samples(1.2, 0.1, 9.9)}, ("a",), True),
        ({"a": of_processes([1.0]), "b": scaled(2)}, ("a",), True),
    ],
)
def test_stars(cells, names, provisional):
    found = times.starred(cells)
    assert (found.names, found.provisional) == (names, provisional)


def test_curves_of_samples_cross_where_their_bounds_part():
    flat = {n: of_samples(10.0, 9.0, 11.0) for n in (1.0, 10.0, 100.0)}
    rising = {n: of_samples(n, 0.9 * n, 1.1 * n) for n in flat}
    (found,) = times.crossovers(rising, flat).crossings
    assert (found.n_low, found.n_high, found.first_faster_below) == (1.0, 100.0, True)


def test_a_break_even_of_samples_joins_the_worst_bounds():
    # C = 10 - 1, a call saves 2 - 1 = 1: nine calls. Soonest (9 - 1.1) / (2.2 - 0.9), latest
    # (11 - 0.9) / (1.8 - 1.1).
    found = times.break_even(
        of_samples(10.0, 9.0, 11.0), of_samples(2.0, 1.8, 2.2), of_samples(1.0, 0.9, 1.1)
    )
    assert (found.verdict, found.calls, found.low, found.high) == ("pays", 9, 7, 15)


def test_a_saving_of_samples_that_may_be_nothing_cannot_be_told():
    first, compiled = of_samples(10.0, 9.0, 11.0), of_samples(1.0, 0.9, 1.1)
    found = times.break_even(first, of_samples(1.1, 1.05, 1.2), compiled)
    assert (found.verdict, found.high) == ("cannot tell", math.inf)
    assert times.break_even(first, of_samples(0.5, 0.4, 0.6), compiled).verdict == "never"
    assert times.break_even(first, of_samples(2.0, None, None), compiled).verdict == "cannot tell"


def test_a_break_even_of_processes_takes_the_first_call_less_one_in_steady_state():
    found = times.break_even(of_processes([10.0, 10.0, 10.0]), scaled(2), scaled(1))
    # C = 10 - 1.02; a call saves about 1.02
    assert (found.verdict, found.calls) == ("pays", 9)
    assert found.compile_cost == pytest.approx(8.98)
