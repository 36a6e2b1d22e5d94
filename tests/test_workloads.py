import jax
import mpmath
import numpy as np
import pytest

import backends
from backends import workloads
from backends.jax_eager import elementwise, summands

EPS = np.finfo(np.float64).eps


def exact_summand(x):
    x = mpmath.mpf(float(x))
    return mpmath.exp(-(x**2) / 2) * mpmath.cos(3 * x) + x * mpmath.tanh(x)


def exact_recursion(e):
    x, path = mpmath.mpf(0), []
    for e_t in e:
        x = mpmath.tanh(mpmath.mpf("0.9") * x) + mpmath.mpf(float(e_t))
        path.append(x)
    return path


@pytest.fixture(autouse=True)
def forty_digits():
    with mpmath.workdps(40):
        yield


def test_the_reference_of_elementwise_at_values_worked_out_by_hand():
    # at 0: exp(0) cos(0) + 0 = 1; at 1 and -1 the same, since every factor pair is even
    one = float(exact_summand(1))
    # from tables: e^-0.5 = 0.60653066, cos 3 = -0.98999250, tanh 1 = 0.76159416
    assert one == pytest.approx(0.60653066 * -0.98999250 + 0.76159416, abs=2e-8)
    reference = workloads.get("elementwise").reference
    assert reference(np.array([0.0])) == 1.0
    assert reference(np.array([1.0, -1.0])) == pytest.approx(2 * one, rel=EPS)


@pytest.mark.parametrize("n", [1, 7, 20_000])
def test_the_reference_of_elementwise_is_exact_to_the_last_digit(n):
    (x,) = workloads.get("elementwise").inputs(n)
    exact = float(sum(map(exact_summand, x)))
    assert abs(workloads.get("elementwise").reference(x) - exact) <= EPS * abs(exact)


def test_the_reference_of_summands_is_exact_to_the_last_digit():
    (x,) = workloads.get("summands").inputs(500)
    exact = np.array([float(exact_summand(v)) for v in x])
    assert np.max(np.abs(workloads.get("summands").reference(x) - exact)) <= EPS


# 400 is one block, 401 begins a second one, 1000 has three
@pytest.mark.parametrize("n", [1, 2, 400, 401, 1000])
def test_the_reference_of_the_recursion_is_exact_to_the_last_digit(n):
    (e,) = workloads.get("recursion").inputs(n)
    exact = np.array([float(x) for x in exact_recursion(e)])
    reference = workloads.get("recursion").reference(e)
    assert reference.shape == (n,)
    assert np.max(np.abs(reference - exact)) <= 2 * EPS * np.max(np.abs(exact))


def test_0_9_in_the_recursion_is_the_float_of_the_kernels():
    # The kernels multiply by the float 0.9, the exact recursion by 9/10: it must not show.
    assert abs(0.9 - mpmath.mpf("0.9")) < EPS / 2


def test_k_of_elementwise_is_its_number_of_jaxpr_equations():
    x = jax.numpy.ones(5)
    assert len(jax.make_jaxpr(elementwise)(x).eqns) == workloads.get("elementwise").k == 10
    assert len(jax.make_jaxpr(summands)(x).eqns) == workloads.get("summands").k == 9


def test_inputs_are_the_same_in_every_process_and_differ_between_draws(run_python):
    code = """
from backends import workloads
print(repr(workloads.get("recursion").inputs(3)[0].tolist()))
"""
    (first,), (second,) = (workloads.get("recursion").inputs(3, draw) for draw in (0, 1))
    assert run_python(code).strip() == repr(first.tolist())
    assert not np.any(first == second)


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "n = 0 is too small"),
        (-3, "n = -3 is too small"),
        (2.5, "n = 2.5 is not a whole number"),
    ],
)
def test_a_size_is_a_whole_number_of_at_least_one(n, said):
    with pytest.raises(ValueError, match=said):
        workloads.get("elementwise").inputs(n)


def test_an_unknown_workload_is_named_with_the_known_ones():
    with pytest.raises(backends.UnknownNameError, match=r"no workload 'recusion'; there are elem"):
        workloads.get("recusion")


def test_every_spec_says_where_its_numbers_come_from():
    for spec in workloads.WORKLOADS.values():
        assert spec.summary
        assert spec.k_counts
        assert spec.tolerance_reason
        for backend, limit in spec.limits.items():
            assert backend in backends.NAMES
            assert limit.reason
