"""What the questions say of a person's own functions: problems of any name, versions, no spec."""

import doctest
import math

import pytest
from matplotlib.figure import Figure

from jitcost.backends import registry
from jitcost.errors import BadCallError
from jitcost.questions import (
    agreement,
    breakeven,
    claims,
    compare,
    crossover,
    fit,
    groups,
    history,
    known_times,
    plan,
    predict,
    times,
)
from jitcost.questions.groups import Benchmark, Origin, backend_order, baseline_of, steady_and_first
from jitcost.show.answers import change_words
from jitcost.show.answers import compare as compare_tables
from jitcost.show.answers import fit as fit_tables
from jitcost.show.figures import questions as figures
from jitcost.show.report.planner import planner_data
from jitcost.stats import candidates
from making_cells import cells, steady
from test_stats_exponents import MEASURED
from test_stats_exponents import SIZES as MATRICES

SIZES = (10, 100, 1_000, 10_000, 100_000)
ORIGIN = Origin("m", "e", {}, "a" * 40)
STEADY, FIRST = "own.{}.SteadyState.time_call", "own.{}.FirstCall.time_first_call"


def five(time):
    return tuple(time * factor for factor in (0.98, 0.99, 1.0, 1.01, 1.02))


def own(backend, times, problem="rbf", **common):
    """Return the rows of one backend's times by n, five processes each, in steady state."""
    named = {"workload": problem, "benchmark": STEADY.format(problem)}
    return steady(backend, {n: five(t) for n, t in times.items()}, **named | common)


def own_first(backend, times, problem="rbf"):
    return own(backend, times, problem, benchmark=FIRST.format(problem), kind="FirstCall")


def line(call, element):
    return {n: call + element * n for n in SIZES}


def matrices(**common):
    return cells(
        *(
            row
            for backend, times in MEASURED.items()
            for row in steady(backend, dict(zip(MATRICES, map(tuple, times), strict=True)))
        ),
        **{"workload": "rbf", "benchmark": STEADY.format("rbf")} | common,
    )


def test_a_problem_with_a_workloads_name_is_none():
    made = cells(*own("numpy", line(4e-6, 1e-9), "elementwise"))
    (row,) = fit.ask(made)
    assert (row.of.own, row.of.spec, row.costs.k) == (
        True,
        None,
        1,
    )  # elementwise has ten operations
    assert row.costs.c0 == pytest.approx(4e-6, rel=0.01)
    ours = Benchmark(ORIGIN, "elementwise", {}, "elementwise.SteadyState.time_call", "1")
    assert (ours.own, ours.spec.k) == (False, 10)
    assert ours.title == "elementwise"
    assert row.of.title == "own elementwise"
    assert Benchmark(ORIGIN, "rbf", {}, STEADY.format("rbf"), "1").title == "rbf"


@pytest.mark.parametrize(("make", "said"), [(own, False), (steady, True)])
def test_no_limit_and_no_words_of_the_suites_are_said_of_it(make, said):
    name = {"problem": "recursion"} if make is own else {"workload": "recursion"}
    sizes = {n: 1e-8 * n for n in (10, 100, 10**6, 10**7)}
    made = cells(*make("jax_eager", {10: 1e-3}, **name), *make("numpy", sizes, **name))
    (table,) = compare_tables.tables(compare.ask(made))
    assert any("jax_eager runs to" in remark for remark in table.remarks) is said
    (panel,) = figures.compare(compare.ask(made)).panels
    assert bool(panel.subtitle) is said
    assert compare.ask(made).rows[0].baseline == ("python" if said else "numpy")


