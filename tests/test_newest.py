"""Where nobody has chosen, the newest results of each machine are shown, and the others are named."""

import itertools
import json

import polars as pl
import pytest

import making_results
from jitcost import cli
from jitcost.questions import compare
from jitcost.questions.newest import by_age, newest, of_origins
from jitcost.questions.recent import recent
from making_cells import cells, steady

OLD, NEW = "virtualenv-py3.12-jax0.9.2", "virtualenv-py3.12-jax0.10.2"


def at(day, *rows, commit, **common):
    date = pl.datetime(2026, 1, day, time_unit="ms", time_zone="UTC")
    made = cells(*rows, commit=commit * 40, **{"environment": NEW} | common)
    return made.with_columns(date=date)


def of_two(sizes=(10, 100), scale=1.0):
    return [
        *steady("numpy", {n: scale * 1e-8 * n for n in sizes}),
        *steady("numba", {n: scale * 1e-9 * n for n in sizes}),
    ]


def named(origins):
    return [(one.machine, one.environment.rpartition("jax")[2], one.commit[0]) for one in origins]


def test_the_newest_commit_counts_then_the_most_values_then_the_newest_versions():
    made = pl.concat(
        [
            at(1, *of_two(), commit="f"),
            at(2, *of_two(), commit="a", environment=OLD),
            at(2, *of_two(), commit="a"),
            at(2, *of_two((10, 32, 100)), commit="a", environment="virtualenv-py3.12-jax0.4.38"),
        ]
    )
    assert named(origin for origin, _ in by_age(made)) == [
        ("m", "0.4.38", "a"),
        ("m", "0.10.2", "a"),
        ("m", "0.9.2", "a"),
        ("m", "0.10.2", "f"),
    ]


def test_what_answers_nothing_is_not_the_newest():
    """The newest commit has first calls alone; an origin of another machine has its own newest."""
    firsts = [{**row, "kind": "FirstCall"} for row in of_two()]
    made = pl.concat(
        [
            at(1, *of_two(), commit="a", environment=OLD),
            at(2, *of_two(), commit="b"),
            at(3, *firsts, commit="c", environment=OLD),
            at(1, *of_two(), commit="a", machine="other"),
        ]
    )
    answer = compare.ask(made)
    shown, others = newest(answer, made)
    assert named(shown) == [("m", "0.10.2", "b"), ("other", "0.10.2", "a")]
    assert named(others) == [("m", "0.9.2", "a")]
    kept = of_origins(answer, shown)
    assert {(row.of.origin.machine, row.of.origin.commit[0]) for row in kept} == {
        ("m", "b"),
        ("other", "a"),
    }


# History


def commits(count, **common):
    """Return so many commits, a day apart; each takes as many microseconds as its day."""
    letters = itertools.product("0123456789abcdef", repeat=2)
    made = []
    for day, letter in zip(range(1, count + 1), letters, strict=False):
        one = at(day, *of_two((10, 32, 100), day), commit="a", **common)
        made.append(one.with_columns(commit=pl.lit("".join(letter) * 20)))
    return pl.concat(made)


def test_the_last_commits_of_the_newest_environment_are_kept():
    made = pl.concat([commits(12), commits(3, environment=OLD)])
    kept, shown, others = recent(made, 10)
    assert sorted(kept["date"].dt.day().unique()) == list(range(3, 13))
    assert kept["environment"].unique().to_list() == [NEW]
    assert (len(shown), len(others)) == (10, 5)
    everything, _, nothing = recent(commits(10), 10)
    assert (everything.equals(commits(10)), nothing) == (True, [])


def test_the_newest_releases_are_kept_beside_the_commits():
    def released(day, commit, python):
        return [
            at(day, *of_two((10, 32, 100)), commit=commit, python=python,
               environment=f"virtualenv-py{python}-jax{v}", versions=json.dumps({"jax": v}))
            for v in ("0.9.2", "0.10.2")
        ]  # fmt: skip

    made = pl.concat([*released(1, "a", "3.9"), *released(2, "b", "3.12")])
    kept, _, others = recent(made, 10)
    assert kept["python"].unique().to_list() == ["3.12"]
    assert {one.commit[0] for one in others} == {"a"}
    other = made.with_columns(machine=pl.lit("other"))
    assert len(recent(pl.concat([made, other]), 10)[0]) == 2 * len(kept)


