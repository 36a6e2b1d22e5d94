"""The article's claims: what holds, what does not, what cannot be told, and how often that is wrong."""

import doctest
import io
import json
import math
import re

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from jitcost import cli
from jitcost.questions import claims, judges, judging
from jitcost.questions.article import CLAIMS
from jitcost.questions.judging import Need, Range, Times
from jitcost.show.answers import claims as tables_of_claims
from jitcost.show.terminal import print_tables
from making_cells import cells, experiment, steady

SMALLER_GAIN = (
    "the gain from scan over a loop on floats (T = 10^6) is smaller than jit's over NumPy "
    "(n = 10^5)"
)


def shown(answer, width=120):
    """Return an answer as a terminal shows it, with single blanks."""
    console = Console(width=width, record=True, file=io.StringIO())
    print_tables(tables_of_claims.tables(answer), console)
    return " ".join(console.export_text().split())


def by_claim(answer):
    return {row.claim: row for row in answer}


def article(**common):
    """Return cells with the article's own figures: every claim holds, every explanation is supported."""
    ladder = (10, 32, 100, 316, 1000, 3162)
    numpy = {n: 8e-6 + 1e-8 * n for n in ladder} | {100_000: 2.7e-3, 10_000_000: 0.424}
    jit = {10: 8e-6, 100: 8e-6, 316: 41e-6, 1000: 43e-6, 3162: 50e-6}
    jit |= {100_000: 0.46e-3, 10_000_000: 21e-3}
    variants = {
        "numpy": {1000: 18e-6},
        "jax_jit": {1000: 43e-6},
        "jax_jit_sync": {1000: 12e-6, 10**7: 21e-3},
        "jax_jit_1thread": {10**7: 40e-3},
        "jax_jit_fused": {10**7: 60e-3},
        "jax_jit_unfused": {10**7: 200e-3},
    }
    return cells(
        *steady("numpy", numpy),
        *steady("jax_jit", jit),
        *steady("jax_jit", {100: 0.015, 100_000: 0.01946, 10**7: 0.135}, kind="FirstCall"),
        *steady("jax_eager", {100: 120e-6}),
        *steady("jax_jit", {10**6: 0.029}, workload="recursion"),
        *steady("python", {10**6: 0.109}, workload="recursion"),
        *steady("numpy", {1000: 388e-6, 10**6: 0.388}, workload="recursion"),
        *steady("jax_eager", {1000: 0.13}, workload="recursion"),
        *experiment(variants),
        {
            "kind": "Agreement",
            "backend": "jax_jit",
            "n": 100.0,
            "value": 1.8e-15,
            "benchmark": "elementwise.Agreement.track_summand_difference",
        },
        **common,
    )


def test_the_examples_in_the_docstrings():
    for module in (judging, tables_of_claims):
        assert doctest.testmod(module).failed == 0
        assert doctest.testmod(module).attempted >= 1


# On the article's figures, and on others


def test_every_claim_holds_on_the_articles_own_figures():
    rows = claims.ask(article())
    assert len(rows) == len(CLAIMS) == 30
    assert {row.verdict for row in rows if not row.open} == {"holds"}
    assert [row.verdict for row in rows if row.open] == ["supported"] * 3
    found = by_claim(rows)
    assert found["elementwise, n = 10^5: compiling has paid after"].value == 9
    assert found["elementwise, n = 10^5: compiling costs C"].value == pytest.approx(0.019)
    assert found["elementwise, n = 10^5: a compiled call saves"].value == pytest.approx(2.24e-3)
    assert found["recursion, T = 10^6: scan under jit, per step"].value == pytest.approx(29e-9)
    # (109 / 29) / (2.7 / 0.46)
    gains = found[SMALLER_GAIN]
    assert gains.value == pytest.approx(0.6404, abs=1e-4)
    by_statistic = {row.statistic: row.claim for row in rows}
    assert by_statistic.keys() == {"median of the samples", None}
    assert by_statistic[None].startswith("the summands by jit and by NumPy differ")  # no time


