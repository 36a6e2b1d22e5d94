"""One wrong kernel of each kind, planted, and caught before it could be timed."""

import functools
import math

import jax
import numpy as np
import pytest

from jitcost import backends
from jitcost.backends import check, workloads
from jitcost.backends.check import WrongKernel
from jitcost.backends.numpy import elementwise, recursion

SPEC = workloads.get("elementwise")
PATH = workloads.get("recursion")
NUMPY = backends.load("numpy")


def check_numpy(kernel, n=1000, spec=SPEC):
    return check.check_kernel(spec, NUMPY, kernel, n)


def test_a_right_kernel_passes():
    assert check_numpy(elementwise) <= SPEC.tolerance(1000)


def test_a_wrong_value_is_caught():
    # 1e-11 of the result: what a wrong digit in a constant does
    with pytest.raises(WrongKernel, match=r"is wrong by 1\.0e-11; the tolerance is 1\.1e-14"):
        check_numpy(lambda x: elementwise(x) * (1 + 1e-11))


def test_a_nan_is_caught():
    with pytest.raises(WrongKernel, match="is wrong by nan"):
        check_numpy(lambda x: elementwise(x) * math.nan)


def test_float32_is_caught():
    with pytest.raises(WrongKernel, match="computes in float32, not in float64"):
        check_numpy(lambda x: elementwise(x.astype(np.float32)))


def test_float32_inside_is_caught_by_its_value():
    with pytest.raises(WrongKernel, match=r"is wrong by \d\.\de-0[789]"):
        check_numpy(lambda x: np.float64(elementwise(x.astype(np.float32))))


def test_another_shape_is_caught():
    with pytest.raises(WrongKernel, match=r"returns the shape \(999,\), not \(1000,\)"):
        check_numpy(lambda e: recursion(e)[1:], spec=PATH)


def test_a_changed_input_is_caught():
    def kernel(e):
        path = recursion(e)
        e[-1] += 1e-300 if e[-1] == 0 else e[-1] * 1e-15
        return path

    with pytest.raises(WrongKernel, match="changes its input"):
        check_numpy(kernel, spec=PATH)


def test_a_closed_over_input_is_caught():
    kept = []

    def kernel(x):
        kept[:] = kept or [x]  # what a jitted function of no arguments does with a global array
        return elementwise(kept[0])

    with pytest.raises(WrongKernel, match="has an input closed over"):
        check_numpy(kernel)


def test_a_closed_over_input_of_a_compiled_function_is_caught():
    jax_jit = backends.load("jax_jit")
    compiled = []

    def kernel(x):
        if not compiled:
            compiled.append(jax.jit(functools.partial(jax_jit.fresh_kernel("elementwise"), x)))
        return compiled[0]()

    with pytest.raises(WrongKernel, match="has an input closed over"):
        check.check_kernel(SPEC, jax_jit, kernel, 1000)


def test_a_call_that_does_not_block_is_caught(monkeypatch):
    jax_jit = backends.load("jax_jit")
    kernel = jax_jit.fresh_kernel("elementwise")
    n = 3_162_278  # tens of milliseconds of work against microseconds until the call returns
    check.check_kernel(SPEC, jax_jit, kernel, n)
    monkeypatch.setattr(jax_jit, "make_call", lambda k, inputs: functools.partial(k, *inputs))
    with pytest.raises(WrongKernel, match="is not ready when the call returns"):
        check.check_kernel(SPEC, jax_jit, kernel, n)


def drawn_by(generator):
    return lambda key, like: generator(key).standard_normal(like.shape)


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (drawn_by(lambda key: np.random.default_rng()), "draws other numbers from an equal key"),
        (drawn_by(lambda key: np.random.default_rng(1)), "draws equal numbers from another key"),
        (
            lambda key, like: np.random.default_rng(key).uniform(-(3**0.5), 3**0.5, like.shape),
            "wrong",
        ),
    ],
)
def test_wrong_draws_are_caught(kernel, said):
    spec = workloads.get("normals")
    check_numpy(drawn_by(np.random.default_rng), spec=spec)
    with pytest.raises(WrongKernel, match=said):
        check_numpy(kernel, spec=spec)


def test_a_wrong_decision_is_caught():
    spec = workloads.get("metropolis")
    with pytest.raises(WrongKernel, match="is wrong by"):
        check_numpy(lambda steps, log_u: NUMPY.metropolis(steps, log_u - 1e-3), 10_000, spec)


def test_columns_of_any_scale_count():
    spec = workloads.get("kalman")

    def wrong_slope(y):  # by 1e-9 of itself, beside a log-likelihood ten thousand times as large
        return NUMPY.kalman(y) * (1, 1 + 1e-9, 1)

    with pytest.raises(WrongKernel, match=r"is wrong by 1\.0e-09"):
        check_numpy(wrong_slope, 10_000, spec)
