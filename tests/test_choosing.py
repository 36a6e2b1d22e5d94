"""Which cells a question is about: filters, and other people's suites."""

import json

import polars as pl
import pytest

from jitcost import cli
from jitcost.errors import BadCallError
from jitcost.questions import compare, predict
from jitcost.questions.choosing import Choice, choose
from jitcost.questions.filters import Filters, day, filtered, of_backends
from jitcost.questions.newest import newest_origins
from jitcost.store import results
from making_cells import cells, steady


def theirs(name, times, **common):
    """Return the rows of somebody's benchmark: a time by the texts of its parameters."""
    about = {"benchmark": name, "workload": None, "kind": "time", "unit": "seconds", **common}
    return [{"params": json.dumps(params), "value": value, **about} for params, value in times]


def sums(name="sums.time_sum"):
    """Return two dtypes at three lengths: 1 us and 1 ns an element; twice that."""
    return theirs(
        name,
        [
            ({"length": str(n), "dtype": repr(dtype)}, factor * (1e-6 + 1e-9 * n))
            for dtype, factor in (("f4", 1), ("f8", 2))
            for n in (10, 100, 1000)
        ],
    )


def found(made, **choice):
    return choose(cells(*made), Choice(**choice))


def test_the_only_size_is_guessed_and_said_and_the_backend_is_named():
    chosen = found(sums(), backend="dtype")
    assert chosen.guessed == (
        "n is length, the only parameter with three or more numbers, in sums.time_sum",
    )
    rows = compare.ask(chosen.cells, compare.Options("f4"))
    assert [(row.n, row.backend, row.ratio) for row in rows] == [
        (n, dtype, pytest.approx(factor))
        for n in (10, 100, 1000)
        for dtype, factor in (("f4", 1), ("f8", 2))
    ]
    assert {(row.of.workload, row.of.name) for row in rows} == {(None, "sums.time_sum")}


def test_what_would_tell_apart_is_asked_for_where_nobody_has_said_it():
    chosen = found(sums())
    assert chosen.missing == (
        "what is compared may be told apart by dtype: say which (--backend) (sums.time_sum)",
    )
    assert compare.ask(chosen.cells).rows == ()
    one = theirs("m.time_x", [({"p": str(n)}, 1e-6 * n) for n in (10, 100, 1000)])
    assert found(one).missing == ("no parameter tells apart what is compared (m.time_x)",)


def test_a_question_of_one_backend_takes_what_tells_none_apart_as_one():
    one = theirs("m.time_x", [({"p": str(n)}, 1e-6 + 1e-9 * n) for n in (10, 100, 1000)])
    chosen = choose(cells(*one), alone=True)
    assert chosen.missing == ()
    # the straight chord from 10 to 1000 is the truth at 100, and below that in logarithms
    assert next(row.error for row in predict.ask(chosen.cells)) == pytest.approx(0)


def test_a_size_that_is_named_is_taken_and_the_pattern_chooses():
    two = theirs(
        "a.time_grid",
        [({"p": str(p), "q": str(q)}, 1e-6 * p * q) for p in (1, 2, 3) for q in (4, 5, 6)],
    )
    chosen = found([*two, *sums()], benchmark=r"^a\.", size="q", backend="p")
    assert chosen.guessed == ()
    rows = compare.ask(chosen.cells, compare.Options("1")).rows
    assert [row.ratio for row in rows] == pytest.approx([1, 2, 3] * 3)
    reason = "n may be p or q: say which (--size) (a.time_grid)"
    assert found(two, backend=None, benchmark="grid").missing[0] == reason


def test_without_any_size_backends_are_still_compared():
    times = {("'int'", "'quick'"): 1e-3, ("'str'", "'quick'"): 3e-3}
    sort = theirs("s.time_sort", [({"p0": a, "p1": b}, t) for (a, b), t in times.items()])
    rows = compare.ask(found(sort, backend="p0").cells, compare.Options("int"))
    assert [(row.backend, row.ratio) for row in rows] == [("int", 1), ("str", pytest.approx(3))]
    assert [row["n"] for row in rows.objects()] == [None, None]