def test_no_claim_holds_on_another_planet():
    slow = pl.col("value") * pl.when(pl.col("backend") == "jax_jit").then(50).otherwise(0.02)
    made = article().with_columns(
        value=slow, ci_low=slow * 0.9995, ci_high=slow * 1.0005, params=pl.lit("{}")
    )
    held = {row.claim for row in claims.ask(made) if row.verdict == "holds"}
    # What is slower stays so, and the gains of scan and of jit shrink alike: orders, not times
    assert held == {
        "elementwise, n = 100: JAX one operation at a time is slower than NumPy",
        "elementwise, n = 316: jit is slower than NumPy",
        "elementwise, n = 300 to 3,000: jit is slower than NumPy",
        "recursion, T = 10^6: NumPy scalars are slower than floats",
        "recursion, T = 1,000: a loop over JAX operations is slower by far",
        SMALLER_GAIN,
    }


def test_origins_are_judged_each_by_itself():
    two = [article().with_columns(env_vars=pl.lit(v)) for v in ('{"A": "1"}', '{"A": "2"}')]
    slow = pl.when(pl.col("backend") == "numpy").then(pl.col("value") * 100).otherwise("value")
    rows = claims.ask(pl.concat([two[0], two[1].with_columns(value=slow)]))
    ours = [row.value for row in rows if row.claim == "elementwise, n = 100: NumPy"]
    assert ours == pytest.approx([9e-6, 900e-6])  # 8 us + 100 times 10 ns


def test_two_versions_of_a_benchmark_are_not_judged_and_that_is_said():
    versions = pl.concat([article(), article(version="2")])
    row = by_claim(claims.ask(versions))["elementwise, n = 100: NumPy"]
    assert row.verdict == "not measured"
    assert row.note == (
        "measured more than once, by different versions: elementwise on numpy at n = 100"
    )


# The three verdicts


def judged(judge, *rows):
    """Return the figure that a judge makes of these cells."""
    return judge(Times(cells(*rows)))


NUMPY, JIT = Need("elementwise", "numpy", 100), Need("elementwise", "jax_jit", 100)
FIRST = Need("elementwise", "jax_jit", 100, "FirstCall")


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ((17.0, 17.5, 18.0, 17.2, 17.1), "holds"),
        ((17.0, 17.5, 18.1, 17.2, 17.1), "cannot tell"),
        ((18.1, 18.2, 18.3, 18.4, 19.0), "does not hold"),
        ((3.4, 3.3, 3.2, 3.1, 3.0), "does not hold"),
        ((3.4, 4.0, 4.1, 4.2, 4.3), "cannot tell"),
        ((1.0, 5.0, 9.0, 20.0, 30.0), "cannot tell"),  # beyond both ends
        ((8.0, 8.0), "cannot tell"),  # of two processes there is no interval
    ],
)
def test_a_time_is_held_against_twice_and_half_of_the_articles(numbers, verdict):
    """7 to 9 us: from 3.5 to 18, and the interval of five goes from the smallest to the largest."""
    row = by_claim(claims.ask(cells(*steady("numpy", {100: tuple(1e-6 * x for x in numbers)}))))[
        "elementwise, n = 100: NumPy"
    ]
    assert row.verdict == verdict
    if len(numbers) > 2:
        assert (row.low, row.high) == (1e-6 * min(numbers), 1e-6 * max(numbers))
        assert (row.interval, row.statistic) == ("of processes", "median of the processes")
    else:
        assert (row.low, row.interval) == (None, "none")


# Five processes around 1, some per cent apart.
AROUND = (0.97, 0.99, 1.0, 1.02, 1.04)


def around(seconds):
    return tuple(seconds * factor for factor in AROUND)


@pytest.mark.parametrize(
    ("jit", "verdict"), [(1.3, "holds"), (1.01, "cannot tell"), (0.8, "does not hold")]
)
def test_slower_is_by_the_interval_of_the_ratio(jit, verdict):
    rows = *steady("numpy", {100: around(1.0)}), *steady("jax_jit", {100: around(jit)})
    found = judged(judges.a_ratio(JIT, NUMPY), *rows)
    assert found.verdict == verdict
    assert found.value == pytest.approx(jit)  # equal processes: the trimmed means' ratio is exact