def test_own_and_the_suites_are_never_mixed():
    ours = [
        *steady("numpy", line(1e-5, 1e-8)),
        *steady("numba", line(1e-6, 1e-9)),
        *steady("numba", line(0.5, 0), kind="FirstCall"),
    ]
    theirs = [
        *own("numpy", line(2e-5, 2e-8), "elementwise"),
        *own("numba", line(1e-6, 1e-9), "elementwise"),
        *own_first("numba", line(0.1, 0), "elementwise"),
    ]
    made = cells(*ours, *theirs)
    assert [(of.own, first["value"][0]) for of, _, first in steady_and_first(made)] == [
        (False, 0.5),
        (True, pytest.approx(0.1, rel=0.05)),
    ]
    costs = {row.of.own: row.cost for row in breakeven.ask(made) if row.n == 10}
    assert costs == {False: pytest.approx(0.5, rel=0.05), True: pytest.approx(0.1, rel=0.05)}
    captions = [table.caption for table in compare_tables.tables(compare.ask(made))]
    assert [caption.split(":")[0] for caption in captions] == ["elementwise", "own elementwise"]
    known = known_times.ask(made)
    assert [one["workload"] for one in planner_data(known)] == ["elementwise", "own elementwise"]
    planned = plan.ask(made, plan.Options("elementwise", 1_000, 10))
    assert [row.of.own for row in planned] == [False, False, True, True]


def test_over_commits_own_and_the_suites_first_calls_are_each_their_own():
    def at(commit, scale):
        return [
            {**row, "commit": commit * 40, "date": ord(commit)}
            for row in [
                *own("numpy", line(2e-5, 2e-8), "elementwise"),
                *own("numba", line(1e-6, 1e-9), "elementwise"),
                *own_first("numba", line(0.1 * scale, 0), "elementwise"),
                *steady("numba", line(0.5, 0), kind="FirstCall"),
                *steady("numpy", line(1e-5, 1e-8)),
                *steady("numba", line(1e-6, 1e-9)),
            ]
        ]

    rows = history.over_commits(cells(*at("a", 1), *at("b", 2)))
    found = {
        row.title: [point.value for point in row.points]
        for row in rows
        if (row.quantity, row.n) == ("C", 10.0)
    }
    assert found == {
        "own elementwise": [pytest.approx(0.1, rel=0.02), pytest.approx(0.2, rel=0.02)],
        "elementwise": [pytest.approx(0.5, rel=0.02)] * 2,
    }


def test_the_articles_claims_and_the_tolerances_are_the_suites():
    made = cells(*own("numpy", {100: 8e-6}, "elementwise"), n=100.0)
    assert not claims.ask(made)
    wrong = {"n": 10.0, "backend": "numpy", "value": 1.0, "kind": "Agreement"}
    name = "elementwise.Agreement.track_max_relative_error"
    assert len(agreement.ask(cells(wrong, benchmark=name))) == 1
    assert not agreement.ask(cells(wrong, benchmark=f"own.{name}"))


@pytest.mark.parametrize(
    ("timed", "baseline"),
    [
        (("numba", "numpy", "python"), "numpy"),
        (("numba", "python"), "python"),
        (("jax_eager", "jax_jit"), "jax_eager"),
        (("numba", "julia"), "numba"),
        (("numba", "numpy__loops", "python"), "numpy__loops"),
        (("numpy__loops", "numpy"), "numpy"),
        (("fortran", "numba__b", "numba__a"), "numba__a"),
        (("rust", "fortran"), "fortran"),
    ],
)
def test_the_baseline_where_there_is_no_spec(timed, baseline):
    made = cells(*(row for name in timed for row in own(name, line(1e-6, 1e-9))))
    assert {row.baseline for row in compare.ask(made)} == {baseline}
    ratios = [row.ratio for row in compare.ask(made) if row.backend == baseline]
    assert ratios == [1.0] * len(SIZES)
    of = compare.ask(made).rows[0].of
    assert baseline_of(of, made) == baseline


def test_the_baseline_of_a_workload_is_what_its_spec_names_even_where_it_was_not_timed():
    made = cells(*steady("numba", line(1e-6, 1e-9), workload="recursion"))
    assert {row.baseline for row in compare.ask(made)} == {"python"}


