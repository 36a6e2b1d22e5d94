"""The questions, on cells made by hand, with answers worked out by hand."""

import argparse
import doctest
import importlib
import io
import itertools
import json
import re

import numpy as np
import polars as pl
import pytest
from rich.console import Console
from scipy import stats

from jitcost import cli, units
from jitcost.commands import plan as plan_command
from jitcost.errors import BadCallError
from jitcost.questions import (
    agreement,
    breakeven,
    c_ratios,
    compare,
    crossover,
    fit,
    plan,
    predict,
)
from jitcost.questions import times as timing
from jitcost.questions.choosing import choose
from jitcost.show import summary
from jitcost.show.answers import agreement as agreement_sentences
from jitcost.show.answers import compare as compare_tables
from jitcost.show.table import Table
from jitcost.show.terminal import print_tables
from jitcost.store import results
from making_cells import cells, steady

EPS = 2.0**-52


def rendered(tables, width=120):
    console = Console(width=width, record=True, file=io.StringIO())
    print_tables(tables, console)
    return console.export_text()


def shown(question, answer):
    """Return an answer as a terminal shows it."""
    module = importlib.import_module(f"jitcost.show.answers.{question.__name__.split('.')[-1]}")
    return rendered(module.tables(answer))


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(units).failed == 0
    assert doctest.testmod(units).attempted >= 6


# compare


def compared():
    return cells(
        {"backend": "numpy", "n": 10.0, "value": 4e-6, "ci_low": 3.9e-6, "ci_high": 4.1e-6},
        {"backend": "numba", "n": 10.0, "value": 1e-6, "ci_low": 0.9e-6, "ci_high": 1.1e-6},
        {"backend": "numpy", "n": 100.0, "value": 5e-6, "ci_low": 4.5e-6, "ci_high": 5.5e-6},
        {"backend": "numba", "n": 100.0, "value": 4.8e-6, "ci_low": 4.7e-6, "ci_high": 4.9e-6},
    )


def test_the_best_and_its_ties_are_marked_and_ratios_are_to_the_baseline():
    rows = compare.ask(compared())
    assert [(r.n, r.backend, r.best) for r in rows] == [
        (10, "numpy", False),
        (10, "numba", True),
        (100, "numpy", True),  # 4.5 to 5.5 overlaps 4.7 to 4.9
        (100, "numba", True),
    ]
    assert [r.ratio for r in rows] == pytest.approx([1, 0.25, 1, 0.96])
    lines = shown(compare, rows).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(" 10 "))
    assert lines[first].split() == ["10", "4.00", "µs", "*1.00", "µs"]
    assert lines[first + 1].split() == ["0.25x", "[0.22,", "0.28]"]  # 0.9 / 4.1 and 1.1 / 3.9
    assert "*5.00 µs" in lines[first + 2]
    assert "(of samples: asv's 99 % intervals, too narrow" in " ".join(lines)


# Times of five processes, apart by some per cent.
STEADY = (1.00, 1.04, 0.97, 1.02, 0.99)


def times(factor, numbers=STEADY):
    """Return the numbers of a cell's processes."""
    return tuple(factor * number for number in numbers)


def test_a_time_is_the_median_of_its_processes_and_its_interval_their_range():
    made = cells(*steady("numpy", {10: times(1e-6)}))
    (row,) = compare.ask(made)
    assert (row.time, row.low, row.high) == (1.00e-6, 0.97e-6, 1.04e-6)
    assert (row.interval, row.processes, row.numbers) == ("of processes", 5, times(1e-6))
    assert row.time < made["value"][0]  # asv's: the median of all samples


def test_a_ratio_of_processes_has_the_interval_of_yuens_test():
    slow = (3.1e-6, 2.8e-6, 3.0e-6, 3.3e-6, 2.9e-6)
    made = cells(*steady("numpy", {10: times(1e-6)}), *steady("numba", {10: slow}))
    numpy, numba = compare.ask(made)
    logs = np.log(slow), np.log(times(1e-6))
    test = stats.ttest_ind(*logs, trim=0.2, equal_var=False)
    low, high = np.exp(test.confidence_interval())
    middle = np.exp(stats.trim_mean(logs[0], 0.2) - stats.trim_mean(logs[1], 0.2))
    assert numba.ratio == pytest.approx(middle)
    # the resolution of 0.25 % is nothing beside 5 %
    assert (numba.ratio_low, numba.ratio_high) == pytest.approx((low, high), rel=2e-3)
    assert (numpy.ratio, numpy.ratio_low, numpy.ratio_high) == (1, None, None)
    said = shown(compare, compare.ask(made))
    assert "* not significantly slower than the fastest (95 %, five processes a cell)" in said
    assert f"{middle:.1f}x [{low:.1f}, {high:.1f}]" in said
    # a narrow table drops the interval before anything else
    narrow = rendered(compare_tables.tables(compare.ask(made)), 24)
    assert f"{middle:.1f}x" in narrow
    assert "[" not in narrow


def test_who_is_starred_is_not_significantly_slower():
    quiet = (1.000, 1.004, 0.997, 1.002, 0.999)  # half a per cent apart
    made = cells(
        *steady("numpy", {10: times(1.00e-6, quiet)}),
        *steady("numba", {10: times(1.002e-6, quiet[::-1])}),
        *steady("julia", {10: times(1.05e-6, quiet)}),
    )
    rows = {row.backend: row for row in compare.ask(made)}
    assert {name for name, row in rows.items() if row.best} == {"numpy", "numba"}
    assert not any(row.provisional for row in rows.values())
    assert rows["julia"].processes_needed is None  # they are told apart


