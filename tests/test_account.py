"""The account of where the time goes, on experiments made by hand, with parts worked out by hand."""

import io
import itertools
import json
import math
import re

import numpy as np
import pytest
from rich.console import Console

from jitcost import asv_plugin, cli
from jitcost.backends.__main__ import _caches
from jitcost.questions import account
from jitcost.questions.account import CHAIN
from jitcost.questions.answers import Answer
from jitcost.questions.experiments import measurement_of
from jitcost.questions.groups import origin_of
from jitcost.questions.parts import NUMPY_PARTS, OPERATIONS
from jitcost.show.answers.account import tables
from jitcost.show.answers.estimates import intervals_text
from jitcost.show.figures import DRAWINGS, figure
from jitcost.show.html import Link
from jitcost.show.report import account_draft, page
from jitcost.show.terminal import print_tables
from jitcost.stats.estimates import Estimate, Measurement, Quantity, product
from jitcost.stats.times import of_processes, of_samples
from jitcost.store import results
from jitcost.store.origins import provenances
from jitcost.units import format_seconds
from making_cells import cells, experiment

US = 1e-6

# Student's t for 95 % with three degrees of freedom, from a printed table.
T3 = 3.182


def about(low, value, high):
    ends = map(pytest.approx, (value, low, high))
    return Estimate(*ends, "of processes", 5)


def exactly(value):
    return about(value, value, value)


def account_of(*rows, caches=None):
    made = cells(*rows)
    known = [(origin_of(made.row(0, named=True)), caches)] if caches else []
    (row,) = account.ask(made, account.Options(caches=known))
    return row


def at(rows, n):
    (row,) = [row for row in rows if row.n == n]
    return row


# Estimates


def measured(*rounds, experiment="A", low=None, high=None):
    """Return the measurement of a cell with a number for each process; of one number, of samples."""
    if len(rounds) == 1:
        return Measurement.of(of_samples(rounds[0], low, high), experiment)
    return Measurement.of(of_processes(rounds), experiment)


def test_a_measurement_has_each_processes_fastest_sample_in_their_order():
    runs = [[3, 1, 2], [9, 8, 7], [5, 5, 5], [1, 1, 100], [4, 4, 6]]
    cell = {"value": 99.0, "ci_low": 1.0, "ci_high": 200.0, "samples": [*itertools.chain(*runs)]}
    found = measurement_of(cell | {"processes": 5}, "A")
    assert found.rounds == (1, 7, 5, 1, 4)
    # The median of five, from the smallest to the largest
    assert (found.value, found.low, found.high) == (4, 1, 7)
    three = measurement_of(cell | {"processes": 3}, "A")
    assert three.rounds == (1, 1, 1)  # the first five of them are 3, 1, 2, 9, 8
    for changed in ({"processes": None}, {"samples": None, "processes": 5}, {"processes": 4}):
        found = measurement_of(cell | changed, "A")
        assert (found.value, found.low, found.high, found.rounds) == (99, 1, 200, ())
        assert found.kind == "of samples"


def test_a_difference_is_taken_within_each_round():
    drifting, also = measured(10, 11, 12, 13, 14), measured(1, 2, 3, 4, 5)
    found = Quantity({drifting: 1, also: -1}).estimate()
    assert found == Estimate(9, 9, 9, "of processes", 5)  # the drift is in both
    # Differences 9, 10, 8, 9, 9: the medians' is 12 - 3; of five, from the smallest to the largest
    found = Quantity({measured(10, 12, 11, 13, 14): 1, also: -1}).estimate()
    assert found == Estimate(9, 8, 10, "of processes", 5)


def test_of_ten_rounds_the_second_smallest_and_largest_bound_a_difference():
    """Of ten, 1 - 2 (1 + 10) / 2^10 = 97.9 % lie between these, and 89.1 % between the third ones."""
    drift = list(range(1, 11))
    steps = [0, 7, 1, 6, 2, 5, 3, 4, 9, 8]
    one = measured(*(100 + d + s for d, s in zip(drift, steps, strict=True)))
    found = Quantity({one: 1, measured(*drift): -1}).estimate()
    assert (found.low, found.high, found.processes) == (101, 108, 10)


def test_of_four_rounds_there_is_students_interval_and_of_two_none():
    # Differences 9, 10, 8, 9: mean 9, variance 2 / 3; the resolution is 0.25 % of each of the two
    found = Quantity({measured(10, 12, 11, 13): 1, measured(1, 2, 3, 4): -1}).estimate()
    error = math.sqrt(2 / 3 / 4 + (0.0025 * 11.5) ** 2 + (0.0025 * 2.5) ** 2)
    assert found.low == pytest.approx(9 - T3 * error, rel=1e-4)
    assert found.high == pytest.approx(9 + T3 * error, rel=1e-4)
    found = Quantity({measured(10, 12): 1, measured(1, 2): -1}).estimate()
    assert found == Estimate(9.5, -math.inf, math.inf, "none", 2)