def test_versions_come_right_after_their_backend():
    names = ["julia", "numba__b", "own_c", "numba", "numba__a", "jax_jit", "cpp__x", "python"]
    assert backend_order(cells(*({"backend": name, "n": 1.0, "value": 1.0} for name in names))) == [
        *("python", "jax_jit", "numba", "numba__a", "numba__b", "julia", "cpp__x", "own_c")
    ]


def test_a_version_of_what_compiles_has_to_pay():
    made = cells(
        *own("numpy", line(1e-5, 1e-8)),
        *own("numpy__loops", line(2e-5, 1e-8)),
        *own("numba__parallel", line(1e-6, 1e-9)),
        *own_first("numpy__loops", line(0.1, 0)),
        *own_first("numba__parallel", line(0.1, 0)),
    )
    found = [
        (row.backend, row.baseline, row.verdict) for row in breakeven.ask(made) if row.n == 1e5
    ]
    assert found == [("numba__parallel", "numpy", "pays")]
    (row,) = (row for row in breakeven.ask(made) if row.n == 1e5)
    # a call of 1.01 ms or of 0.101 ms: the compile cost of 0.099899 s is paid after 109.9 of them
    assert row.calls == pytest.approx(110, abs=1)


def test_between_compiled_ones_there_is_nothing_to_pay_unless_somebody_asks():
    made = cells(
        *own("numba", line(1e-5, 1e-8)),
        *own("jax_jit", line(1e-6, 1e-9)),
        *own_first("numba", line(0.1, 0)),
        *own_first("jax_jit", line(0.1, 0)),
    )
    assert not breakeven.ask(made)
    asked = breakeven.ask(made, breakeven.Options("numba"))
    assert {(row.backend, row.baseline) for row in asked} == {("jax_jit", "numba")}
    rows = [row for row in compare.ask(made) if row.backend != row.baseline]
    assert all(row.ratio is not None for row in rows)


def test_a_crossing_with_a_baseline_that_is_neither():
    made = cells(*own("jax_eager", line(1e-6, 1e-8)), *own("jax_jit", line(4e-6, 1e-9)))
    (row,) = crossover.ask(made)
    assert (row.baseline, row.faster_below, row.faster_above) == (
        "jax_eager",
        "jax_eager",
        "jax_jit",
    )
    # 2 and 4.1 us at 100, 11 and 5 us at 1,000: between them the ratio passes 1 on a straight line
    share = math.log(4.1 / 2) / math.log(4.1 / 2 * 11 / 5)
    assert row.n == pytest.approx(100 * 10**share, rel=0.01)


def test_what_the_file_says_reaches_every_fit():
    made = cells(*own("numpy", {n: 1e-5 + 1e-9 * n**2 for n in SIZES}, grows="n**2"))
    (row,) = fit.ask(made)
    assert (row.verdict, row.law, row.line_law) == ("growth", "n^2", "n^2")
    assert (row.costs.c0, row.costs.c1) == (
        pytest.approx(1e-5, rel=0.02),
        pytest.approx(1e-9, rel=0.02),
    )
    (table,) = fit_tables.tables(fit.ask(made))
    assert table.caption == "rbf: t = k (c0 + c1 n^2), k = 1"
    assert table.rows[0][-1].text == "grows as n^2"
    assert any("for each unit of n^2" in remark for remark in table.remarks)
    beyond = cells(
        *own("numpy", {n: 1e-5 + 1e-9 * n**2 for n in SIZES}, grows="n**2"),
        *own_first("numpy", {n: 1e-2 + 1e-9 * n**2 for n in SIZES}),
    )
    (planned,) = plan.ask(beyond, plan.Options("rbf", 1_000_000, 1))
    assert (planned.source, planned.steady_state) == ("model", pytest.approx(1e3, rel=0.02))
    by_model = [one for one in predict.ask(made) if one.by == "model"]
    assert max(abs(one.error) for one in by_model) < 0.02