def test_with_two_processes_the_star_is_provisional():
    made = cells(*steady("numpy", {10: (2e-6, 2.1e-6)}), *steady("numba", {10: (1e-6, 1.1e-6)}))
    numpy, numba = compare.ask(made)
    assert (numba.best, numba.provisional, numba.low, numba.interval) == (True, True, None, "none")
    assert (numpy.best, numpy.provisional) == (False, False)
    said = " ".join(shown(compare, compare.ask(made)).split())
    assert "(*)1.05 µs" in said
    assert "(*) the smallest number, provisional (no interval: two processes a cell" in said


def test_how_many_processes_would_tell_two_apart_is_said_once():
    sizes = (10, 100)
    made = cells(
        *steady("numpy", dict.fromkeys(sizes, times(1e-6))),
        *steady("numba", dict.fromkeys(sizes, times(1.04e-6))),
    )
    rows = [row for row in compare.ask(made) if row.backend == "numba"]
    assert all(row.best for row in rows)
    # Logarithms of STEADY have a variance of 7.1e-4. Of 20 processes a side the trimmed means have
    # 2 (20 - 8 - 1) = 22 degrees of freedom and t = 2.07; 2 x 2.07 x sqrt(2 x 7.1e-4 / 20) is 3.5 %, of
    # 14 it is 4.2 %; what five processes are too small by on the median makes it more.
    assert 14 < rows[0].processes_needed < 30
    said = shown(compare, compare.ask(made)).splitlines()
    (line,) = [line for line in said if "more processes" in line]
    more = rows[0].processes_needed - 5
    assert line == (
        f"  n = 10: {more} more processes a cell would tell numba from numpy, if they are 4 % apart"
    )


def test_a_slow_first_process_and_a_slowed_one_are_said_once():
    warm = (1.2, 1.00, 1.01, 1.02, 1.01)
    slowed = (1.0, 1.01, 2.0, 1.02, 1.01)
    sizes = (1, 10, 100)
    made = cells(
        *steady("numpy", {n: times(1e-6, warm) for n in sizes}),
        *steady("numba", {n: times(3e-6, slowed) for n in sizes}),
    )
    said = shown(compare, compare.ask(made)).splitlines()
    assert "  the first process is slower than all others in 3 of 6 cells" in said
    # 2.0 over the others' median, 1.01
    assert (
        "  numba at n = 1: one process took 2.0 times as long as the others, "
        "and 2 other cells have one"
    ) in said
    quiet = cells(*steady("numpy", {n: times(1e-6) for n in sizes}))
    assert "process took" not in shown(compare, compare.ask(quiet))


def test_recursions_are_compared_with_python():
    rows = compare.ask(
        cells(*steady("python", {10: 1e-6}), *steady("numpy", {10: 3e-6}), workload="recursion")
    )
    assert [(r.baseline, r.ratio) for r in rows] == [
        ("python", 1.0),
        ("python", pytest.approx(3.0)),
    ]


def test_an_unknown_baseline_is_a_bad_call():
    for question in (compare, crossover, breakeven):
        with pytest.raises(BadCallError, match="no times of 'julia'; there are numpy, numba"):
            question.ask(compared(), question.Options("julia"))


def test_without_the_baselines_times_there_is_no_ratio():
    rows = compare.ask(cells(*steady("numba", {10: 1e-6}), *steady("julia", {10: 2e-6})))
    assert {(row.baseline, row.ratio) for row in rows} == {("numpy", None)}


def test_different_machines_commits_and_versions_are_never_joined():
    differing = [{}, {"machine": "other"}, {"commit": "b" * 40}, {"version": "2"}]
    differing += [{"environment": "other"}, {"env_vars": '{"A": "1"}'}, {"params": '{"p": "1"}'}]
    rows = compare.ask(
        cells(*(steady("numpy", {10: 1e-6 * i}, **d)[0] for i, d in enumerate(differing, 1)))
    )
    assert len(rows) == len(differing)
    assert all(row.best for row in rows)  # each the best of its own
    assert len(compare_tables.tables(rows)) == len(differing)  # and each in a table of its own


def test_agreement_names_the_worst_cell():
    common = {"kind": "Agreement", "workload": "recursion"}
    rows = [
        {"backend": "numpy", "n": 10.0, "value": EPS},
        {"backend": "numba", "n": 100.0, "value": 32 * EPS},
    ]
    (said,) = agreement_sentences.sentences(agreement.ask(cells(*rows, **common)))
    assert said.startswith("recursion: all 2 results are within their tolerance")
    assert "0.5 (numba at n = 100, error 7.1e-15)" in said  # 32 of 64 eps
    (row,) = agreement.ask(cells(*rows, **common))
    assert (row.results, row.backend, row.n, row.share) == (2, "numba", 100, 0.5)
    rows[1]["value"] *= 4
    (said,) = agreement_sentences.sentences(agreement.ask(cells(*rows, **common)))
    assert said == "recursion: WRONG: numba at n = 100 is off by 2.8e-14, 2 tolerances"


# fit