@pytest.mark.parametrize("rounds", [4, 5, 10])
def test_intervals_of_differences_hold_the_true_one(rounds):
    """Ten less eight, over rounds that drift by 3 % and processes of which one in eight is slowed."""
    rng = np.random.default_rng(1)

    def scattered(shape):
        slowed = np.where(rng.random(shape) < 1 / 8, rng.uniform(1.1, 1.6, shape), 1)
        return rng.normal(1, 0.014, shape) * slowed

    usual = np.median(scattered(200_000))
    held = 0
    for _ in range(400):
        drift = rng.normal(1, 0.03, rounds)
        one, other = (measured(*(t * drift * scattered(rounds))) for t in (10, 8))
        found = Quantity({one: 1, other: -1}).estimate()
        held += found.low <= 2 * usual <= found.high
    assert held / 400 >= 0.91  # of five 93.75 %, less two standard errors; of the others more


def test_a_value_lies_in_its_interval_although_medians_are_of_different_rounds():
    one, other = measured(1, 1, 6, 6, 6), measured(2, 2, 2, 7, 7)
    found = Quantity({one: 1, other: -1}).estimate()
    # Medians 6 and 2; the differences -1, -1, 4, -1, -1
    assert found == Estimate(4, -1, 4, "of processes", 5)
    assert Quantity({measured(1, 1, 3, 3, 3): 1, measured(1, 1, 1, 3, 3): -1}).estimate() == (
        Estimate(2, 0, 2, "of processes", 5)
    )


def test_errors_of_different_experiments_are_independent():
    one = measured(3, low=2, high=5)
    other = measured(1, low=0.5, high=2, experiment="B")
    found = Quantity({one: 1, other: -1}).estimate()
    assert found.value == 2
    assert found.low == pytest.approx(2 - math.hypot(1, 1))
    assert found.high == pytest.approx(2 + math.hypot(2, 0.5))
    assert (found.interval, found.processes) == ("of samples", None)
    unknown = Quantity({one: 1, measured(1, experiment="B"): -1}).estimate()
    assert (unknown.value, unknown.low, unknown.high) == (2, -math.inf, math.inf)
    assert unknown.interval == "none"


def test_cells_with_different_numbers_of_processes_share_no_rounds():
    one, other = measured(10, 11, 12, 13, 14), measured(1, 2, 3, 4, 5, 6)
    found = Quantity({one: 1, other: -1}).estimate()
    # 12 from 10 to 14 and 3.5 from 1 to 6: 8.5, each bound by the distances in squares
    assert found.value == 8.5
    assert found.low == pytest.approx(8.5 - math.hypot(2, 2.5))
    assert found.high == pytest.approx(8.5 + math.hypot(2, 2.5))
    assert (found.interval, found.processes) == ("of processes", 5)


def test_what_is_in_both_cancels_with_its_error():
    sure, vague = measured(3, low=2.9, high=3.1), measured(7, low=1, high=20)
    both = Quantity({sure: 1, vague: 1})
    found = (both - Quantity({vague: 1})).estimate()
    assert (found.value, found.low, found.high) == (3, pytest.approx(2.9), pytest.approx(3.1))


def test_ratios_are_taken_within_each_round_too():
    one, other = measured(2, 4, 8, 4, 6), measured(1, 2, 4, 2, 3)
    found = product({one: 1, other: -1})
    assert [found.value, found.low, found.high] == pytest.approx([2, 2, 2])
    without = product({measured(6, low=3, high=12): 1, measured(2): -1})
    assert without.value == pytest.approx(3)
    assert (without.low, without.high) == (0, math.inf)


# NumPy's parts

# One microsecond on one element (scale two), one nanosecond for each further one while the arrays are in
# the cache, and half a nanosecond more beyond.
OPS = {
    name: {
        1: 2 * US if name == "scale" else US,
        1_000: (2 * US if name == "scale" else US) + 999e-9,
        100_000: (2 * US if name == "scale" else US) + 99_999e-9 + 50 * US,
    }
    for name in OPERATIONS
}
NUMPY = {
    "numpy": {1_000: 16 * US, 3_162: 45 * US, 100_000: 2_000 * US},
    "numpy_out": {1_000: 16.5 * US, 3_162: 45 * US, 100_000: 1_600 * US},
    "numpy_sorted": {1_000: 16.5 * US, 3_162: 45 * US, 100_000: 1_560 * US},
}