def test_what_is_said_of_one_backend_is_said_of_no_other():
    made = cells(
        *own("numpy", {n: 1e-5 + 1e-9 * n**2 for n in SIZES}, grows="n^2"),
        *own("numba", line(1e-6, 1e-9), grows="nothing that is a law"),
    )
    assert [(row.line_law, row.law) for row in fit.ask(made)] == [("n^2", "n^2"), ("n", "n")]
    (table,) = fit_tables.tables(fit.ask(made))
    assert table.caption.endswith("t = k (c0 + c1 g(n)), k = 1")


def test_who_says_what_is_not_so_is_told():
    made = cells(*own("numpy", {n: 1e-5 + 1e-12 * n**3 for n in SIZES}, grows="n^2"))
    (table,) = fit_tables.tables(fit.ask(made))
    assert table.rows[0][-1].text == "grows as n^3"
    assert "numpy: said to grow as n^2, which it does not" in table.remarks


def test_a_matrix_without_a_model_is_told_to_be_quadratic():
    (table,) = fit_tables.tables(fit.ask(matrices()))
    said = {row[0].text: row[-1].text for row in table.rows}
    assert said == {
        "numpy": "grows as n^2",
        "jax_jit": "no model; grows like n^2 from n = 316 on (exponent 1.3 to 2.9)",
        "numba": "no model; grows like n^2 from n = 32 on (exponent 1.8 to 2.3)",
    }
    found = {row["backend"]: row for row in fit.ask(matrices()).objects()}
    assert {row["grows_like"] for row in found.values()} == {"n^2"}
    assert found["numba"]["exponent_from"] == 32
    slope = math.log(79.4e-3 / 6.08e-6) / math.log(3162 / 32)  # the middles of the five
    assert found["numba"]["exponent"] == pytest.approx(slope, abs=0.005)


def test_a_matrix_that_is_said_to_be_quadratic_has_a_line_in_squares():
    made = matrices(grows="n**2")
    (table,) = fit_tables.tables(fit.ask(made))
    said = {row[0].text: row[-1].text for row in table.rows}
    assert said["numpy"] == "grows as n^2 to 12 %"
    assert said["numba, n to 316"] == "jump and change of slope at n = 560"
    remarks = [remark for remark in table.remarks if "for each unit of n^2" in remark]
    assert len(remarks) == 2
    assert ", then " in remarks[1]  # of two pieces
    (numba,) = (row for row in fit.ask(made) if row.backend == "numba")
    # from 1,000 to 3,162 Numba's medians rise by 74.5 ms, and the squares by 9.0 million
    assert numba.pieces[1].c1 == pytest.approx(74.5e-3 / (3162**2 - 1000**2), rel=0.01)
    (panel,) = figures.fit(fit.ask(made), times.ask(made)).panels
    axes = Figure().add_subplot()
    panel.draw(axes)
    assert {text.get_text().replace("\n", " ") for text in axes.texts} == {
        "numpy (grows as n^2 to 12 %)",
        "numba (jump, new slope)",
        "jax_jit (grows like n^2)",
    }


def test_a_plan_is_made_of_an_own_problem_and_of_nothing_that_is_not_there():
    made = cells(*own("numpy", line(1e-5, 1e-8)), *own_first("numpy", line(1e-2, 1e-8)))
    (row,) = plan.ask(made, plan.Options("rbf", 100, 11))
    assert row.total == pytest.approx(1e-2 + 1e-6 + 10 * 1.1e-5, rel=0.02)
    with pytest.raises(BadCallError, match="no workload 'rbg'"):
        plan.ask(made, plan.Options("rbg", 100, 11))


@pytest.mark.parametrize("module", [registry, groups, candidates, change_words])
def test_the_examples_in_the_docstrings(module):
    done = doctest.testmod(module)
    assert done.failed == 0
    assert done.attempted >= 1