def test_what_is_no_time_is_not_compared():
    rows = theirs(
        "m.track_x", [({"p": str(n)}, float(n)) for n in (1, 2, 3)], unit=None, kind="track"
    )
    assert found(rows).missing == ("not times (m.track_x)",)
    assert set(found(rows).cells["kind"]) == {"track"}


def test_this_suites_own_results_are_left_as_they_are():
    made = cells(*steady("numpy", {10: 1e-6}), *steady("numpy", {10: 1e-3}, kind="FirstCall"))
    assert choose(made).cells.equals(made)
    chosen = choose(made, Choice(benchmark="elementwise"))
    assert chosen.cells["kind"].to_list() == ["SteadyState", "FirstCall"]
    assert chosen.missing == ()


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"benchmark": "("}, r"--benchmark '\(' is no regular expression: missing \)"),
        ({"benchmark": "x_"}, "--benchmark 'x_' matches none of sums.time_sum"),
        ({"size": "sise"}, "no parameter 'sise'; there are dtype, length"),
    ],
)
def test_a_choice_of_nothing_is_a_bad_call(choice, said):
    with pytest.raises(BadCallError, match=said):
        found(sums(), **choice)


def dated():
    made = cells(
        *steady("numpy", {10: 1e-6}, environment="virtualenv-py3.12-jax0.9.2"),
        *steady("numba", {10: 2e-6}, environment="virtualenv-py3.12-jax0.10.2"),
        *steady("numba", {10: 3e-6}, environment="virtualenv-py3.12-jax0.10.2", workload="kalman"),
    )
    days = pl.Series(["2026-01-31", "2026-02-01", "2026-02-01"]).str.to_datetime(
        "%Y-%m-%d", time_unit="ms", time_zone="UTC"
    )
    return made.with_columns(date=days)


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        (Filters(), [1e-6, 2e-6, 3e-6]),
        (Filters(environment="jax0.9.2"), [1e-6]),
        (Filters(workloads=("kalman",)), [3e-6]),
        (Filters(workloads=("kalman", "elementwise")), [1e-6, 2e-6, 3e-6]),
        (Filters(since=day("2026-02-01")), [2e-6, 3e-6]),
        (Filters("jax0.10.2", ("elementwise",), day("2026-01-01")), [2e-6]),
    ],
)
def test_filters_leave_what_they_say(filters, left):
    assert filtered(dated(), filters)["value"].to_list() == left


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (
            Filters(environment="jax1"),
            "no environment matches 'jax1'; there are virtualenv-py3.12-",
        ),
        (
            Filters(workloads=("kalmen",)),
            "no results of a workload 'kalmen'; there are elementwise, ka",
        ),
        (
            Filters(since=day("2026-02-02")),
            "no commit since 2026-02-02; the newest is of 2026-02-01",
        ),
    ],
)
def test_filters_that_leave_nothing_say_what_there_is(filters, said):
    with pytest.raises(BadCallError, match=said):
        filtered(dated(), filters)


def test_backends_are_filtered_by_name():
    assert of_backends(dated(), [])["value"].to_list() == [1e-6, 2e-6, 3e-6]
    assert of_backends(dated(), ["numpy"])["value"].to_list() == [1e-6]
    with pytest.raises(BadCallError, match="no results of a backend 'jax'; there are numba, numpy"):
        of_backends(dated(), ["jax"])


# By the command


@pytest.fixture
def call(monkeypatch, tmp_path, capsys):
    def called(made, *args):
        monkeypatch.setattr(results, "read", lambda folder, **_: made)
        status = cli.main([args[0], "--results", str(tmp_path), *args[1:]])
        said = capsys.readouterr()
        return status, said.out, said.err

    return called


def test_compare_makes_columns_of_the_parameter_that_is_named(call):
    status, out, err = call(cells(*sums()), "compare", "--backend", "dtype", "--baseline", "f4")
    assert status == 0
    assert (
        err
        == "jitcost: n is length, the only parameter with three or more numbers, in sums.time_sum\n"
    )
    assert out.splitlines()[0] == "sums.time_sum: time per call, and its ratio to f4's"
    assert out.splitlines()[1].split() == ["n", "f4", "f8"]


