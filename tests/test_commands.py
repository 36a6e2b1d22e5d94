"""The questions, on cells made by hand, with answers worked out by hand."""

import argparse
import doctest
import importlib
import io
import json

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from jitcost import cli, units
from jitcost.commands import plan as plan_command
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions import (
    agreement,
    breakeven,
    c_ratios,
    claims,
    compare,
    crossover,
    fit,
    plan,
    predict,
    times,
)
from jitcost.questions.article import CLAIMS
from jitcost.show import summary
from jitcost.show.answers import agreement as agreement_sentences
from jitcost.show.answers import compare as compare_tables
from jitcost.show.table import Table
from jitcost.show.terminal import print_tables
from jitcost.stats.model import fit_line
from jitcost.stats.payback import break_even
from jitcost.stats.signs import Point, sign_changes
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
    assert lines[first + 1].split() == ["0.25x"]
    assert "*5.00 µs" in lines[first + 2]


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
    assert straight.verdict == "holds"
    assert straight.costs.k == 10
    assert straight.costs.call_cost == pytest.approx(1e-6)
    assert straight.costs.c0 == pytest.approx(1e-7)
    assert straight.costs.element_cost == pytest.approx(1e-8)
    jit = by_backend["jax_jit"]
    assert jit.verdict == "bends"
    assert jit.bends == pytest.approx([1e5], rel=0.05)
    assert [piece.element_cost for piece in jit.pieces] == pytest.approx([1e-9, 4e-9], rel=0.05)
    assert (by_backend["numba"].verdict, by_backend["numba"].reason) == ("no fit", "one size")
    json.dumps(rows.objects(), allow_nan=False)
    text = shown(fit, rows)
    assert "bends at 100,000" in text
    assert "numba: one size" in text


@pytest.mark.parametrize(("k", "counted"), [("4", 4), ("np.int64(3)", 3), ("'a'", 10), ("0", 10)])
def test_k_is_a_parameter_only_where_it_counts(k, counted):
    made = cells(*steady("numpy", {10: 1e-6}, params=json.dumps({"k": k})))
    assert fit.ask(made).rows[0].costs.k == counted


def test_what_is_no_time_is_not_fitted_as_one():
    made = cells(*steady("numpy", {1: 5.0, 10: 6.0, 100: 7.0}, unit="bytes"))
    assert fit.ask(made).rows[0].reason == "not times: the unit is bytes"


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


@pytest.mark.parametrize(
    ("cost", "interpreted", "compiled", "calls"),
    [
        # 796.98625 ms / 7.7836861 us = 102,391.9
        (796.98625e-3, 13.7641733e-6, 5.9804872e-6, 102_392),
        (19e-3, 2.66e-3, 0.46e-3, 9),  # the article's: 8.6
        (1.0, 1e-6, 1e-6, None),
        (1.0, 1e-6, 2e-6, None),
        (-1e-9, 2e-6, 1e-6, 1),  # a first call within the noise of the others
    ],
)
def test_break_even(cost, interpreted, compiled, calls):
    assert break_even(cost, interpreted, compiled) == calls


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
    assert (numba.calls, numba.calls_high, numba.verdict) == (57_971, None, "may pay")
    text = shown(breakeven, answer)
    assert "1,565 to 2,588" in text
    assert "to never" in text


def test_an_unknown_interval_leaves_everything_possible():
    made = cells(
        {"backend": "numpy", "n": 10.0, "value": 1.01},
        {"backend": "numba", "n": 10.0, "value": 1.0},
        {"backend": "numba", "n": 10.0, "value": 3.0, "kind": "FirstCall"},
    ).with_columns(ci_low=None, ci_high=None)
    assert [row.best for row in compare.ask(made)] == [True, True]
    assert crossover.ask(made).rows == ()
    (row,) = breakeven.ask(made)
    assert (row.calls, row.calls_low, row.calls_high) == (200, 1, None)  # 2 / 0.01


def test_times_of_zero_are_no_baseline():
    made = cells(*steady("numpy", {10: 0.0, 100: 1e-6}), *steady("numba", {10: 1e-6, 100: 2e-6}))
    assert [row.ratio for row in compare.ask(made)] == [None, None, 1, pytest.approx(2)]
    assert crossover.ask(made).rows == ()
    assert predict.ask(made).rows[0].measured == 1e-6


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


def test_sign_changes_are_all_found_and_none_invented():
    def changes(*points):
        found = sign_changes([Point(*point) for point in points])
        return [(change.n, change.n_low, change.n_high, change.falls) for change in found]

    assert changes((10, 2.0, True), (1000, 0.5, True)) == [(pytest.approx(100), 10, 1000, True)]
    up_and_down = changes((1, 0.5, True), (10, 2.0, True), (100, 0.5, True))
    assert [bounds for _, *bounds in up_and_down] == [[1, 10, False], [10, 100, True]]
    assert changes((1, 2.0, True), (10, 1.5, True)) == []
    # what is not significantly different widens the interval, and by itself is no crossing
    tied = [(1, 2.0, True), (10, 1.01, False), (100, 0.99, False), (1000, 0.5, True)]
    ((n, low, high, falls),) = changes(*tied)
    assert (low, high, falls) == (1, 1000, True)
    assert 10 < n < 100
    assert changes((1, 2.0, True), (10, 0.99, False), (100, 2.0, True)) == []


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
    assert rows[0].n == pytest.approx(8)