@pytest.mark.parametrize(
    ("jit", "without", "verdict"),
    [
        (1.5, 0.9, "holds"),
        (1.5, 1.01, "cannot tell"),
        (1.5, 1.3, "does not hold"),  # slower without the cause, too
        (1.01, 0.9, "cannot tell"),  # not slower with it: there is nothing to explain
        (0.8, 0.7, "cannot tell"),
        (0.8, 1.3, "cannot tell"),
    ],
)
def test_a_cause_explains_what_is_slower_with_it_alone(jit, without, verdict):
    judge = judges.explained(JIT, NUMPY, Need("elementwise", "jax_jit_sync", 100))
    times = {"numpy": 1.0, "jax_jit": jit, "jax_jit_sync": without}
    rows = [row for name, time in times.items() for row in steady(name, {100: around(time)})]
    found = judged(judge, *rows)
    assert found.verdict == verdict
    assert found.value == pytest.approx(without)


def test_slower_at_all_sizes_is_refuted_by_one_and_told_by_all():
    judge = judges.slower_at_all("jax_jit", "numpy", "elementwise", (100, 1000))

    def verdict(at_100, at_1000):
        rows = (
            *steady("numpy", {n: around(1.0) for n in (100, 1000)}),
            *steady("jax_jit", {100: around(at_100), 1000: around(at_1000)}),
        )
        return judged(judge, *rows).verdict

    assert verdict(1.3, 1.5) == "holds"
    assert verdict(1.3, 1.0) == "cannot tell"
    assert verdict(1.3, 0.8) == "does not hold"


def test_compiling_that_never_pays_has_not_paid_after_nine_calls():
    rows = [*steady("numpy", {100: around(1.0)}), *steady("jax_jit", {100: around(2.0)})]
    rows += steady("jax_jit", {100: around(20.0)}, kind="FirstCall")
    found = judged(judges.calls_until_paid(FIRST, NUMPY, JIT, Range.about(9)), *rows)
    assert (found.value, found.verdict) == (None, "does not hold")


def test_the_compile_cost_is_the_first_call_less_one_in_steady_state():
    rows = [*steady("jax_jit", {100: (1.0,) * 5})]
    rows += steady("jax_jit", {100: (20.0, 21.0, 22.0, 23.0, 24.0)}, kind="FirstCall")
    found = judged(judges.a_compile_cost(FIRST, JIT, Range(19, 23)), *rows)
    assert (found.low, found.value, found.high, found.verdict) == (19, 21, 23, "holds")
    found = judged(judges.a_compile_cost(FIRST, JIT, Range(19, 22.9)), *rows)
    assert found.verdict == "cannot tell"


def test_without_bounds_a_compile_cost_has_no_interval():
    rows = [
        *steady("jax_jit", {100_000: 1e-3}),
        *steady("jax_jit", {100_000: 20e-3}, kind="FirstCall"),
    ]
    made = cells(*rows).with_columns(ci_low=None, ci_high=None)
    row = by_claim(claims.ask(made.cast(cells().schema)))[
        "elementwise, n = 10^5: compiling costs C"
    ]
    assert (row.value, row.low, row.high) == (pytest.approx(19e-3), None, None)
    assert (row.verdict, row.interval) == ("cannot tell", "none")
    assert tables_of_claims.measured_text(row) == "19.0 ms"


@pytest.mark.parametrize(("numpy", "jit"), [(0.0, 9e-6), (9e-6, 0.0), (0.0, 0.0)])
def test_a_time_of_zero_is_not_judged_and_that_is_said(numpy, jit):
    rows = [*steady("numpy", {100: numpy}), *steady("jax_jit", {100: jit})]
    made = cells(*rows).with_columns(ci_low=pl.lit(0.0), ci_high=pl.lit(10e-6))
    answer = claims.ask(made)
    row = by_claim(answer)["elementwise, n = 100: jit and NumPy take the same time"]
    zero = "numpy" if jit else "jax_jit"
    assert (row.verdict, row.missing) == ("not measured", ())
    assert row.note == f"zero, or beyond all bounds: elementwise on {zero} at n = 100"
    assert row.note in shown(answer)