def test_costs_and_verdicts():
    line = {n: 1e-6 + 1e-8 * n for n in (10, 100, 1000, 10_000)}
    sizes = [10 ** (3 + i / 2) for i in range(9)]
    bent = {n: 1e-6 + 1e-9 * n if n <= 1e5 else 1.01e-4 + 4e-9 * (n - 1e5) for n in sizes}
    rows = fit.ask(
        cells(*steady("numpy", line), *steady("jax_jit", bent), *steady("numba", {10: 1e-6}))
    )
    by_backend = {row.backend: row for row in rows}
    straight = by_backend["numpy"]
    assert straight.verdict == "linear to"  # to nothing, but one number a size is no test of it
    assert straight.misfit == pytest.approx(0, abs=1e-9)
    assert straight.costs.k == 10
    assert straight.costs.call_cost == pytest.approx(1e-6)
    assert straight.costs.c0 == pytest.approx(1e-7)
    assert straight.costs.element_cost == pytest.approx(1e-8)
    # of one number for each size, pieces are not looked for: the line misses by 70 %
    assert (by_backend["jax_jit"].verdict, by_backend["jax_jit"].pieces) == ("no model", ())
    assert (by_backend["numba"].verdict, by_backend["numba"].reason) == ("no model", "one size")
    json.dumps(rows.objects(), allow_nan=False)
    text = shown(fit, rows)
    assert "linear to 1 %" in text
    assert "numba: one size" in text
    assert text.count("one process for each size: the misfit cannot be tested") == 1


def piecewise(seconds):
    """Return a curve of five processes a size, a per cent apart."""
    rng = np.random.default_rng(7)
    sizes = (1, 10, 32, 100, 316, 1000, 10_000, 100_000)
    return {n: tuple(seconds(n) * np.exp(0.01 * rng.standard_normal(5))) for n in sizes}


def test_what_replicates_tell_of_a_curve():
    made = cells(
        *steady("numpy", piecewise(lambda n: 4e-6 + 1e-8 * n)),
        *steady("jax_jit", piecewise(lambda n: (5e-6 if n < 180 else 26e-6) + 1e-9 * n)),
        *steady("numba", piecewise(lambda n: 1e-8 * n * np.log(n) + 2e-7)),
    )
    answer = fit.ask(made)
    numpy, jit, numba = answer
    assert (numpy.verdict, numpy.law, numpy.processes) == ("linear", "n", 5)
    assert numpy.costs.call_cost == pytest.approx(4e-6, rel=0.05)
    assert numpy.noise == pytest.approx(0.01 / np.sqrt(5), rel=0.6)
    assert (jit.verdict, jit.kind) == ("piecewise", "jump")
    assert 100 < jit.n_at < 316
    assert jit.jump_low < 21e-6 < jit.jump_high
    assert [(piece.n_min, piece.n_max) for piece in jit.pieces] == [(1, 100), (316, 100_000)]
    assert [piece.points for piece in jit.pieces] == [4, 4]
    object_ = answer.objects()[1]
    assert object_["bends"] == [object_["n_at"]]
    assert {"misfit", "noise", "kind", "law", "processes", "jump"} <= object_.keys()
    assert (numba.verdict, numba.law) == ("growth", "n log n")
    assert numba.pieces[0].element_cost == pytest.approx(1e-8, rel=0.05)
    said = " ".join(shown(fit, answer).split())
    assert "jump of 2" in said
    assert "jax_jit, n to 100" in said
    assert "jax_jit, n from 316" in said
    assert "grows as n log n" in said
    assert "for each unit of n log n" in said
    assert "noise: the standard error of a time, of five processes" in said


def test_a_call_cost_that_may_be_nothing_is_below_something():
    made = cells(*steady("numpy", piecewise(lambda n: 1e-6 * n + 1e-12)))
    (row,) = fit.ask(made)
    assert row.verdict == "linear"
    assert row.costs.c0_low <= 0 < row.costs.call_cost_below
    assert row.costs.call_cost_below == pytest.approx(10 * row.costs.c0_high)
    assert "below " in shown(fit, fit.ask(made))


def test_times_that_fall_have_no_model():
    made = cells(*steady("numpy", {1: 4e-3, 2: 2.1e-3, 4: 1.1e-3, 8: 0.6e-3}))
    (row,) = fit.ask(made)
    assert (row.verdict, row.reason) == ("no model", "time falls between n = 1 and n = 8")


@pytest.mark.parametrize(
    ("workload", "k", "counted"),
    [
        ("op_chain", "4", 4),
        ("op_chain", "np.int64(3)", 3),
        ("op_chain", "'a'", 1),
        ("op_chain", "0", 1),
        ("elementwise", "4", 10),  # it has no such option
        ("knn", "5", 1),  # somebody else's: their neighbours are no operations
    ],
)
def test_k_is_a_parameter_only_where_it_counts(workload, k, counted):
    params = json.dumps({"k": k})
    made = cells(*steady("numpy", {10: 1e-6}, workload=workload, params=params))
    assert fit.ask(made).rows[0].costs.k == counted


def test_what_is_no_time_is_not_fitted_as_one():
    made = cells(*steady("numpy", {1: 5.0, 10: 6.0, 100: 7.0}, unit="bytes"))
    assert fit.ask(made).rows[0].reason == "not times: the unit is bytes"
    rows = others("mem.track_rows", {"p": ("1", "10", "100")}, [2.0, 11.0, 101.0], kind="track")
    assert fit.ask(cells(*rows)).rows[0].reason == "not times: they have no unit"
    assert not re.search(r"[nmµ]s\b|\d s\b|second", shown(fit, fit.ask(cells(*rows))))


def others(benchmark, params, values, **common):
    """Return the rows of somebody's benchmark, as it is stored: the texts of all parameters."""
    common = {"benchmark": benchmark, "workload": None, "kind": "time", **common}
    return [
        {"params": json.dumps(dict(zip(params, texts, strict=True))), "value": value, **common}
        for texts, value in zip(itertools.product(*params.values()), values, strict=True)
    ]