# The commands


@pytest.fixture
def folder(tmp_path):
    """Return a results folder: two environments at a commit, and three commits of one of them."""
    times = [1e-6, 1e-7, 1e-5, 1e-6, 1e-4, 1e-5]
    grid = [["10", "100", "1000"], ["'numpy'", "'numba'"]]
    for commit, date, environment in [
        ("a", 1, "py3.12-jax0.9.2"),
        ("b", 2, "py3.12-jax0.9.2"),
        ("c", 3, "py3.12-jax0.9.2"),
        ("c", 3, "py3.12-jax0.10.2"),
    ]:
        rows = {
            f"{workload}.SteadyState.time_call": [times, grid, "1"]
            for workload in ("elementwise", "kalman")
        }
        made = making_results.content(commit * 40, date, rows, environment=environment)
        making_results.write(tmp_path, made)
    return tmp_path


@pytest.fixture
def call(folder, capsys):
    def called(*argv):
        status = cli.main([*argv, "--results", str(folder)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return called


QUESTIONS = ["compare", "fit", "crossover", "predict", "claims"]
LEFT_OUT = (
    "jitcost: shown is the newest, in jax0.10.2; left out: in jax0.9.2; --machine, --environment or "
    "--commit choose, --all-origins shows all\n"
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_of_the_newest_and_the_rest_is_named_in_a_line(call, question):
    status, out, err = call(question, "--json")
    # no rows are an answer of that one, and this says which
    none = "jitcost: no crossover within the measured sizes\n" if question == "crossover" else ""
    chosen = "the newest with most claims" if question == "claims" else "the newest"
    assert (status, err) == (0, LEFT_OUT.replace("the newest", chosen) + none)
    rows = json.loads(out)
    assert {row["environment"] for row in rows} <= {"py3.12-jax0.10.2"}
    status, every, err = call(question, "--json", "--all-origins")
    assert (status, err) == (0, none)
    assert len(json.loads(every)) == 2 * len(rows)
    status, chosen, err = call(question, "--json", "--environment", "jax0.9.2")
    assert (status, err) == (0, none)
    assert len(json.loads(chosen)) == len(rows)


def test_a_figure_is_of_the_newest_results_that_it_can_be_drawn_from(call, folder, tmp_path):
    to = ["-o", str(tmp_path / "figures"), "--format", "svg"]
    status, out, err = call("figure", "compare", *to)
    assert (status, err) == (0, LEFT_OUT)
    assert out.split() == [str(tmp_path / "figures" / "compare.svg")]
    _, out, err = call("figure", "compare", *to, "--all-origins")
    assert (len(out.split()), err) == (2, "")


def test_a_history_shows_the_last_commits_and_names_the_others(call, monkeypatch):
    monkeypatch.setattr("jitcost.questions.recent.COMMITS_SHOWN", 2)

    def points(*argv):
        status, out, err = call("history", "--over", "commits", "--json", *argv)
        assert status == 0
        return {len(row["points"]) for row in json.loads(out)}, err

    shown, err = points()
    assert shown == {2}
    assert err == (
        "jitcost: shown are each machine's newest releases and last 2 commits; left out: at aaaaaaaa; "
        "--machine, --environment or --commit choose, --all-origins shows all\n"
    )
    assert points("--all-origins") == ({3}, "")
    assert points("--since", "1970-01-01") == ({3}, "")


def test_cells_are_of_the_workloads_backends_environments_and_days_that_are_said(call):
    def rows(*argv):
        status, out, err = call("results", "--format", "json", *argv)
        assert (status, err) == (0, "")
        return json.loads(out)

    assert len(rows()) == 2 * 2 * 6
    few = rows("--workload", "kalman", "--backend", "numba", "--environment", "jax0.9.2")
    assert [(row["commit"][0], row["n"]) for row in few] == [("c", 10), ("c", 100), ("c", 1000)]
    every = rows("--workload", "kalman", "--all-commits", "--environment", "jax0.9.2")
    assert [row["commit"][0] for row in every] == 6 * ["a"] + 6 * ["b"] + 6 * ["c"]
    status, _, err = call("results", "--workload", "kalmann")
    assert (status, err) == (
        2,
        "jitcost: no results of a workload 'kalmann'; there are elementwise, kalman\n",
    )