def test_numpys_time_is_the_sum_of_its_parts_and_the_remainder():
    assert sum(OPERATIONS.values()) == 10
    row = account_of(*experiment(NUMPY), *experiment(OPS, "Operations"))
    large = at(row.numpy, 100_000)
    values = {name: part.value for name, part in large.parts.items()}
    assert values == {
        "interpreter and dispatch": pytest.approx(12 * US),  # eight of 1, two of 2
        "arithmetic": pytest.approx(999.99 * US),  # ten of 1 ns for each of 99,999
        "memory passes": pytest.approx(500 * US, rel=1e-4),  # ten of 50 us
        "mispredicted branches": pytest.approx(40 * US),
        "allocation": pytest.approx(400 * US),
    }
    assert large.whole.value == pytest.approx(2_000 * US)
    # 2000 - (12 + 999.99 + 500 + 40 + 400)
    assert large.remainder.value == pytest.approx(48.01 * US, rel=1e-4)
    assert large.remainder_share == pytest.approx(0.024, rel=1e-3)
    assert large.missing == {}

    small = at(row.numpy, 1_000)
    assert "memory passes" not in small.parts  # in the cache there are none, and none is missing
    assert small.missing == {}
    assert small.parts["allocation"].value == pytest.approx(-0.5 * US)
    # 16 - (12 + 10 - 0.5): explained too much, with its sign
    assert small.remainder.value == pytest.approx(-5.49 * US)
    assert small.remainder_share == pytest.approx(-5.49 / 16)


def test_intervals_of_parts_come_from_the_rounds():
    numpy = {"numpy": {1_000: (20.0, 21, 22, 23, 24)}, "numpy_out": {1_000: (18.0, 19, 20, 21, 22)}}
    row = account_of(*experiment(numpy))
    assert at(row.numpy, 1_000).parts["allocation"] == exactly(2)
    # Alone it has a cell's interval: the smallest and the largest of five
    assert at(row.numpy, 1_000).whole == Estimate(22, 20, 24, "of processes", 5)


def test_a_part_that_was_not_measured_is_missing_and_nothing_stands_for_it():
    row = account_of(*experiment(NUMPY), *experiment(OPS, "Operations"))
    between = at(row.numpy, 3_162)
    assert between.parts.keys() == NUMPY_PARTS.keys() - {"memory passes"}
    assert list(between.missing) == ["memory passes"]
    assert between.missing["memory passes"] == "square at n = 3,162 was not measured"
    # 45 - (12 + 31.61 + 0)
    assert between.remainder.value == pytest.approx(1.39 * US, rel=1e-3)

    alone = at(account_of(*experiment({"numpy": NUMPY["numpy"]})).numpy, 100_000)
    assert alone.parts == {}
    assert len(alone.missing) == 5
    assert alone.missing["allocation"] == "numpy_out at n = 100,000 was not measured"
    assert alone.remainder_share == pytest.approx(1)


def test_operations_of_another_commit_count_for_nothing():
    others = experiment(OPS, "Operations", commit="b" * 40)
    row = account_of(*experiment(NUMPY), *others)
    assert "arithmetic" in at(row.numpy, 100_000).missing


# jit's parts

JIT = {
    "jax_jit_1thread": {1: 6 * US, 100_000: 950 * US},
    "jax_jit_sync": {100_000: 550 * US},
    "jax_jit": {1: 6.5 * US, 100_000: 560 * US},
    "floor_math_xla": {1: 5 * US, 100_000: 705 * US},
}


def test_jits_parts_are_differences_along_a_chain():
    row = account_of(*experiment(JIT))
    large = at(row.jax_jit, 100_000)
    values = {name: part.value for name, part in large.parts.items()}
    assert values == {
        "call": pytest.approx(6 * US),
        "arithmetic": pytest.approx(944 * US),
        "threads": pytest.approx(-400 * US),
        "hand-off": pytest.approx(10 * US),
    }
    # What is in the whole and in the parts cancels
    assert (large.remainder.value, large.remainder.low, large.remainder.high) == (0, 0, 0)
    assert large.check.value == pytest.approx(700 * US)  # of the arithmetic's 944
    one = at(row.jax_jit, 1)
    assert sorted(one.missing) == ["hand-off", "threads"]
    assert one.remainder.value == pytest.approx(0.5 * US)


# From NumPy to jit

STEPS = {
    "numpy": {100_000: 3_000 * US},
    "numpy_out": {100_000: 2_400 * US},
    "jax_jit_unfused": {100_000: 1_400 * US},
    "jax_jit_fused": {100_000: 1_200 * US},
    **JIT,
}