def test_without_the_baseline_no_ratio_is_promised(call):
    _, out, _ = call(cells(*sums()), "compare", "--backend", "dtype")
    assert out.splitlines()[0] == "sums.time_sum: time per call"
    assert "  no ratios: numpy has no times here; --baseline NAME takes another" in out
    status, out, err = call(cells(*sums()), "crossover", "--backend", "dtype")
    assert (status, out) == (1, "")
    assert err.endswith("the baseline has no times here: --baseline NAME takes another\n")


def test_a_backend_is_filtered_by_the_same_option(call):
    made = cells(*steady("numpy", {10: 1e-6}), *steady("numba", {10: 2e-6}))
    _, out, _ = call(made, "compare", "--backend", "numba", "--json")
    assert [row["backend"] for row in json.loads(out)] == ["numba"]
    status, _, err = call(made, "compare", "--backend", "numbo")
    assert (status, err) == (
        2,
        "jitcost: no results of a backend 'numbo'; there are numba, numpy\n",
    )
    status, _, err = call(cells(*sums()), "compare", "--backend", "dtype", "--backend", "f4")
    assert (status, err) == (2, "jitcost: --backend dtype is a parameter; give it alone\n")


def test_every_question_has_the_filters(capsys):
    asking = ["compare", "fit", "breakeven", "crossover", "plan", "predict", "claims", "history"]
    for name in [*asking, "report", "figure"]:
        with pytest.raises(SystemExit):
            cli.main([name, "--help"])
        said = capsys.readouterr().out
        for option in (
            "environment NAME",
            "since DATE",
            "backend NAME",
            "workload NAME",
            "size PARAM",
        ):
            assert f"--{option}" in said, (name, option)


def test_of_many_origins_the_newest_are_kept_in_their_order():
    made = dated()
    kept, rest = newest_origins(made, 1)
    assert kept["value"].to_list() == [2e-6, 3e-6]
    assert [one.environment for one in rest] == ["virtualenv-py3.12-jax0.9.2"]
    kept, rest = newest_origins(made, 2)
    assert (kept["value"].to_list(), rest) == ([1e-6, 2e-6, 3e-6], [])


def test_a_report_of_many_machines_shows_the_newest_and_names_the_others(call, tmp_path):
    hexes = "abcdef"
    made = pl.concat(
        cells(
            *steady("numpy", {10: 1e-6, 100: 2e-6}), *steady("numba", {10: 2e-6, 100: 3e-6}),
            machine=f"m{number}", commit=letter * 40,
        ).with_columns(date=pl.datetime(2026, number + 1, 1, time_unit="ms", time_zone="UTC"))
        for number, letter in enumerate(hexes)
    )  # fmt: skip
    page = tmp_path / "page.html"
    status, out, err = call(made, "report", "-o", str(page))
    assert (status, out) == (0, f"{page}\n")
    assert err == (
        "jitcost: shown is the newest, on m2 at cccccccc, on m3 at dddddddd, on m4 at eeeeeeee, "
        "on m5 at ffffffff; left out: on m1 at bbbbbbbb, on m0 at aaaaaaaa; --machine, --environment "
        "or --commit choose, --all-origins shows all\n"
    )
    assert page.read_text().count('-heading">m') + page.read_text().count('-heading">\nm') == 4
    _, _, err = call(made, "report", "-o", str(page), "--all-origins")
    assert err == ""
    _, _, err = call(made, "report", "-o", str(page), "--machine", "m0")
    assert err == ""


def test_what_is_drawn_is_printed_where_standard_output_goes(call, tmp_path):
    made = cells(*steady("numpy", {10: 1e-6, 100: 2e-6}))
    status, out, err = call(made, "figure", "compare", "-o", str(tmp_path), "--format", "svg,png")
    assert (status, err) == (0, "")
    assert out.split() == [str(tmp_path / "compare.svg"), str(tmp_path / "compare.png")]