@pytest.mark.parametrize("workload", ["elementwise", "recursion"])
def test_a_lower_bound_of_zero_bounds_no_gain(workload):
    bound = pl.when(pl.col("workload") == workload).then(0.0).otherwise("ci_low")
    row = by_claim(claims.ask(article().with_columns(ci_low=bound)))[SMALLER_GAIN]
    assert (row.low, row.high, row.verdict) == (None, None, "cannot tell")
    assert row.value == pytest.approx(0.6404, abs=1e-4)


@pytest.mark.parametrize(
    ("jit", "break_even", "said"),
    [
        (0.5, "pays", r"40 calls \[3\d, 4\d\]"),  # 19.57 / 0.5017, rounded up
        (1.005, "cannot tell", r"cannot tell \[\d{3,}, never\]"),  # and not never
        (2.0, "never", "never"),
    ],
)
def test_where_nobody_can_tell_whether_compiling_pays_that_is_said(jit, break_even, said):
    rows = [*steady("numpy", {100_000: around(1.0)}), *steady("jax_jit", {100_000: around(jit)})]
    rows += steady("jax_jit", {100_000: around(20.0)}, kind="FirstCall")
    row = by_claim(claims.ask(cells(*rows)))["elementwise, n = 10^5: compiling has paid after"]
    assert row.break_even == break_even
    assert re.fullmatch(said, tables_of_claims.measured_text(row))
    assert row.verdict == "does not hold"


def test_first_calls_are_within_a_range_if_all_are():
    judge = judges.all_first_calls(Need("elementwise", "jax_jit", None, "FirstCall"), Range(1, 10))

    def verdict(**by_size):
        times = {int(name[1:]): around(seconds) for name, seconds in by_size.items()}
        return judged(judge, *steady("jax_jit", times, kind="FirstCall")).verdict

    assert verdict(n1=2.0, n10=9.0) == "holds"
    assert verdict(n1=2.0, n10=10.0) == "cannot tell"
    assert verdict(n1=2.0, n10=20.0) == "does not hold"


def test_a_difference_is_a_fact_and_has_no_noise():
    made = article().with_columns(
        value=pl.when(pl.col("kind") == "Agreement").then(2e-15).otherwise("value")
    )
    row = by_claim(claims.ask(made))["the summands by jit and by NumPy differ by less than"]
    assert (row.verdict, row.value, row.low, row.high) == ("does not hold", *[2e-15] * 3)


def test_the_order_of_a_microsecond_ends_at_the_root_of_ten():
    def verdict(c0):
        times = {n: around(10 * (c0 + 1e-9 * n)) for n in (10, 32, 100, 316, 1000)}
        rows = by_claim(claims.ask(cells(*steady("numpy", times))))
        return rows["an operation's fixed cost in NumPy is of the order of a microsecond"].verdict

    assert [verdict(c0) for c0 in (1e-6, 5e-6, 0.2e-6)] == ["holds", *["does not hold"] * 2]
    assert verdict(math.sqrt(10) * 1e-6) == "cannot tell"


# How often a verdict is wrong: processes 5 % apart, and a truth just beside an end of the range

LEVEL = 0.05
DRAWS = 1000


def drawn(rng, truth):
    """Return five processes whose median is the truth, 5 % apart."""
    return tuple(truth * np.exp(rng.normal(0, 0.05, 5)))


def paid(rng, calls):
    """Return the cells of a function that has paid after so many calls: a call saves a half."""
    return [
        *steady("numpy", {100: drawn(rng, 1.0)}),
        *steady("jax_jit", {100: drawn(rng, 0.5)}),
        *steady("jax_jit", {100: drawn(rng, 0.5 * calls + 0.5)}, kind="FirstCall"),
    ]


