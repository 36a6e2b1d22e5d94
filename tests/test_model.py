"""The fit, asked of cells: what a cell's time is, which cells are fitted, what is said of the others."""

import json
import math

import numpy as np
import pytest
from scipy import optimize

from jitcost.questions import fit
from jitcost.questions.timed import fit_of, time_of
from jitcost.stats.times import of_processes, of_samples
from making_cells import cells, steady


def cell(**given):
    return {"value": 2.0, "ci_low": 1.9, "ci_high": 2.2, "samples": None, "processes": None} | given


def sampled(times):
    """Return times as cells have them of which the processes are not known."""
    return {n: of_samples(seconds, None, None) for n, seconds in times.items()}


# A cell's time


def test_a_cells_time_is_the_median_of_each_processes_fastest_sample():
    time = time_of(cell(samples=[3.0, 2.5, 1.0, 4.0, 5.0, 1.5], processes=3))
    assert time.numbers == (2.5, 1.0, 1.5)
    assert (time.value, time.kind, time.processes) == (1.5, "of processes", 3)


@pytest.mark.parametrize(
    "given",
    [
        {"samples": [3.0, 2.0, 1.0]},  # of how many processes?
        {"samples": [3.0, 2.0, 1.0], "processes": 2},  # no equal numbers
        {"processes": 2},
        {"samples": [0.0, 2.0], "processes": 2},  # a clock that has not ticked
    ],
)
def test_without_its_processes_a_cell_has_the_files_own_interval(given):
    time = time_of(cell(**given))
    assert (time.value, time.low, time.high, time.kind) == (2.0, 1.9, 2.2, "of samples")


def test_without_an_interval_there_is_none():
    assert time_of(cell(ci_low=None, ci_high=None)).kind == "none"
    assert time_of(cell(ci_low=0.0)).low is None


# What is fitted


def test_relative_distances_decide_and_not_the_largest_n():
    n = [10**3, 10**4, 10**5, 10**6, 10**7]
    seconds = [2.5e-5, 1.2e-4, 1.1e-3, 1.0e-2, 1.3e-1]
    found = optimize.least_squares(
        lambda c: np.log(np.exp(c[0]) + np.exp(c[1]) * np.array(n)) - np.log(seconds), [-12, -18]
    )
    (row,) = fit.ask(cells(*steady("mine", dict(zip(n, seconds, strict=True)), workload="of mine")))
    assert (row.costs.call_cost, row.costs.element_cost) == pytest.approx(np.exp(found.x), rel=1e-4)
    assert np.polyfit(n, seconds, 1)[1] == pytest.approx(-7.59e-4, rel=1e-2)  # ordinary: negative


def test_k_divides_the_costs_and_not_the_pair_that_people_read():
    line = {1: 1.1e-6, 10: 2e-6, 100: 11e-6}  # exactly 1 us + 0.1 us n
    (one,) = fit.ask(cells(*steady("numpy", line, workload="of mine")))
    (ten,) = fit.ask(cells(*steady("numpy", line)))
    assert (one.costs.k, ten.costs.k) == (1, 10)
    assert (one.costs.c0, one.costs.c1) == (pytest.approx(1e-6), pytest.approx(1e-7))
    assert (ten.costs.c0, ten.costs.c1) == (pytest.approx(1e-7), pytest.approx(1e-8))
    for row in (one, ten):
        assert row.costs.call_cost == pytest.approx(1e-6)
        assert row.costs.element_cost == pytest.approx(1e-7)


def test_what_several_processes_say_is_fitted_and_not_asvs_median():
    # four samples of each process, the fastest first: 1.00, 1.01, 1.02, 1.03 times the number
    three = {n: tuple((1e-6 + 1e-8 * n) * f for f in (1.0, 0.999, 1.001)) for n in (10, 100, 1000)}
    (row,) = fit.ask(cells(*steady("numpy", three)))
    assert row.costs.call_cost == pytest.approx(1e-6, rel=1e-3)
    assert (row.verdict, row.processes) == ("linear", 3)


def test_a_negative_call_cost_is_flagged_and_not_clipped():
    times = {n: tuple((30 * n - 90) * 1e-6 * f for f in (1.0, 0.99, 1.01)) for n in range(4, 40, 5)}
    (row,) = fit.ask(cells(*steady("numpy", times)))
    assert row.costs.call_cost == pytest.approx(-9e-5, rel=0.05)
    assert row.reason == "the call cost is significantly below zero"


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        ({}, "no times"),
        ({10: 1e-6}, "one size"),
        ({10: 1e-6, 100: 2e-6}, "fewer than three sizes"),
        ({1: 1e-6, 10: 0.0, 100: 1e-4}, "a time is zero, negative or beyond all bounds"),
        ({1: 1e-6, 10: -1e-6, 100: 1e-4}, "a time is zero, negative or beyond all bounds"),
        ({1: 1e-6, 10: math.inf, 100: 1e-4}, "a time is zero, negative or beyond all bounds"),
        ({1: 5e-324, 10: 5e-324, 1e7: 5e-324}, "a time is zero, negative or beyond all bounds"),
        ({1: 1e-6, math.nan: 1e-6, 100: 1e-4}, "a size is not a number"),
        ({-1: 1e-6, 1: 1e-6, 100: 1e-4}, "a size is negative"),
        ({1: 1e-6, 10: 9e-6, 100: 2e-6, 1000: 1e-6}, "time falls between n = 10 and n = 1000"),
    ],
)
def test_what_has_no_model_has_a_reason(times, reason):
    found = fit_of(sampled(times))
    assert (found.verdict, found.reason) == ("no model", reason)


def test_equal_times_are_a_line():
    assert fit_of(sampled({0: 1e-6, 10: 1e-6, 100: 1e-6})).line.c1 == pytest.approx(0, abs=1e-12)


def test_cells_of_unknown_processes_are_fitted_beside_others():
    mixed = {n: of_processes([1e-6 * n * f for f in (1.0, 1.01, 0.99)]) for n in (1, 10, 100)}
    found = fit_of(mixed | sampled({1000: 1e-3}))
    assert found.replicated
    assert found.verdict == "linear"
    assert found.pieces[0].element_cost == pytest.approx(1e-6, rel=0.02)


def test_an_answer_of_fits_is_strict_json():
    made = cells(*steady("numpy", {1: 1e-6, 10: 2e-6, 100: 3e-5}), *steady("numba", {1: 1e-6}))
    (whole, nothing) = json.loads(json.dumps(fit.ask(made).objects(), allow_nan=False))
    assert whole.keys() == nothing.keys()
    assert {"k", "points", "n_min", "n_max", "c0", "c1_high", "call_cost", "misfit"} <= whole.keys()
    assert nothing["c0"] is None