def test_each_step_is_worth_what_its_change_saves_or_costs():
    (row,) = account_of(*experiment(STEPS)).steps
    steps = {step.step: step for step in row.steps}
    assert {name: step.worth.value for name, step in steps.items()} == {
        "allocation": pytest.approx(-600 * US),
        "XLA's loops": pytest.approx(-1_000 * US),
        "fusion": pytest.approx(-200 * US),
        "library kernels and tree reduction": pytest.approx(-250 * US),
        "threads": pytest.approx(-400 * US),
        "hand-off": pytest.approx(10 * US),
    }
    # 550 of 950 us, 0.579, is farther from 1 than 1,400 of 2,400, 0.583, which saves more seconds.
    assert row.largest == "threads"
    assert steps["allocation"].ratio.value == pytest.approx(0.8)
    total = sum(step.worth.value for step in row.steps)
    assert total == pytest.approx(row.jax_jit.value - row.numpy.value)


def test_an_early_step_is_not_the_largest_for_its_seconds():
    """A third off 3 ms saves more than nine tenths off 1 ms, and is the smaller factor."""
    times = {"numpy": 3_000, "numpy_out": 2_000, "jax_jit_fused": 1_000, "jax_jit_1thread": 100}
    made = {name: {1_000: time * US} for name, time in (times | {"jax_jit": 120}).items()}
    (row,) = account_of(*experiment(made)).steps
    assert row.largest == account.LIBRARY
    assert row.largest_step.ratio.value == pytest.approx(0.1)
    # A call that costs ten times as much is as large a step as one that costs a tenth.
    made["jax_jit"] = {1_000: 1_100 * US}
    (row,) = account_of(*experiment(made)).steps
    assert row.largest_step.to == "jax_jit"


def test_the_change_of_a_variant_that_was_not_measured_is_in_the_next_step():
    without = {name: times for name, times in STEPS.items() if name != "jax_jit_unfused"}
    (row,) = account_of(*experiment(without)).steps
    assert row.missing == ("jax_jit_unfused",)
    step = row.steps[1]
    assert step.step == "XLA's loops and fusion"
    assert (step.before, step.to) == ("numpy_out", "jax_jit_fused")
    assert step.worth.value == pytest.approx(-1_200 * US)
    without.pop("jax_jit")
    assert account_of(*experiment(without)).steps == ()


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((5, 5), "at least 93.75 %, five processes a cell"),  # the range of five: 1 - 2 / 2^5
        ((3, 5), "at least 93.75 %, three to five processes a cell"),
        ((3, 4), "95 %, three to four processes a cell"),  # Student's
    ],
)
def test_intervals_are_said_to_hold_what_they_promise(counts, said):
    of = [Estimate(2.0, 1.0, 3.0, processes=count) for count in counts]
    assert intervals_text([*of, None]) == f"intervals: {said}"


# The floor


def test_the_floor_is_the_slower_of_memory_and_the_fastest_functions():
    times = {
        "floor_memory": {1: 0.5, 10: 1.0, 100: 50.0},
        "floor_math_numpy": {10: 8.0, 100: 40.0},
        "floor_math_xla": {10: 4.0, 100: 60.0},
        "numpy": {1: 1.0, 10: 16.0, 100: 150.0},
        "numba": {10: 6.0, 100: 100.0},
    }
    small, large = account_of(*experiment(times)).floor  # at n = 1 no functions, and no floor
    assert (small.n, small.floor_is, small.floor.value) == (10, "floor_math_xla", 4)
    assert (small.best, small.ratio.value) == ("numba", pytest.approx(1.5))
    assert small.ratios["numpy"].value == pytest.approx(4)
    assert set(small.ratios) == {"numpy", "numba"}
    assert (large.floor_is, large.ratio.value) == ("floor_memory", pytest.approx(2))


# Bends and their causes


def cause_of(row, name):
    (cause,) = [cause for cause in row.causes if cause.cause == name]
    return cause


def five(seconds, scatter=0.0):
    return tuple(seconds * (1 + scatter * step) for step in (-1, 1, 0, 0.5, -0.5))


def test_a_cause_is_supported_where_its_step_is_in_the_curve_and_not_in_the_variant():
    times = {
        "jax_jit": {128: five(8e-6), 200: five(18e-6)},
        "jax_jit_sync": {128: five(8e-6), 200: five(9e-6)},
    }
    cause = cause_of(account_of(*experiment(times)), "hand-off")
    assert cause.verdict == "supported"
    (test,) = cause.tests
    assert (test.left, test.right) == (128, 200)
    assert test.at_left == exactly(1)
    assert test.at_right == exactly(2)
    assert test.step == exactly(2)


@pytest.mark.parametrize(
    ("right", "scatter"),
    [
        (9e-6, 0.0),  # the same in both
        (9.8e-6, 0.0),  # a step of 9 %, within the noise
        (18e-6, 0.8),  # a step of two, among rounds that differ by more
        (4.5e-6, 0.0),  # a step down, where this cause would make one up
    ],
)
def test_it_is_not_supported_otherwise(right, scatter):
    times = {
        "jax_jit": {128: five(8e-6), 200: five(right, scatter)},
        "jax_jit_sync": {128: five(8e-6), 200: five(9e-6)},
    }
    cause = cause_of(account_of(*experiment(times)), "hand-off")
    assert cause.verdict == "not supported"
    assert cause.tests[0].step.value == pytest.approx(right / 9e-6)