SIMULATED = {  # a judge, cells by the true figure, and the end of the range
    "a time": (
        judges.a_time(NUMPY, Range(0.5, 2.0)),
        lambda rng, truth: steady("numpy", {100: drawn(rng, truth)}),
        2.0,
    ),
    "a ratio": (
        judges.a_ratio(NUMPY, JIT, Range.about(5.9)),
        lambda rng, truth: [
            *steady("numpy", {100: drawn(rng, truth)}),
            *steady("jax_jit", {100: drawn(rng, 1.0)}),
        ],
        11.8,
    ),
    "slower": (  # truth beside 1 on the other side: a claim that holds above it
        judges.a_ratio(NUMPY, JIT, Range(0.0, 1.0)),
        lambda rng, truth: [
            *steady("numpy", {100: drawn(rng, truth)}),
            *steady("jax_jit", {100: drawn(rng, 1.0)}),
        ],
        1.0,
    ),
    "first calls": (
        judges.all_first_calls(Need("elementwise", "jax_jit", None, "FirstCall"), Range(0.0, 1.0)),
        lambda rng, truth: [
            row
            for n in (1, 10, 100, 1000)
            for row in steady("jax_jit", {n: drawn(rng, truth)}, kind="FirstCall")
        ],
        1.0,
    ),
    "paid": (judges.calls_until_paid(FIRST, NUMPY, JIT, Range(0, 18.0)), paid, 18.0),
}


@pytest.mark.parametrize("kind", SIMULATED)
@pytest.mark.parametrize(
    ("beside", "wrong"), [(0.999, "does not hold"), (1.001, "holds")], ids=["inside", "outside"]
)
def test_a_truth_just_beside_the_end_is_judged_wrongly_no_more_often_than_the_level(
    kind, beside, wrong
):
    judge, made, end = SIMULATED[kind]
    rng = np.random.default_rng(17)
    verdicts = [judged(judge, *made(rng, beside * end)).verdict for _ in range(DRAWS)]
    assert verdicts.count(wrong) <= LEVEL * DRAWS
    assert verdicts.count("cannot tell") > 0.8 * DRAWS


@pytest.mark.parametrize("kind", SIMULATED)
def test_a_truth_far_from_the_end_is_judged_rightly(kind):
    judge, made, end = SIMULATED[kind]
    rng = np.random.default_rng(18)
    for truth, right in ((0.6 * end, "holds"), (1.7 * end, "does not hold")):
        verdicts = [judged(judge, *made(rng, truth)).verdict for _ in range(50)]
        assert verdicts.count(right) >= 45


# What is known of the times


def test_a_time_is_the_median_of_the_processes_where_they_are_known():
    """The fastest samples of the scan's five processes are 28, 29, 30, 31 and 40 ms."""
    samples = [0.05, 0.028, 0.029, 0.05, 0.03, 0.06, 0.031, 0.05, 0.05, 0.04]
    recorded = (pl.col("workload") == "recursion") & (pl.col("backend") == "jax_jit")
    made = article().with_columns(
        samples=pl.when(recorded).then(pl.lit(samples)),
        processes=pl.when(recorded).then(5),
    )
    answer = claims.ask(made)
    rows = by_claim(answer)
    scan = rows["recursion, T = 10^6: scan under jit, per step"]
    assert (scan.value, scan.statistic) == (pytest.approx(30e-9), "median of the processes")
    assert rows["elementwise, n = 100: NumPy"].statistic == "median of the samples"
    said = shown(answer)
    assert (
        "Measured here: the median of each process's fastest sample or the median of all samples"
        in said
    )
    assert "the interval of samples, which is too narrow, of the value measured here" in said


