"""What is timed or counted otherwise: stages, dispatch, new shapes, crossings, memory, cold starts."""

import subprocess
import sys

import jax
import numpy as np
import pytest

from benchmarks import (
    _memory,
    _stages,
    _suite,
    boundary,
    dispatch,
    elementwise,
    new_shape,
    unrolled,
)
from conftest import ROOT
from jitcost import backends
from jitcost.backends import workloads


def test_each_stage_is_timed_by_itself():
    jax_jit = backends.load("jax_jit")
    inputs = _suite.native_inputs("elementwise", "jax_jit", 50)
    did = {}
    for stage in _stages.STAGES:
        kernel = jax_jit.fresh_kernel("elementwise")
        did[stage] = type(_stages.prepared(stage, jax_jit, kernel, inputs)()).__name__
    assert did.pop("run") == "ArrayImpl"
    assert did == {"trace": "Traced", "lower": "Lowered", "compile": "Compiled"}


def test_a_stage_is_of_a_kernel_that_no_compiler_has_seen():
    benchmark = elementwise.Stages()
    traced = []
    for _ in range(2):
        benchmark.setup(100, "trace", "jax_jit")
        traced.append(benchmark.stage())
    benchmark.time_stage(100, "trace", "jax_jit")
    assert traced[0] is not traced[1]


def test_the_unrolled_program_grows_with_n_and_the_loops_do_not():
    count = unrolled.Program().track_equations
    for form in ("scan", "fori_loop"):
        assert count(form, 10, "jax_jit") == count(form, 100, "jax_jit") < 30
    ten, thirty, hundred = (count("python_loop", n, "jax_jit") for n in (10, 30, 100))
    assert (hundred - ten) / 90 == (thirty - ten) / 20 >= workloads.get("recursion").k


def test_equations_are_counted_inside_loops_too():
    x = jax.numpy.ones(3)
    jaxpr = jax.make_jaxpr(lambda x: jax.lax.scan(lambda c, v: (c + v, c * v), x[0] * 2, x))(x)
    outside = len(jaxpr.eqns)
    assert unrolled.equations(jaxpr) == outside + 2


@pytest.mark.timing
def test_a_call_returns_before_its_result_is_ready():
    benchmark = dispatch.Dispatch()
    benchmark.setup(10_000_000, "jax_jit")
    benchmark.time_until_returned(10_000_000, "jax_jit")
    assert not benchmark.result.is_ready()
    under_way = benchmark.result
    benchmark.setup(10_000_000, "jax_jit")  # the next sample begins on an empty queue
    assert under_way.is_ready()


def test_the_matrix_product_is_one():
    multiply, (a, b), _ = dispatch.matrix_product("jax_jit", 20)
    assert multiply(a, b).dtype == np.float64
    assert np.allclose(multiply(a, b), np.einsum("ij,jk->ik", np.asarray(a), np.asarray(b)))


def test_each_call_has_a_shape_that_was_never_seen():
    benchmark = new_shape.NewShape()
    for calls in range(4):
        benchmark.setup(20, "jax_jit")
        assert benchmark.kernel._cache_size() == 1 + calls
        benchmark.time_call(20, "jax_jit")
        assert benchmark.kernel._cache_size() == 2 + calls


def test_crossing_the_boundary_gives_the_same_result():
    (x,) = workloads.get("boundary").inputs(50)
    expected = workloads.get("elementwise").reference(x)
    for inputs in boundary.INPUTS:
        call = boundary.batch("jax_jit", 50, inputs).call
        assert float(call()) == pytest.approx(float(expected), rel=1e-14)


@pytest.mark.skipif(not _memory.CLEAR.exists(), reason="needs Linux: /proc/self/clear_refs")
def test_the_increase_is_what_a_call_takes_and_not_what_was_held_before():
    held = np.ones(20_000_000)  # 160 MB
    assert _memory.increase(lambda: None) < 1e6
    assert _memory.increase(lambda: np.ones(10_000_000)) == pytest.approx(80e6, rel=0.02)
    assert _memory.increase(lambda: held + held) == pytest.approx(160e6, rel=0.02)


def test_a_cold_start_is_code_for_a_new_process():
    code = elementwise.ColdStart().timeraw_first_call(1_000, "numpy")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            code + "print(type(module.__name__), 'jax' in __import__('sys').modules)",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split()[-1] == "False", done.stderr