def test_a_cause_without_its_variant_on_both_sides_is_not_measured():
    times = {"jax_jit": {128: 8e-6, 200: 18e-6}, "jax_jit_sync": {128: 8e-6}}
    row = account_of(*experiment(times))
    assert cause_of(row, "hand-off").verdict == "not measured"
    assert cause_of(row, "hand-off").missing == ("jax_jit_sync",)
    assert cause_of(row, "hand-off").tests == ()
    assert {cause.verdict for cause in row.causes} == {"not measured"}


def test_every_variant_without_a_cause_has_to_show_it():
    fault = 2.0
    times = {
        "numpy": {31_623: five(1e-4), 100_000: five(3e-4 * fault)},
        "numpy_out": {31_623: five(1e-4), 100_000: five(3e-4)},
        "numpy_heap": {31_623: five(1e-4), 100_000: five(3e-4)},
    }
    name = "malloc's trim threshold"
    assert cause_of(account_of(*experiment(times)), name).verdict == "supported"
    times["numpy_heap"][100_000] = five(3e-4 * fault)  # the heap does not help after all
    cause = cause_of(account_of(*experiment(times)), name)
    assert cause.verdict == "not supported"
    assert [test.shown for test in cause.tests] == [False, True]


def test_caches_are_causes_only_where_their_sizes_are_known():
    times = {
        "numpy_out": {1_000: five(1e-5), 10_000: five(1e-4), 1_000_000: five(2e-2)},
        "numpy_blocked": {1_000: five(1e-5), 10_000: five(1e-4), 1_000_000: five(1e-2)},
    }
    known = account_of(*experiment(times), caches={"L2": 2**20})
    cause = cause_of(known, "L2 cache")
    assert cause.verdict == "supported"
    # 2^20 bytes are eight arrays of 16,384 doubles, or one of 131,072.
    assert (cause.tests[0].left, cause.tests[0].right) == (10_000, 1_000_000)
    assert not any("cache" in cause.cause for cause in account_of(*experiment(times)).causes)


def test_a_bend_is_given_the_supported_cause_beside_it():
    sizes = (1, 128, 200, 1_000, 3_162, 5_000, 10_000, 31_623, 100_000, 1_000_000, 10_000_000)
    smooth = {n: five(1e-6 + 1e-8 * n, 0.01) for n in sizes}
    # From 50,000 on an element costs three times as much: all of them, so that there is a jump, too.
    bent = {n: five(1e-6 + 1e-8 * n * (3 if n > 50_000 else 1), 0.01) for n in sizes}
    times = {"numpy": bent, "numpy_out": smooth, "numpy_heap": smooth, "jax_jit": smooth}
    row = account_of(*experiment(times))
    numpy, jit = row.bends
    assert (numpy.curve, numpy.verdict) == ("numpy", "piecewise")
    (bend,) = numpy.bends
    assert (bend.left, bend.right) == (31_623, 100_000)
    assert bend.kind in ("jump", "both")
    # 2 x 10 ns x n at the geometric mean of the two
    assert bend.jump.low < 2e-8 * math.sqrt(31_623 * 100_000) < bend.jump.high
    assert bend.supported == ("malloc's trim threshold",)
    assert (jit.curve, jit.verdict, jit.bends) == ("jax_jit", "linear", ())

    times["numpy_heap"] = times["numpy_out"] = bent
    ((bend,),) = [found.bends for found in account_of(*experiment(times)).bends[:1]]
    assert bend.supported == ()
    assert bend.candidates == ("malloc's trim threshold",)


def test_the_experiments_jump_stands_beside_the_fits():
    """Beyond 141 elements a call takes 20 us more, and 0.5 us of these without the hand-off too."""
    sizes = (16, 32, 64, 128, 200, 400, 800)
    line = {n: 8e-6 + 2e-9 * n for n in sizes}
    jit = {n: five(t + 20e-6 * (n > 141), 0.01) for n, t in line.items()}
    sync = {n: five(t + 0.5e-6 * (n > 141), 0.01) for n, t in line.items()}
    made = cells(*experiment({"jax_jit": jit, "jax_jit_sync": sync}))
    (row,) = account.ask(made)
    _, curve = row.bends
    (bend,) = curve.bends
    assert (bend.left, bend.right, bend.supported) == (128, 200, ("hand-off",))
    assert bend.jump.low < 20e-6 < bend.jump.high
    (test,) = cause_of(row, "hand-off").tests
    assert test.jump.value == pytest.approx(19.5e-6)
    # The rounds of one have it 1 % up or down with those of the other: 19.5 us, 1 % of them either way
    assert (test.jump.low, test.jump.high) == (
        pytest.approx(19.5e-6 * 0.99),
        pytest.approx(19.5e-6 * 1.01),
    )
    said = rendered(Answer((row,)))
    assert "experiment: 19.5 [19.3, 19.7] µs" in said
    assert f"{format_seconds(bend.jump.value).split()[0]} [" in said