def test_a_claim_about_two_times_takes_one_statistic_of_both():
    """NumPy's processes are known, the list's are not: of both, asv's median of the samples."""
    known = (
        (pl.col("workload") == "recursion") & (pl.col("backend") == "numpy") & (pl.col("n") == 1e6)
    )
    made = article().with_columns(
        samples=pl.when(known).then(pl.lit([0.2, 0.2, 0.2])), processes=pl.when(known).then(3)
    )
    rows = by_claim(claims.ask(made))
    slower = rows["recursion, T = 10^6: NumPy scalars are slower than floats"]
    assert (slower.value, slower.interval) == (pytest.approx(388 / 109), "of samples")
    alone = rows["recursion, T = 10^6: loop over NumPy scalars, per step"]
    assert (alone.value, alone.interval) == (pytest.approx(200e-9), "of processes")


# What is shown


def test_what_was_not_measured_is_said_in_a_few_lines_with_the_command_that_measures_it():
    answer = claims.ask(cells(*steady("numpy", {100: 8e-6})))
    rows = by_claim(answer)
    assert rows["elementwise, n = 100: NumPy"].verdict == "holds"
    jit = rows["elementwise, n = 100: jit"]
    assert (jit.verdict, jit.value, jit.low) == ("not measured", None, None)
    assert jit.missing == (JIT,)
    (table,) = tables_of_claims.tables(answer)
    *_, missing, explanations = table.remarks
    assert missing.startswith(
        "not measured: elementwise on jax_jit at n = 10, on jax_jit and jax_eager at n = 100, on "
        "jax_jit and numpy at n = 316, "
    )
    assert "recursion on jax_jit, python and numpy at n = 1,000,000" in missing
    assert missing.endswith("To measure it: jitcost bench elementwise recursion --full")
    assert explanations == (
        "what the article leaves open was not measured. "
        "To measure it: jitcost bench elementwise --variants"
    )
    assert sum(map(len, table.remarks)) < 800


def test_what_is_missing_of_an_explanation_is_measured_as_variants():
    answer = claims.ask(cells(*experiment({"jax_jit_fused": {10**7: 1.0}, "numpy": {1000: 1.0}})))
    (table,) = tables_of_claims.tables(answer)
    assert (
        table.caption == "The article's claims on m: 27 not measured"
    )  # nothing was, so the first
    made = experiment({"jax_jit_fused": {10**7: 1.0}, "jax_jit_unfused": {10**7: 2.0}})
    (table,) = tables_of_claims.tables(claims.ask(cells(*made)))
    assert table.caption == "The article's open questions on m: 1 supported, 2 not measured"
    (missing,) = table.remarks
    assert missing.startswith(
        "not measured: variants of elementwise: on jax_jit, numpy and jax_jit_sync at n = 1,000, "
    )
    assert missing.endswith("To measure it: jitcost bench elementwise --variants")


def test_what_more_processes_would_tell_is_measured_by_the_command_for_it():
    # 9 to 18.5 us reaches across 18; without the hand-off between nine and eleven tenths of NumPy's
    numpy = steady("numpy", {100: (9e-6, 10e-6, 12e-6, 17e-6, 18.5e-6)})
    made = {
        "numpy": {1000: around(1.0)},
        "jax_jit": {1000: around(2.0)},
        "jax_jit_sync": {1000: (0.9, 0.95, 1.0, 1.05, 1.1)},
    }
    claimed, open_ = tables_of_claims.tables(claims.ask(cells(*numpy, *experiment(made))))
    more = (
        "more processes would narrow the interval, unless the value lies at an end of the range: "
    )
    commands = [
        remark.partition(more)[2]
        for table in (claimed, open_)
        for remark in table.remarks
        if more in remark
    ]
    assert commands == [
        "jitcost bench elementwise recursion --full --processes 10",
        "jitcost bench elementwise --variants --processes 10",
    ]
    assert claimed.caption.endswith(": 1 undecided, 26 not measured")
    assert open_.caption.endswith(": 1 undecided, 2 not measured")


