"""Whose a change is: a backend's, its baseline's, or the machine's."""

import numpy as np
import pytest

from jitcost.questions.changes import ask
from making_histories import COMMITS, moods, over_commits, over_releases, runs, told


def test_a_change_is_seen_through_the_moods_of_the_machine():
    mood = moods()
    times = {
        "numpy": runs(1e-5, moods=mood),
        "numba": runs(1e-6, (7, 1.1), moods=mood),
        "jax_jit": runs(2e-6, moods=mood),
    }
    answer = ask(over_commits(times))
    assert told(answer) == [("numba", "b1", 1.1, "ratio to numpy")]
    (row,) = answer
    assert (row.at, row.label) == (COMMITS[7], COMMITS[7][:8])
    assert (row.runs_before, row.runs_after) == (7, 5)
    assert row.low < 1.1 < row.high
    assert (row.over, row.quantity, row.n) == ("commits", "time", 1000.0)
    assert (answer.judged, answer.runs, answer.short) == (3, (12, 12), 0)


def test_a_change_of_the_baseline_is_told_of_it_alone():
    times = {
        "numpy": runs(1e-5, (6, 1.3)),
        "numba": runs(1e-6),
        "jax_jit": runs(2e-6),
    }
    assert told(ask(over_commits(times))) == [("numpy", "a1", 1.3, "times")]
    del times["jax_jit"]
    assert told(ask(over_commits(times))) == [("numpy", "a1", 1.3, "times")]


def test_what_changes_beside_the_baseline_is_told_by_as_much_as_it_has_itself():
    times = {
        "numpy": runs(1e-5, (6, 1.3)),
        "numba": runs(1e-6, (6, 0.5)),
        "jax_jit": runs(2e-6),
        "jax_eager": runs(2e-6, (9, 1.2)),
    }
    assert told(ask(over_commits(times))) == [
        ("jax_eager", "d1", 1.2, "ratio to numpy"),
        ("numpy", "a1", 1.3, "times"),
        ("numba", "a1", 0.5, "ratio to numpy"),
    ]


def test_a_change_of_the_baseline_that_moods_hide_is_seen_in_all_the_others():
    mood = moods(0.4)
    times = {
        "numpy": runs(1e-5, (6, 1.3), moods=mood),
        "numba": runs(1e-6, moods=mood),
        "jax_jit": runs(2e-6, (9, 1.5), moods=mood),
    }
    answer = ask(over_commits(times))
    assert told(answer) == [
        ("jax_jit", "d1", 1.5, "ratio to numpy"),
        ("numpy", "a1", 1.3, "ratio to jax_jit"),
    ]
    assert (answer.judged, answer.short) == (3, 0)


def test_a_machine_that_has_become_slower_changes_nobody():
    slower = np.where(np.arange(12) < 6, 1.0, 1.4)
    times = {name: runs(1e-6, moods=slower) for name in ("numpy", "numba", "jax_jit")}
    assert told(ask(over_commits(times))) == []
    # of one other, nothing tells whether it was the machine
    del times["jax_jit"]
    assert told(ask(over_commits(times))) == [("numpy", "a1", 1.4, "times")]


def test_over_releases_two_that_change_alike_are_no_change_of_a_baseline_that_cannot():
    times = {
        "numpy": runs(1e-5, count=8),
        "jax_jit": runs(1e-6, (1, 0.4), (5, 1.2), count=8),
        "jax_eager": runs(1e-6, (5, 1.2), count=8),
    }
    answer = ask(over_releases(times))
    assert [(row.at, row.backend, row.label) for row in answer] == [
        ("0.9.2", "jax_eager", "0.9.2"),
        ("0.9.2", "jax_jit", "0.9.2"),
        ("0.5.3", "jax_jit", "0.5.3"),  # a release alone at the beginning, beyond a factor of two
    ]
    assert [row.ratio for row in answer] == pytest.approx([1.2, 1.2, 0.4], rel=0.03)
    assert {row.where.commit for row in answer} == {COMMITS[0]}