def test_the_only_parameter_with_three_numbers_is_taken_for_n_and_that_is_said():
    sizes = ("10", "100", "1000", "10000")
    lu = others("solve.Time.time_lu", {"p0": sizes}, [2e-6 + 3e-9 * float(n) for n in sizes])
    qr = others("solve.Time.time_qr", {"p0": sizes}, [5e-6 + 9e-9 * float(n) for n in sizes])
    made = cells(*lu, *qr, workload="solve", kind="Time")
    made = made.with_columns(workload=pl.lit("solve"), kind=pl.lit("Time"))
    answer = fit.ask(made)
    found = [(row.size, row.costs.call_cost, row.costs.element_cost, row.costs.k) for row in answer]
    assert found == [
        ("p0", pytest.approx(2e-6), pytest.approx(3e-9), 1),
        ("p0", pytest.approx(5e-6), pytest.approx(9e-9), 1),
    ]
    said = shown(fit, answer)
    assert "solve.Time.time_lu: t = k" in said  # the module alone would be the title of both
    assert "solve.Time.time_qr: t = k" in said
    assert said.count("n is p0, the only parameter with three or more numbers") == 2


def test_where_n_cannot_be_guessed_a_benchmark_has_one_line():
    kinds = ("'int'", "'float'", "'str'")
    words = others("s.time_sort", {"p0": kinds, "p1": ("'quick'", "'heap'")}, [1e-3] * 6)
    two = others("s.time_grid", {"p0": ("1", "2", "3"), "p1": ("4", "5", "6")}, [1e-3] * 9)
    answer = fit.ask(cells(*words, *two))
    assert [row.reason for row in answer] == [
        "no parameter with three or more numbers, which could be n",
        "n may be p0 or p1: say which (--size)",
    ]
    assert len(shown(fit, answer).split("nothing can be said")) == 3
    chosen = fit.ask(cells(*words, *two), fit.Options(benchmark="sort"))
    assert [row.of.name for row in chosen] == ["s.time_sort"]


def test_a_name_that_looks_like_markup_is_printed_as_it_is():
    sizes = (10, 100, 1000)
    made = cells(
        *steady("numpy", {n: 1e-6 + 1e-9 * n for n in sizes}),
        *steady("[/x] a", {n: 2e-6 + 1e-9 * n for n in sizes}),
    )
    for question in (compare, fit, predict):
        assert "[/x] a" in shown(question, question.ask(made))


def test_a_pattern_that_is_none_is_a_bad_call():
    with pytest.raises(BadCallError, match=r"--benchmark '\(' is no regular expression: missing"):
        fit.ask(compared(), fit.Options(benchmark="("))


def test_what_cannot_be_fitted_has_its_reason():
    made = cells(
        *steady("numpy", {10: 1e-6, 100: 2e-6}),
        {"backend": "numba", "n": 10.0, "state": "failed"},
        {"backend": "julia", "n": 10.0, "state": "not_measured"},
        {"backend": "jax_jit", "n": None, "value": 1e-6, "params": '{"n": "(3, 4)"}'},
    )
    rows = fit.ask(made)
    assert {row.backend: row.reason for row in rows} == {
        "numpy": "fewer than three sizes",
        "numba": "all failed",
        "jax_jit": "the sizes are not numbers",
    }
    assert "numba: all failed" in shown(fit, rows)


def test_fits_are_shown_of_what_was_run_at_enough_sizes():
    made = cells(
        *steady("numpy", {10: 1e-6, 100: 2e-6, 1000: 11e-6}),
        *steady("numba", {10: 1e-6}),
        *steady("numpy", {10: 1e-6}, workload="kalman"),
    )
    found = [(row.of.workload, row.backend) for row in fit.over_sizes(fit.ask(made))]
    assert found == [("elementwise", "numpy"), ("elementwise", "numba")]


def test_other_peoples_parameters():
    made = cells(
        *(
            {"benchmark": "sums.time_sum", "workload": None, "kind": "time", "n": None, "value": t}
            | {"params": json.dumps({"length": length, "dtype": "'f4'", "order": "'C'"})}
            for length, t in {"10": 2e-6, "1e2": 11e-6, "np.int64(1000)": 101e-6}.items()
        )
    )
    options = fit.Options(benchmark="time_s", size="length", backend="dtype")
    (row,) = fit.ask(made, options)
    assert (row.backend, row.of.params, row.costs.k) == ("f4", {"order": "'C'"}, 1)
    assert row.costs.call_cost == pytest.approx(1e-6)
    assert row.costs.element_cost == pytest.approx(1e-7)
    with pytest.raises(BadCallError, match=r"no parameter 'sise'; there are dtype, length, order"):
        fit.ask(made, fit.Options(size="sise"))


# breakeven


def test_break_even_from_cells_with_its_interval():
    def one(backend, value, half, kind="SteadyState"):
        bounds = {"ci_low": value - half, "ci_high": value + half}
        return {"backend": backend, "n": 10.0, "value": value, "kind": kind, **bounds}

    made = cells(
        one("numpy", 30e-6, 2e-6),
        one("jax_jit", 10e-6, 1e-6),
        one("jax_jit", 40e-3, 4e-3, "FirstCall"),
        one("numba", 29e-6, 2e-6),
        one("numba", 58e-3, 1e-3, "FirstCall"),
        one("numpy", 33e-6, 1e-6, "FirstCall"),
    )
    answer = breakeven.ask(made)
    jit, numba = answer
    assert jit.cost == pytest.approx(40e-3 - 10e-6)
    assert answer.objects()[0]["C"] == jit.cost
    assert jit.calls == 2000  # 39.99 ms / 20 us = 1999.5
    # soonest: (36 ms - 11 us) / (32 - 9) us = 1564.7; latest: (44 ms - 9 us) / (28 - 11) us = 2587.7
    assert (jit.calls_low, jit.calls_high, jit.verdict) == (1565, 2588, "pays")
    # 57.971 ms / 1 us; at worst 28 us against 31 us: never
    assert (numba.calls, numba.calls_high, numba.verdict) == (57_971, None, "cannot tell")
    # at best 57 ms - 31 us over 32 - 27 us
    assert numba.calls_low == 11_394
    assert (jit.saving, jit.saving_low, jit.saving_high) == pytest.approx((20e-6, 17e-6, 23e-6))
    assert (jit.interval, jit.processes) == ("of samples", None)
    text = shown(breakeven, answer)
    assert "1,565 to 2,588" in text
    assert "11,394 to never" in text
    assert "[17.0, 23.0] µs" in text
    (line,) = [line for line in text.splitlines() if line.startswith("numba")]
    assert "cannot tell" in line