def test_the_scan_of_many_chains_has_its_own():
    times = {
        "jax_jit": {3: five(7e-6), 10: five(12e-6)},
        "jax_scan_hoisted": {3: five(7e-6), 10: five(8e-6)},
    }
    row = account_of(*experiment(times, workload="metropolis_chains"))
    assert [cause.verdict for cause in row.causes] == ["supported"]
    assert row.causes[0].tests[0].step == exactly(1.5)
    assert row.numpy == row.steps == row.floor == ()


# The command


def result_file(folder, commit, machine, times, day=0):
    """Write a result file of variants as asv does, and return its folder."""
    sizes = sorted({n for by_size in times.values() for n in by_size})
    values = [times[name].get(n, math.nan) for n in sizes for name in times]
    content = {
        "version": 2,
        "commit_hash": commit * 40,
        "env_name": "env",
        "date": 1_700_000_000_000 + day * 86_400_000,
        "params": {"machine": machine},
        "python": "3.11",
        "requirements": {"numpy": "2.4.6"},
        "env_vars": {},
        "result_columns": ["result", "params", "version"],
        "results": {
            "elementwise.Variants.time_call": [
                values,
                [list(map(str, sizes)), list(map(repr, times))],
                "1",
            ]
        },
    }
    path = folder / machine / f"{commit * 8}-env.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return folder


def name_parameters(folder):
    about = {"param_names": ["n", "variant"], "type": "time", "unit": "seconds"}
    file = folder / "benchmarks.json"
    file.write_text(json.dumps({"version": 2, "elementwise.Variants.time_call": about}))