def test_over_releases_what_cannot_have_changed_is_never_blamed_for_the_machine():
    slower = np.where(np.arange(8) < 6, 1.0, 1.3)
    fixed = {"numpy": runs(1e-5, moods=slower, count=8), "numba": runs(1e-6, moods=slower, count=8)}
    answer = ask(over_releases({**fixed, "jax_jit": runs(1e-6, moods=slower, count=8)}))
    assert told(answer) == []
    assert answer.judged == 1  # nothing is asked of the other two
    answer = ask(over_releases({**fixed, "jax_jit": runs(1e-6, count=8)}))
    assert [(row.backend, row.at, row.series) for row in answer] == [
        ("jax_jit", "0.10.2", "ratio to numpy")
    ]
    assert answer.rows[0].ratio == pytest.approx(1 / 1.3, rel=0.02)


def test_two_that_change_alike_beside_a_flat_baseline_have_changed():
    times = {
        "numpy": runs(1e-5),
        "jax_jit": runs(1e-6, (6, 1.3)),
        "jax_eager": runs(2e-6, (6, 1.3)),
    }
    answer = ask(over_commits(times))
    assert sorted(row.backend for row in answer) == ["jax_eager", "jax_jit"]
    assert [row.ratio for row in answer] == pytest.approx([1.3, 1.3], rel=0.02)


def test_the_last_commit_waits_for_the_next_one():
    times = {"numpy": runs(1e-5), "numba": runs(1e-6, (11, 3.0))}
    answer = ask(over_commits(times))
    assert told(answer) == [("numba", "f1", 3.0, "ratio to numpy")]
    (row,) = answer
    assert (row.kind, row.before, row.runs_before, row.runs_after) == (
        "outlier",
        COMMITS[10],
        11,
        1,
    )
    times["numba"] = runs(1e-6, (10, 3.0))
    assert [row.kind for row in ask(over_commits(times))] == ["step"]
    assert told(ask(over_commits(times))) == [("numba", "e1", 3.0, "ratio to numpy")]


def creeping(each, count=12):
    """Return by what each run is slower."""
    return (1 + each) ** np.arange(count)


def test_a_drift_is_told_of_the_backend_whose_it_is():
    times = {
        "numpy": runs(1e-5),
        "numba": runs(1e-6, moods=creeping(0.03)),
        "jax_jit": runs(2e-6),
    }
    (row,) = ask(over_commits(times))
    assert (row.kind, row.backend, row.series) == ("drift", "numba", "ratio to numpy")
    assert (row.before, row.at) == (COMMITS[0], COMMITS[11])
    assert (row.runs_before, row.runs_after, row.unmeasured) == (4, 4, 0)
    assert row.ratio == pytest.approx(1.03**8, rel=0.02)  # from the middle of four to that of four


def test_a_baseline_that_drifts_and_a_machine_that_does_are_told_apart():
    slower = creeping(0.03)
    times = {"numpy": runs(1e-5, moods=slower), "numba": runs(1e-6), "jax_jit": runs(2e-6)}
    assert [(row.kind, row.backend, row.series) for row in ask(over_commits(times))] == [
        ("drift", "numpy", "times")
    ]
    times = {name: runs(1e-6, moods=slower) for name in ("numpy", "numba", "jax_jit")}
    assert told(ask(over_commits(times))) == []


def test_a_last_run_apart_is_told_of_the_backend_whose_it_is():
    last = np.where(np.arange(12) < 11, 1.0, 2.0)
    times = {"numpy": runs(1e-5, moods=last), "numba": runs(1e-6), "jax_jit": runs(2e-6)}
    assert [(row.kind, row.backend) for row in ask(over_commits(times))] == [("outlier", "numpy")]
    times = {name: runs(1e-6, moods=last) for name in ("numpy", "numba", "jax_jit")}
    assert told(ask(over_commits(times))) == []


def test_over_releases_those_that_the_next_one_mended_are_told():
    times = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (3, 50.0), (4, 0.02), count=8)}
    (row,) = ask(over_releases(times))
    assert (row.kind, row.at, row.before) == ("outlier", "0.7.2", "0.6.2")
    assert (row.runs_before, row.runs_after) == (7, 1)
    assert row.ratio == pytest.approx(50, rel=0.02)
    times["jax_jit"] = runs(1e-6, (3, 5.0), (5, 0.2), count=8)
    assert [(row.kind, row.at) for row in ask(over_releases(times))] == [
        ("outlier", "0.8.3"),
        ("outlier", "0.7.2"),
    ]