def test_break_even_of_processes():
    first = (0.101, 0.100, 0.102, 0.099, 0.100)
    made = cells(
        *steady("numpy", {10: times(30e-6)}),
        *steady("jax_jit", {10: times(10e-6)}),
        *steady("jax_jit", {10: first}, kind="FirstCall"),
        *steady("numba", {10: times(33e-6)}),
        *steady("numba", {10: first}, kind="FirstCall"),
        *steady("julia", {10: times(30.1e-6)}),
        *steady("julia", {10: first}, kind="FirstCall"),
    )
    rows = {row.backend: row for row in breakeven.ask(made)}
    jit, numba, julia = (rows[name] for name in ("jax_jit", "numba", "julia"))
    # the saving by scipy, of the times themselves: 20 us, from both trimmed means
    test = stats.ttest_ind(times(30e-6), times(10e-6), trim=0.2, equal_var=False)
    low, high = test.confidence_interval()
    assert (jit.saving_low, jit.saving_high) == pytest.approx((low, high), rel=0.01)
    assert jit.verdict == "pays"
    assert jit.calls == pytest.approx(0.1003 / jit.saving, rel=2e-3)  # C: 100.3 - 0.01 ms
    assert jit.calls_low < jit.calls < jit.calls_high
    assert (jit.interval, jit.processes) == ("of processes", 5)
    assert (numba.verdict, numba.calls, numba.calls_high) == ("never", None, None)
    assert numba.saving_high < 0
    assert (julia.verdict, julia.calls_high) == ("cannot tell", None)
    json.dumps(breakeven.ask(made).objects(), allow_nan=False)
    assert "intervals: 95 %, five processes a cell" in " ".join(
        shown(breakeven, breakeven.ask(made)).split()
    )


def test_a_backend_is_never_held_against_itself():
    made = cells(
        *steady("jax_jit", {10: 1e-6}),
        *steady("jax_jit", {10: 1.0}, kind="FirstCall"),
        *steady("numba", {10: 2e-6}),
        *steady("numba", {10: 1.0}, kind="FirstCall"),
    )
    (row,) = breakeven.ask(made, breakeven.Options("numba"))
    assert (row.backend, row.baseline) == ("jax_jit", "numba")


def test_without_any_interval_nothing_is_told_apart():
    made = cells(
        {"backend": "numpy", "n": 10.0, "value": 1.01},
        {"backend": "numba", "n": 10.0, "value": 1.0},
        {"backend": "numba", "n": 10.0, "value": 3.0, "kind": "FirstCall"},
    ).with_columns(ci_low=None, ci_high=None)
    assert [(row.best, row.provisional) for row in compare.ask(made)] == [
        (False, False),
        (True, True),
    ]
    assert crossover.ask(made).rows == ()
    (row,) = breakeven.ask(made)
    assert (row.calls, row.calls_low, row.calls_high) == (200, None, None)  # 2 / 0.01
    assert (row.verdict, row.interval) == ("cannot tell", "none")


def test_times_of_zero_are_no_baseline():
    made = cells(*steady("numpy", {10: 0.0, 100: 1e-6}), *steady("numba", {10: 1e-6, 100: 2e-6}))
    assert [row.ratio for row in compare.ask(made)] == [None, None, 1, pytest.approx(2)]
    assert crossover.ask(made).rows == ()
    assert predict.ask(made).rows == ()
    assert fit.ask(made).rows[0].reason == "a time is zero, negative or beyond all bounds"


@pytest.mark.parametrize(("replayed", "inside"), [(1565.0, True), (1564.0, False), (2588.0, True)])
def test_a_replay_is_held_against_the_interval(replayed, inside):
    def one(value, half, kind="SteadyState"):
        bounds = {"ci_low": value - half, "ci_high": value + half}
        return {"n": 10.0, "value": value, "kind": kind, **bounds}

    made = cells(
        one(30e-6, 2e-6) | {"backend": "numpy"},
        one(10e-6, 1e-6) | {"backend": "jax_jit"},
        one(40e-3, 4e-3, "FirstCall") | {"backend": "jax_jit"},
        {"backend": "jax_jit", "n": 10.0, "kind": "Replay", "value": replayed, "unit": "calls"},
    )
    (row,) = answer = breakeven.ask(made)
    assert (row.calls_low, row.calls_high) == (1565, 2588)
    assert (row.replayed, row.replay_inside) == (replayed, inside)
    side = "inside" if inside else "OUTSIDE"
    said = f"jax_jit at n = 10 has paid after {replayed:,.0f} calls: {side} the interval"
    assert said in shown(breakeven, answer)


# crossover