# times


def test_times_are_the_points_with_the_fastest_sample_where_there_are_samples():
    made = cells(
        {"backend": "numba", "n": 10.0, "value": 2e-6, "samples": [3e-6, 1e-6, 2e-6]},
        *steady("numpy", {100: 5e-6, 10: 4e-6}),
        *steady("numba", {10: 0.08}, kind="FirstCall"),
        *steady("numba", {10: 1e-6}, workload="recursion"),
    )
    found = times.ask(made, times.Options(("SteadyState", "FirstCall"), "elementwise"))
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
    assert [row.n for row in rows] == [10, 1000]
    assert [row.error for row in rows] == pytest.approx([1 / 1.5 - 1, 0], abs=1e-9)
    assert shown(predict, rows).split().count("33%") == 1


# plan


def planned(n, calls, made=None):
    sizes = (10, 100, 1000, 10_000)
    line = {n: 1e-6 + 1e-8 * n for n in sizes}
    made = (
        made
        if made is not None
        else cells(
            *steady("numpy", line),
            *steady("numpy", line, kind="FirstCall"),
            *steady("jax_jit", {n: 1e-6 + 1e-9 * n for n in sizes}),
            *steady("jax_jit", {n: 0.04 + 1e-9 * n for n in sizes}, kind="FirstCall"),
            *steady("numba", dict.fromkeys(sizes, 1e-6)),
        )
    )
    args = argparse.Namespace(workload="elementwise", n=str(n), calls=str(calls))
    return {row.backend: row for row in plan.ask(made, plan_command.options(args))}


def test_a_plan_at_a_measured_size():
    rows = planned(1000, 10_000)
    assert rows["numpy"].total == pytest.approx(10_000 * 11e-6)  # 0.11 s
    assert rows["jax_jit"].total == pytest.approx(0.04 + 1e-6 + 9_999 * 2e-6)  # 0.06 s
    assert rows["jax_jit"].best
    assert not rows["numpy"].best
    assert rows["numpy"].source == "measured"
    assert rows["numba"].total is None
    assert rows["numba"].reason == "not measured"
    assert planned(1000, 100)["numpy"].best


def test_a_plan_between_measured_sizes_is_by_the_fit():
    row = planned(500, 2)["numpy"]
    assert row.source == "fit"
    assert row.total == pytest.approx(2 * 6e-6)


def test_the_interval_of_a_planned_time_holds_it_however_few_sizes_there_are():
    rng = np.random.default_rng(5)
    for sizes in ((10, 100, 1000), (10, 100, 1000, 10_000), (1, 10, 100, 1000, 10_000, 100_000)):
        held = 0
        for _ in range(200):
            noisy = {n: (1e-6 + 1e-8 * n) * (1 + 0.05 * rng.standard_normal()) for n in sizes}
            line = fit_line(list(noisy), list(noisy.values()))
            low, high = line.interval(300)
            held += low <= 4e-6 * (1 + 0.05 * rng.standard_normal()) <= high
        assert 0.90 <= held / 200 <= 0.995, sizes


def test_a_first_call_between_two_measured_ones_is_drawn_between_them():
    """Compiling hardly depends on n, and a quick run has two sizes of it: too few for a fit."""
    sizes = (10, 100, 1000, 10_000)
    made = cells(
        *steady("jax_jit", {n: 1e-6 + 1e-9 * n for n in sizes}),
        *steady("jax_jit", {100: 0.040, 10_000: 0.050}, kind="FirstCall"),
    )
    row = planned(5050, 2, made)["jax_jit"]
    assert row.first_call == pytest.approx(0.045)
    assert row.total == pytest.approx(0.045 + 6.05e-6)
    assert row.total_low < 0.0401
    assert row.total_high > 0.0499
    with pytest.raises(NothingFoundError, match="jax_jit: measured for n = 100 to 10,000 only"):
        planned(50, 2, made)


def test_no_plan_outside_the_measured_sizes():
    with pytest.raises(NothingFoundError, match="numpy: measured for n = 10 to 10,000 only; jax_"):
        planned(20_000, 2)
    made = cells(
        *(steady("numpy", {10: 1e-6, 1000: 2e-6}) + steady("numba", {10: 1e-6, 100: 1e-6})),
        *steady("numpy", {10: 1e-6, 1000: 2e-6}, kind="FirstCall"),
        *steady("numba", {10: 1e-2, 100: 1e-2}, kind="FirstCall"),
    )
    row = planned(1000, 2, made)["numba"]
    assert row.total is None
    assert row.reason == "measured for n = 10 to 100 only"


