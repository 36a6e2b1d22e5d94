"""What would tell a time that a plan lacks: the sizes to measure, and the command that does."""

import doctest

import polars as pl
import pytest

from jitcost.errors import NothingFoundError
from jitcost.questions import plan, settling
from jitcost.show.answers.plan import tables
from making_cells import cells, steady

SIZES = (10, 100, 1_000, 10_000)


def line(seconds):
    return {n: seconds * n for n in SIZES}


def timed(backend, *, first=True, sizes=SIZES, **common):
    times = {n: 1e-8 * n for n in sizes}
    rows = steady(backend, times, **common)
    return [*rows, *steady(backend, times, kind="FirstCall", **common)] if first else rows


def unmeasured(backend, kind="SteadyState"):
    rows = steady(backend, dict.fromkeys(SIZES, None), kind=kind)
    return [row | {"state": "not_measured"} for row in rows]


def commanded(made, n):
    return plan.deciding(plan.ask(made, plan.Options("elementwise", n, 1000)))


def test_a_measured_size_whose_first_call_is_missing_is_measured_there():
    made = cells(*timed("numpy"), *timed("numba", first=False))
    assert commanded(made, 1000) == "jitcost bench elementwise --backend numba --n 1000"


def test_between_sizes_both_neighbours_and_the_nearest_first_call_are_measured():
    few = [row for row in timed("numpy") if row.get("kind") != "FirstCall" or row["n"] == 10]
    made = cells(*few, *timed("numba", first=False))
    # 300 is between 100 and 1000; the only first call that there is to measure is at 10
    asked = "jitcost bench elementwise --backend numba --n 10 --n 100 --n 1000"
    assert commanded(made, 300) == asked


def test_beyond_all_sizes_it_takes_all_of_them():
    # two sizes alone have no model, and a plan beyond them nothing to go by
    made = cells(*timed("numpy"), *timed("numba", sizes=(10, 100)))
    assert commanded(made, 10**6) == "jitcost bench elementwise --backend numba --full"


def test_sizes_that_nobody_was_timed_at_can_be_measured_too():
    made = cells(*timed("numpy", sizes=(10, 100, 10_000)), *timed("numba", sizes=(10, 100)))
    more = [*unmeasured("numpy")[2:3], *unmeasured("numpy", "FirstCall")[2:3]]
    made = cells(*timed("numpy", sizes=(10, 100, 10_000)), *timed("numba", sizes=(10, 100)), *more)
    # 500 stands between 100 and 1000 where 1000 is one of the benchmark's sizes
    asked = "jitcost bench elementwise --backend numba --n 100 --n 1000"
    assert commanded(made, 500) == asked


def test_several_backends_share_a_command():
    made = cells(*timed("numpy"), *timed("numba", first=False), *timed("jax_jit", first=False))
    assert commanded(made, 100) == (
        "jitcost bench elementwise --backend jax_jit --backend numba --n 100"
    )


def test_a_backend_that_does_not_run_the_size_is_not_asked_for():
    # plain Python runs elementwise up to 10^6
    made = cells(*timed("numpy"), *timed("python", first=False))
    assert commanded(made, 10**7) is None


def test_of_what_is_no_workload_of_the_suites_no_command_is_given():
    own = {"workload": "rbf", "benchmark": "own.rbf.SteadyState.time_call"}
    first = own | {"benchmark": "own.rbf.FirstCall.time_first_call"}
    made = cells(
        *timed("numpy", first=False, **own),
        *steady("numpy", line(1e-8), kind="FirstCall", **first),
        *timed("jax_jit", first=False, **own),
    )
    answer = plan.ask(made, plan.Options("rbf", 100, 10))
    assert [row.reason for row in answer] == [None, "first call not measured"]
    assert plan.deciding(answer) is None
    (table,) = tables(answer)
    assert table.remarks[0].endswith("(first call and steady state) would decide")


def test_backends_that_were_not_measured_at_all_are_named_where_they_run_the_size():
    made = cells(*timed("numpy"), *timed("numba"))
    # jax_eager runs the recursion to n = 1000 only
    of_recursion = made.with_columns(
        workload=pl.lit("recursion"),
        benchmark=pl.col("benchmark").str.replace("elementwise", "recursion"),
    )
    for n, others in (
        (1000, "python, jax_eager, jax_jit, julia"),
        (10_000, "python, jax_jit, julia"),
    ):
        (table,) = tables(plan.ask(of_recursion, plan.Options("recursion", n, 10)))
        assert table.remarks[0] == f"not measured here, and not considered: {others}"


def test_where_nothing_can_be_said_of_any_backend_the_command_is_told():
    made = cells(*timed("numba", first=False))
    with pytest.raises(NothingFoundError) as raised:
        plan.ask(made, plan.Options("elementwise", 100, 10))
    assert str(raised.value).endswith("run jitcost bench elementwise --backend numba --full")


def test_the_examples_in_the_docstrings():
    done = doctest.testmod(settling)
    assert done.failed == 0
    assert done.attempted == 5