def test_crossovers_come_from_the_cells():
    made = cells(
        *steady("numpy", {4: 30e-6, 8: 30e-6, 16: 30e-6}),
        *steady(
            "python", {4: 30e-6, 8: 150e-6, 16: 390e-6}
        ),  # (30 n - 90) us: no n < 3 is measured
        *steady("numba", {4: 60e-6, 8: 30e-6, 16: 15e-6}),
    )
    rows = crossover.ask(made).rows
    assert [(r.faster_below, r.faster_above, r.n_low, r.n_high) for r in rows] == [
        ("numpy", "numba", 4, 16)  # equal at 8
    ]
    assert rows[0].n is None  # whether before 8 or after it cannot be told
    assert rows[0].undecided == ((8, 8),)
    assert rows[0].interval == "of samples"
    assert "cannot tell" in shown(crossover, crossover.ask(made))


def test_a_crossover_of_processes_is_significant_on_both_sides():
    made = cells(
        *steady("numpy", {n: times(1e-6) for n in (1, 10, 100, 1000)}),
        *steady("numba", {1: times(2e-6), 10: times(2e-6), 100: times(5e-7), 1000: times(1.01e-6)}),
        *steady("julia", {1: times(1.01e-6), 10: times(0.99e-6), 100: times(1e-6)}),
    )
    (row,) = answer = crossover.ask(made)
    assert (row.faster_below, row.faster_above, row.n_low, row.n_high) == (
        "numpy",
        "numba",
        10,
        100,
    )
    assert row.n == pytest.approx(10**1.5)  # from twice to half
    assert (row.interval, row.undecided) == ("of processes", ((1000, 1000),))
    said = shown(crossover, answer)
    assert "95 %, by processes" in said
    assert "numba and numpy are not significantly different at n = 1,000, either" in said


# times


def test_times_are_the_points_with_the_fastest_sample_where_there_are_samples():
    made = cells(
        {"backend": "numba", "n": 10.0, "value": 2e-6, "samples": [3e-6, 1e-6, 2e-6]},
        *steady("numpy", {100: 5e-6, 10: 4e-6}),
        *steady("numba", {10: 0.08}, kind="FirstCall"),
        *steady("numba", {10: 1e-6}, workload="recursion"),
    )
    found = timing.ask(made, timing.Options(("SteadyState", "FirstCall"), "elementwise"))
    assert [(row.kind, row.backend, row.n, row.time, row.minimum) for row in found] == [
        ("SteadyState", "numpy", 10, 4e-6, None),
        ("SteadyState", "numpy", 100, 5e-6, None),
        ("SteadyState", "numba", 10, 2e-6, 1e-6),
        ("FirstCall", "numba", 10, 0.08, None),
    ]


# ratios to functions in C


def test_ratios_to_c_name_the_lowest_of_each_function():
    def ratio(backend, function, value):
        params = json.dumps({"function": repr(function)})
        return {"backend": backend, "params": params, "value": value}

    made = cells(
        *(ratio("numba", "exp", 2.0), ratio("numpy", "exp", 4.0), ratio("mine", "exp", 3.0)),
        ratio("numpy", "sum", 1.5),
        benchmark="floors.Floors.track_ratio_to_floor",
        kind="track",
    )
    answer = c_ratios.ask(made)
    assert [(row.function, row.backend, row.ratio, row.lowest) for row in answer] == [
        ("exp", "numpy", 4, False),
        ("exp", "numba", 2, True),
        ("exp", "mine", 3, False),
        ("sum", "numpy", 1.5, True),
    ]
    lines = [line.split() for line in shown(c_ratios, answer).splitlines()]
    assert ["function", "numpy", "numba", "mine"] in lines
    assert ["exp", "4.0x", "*2.0x", "3.0x"] in lines
    assert ["sum", "*1.5x", "-", "-"] in lines


# what is shown after measuring


def test_the_summary_compares_with_each_workloads_own_baseline():
    made = cells(
        *steady("python", {10: 1e-6, 100: 2e-6, 1000: 11e-6}, workload="recursion"),
        *steady("numpy", {10: 3e-6}, workload="recursion"),
        *steady("numpy", {10: EPS}, kind="Agreement", workload="recursion"),
    )
    tables, said = [], []
    for part in summary.summary(made):
        (tables if isinstance(part, Table) else said).append(part)
    assert [table.caption for table in tables] == [
        "recursion: time per call, and its ratio to python's",
        "recursion: t = k (c0 + c1 n), k = 3",
    ]
    assert said[0] == "\nAgreement with the references"
    assert said[1].startswith("recursion: all 1 results are within their tolerance")


# predict


def test_predictions_are_of_the_sizes_that_were_not_fitted():
    sizes = [1, 10, 100, 1000, 10_000]
    taken = {n: 1e-6 + 1e-8 * n for n in sizes} | {10: 1.5 * (1e-6 + 1e-7)}
    rows = predict.ask(cells(*steady("numpy", taken)))
    assert [(row.n, row.by) for row in rows] == [
        *((10, "interpolation"), (10, "model")),
        *((1000, "interpolation"), (1000, "model")),
    ]
    # The line through 1, 100 and 10,000 is the truth. Between 1 (1.01 us) and 100 (2 us) the chord in
    # logarithms is sqrt(1.01 x 2) = 1.421 us at 10, and the straight one 1.1 us, the lower; between
    # 100 and 10,000 (101 us) at 1000 they are 14.2 and 11 us.
    errors = pytest.approx([1 / 1.5 - 1, 1 / 1.5 - 1, 0, 0], abs=1e-9)
    assert [row.error for row in rows] == errors
    lines = [line.split() for line in shown(predict, rows).splitlines()]
    assert ["numpy", "interpolation", "2", "17%", "33%"] in lines
    assert ["numpy", "model", "(linear", "to)", "2", "17%", "33%"] in lines