def answered(capsys, *argv):
    assert cli.main(["account", *map(str, argv), "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.mark.parametrize("named", [True, False])
def test_machines_are_kept_apart_and_the_newest_commit_counts(tmp_path, capsys, named):
    slow = {name: {n: 10 * t for n, t in times.items()} for name, times in STEPS.items()}
    result_file(tmp_path, "a", "fast", slow)
    result_file(tmp_path, "b", "fast", STEPS, day=1)
    result_file(tmp_path, "a", "slow", slow)
    if named:
        name_parameters(tmp_path)
    by_machine = {row["machine"]: row for row in answered(capsys, "--results", tmp_path)}
    assert by_machine["fast"]["commit"] == "b" * 40
    values = {
        name: row["steps"][0]["steps"][0]["worth"]["value"] for name, row in by_machine.items()
    }
    assert values == {"fast": pytest.approx(-600 * US), "slow": pytest.approx(-6_000 * US)}
    # Without samples and asv's statistics there is a value and no interval.
    assert by_machine["fast"]["steps"][0]["numpy"]["low"] is None
    (older,) = answered(capsys, "--results", tmp_path, "--machine", "fast", "--commit", "aaa")
    assert older["steps"][0]["numpy"]["value"] == pytest.approx(30_000 * US)
    assert cli.main(["account", "--results", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said.count("Measured on ") == 2
    assert "no interval" in said


def test_what_cannot_be_answered_is_said_in_a_line(tmp_path, capsys):
    folder = str(result_file(tmp_path, "a", "m", STEPS))
    assert cli.main(["account", "kalman", "--results", folder]) == 2
    assert cli.main(["account", "recursion", "--results", folder]) == 1
    assert cli.main(["account", "--results", folder, "--machine", "nowhere"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors == [
        "jitcost: no account of 'kalman'; there are those of elementwise, recursion, metropolis_chains",
        "jitcost: these results hold no variants of recursion, which an account is made from",
        "jitcost: no results of a machine 'nowhere'; there are m",
    ]


def rendered(answer):
    console = Console(width=200, record=True, file=io.StringIO())
    print_tables(tables(answer), console)
    return console.export_text()


def test_the_tables_say_the_parts_the_remainder_and_what_is_missing():
    made = {**STEPS, **NUMPY}
    made["jax_jit_sync"] = {100_000: 500 * US}
    said = rendered(account.ask(cells(*experiment(made), *experiment(OPS, "Operations"))))
    whole = next(line for line in said.splitlines() if re.match(r" *100,000 +2\.00 ms", line))
    after = ["12.0", "µs", "1.00", "ms", "500", "µs", "40.0", "µs"]
    after += ["400", "µs", "48.0", "µs", "+2%"]
    assert whole.split()[3:] == after
    small = next(line for line in said.splitlines() if re.match(r" *1,000 +16\.0 µs", line))
    assert small.split()[-3:] == ["-5.49", "µs", "-34%"]
    assert "memory passes: not measured at n = 3,162, and so in the remainder there" in said
    assert "add up by construction" in said
    assert "± half of an interval; intervals: of samples" in said
    assert "NumPy's parts leave -34% to +2% of its time unexplained" in said
    assert "n = 100,000: NumPy takes 2.00 ms, jit 560 µs" in said
    # 2000 to 1600, to 1400, to 1200, to 950, to 500 us, and to 560
    assert "threads has the largest factor, 0.526 (-450 µs)" in said


@pytest.mark.parametrize("width", [100, 80, 60])
def test_the_tables_fit_what_they_are_printed_on_and_cut_no_name(width):
    made = cells(*experiment({**STEPS, **NUMPY}), *experiment(OPS, "Operations"))
    console = Console(width=width, record=True, file=io.StringIO())
    print_tables(tables(account.ask(made)), console)
    said = console.export_text()
    assert max(map(len, said.splitlines())) <= width
    assert "\N{HORIZONTAL ELLIPSIS}" not in said
    for whole in ("100,000", "mispredicted", "jax_jit_sync", "560 µs", "-400 [", "remainder"):
        assert whole in said


def test_an_account_is_the_same_in_all_formats(tmp_path, capsys):
    folder = str(result_file(tmp_path, "a", "m", STEPS))
    assert cli.main(["account", "--results", folder, "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "table,n,step,worth (s),ratio" in lines
    (first,) = [line for line in lines if ",100000.0,allocation," in line]
    # 2400 less 3000 us, and their ratio
    assert [float(text) for text in first.split(",")[-2:]] == pytest.approx([-600 * US, 0.8])
    assert cli.main(["account", "--results", folder, "--format", "markdown"]) == 0
    assert "| 100,000 | allocation<br>" in capsys.readouterr().out
    assert cli.main(["account", "--results", folder, "--format", "html"]) == 0
    assert '<td class="words">allocation<span class="more">' in capsys.readouterr().out
    (row,) = answered(capsys, "--results", folder)
    assert [step["from"] for step in row["steps"][0]["steps"]] == list(CHAIN)[:-1]


# The figures


def test_the_waterfall_goes_down_and_up_from_one_time_to_the_other():
    drawing = DRAWINGS["waterfall"](cells(*experiment(STEPS)))
    (panel,) = drawing.panels
    assert panel.title == "n = 100,000: 3.00 ms to 560 µs"
    assert panel.subtitle == "largest factor: threads, 0.579"
    axes = figure(drawing.panels).axes[0]
    assert [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()] == [
        "numpy",
        *filter(None, CHAIN.values()),
        "jax_jit",
    ]
    spans = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    expected = [(0, 3), (3, 2.4), (2.4, 1.4), (1.4, 1.2), (1.2, 0.95), (0.95, 0.55)]
    expected += [(0.55, 0.56), (0, 0.56)]
    assert [end for span in spans for end in span] == pytest.approx(
        [end for span in expected for end in span]
    )
    assert axes.get_xlabel() == "time per call (ms)"
    texts = {text.get_text() for text in axes.texts}
    assert {"3.00 ms", "\N{MINUS SIGN}250 µs", "+10.0 µs", "560 µs"} <= texts


def test_the_waterfalls_intervals_are_those_of_the_steps():
    times = {"numpy": {1_000: (20.0, 21, 22, 23, 24)}, "jax_jit": {1_000: (10.0, 12, 11, 13, 14)}}
    axes = figure(DRAWINGS["waterfall"](cells(*experiment(times))).panels).axes[0]
    (interval,) = [
        ends
        for collection in axes.collections
        for (ends,) in [collection.get_segments()]
        if ends[0][1] == ends[1][1]
    ]
    # Differences -10, -9, -11, -10, -10: from 22 to 12, at least -11 and at most -9
    assert [x for x, _ in interval] == pytest.approx([11, 13])


def test_the_parts_are_stacked_to_the_whole():
    made = cells(*experiment({**NUMPY, **JIT}), *experiment(OPS, "Operations"))
    numpy, jit = figure(DRAWINGS["account"](made).panels).axes
    heights = {bars.get_label(): [bar.get_height() for bar in bars] for bars in numpy.containers}
    assert heights["allocation"] == pytest.approx([-100 * 0.5 / 16, 0, 20])
    assert heights["memory passes"] == pytest.approx([0, 0, 25], rel=1e-3)
    for totals in zip(*heights.values(), strict=True):
        assert sum(totals) == pytest.approx(100)
    names = [label.get_text() for label in numpy.get_xticklabels()]
    assert names == ["1,000", "3,162*", "10⁵"]
    assert numpy.get_xscale() == "log"
    edges = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in numpy.containers[0]]
    assert [left * right for left, right in edges] == pytest.approx([1000**2, 3162**2, 1e10])
    assert all(one[1] < other[0] for one, other in itertools.pairwise(edges))
    threads = next(bars for bars in jit.containers if bars.get_label() == "threads")
    bar = threads[1]
    assert (bar.get_y(), bar.get_height()) == (0, pytest.approx(-400 / 5.6))


def test_without_variants_there_is_nothing_to_draw():
    made = cells({"backend": "numpy", "n": 10.0, "value": 1e-6})
    assert DRAWINGS["waterfall"](made).panels == DRAWINGS["account"](made).panels == []


# The pages


def test_the_accounts_page_loads_nothing_and_names_the_machine():
    rows = [*experiment(STEPS, machine="mine"), *experiment(OPS, "Operations", machine="mine")]
    text = account_draft(cells(*rows)).page([Link("Report", "jitcost.html")])
    assert '<a href="jitcost.html">' in text
    assert ">mine</h2>" in text
    assert text.count("<svg") == 3  # one size of the waterfall, and both times in parts
    assert "elementwise: where the curves bend" in text
    assert not re.search(r'(?:src|href)="(?!#|data:|jitcost\.html)', text)
    assert not re.search(r"https?:", re.sub(r'xmlns(:\w+)?="[^"]+"', "", text))
    identifiers = re.findall(r'\bid="([^"]+)"', text)
    assert len(identifiers) == len(set(identifiers))


def test_a_page_of_the_chains_alone_is_about_their_bends():
    times = {"jax_jit": {3: five(7e-6), 10: five(12e-6)}}
    text = account_draft(cells(*experiment(times, workload="metropolis_chains"))).page()
    assert re.findall(r"<h3[^>]*>(.*?)</h3>", text) == ["Why the curves bend"]
    assert "Causes of bends in metropolis_chains, not measured: a loop of 1,024 bytes." in text


def test_each_machine_has_its_section_of_the_page():
    rows = [*experiment(STEPS, machine="one"), *experiment(STEPS, machine="other")]
    text = account_draft(cells(*rows)).page()
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", text) == ["one", "other"]
    assert account_draft(cells({"backend": "numpy", "n": 10.0, "value": 1e-6})) is None


def test_the_report_has_the_account_only_where_there_are_variants():
    steady = {"backend": "numpy", "n": 10.0, "value": 1e-6}
    with_it = page(cells(steady, *experiment(STEPS)))
    assert "From NumPy&#39;s time to jit&#39;s, one change at a time" in with_it
    assert "Why the curves bend" in with_it
    assert "Why the curves bend" not in page(cells(steady))


def test_the_published_site_has_the_accounts_page_beside_the_report(tmp_path):
    index = '<ul>\n\t<li id="nav-li-regressions"><a href="#/regressions">x</a></li>\n</ul>'
    html = tmp_path / "html"
    html.mkdir()
    (html / "index.html").write_text(index)
    folder = result_file(tmp_path / "results", "a", "m", STEPS)
    name_parameters(folder)
    asv_plugin.add_pages(folder, html)
    assert '<a href="account.html">' in (html / "jitcost.html").read_text()
    assert '<a href="jitcost.html">' in (html / "account.html").read_text()


# Caches


def test_caches_are_read_and_come_back_from_what_was_recorded(tmp_path):
    for number, (level, kind, size) in enumerate(
        [(1, "Data", "48K"), (1, "Instruction", "32K"), (2, "Unified", "1024K")]
    ):
        index = tmp_path / "sys" / f"index{number}"
        index.mkdir(parents=True)
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (index / name).write_text(f"{text}\n")
    (tmp_path / "sys" / "index9").mkdir()  # a virtual machine's, with nothing in it
    found = _caches(tmp_path / "sys")
    assert found == {"L1d": 49_152, "L2": 1_048_576}
    assert _caches(tmp_path / "absent") == {}

    folder = result_file(tmp_path / "results", "a", "m", STEPS)
    beside = folder / "m" / "aaaaaaaa-env.provenance"
    beside.write_text(json.dumps({"cpu": {"model": "C", "caches": {**found, "L3": "odd"}}}))
    ((origin, _),) = provenances(results.read(folder), folder)
    assert origin.caches == found
    made = results.read(folder)
    (row,) = account.ask(made, account.Options(caches=account.known_caches(made, folder)))
    assert [cause.cause for cause in row.causes][-2:] == ["L1d cache", "L2 cache"]