@pytest.mark.parametrize(
    ("n", "calls", "said"),
    [("1e5", "2", "'1e5' is not a whole number"), ("10", "0", "n = 0 is too small")],
)
def test_a_plan_for_no_size_or_no_calls_is_a_bad_call(n, calls, said):
    with pytest.raises(BadCallError, match=said):
        planned(n, calls)


# claims


def article():
    """Return cells with the article's own figures: every claim must hold on them."""
    ladder = (10, 32, 100, 316, 1000)
    return cells(
        *steady(
            "numpy", {n: 8e-6 + 1e-8 * n for n in ladder} | {100_000: 2.7e-3, 10_000_000: 0.424}
        ),
        *steady("jax_jit", {100: 8e-6, 316: 41e-6, 100_000: 0.46e-3, 10_000_000: 21e-3}),
        *steady("jax_jit", {100: 0.015, 100_000: 0.01946, 10**7: 0.135}, kind="FirstCall"),
        *steady("jax_eager", {100: 120e-6}),
        *steady("jax_jit", {10**6: 0.029}, workload="recursion"),
        *steady("python", {10**6: 0.109}, workload="recursion"),
        *steady("numpy", {10**6: 0.388}, workload="recursion"),
        *steady("jax_eager", {1000: 0.13}, workload="recursion"),
        {
            "kind": "Agreement",
            "backend": "jax_jit",
            "n": 100.0,
            "value": 1.8e-15,
            "benchmark": "elementwise.Agreement.track_summand_difference",
        },
    )


def test_every_claim_holds_on_the_articles_own_figures():
    rows = claims.ask(article())
    assert len(rows) == len(CLAIMS)
    assert [row.claim for row in rows if row.holds is not True] == []
    ours = {row.claim: row.ours for row in rows}
    assert ours["elementwise, n = 10^5: compiling has paid after"] == "9 calls"
    assert ours["recursion, T = 10^6: scan under jit, per step"] == "29.0 ns"
    assert {row.statistic for row in rows} == {"median"}


def test_origins_are_judged_each_by_itself():
    two = [article().with_columns(env_vars=pl.lit(v)) for v in ('{"A": "1"}', '{"A": "2"}')]
    slow = pl.when(pl.col("backend") == "numpy").then(pl.col("value") * 100).otherwise("value")
    rows = claims.ask(pl.concat([two[0], two[1].with_columns(value=slow)]))
    ours = [row.ours for row in rows if row.claim == "elementwise, n = 100: NumPy"]
    assert ours == ["9.00 µs", "900 µs"]  # 8 us + 100 times 10 ns
    versions = pl.concat([article(), article().with_columns(version=pl.lit("2"))])
    first = claims.ask(versions).rows[1]
    assert first.holds is None
    assert first.note.startswith("measured more than once, by different versions: elementwise")


def test_no_claim_holds_on_another_planet():
    slow = pl.col("value") * pl.when(pl.col("backend") == "jax_jit").then(50).otherwise(0.02)
    rows = claims.ask(article().with_columns(value=slow))
    held = {row.claim for row in rows if row.holds}
    # c0 is 80 ns / 50 there, summands shrink, and what is slower stays so: orders, not times
    assert held == {
        "elementwise, n = 316: jit is slower than NumPy",
        "recursion, T = 10^6: NumPy scalars are slower than floats",
    }


def test_the_minimum_is_taken_where_all_samples_are_recorded():
    made = article().with_columns(
        samples=pl.when(pl.col("value") == 0.029).then(pl.lit([0.05, 0.028, 0.029, 0.04]))
    )
    answer = claims.ask(made)
    rows = {row.claim: row for row in answer}
    scan = rows["recursion, T = 10^6: scan under jit, per step"]
    assert (scan.ours, scan.statistic) == ("28.0 ns", "minimum")
    assert rows["elementwise, n = 100: NumPy"].statistic == "median"
    assert "ours: the median or the minimum" in shown(claims, answer)


def test_a_claim_about_what_was_not_measured_says_so():
    rows = claims.ask(cells(*steady("numpy", {100: 8e-6})))
    by_claim = {row.claim: row for row in rows}
    assert by_claim["elementwise, n = 100: NumPy"].holds is True
    jit = by_claim["elementwise, n = 100: jit"]
    assert jit.holds is None
    assert jit.note == "not measured: elementwise on jax_jit at n = 100 (SteadyState)"


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


def test_json_is_strict_and_for_machines(tmp_path, monkeypatch, capsys):
    made = cells(*steady("numpy", {10: 4e-6, 100: float("inf")}), *steady("numba", {10: 2e-6}))
    monkeypatch.setattr(results, "read", lambda folder: made)
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
    monkeypatch.setattr(results, "read", lambda folder: cells(*steady("numpy", {10: 4e-6})))
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