# plan


SIZES = (10, 100, 1000, 10_000)


def plannable():
    line = {n: 1e-6 + 1e-8 * n for n in SIZES}
    return [
        *steady("numpy", line),
        *steady("numpy", line, kind="FirstCall"),
        *steady("jax_jit", {n: 1e-6 + 1e-9 * n for n in SIZES}),
        *steady("jax_jit", {n: 0.04 + 1e-9 * n for n in SIZES}, kind="FirstCall"),
    ]


def planned(n, calls, made=None):
    args = argparse.Namespace(workload="elementwise", n=str(n), calls=str(calls))
    answer = plan.ask(cells(*plannable()) if made is None else made, plan_command.options(args))
    return {row.backend: row for row in answer}


def test_a_plan_at_a_measured_size():
    rows = planned(1000, 10_000)
    assert rows["numpy"].total == pytest.approx(10_000 * 11e-6)  # 0.11 s
    assert rows["jax_jit"].total == pytest.approx(0.04 + 1e-6 + 9_999 * 2e-6)  # 0.06 s
    # each interval half a per mille: the two halves in squares
    half = np.hypot(0.0005 * 0.040001, 0.0005 * 9_999 * 2e-6)
    assert rows["jax_jit"].total_high - rows["jax_jit"].total == pytest.approx(half)
    assert rows["jax_jit"].best
    assert not rows["numpy"].best
    assert rows["numpy"].source == "measured"
    assert planned(1000, 100)["numpy"].best


def test_no_winner_is_named_while_a_candidate_has_no_time():
    made = cells(*plannable(), *steady("numba", dict.fromkeys(SIZES, 1e-6)))
    rows = planned(1000, 10_000, made)
    assert rows["numba"].total is None
    assert rows["numba"].reason == "first call not measured"
    assert not any(row.best for row in rows.values())
    answer = plan.ask(made, plan.Options("elementwise", 1000, 10_000))
    said = " ".join(shown(plan, answer).split())
    assert "no winner is named: a measurement of numba at n = 1,000 (first call" in said
    assert "*" not in said


def test_a_backend_that_does_not_run_a_size_is_no_candidate():
    python = {n: 1e-6 * n for n in SIZES}
    first = steady("python", python, kind="FirstCall")
    made = cells(*plannable(), *steady("python", python), *first)
    rows = planned(10**7, 100, made)  # python's limit is 10^6
    assert not rows["python"].candidate
    assert rows["python"].reason.startswith("python runs to n = ")
    assert any(row.best for row in rows.values())


def test_without_an_interval_of_all_the_winner_is_provisional():
    rows = plannable()
    made = cells(*rows)
    without = pl.when(pl.col("backend") == "numpy").then(None)
    made = made.with_columns(without.otherwise(name).alias(name) for name in ("ci_low", "ci_high"))
    found = planned(1000, 10_000, made)
    assert (found["jax_jit"].best, found["jax_jit"].provisional) == (True, True)
    assert found["numpy"].total_low is None
    answer = plan.ask(made, plan.Options("elementwise", 1000, 10_000))
    assert "(*)60.0 ms" in shown(plan, answer)


def test_a_plan_between_measured_sizes_is_interpolated():
    row = planned(500, 2)["numpy"]
    assert row.source == "interpolated"
    # Between 100 (2 us) and 1000 (11 us) the straight chord is the truth, 6 us. The one in logarithms
    # is 2 x 5.5^0.699 = 6.584 us, and higher: it is in the interval of both calls.
    assert row.total == pytest.approx(2 * 6e-6)
    assert row.total_high == pytest.approx(12e-6 + np.hypot(0.584e-6, 0.584e-6), rel=1e-3)


def test_a_first_call_between_two_measured_ones_is_drawn_between_them():
    """Compiling hardly depends on n, and a quick run has two sizes of it: too few for a fit."""
    made = cells(
        *steady("jax_jit", {n: 1e-6 + 1e-9 * n for n in SIZES}),
        *steady("jax_jit", {100: 0.040, 10_000: 0.050}, kind="FirstCall"),
    )
    row = planned(5050, 2, made)["jax_jit"]
    assert row.first_call == pytest.approx(0.045)  # half of the way
    assert row.total == pytest.approx(0.045 + 6.05e-6)
    # in logarithms: 0.04 x 1.25^(log 50.5 / log 100) = 0.0484
    assert row.total_high == pytest.approx(0.0484, rel=2e-3)


def quick():
    """Return what a quick run has of first calls: two sizes of jit's, none of the others'."""
    return cells(
        *steady("numpy", {n: 1e-6 + 1e-8 * n for n in SIZES}),
        *steady("jax_jit", {n: 1e-6 + 1e-9 * n for n in SIZES}),
        *steady("jax_jit", {100: 0.040, 10_000: 0.050}, kind="FirstCall"),
    )


@pytest.mark.parametrize(
    ("n", "near", "cost", "further"),
    [
        # 40 ms less 1.1 us at 100; 1.05 us is half way between the sizes 10 and 100
        (55, "100", 0.040 - 1.1e-6, 1.055e-6),
        # 50 ms less 11 us at 10,000; beyond it the model's
        (50_000, "10,000", 0.050 - 11e-6, 51e-6),
    ],
)
def test_beyond_the_first_calls_a_plan_takes_the_nearest_compile_cost(n, near, cost, further):
    rows = planned(n, 3, quick())
    jit = rows["jax_jit"]
    assert jit.first_call == pytest.approx(cost + further)
    assert jit.total == pytest.approx(cost + 3 * further)
    assert jit.source == "nearest"
    assert jit.note == f"its compile cost is that at n = {near}, the nearest size with a first call"
    assert jit.total_low < jit.total < jit.total_high
    # the first call's own interval is the larger part of it: half a per mille
    assert jit.total_high - jit.total == pytest.approx(0.0005 * cost, rel=0.02)
    said = " ".join(shown(plan, plan.ask(quick(), plan.Options("elementwise", n, 3))).split())
    assert f"jax_jit: {jit.note}" in said
    assert "~~~ beyond the measured first calls, with the nearest one's compile cost" in said