def test_what_the_article_leaves_open_is_told_where_its_variants_were_measured():
    full = article(commit="a" * 40).filter(pl.col("kind") != "Variants")
    experiments = article(commit="b" * 40).filter(kind="Variants")
    made = pl.concat([full, experiments])
    rows = claims.most_measured(claims.ask(made), made)
    assert {(row.open, row.origin.commit[0], row.verdict) for row in rows} == {
        (False, "a", "holds"),
        (True, "b", "supported"),
    }
    claimed, open_ = tables_of_claims.tables(rows)
    assert claimed.caption == "The article's claims on m at aaaaaaaa: 27 hold"
    assert open_.caption == "The article's open questions on m at bbbbbbbb: 3 supported"


def test_the_claims_of_an_origin_that_is_preferred_are_taken():
    full, few = article(commit="a" * 40), cells(*steady("numpy", {100: 8e-6}), commit="b" * 40)
    made = pl.concat([full, few])
    answer = claims.ask(made)
    preferred = [row.origin for row in answer if row.origin.commit[0] == "b"][:1]
    rows = claims.most_measured(answer, made, preferred)
    assert {(row.open, row.origin.commit[0]) for row in rows} == {(False, "b"), (True, "a")}
    rows = claims.most_measured(answer, made, experiments=preferred)
    assert {(row.open, row.origin.commit[0]) for row in rows} == {(False, "a"), (True, "b")}


def test_each_machine_is_a_block_with_its_counts():
    slow = pl.col("value") * 100
    other = article(machine="other").with_columns(
        value=slow, ci_low=slow * 0.9995, ci_high=slow * 1.0005
    )
    answer = claims.ask(pl.concat([article(), other]))
    first, explained, second, also_explained = tables_of_claims.tables(answer)
    assert first.caption == "The article's claims on m: 27 hold"
    assert explained.caption == "The article's open questions on m: 3 supported"
    other = [row for row in answer if row.origin.machine == "other" and not row.open]
    count = sum(row.verdict == "holds" for row in other)
    assert 1 < count < 26
    assert second.caption == (
        f"The article's claims on other: {count} hold, {27 - count} do not hold"
    )
    # A machine that is slower as a whole is explained alike.
    assert also_explained.caption == "The article's open questions on other: 3 supported"
    reasons = [remark for remark in second.remarks if remark.startswith("an absolute time")]
    assert len(reasons) == 1  # one line for all of them
    assert reasons[0].count(";") >= 10


def test_figures_are_read_with_their_intervals_and_units():
    said = shown(claims.ask(article()), width=200)
    for text in ("9.00 [9.00, 9.00] µs", "5.87x [5.86, 5.88]", "9 calls [9, 9]", "1.8e-15"):
        assert text in said
    assert "ratio from 7/9 to 9/7" in said
    assert "ratio from 7/9 to 9/7" not in shown(claims.ask(article()), width=100)  # no room


def test_the_objects_hold_the_figure_the_interval_and_the_verdict():
    for found in claims.ask(article()).objects():
        assert found["verdict"] == ("supported" if found["open"] else "holds")
        assert found["means"]
        assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert {"value", "low", "high", "unit", "interval", "statistic", "missing"} <= found.keys()


def test_of_each_machine_the_fullest_results_are_shown_of_such_the_newest(capsys, monkeypatch):
    few = cells(*steady("numpy", {100: 8e-6}), commit="c" * 40)
    made = pl.concat([article(commit="a" * 40), article(commit="b" * 40), few])
    dates = pl.col("commit").replace_strict({"a" * 40: 1, "b" * 40: 2, "c" * 40: 3})
    made = made.with_columns(date=pl.from_epoch(dates * 86_400).dt.replace_time_zone("UTC"))
    assert {row.origin.commit for row in claims.most_measured(claims.ask(made), made)} == {"b" * 40}
    monkeypatch.setattr("jitcost.commands._common.selected_cells", lambda _: made)
    assert cli.main(["claims", "--json"]) == 0
    printed = capsys.readouterr()
    assert {row["commit"] for row in json.loads(printed.out)} == {"b" * 40}
    assert "shown is the newest with most claims, at bbbbbbbb; left out: at cccccccc" in printed.err
    assert cli.main(["claims", "--json", "--all-origins"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 3 * len(CLAIMS)