def test_what_compiles_nothing_needs_no_first_call():
    row = planned(1000, 5, quick())["numpy"]
    assert (row.first_call, row.total) == (row.steady_state, pytest.approx(5 * 11e-6))
    assert row.source == "measured"
    assert row.note == "nothing is compiled: its first call is taken for one in steady state"
    assert row.best
    # JAX compiles each operation by itself: its first call is none of the steady state
    made = cells(*steady("numpy", {10: 1e-6}), *steady("jax_eager", {10: 1e-6}))
    assert planned(10, 5, made)["jax_eager"].reason == "first call not measured"


def test_other_peoples_benchmarks_are_planned_by_their_names():
    sizes = ("10", "100", "1000")
    lu = others("solve.Time.time_lu", {"p0": sizes}, [2e-6 + 3e-9 * float(n) for n in sizes])
    made = choose(cells(*lu, unit="seconds"), alone=True).cells
    for name in ("time_lu", "solve.Time.time_lu"):
        (row,) = plan.ask(made, plan.Options(name, 100, 1000))
        assert row.total == pytest.approx(1000 * 2.3e-6)
    with pytest.raises(BadCallError, match="no workload 'lu'; there are elementwise"):
        plan.ask(made, plan.Options("lu", 100, 1000))


def test_a_plan_beyond_the_measured_sizes_is_the_models_and_says_so():
    row = planned(20_000, 2)["numpy"]
    assert row.source == "model"
    assert row.total == pytest.approx(2 * 201e-6)
    answer = plan.ask(cells(*plannable()), plan.Options("elementwise", 20_000, 2))
    said = " ".join(shown(plan, answer).split())
    assert "*~~402 µs" in said
    assert "~~ by the model, beyond the measured sizes" in said


@pytest.mark.parametrize(
    ("n", "calls", "said"),
    [
        ("1.5", "2", "n = '1.5' is not a whole number; give one of at least 1, like 1000 or 1e3"),
        ("10", "0", "calls = 0 is too small; give a whole number of at least 1"),
        ("10", "many", "calls = 'many' is not a whole number"),
        ("10", "1e400", "calls = '1e400' is not a whole number"),
    ],
)
def test_a_plan_for_no_size_or_no_calls_is_a_bad_call(n, calls, said):
    with pytest.raises(BadCallError, match=said):
        planned(n, calls)


def test_numbers_are_read_as_people_write_them():
    for n, calls in (("1e3", "10_000"), ("10**3", "10**4"), ("1,000", "1e4"), ("1000", "2*5000")):
        row = planned(n, calls)["numpy"]
        assert (row.n, row.calls) == (1000, 10_000)
        assert row.total == pytest.approx(10_000 * 11e-6)


# the command itself


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    assert f"example: jitcost {name}" in capsys.readouterr().out


def test_the_command_lists_its_commands(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for name, said_of_it in cli.COMMANDS.items():
        assert f"{name} " in said
        assert said_of_it in said


def test_results_that_are_missing_or_empty(tmp_path, capsys):
    assert cli.main(["fit", "--results", str(tmp_path / "absent")]) == 2
    assert cli.main(["fit", "--results", str(tmp_path)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2
    assert errors[0].startswith("jitcost: no results folder")
    assert errors[1].startswith("jitcost: no results in")


def reading(made):
    """Return what stands in for `read`, of a folder with these cells."""

    def read(folder, *, machine, commit):
        commit = None if commit == results.NEWEST else commit
        return results.select(made, machine=machine, commit=commit)

    return read


def test_json_is_strict_and_for_machines(tmp_path, monkeypatch, capsys):
    made = cells(*steady("numpy", {10: 4e-6, 100: float("inf")}), *steady("numba", {10: 2e-6}))
    monkeypatch.setattr(results, "read", reading(made))
    assert cli.main(["compare", "--results", str(tmp_path), "--json"]) == 0

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    rows = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert [row["time"] for row in rows] == [4e-6, 2e-6, None]
    assert [row["ratio"] for row in rows] == [1, 0.5, None]
    assert repr(rows[0]["n"]) == "10"
    for key in ("machine", "environment", "commit", "benchmark", "workload", "params"):
        assert key in rows[0]
    assert rows[0]["params"] == {}


def test_a_machine_or_commit_that_is_not_there(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(results, "read", reading(cells(*steady("numpy", {10: 4e-6}))))
    assert cli.main(["compare", "--results", str(tmp_path), "--machine", "nowhere"]) == 2
    assert cli.main(["compare", "--results", str(tmp_path), "--commit", "bbb"]) == 2
    assert cli.main(["breakeven", "--results", str(tmp_path)]) == 1  # no first calls among them
    assert cli.main(["crossover", "--results", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no crossover within the measured sizes\n"
    assert cli.main(["crossover", "--results", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    for command in ("crossover", "breakeven"):
        assert cli.main([command, "--results", str(tmp_path), "--baseline", "nosuch"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors == ["jitcost: no times of 'nosuch'; there are numpy"] * 2
