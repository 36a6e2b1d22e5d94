import dataclasses
from statistics import NormalDist

import jax
import mpmath
import numpy as np
import pytest

from jitcost import backends
from jitcost.backends import jax_jit, workloads
from jitcost.backends.jax_eager import elementwise, summands

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


def test_k_of_a_recursion_is_the_number_of_equations_of_a_step():
    for name, k in (("recursion", 3), ("metropolis", 9), ("kalman", 28)):
        spec = workloads.get(name)
        assert spec.k == k
        assert equations_of_a_step(name) == k
    assert workloads.get("metropolis_chains").k == 1_000 * equations_of_a_step("metropolis_chains")


def equations_of_a_step(name):
    inputs = map(jax.numpy.asarray, workloads.get(name).inputs(2))
    jaxpr = jax.make_jaxpr(getattr(jax_jit, name))(*inputs)
    (scan,) = (e for e in jaxpr.eqns if e.primitive.name == "scan")
    return len(scan.params["jaxpr"].eqns)


def test_the_reference_of_metropolis_on_a_chain_worked_out_by_hand():
    # log p at 1, 1.5, 2: 0, -1.25^2 = -1.5625, -9. Up to 1.5 as -2 < -1.5625; back to 1 in any
    # case; not to 2, as -8.9 > -9; down to -1, of equal probability, through any log-uniform.
    steps, log_uniforms = np.array([0.5, -0.5, 1.0, -2.0]), np.array([-2.0, -0.1, -8.9, -1e-9])
    chain = workloads.get("metropolis").reference(steps, log_uniforms)
    assert chain.tolist() == [1.5, 1.0, 1.0, -1.0]
    two = workloads.get("metropolis_chains").reference(
        np.stack([steps, -steps], axis=1), np.stack([log_uniforms, log_uniforms - 100], axis=1)
    )
    # the second accepts all: 0.5, 1, 0, 2
    assert two.tolist() == [2.5 / 4, 3.5 / 4]


def test_the_increments_add_up_exactly():
    (steps, _) = workloads.get("metropolis").inputs(100_000)
    assert np.array_equal(steps * 2**32, np.rint(steps * 2**32))
    chain = workloads.get("metropolis").reference(*workloads.get("metropolis").inputs(100_000))
    assert np.max(np.abs(chain)) < 2**10  # 32 + 10 bits of 53
    # the target has its modes at -1 and 1, and the chain is at either half of the time
    assert np.mean(chain > 0) == pytest.approx(0.5, abs=0.05)
    assert np.mean(chain**2) == pytest.approx(second_moment_of_the_target(), abs=0.02)


def second_moment_of_the_target():
    p = lambda x: mpmath.exp(-((x**2 - 1) ** 2))  # noqa: E731
    return float(mpmath.quad(lambda x: x**2 * p(x), [-4, 0, 4]) / mpmath.quad(p, [-4, 0, 4]))


def test_the_reference_of_kalman_is_the_conditional_distribution():
    """Against the joint normal distribution of states and observations: solved, to ten digits."""
    n = 40
    (y,) = workloads.get("kalman").inputs(n)
    transition = np.array([[1.0, 1.0], [0.0, 1.0]])
    covariance = 10.0 * np.eye(2)
    state = np.zeros((2 * n, 2 * n))  # covariance of the states at 1..n
    for t in range(n):
        covariance = transition @ covariance @ transition.T + np.diag([0.1, 0.01])
        block = covariance
        for later in range(t, n):
            state[2 * later : 2 * later + 2, 2 * t : 2 * t + 2] = block
            state[2 * t : 2 * t + 2, 2 * later : 2 * later + 2] = block.T
            block = transition @ block
    observed = state[::2, ::2] + np.eye(n)
    reference = workloads.get("kalman").reference(y)
    for t in (1, 2, 17, n):
        seen, sigma = y[:t], observed[:t, :t]
        weights = np.linalg.solve(sigma, seen)
        now = state[2 * t - 2 : 2 * t, : 2 * t : 2]
        log_density = -(seen @ weights + np.linalg.slogdet(2 * np.pi * sigma)[1]) / 2
        assert reference[t - 1] == pytest.approx([*(now @ weights), log_density], rel=1e-9)


# 1000 is where the gains are taken to have settled
@pytest.mark.parametrize("n", [1, 400, 401, 1_000, 3_000])
def test_the_reference_of_kalman_runs_as_the_plain_filter(n):
    (y,) = workloads.get("kalman").inputs(n)
    mean, covariance = mpmath.matrix(2, 1), 10 * mpmath.eye(2)
    transition, noise = mpmath.matrix([[1, 1], [0, 1]]), mpmath.diag([mpmath.mpf(1) / 10, 0.01])
    noise[1, 1] = mpmath.mpf(1) / 100
    log_likelihood, filtered = mpmath.mpf(0), []
    for y_t in y:
        mean = transition * mean
        covariance = transition * covariance * transition.T + noise
        v, s = mpmath.mpf(float(y_t)) - mean[0], covariance[0, 0] + 1
        gain = covariance[:, 0] / s
        mean, covariance = mean + gain * v, covariance - gain * covariance[0, :]
        log_likelihood -= (mpmath.log(2 * mpmath.pi * s) + v * v / s) / 2
        filtered.append([float(mean[0]), float(mean[1]), float(log_likelihood)])
    assert workloads.column_error(workloads.get("kalman").reference(y), np.array(filtered)) <= EPS


@pytest.mark.parametrize("n", [1, 300])
def test_the_reference_of_the_gradient_is_the_derivative(n):
    x, y, beta = workloads.get("logistic_gradient").inputs(n)
    assert x.shape == (n, 10)
    assert set(y) <= {0.0, 1.0}
    rows = mpmath.matrix(x.tolist())
    p = [1 / (1 + mpmath.exp(-eta)) for eta in rows * mpmath.matrix(beta.tolist())]
    residuals = mpmath.matrix([mpmath.mpf(float(v)) - q for v, q in zip(y, p, strict=True)])
    exact = rows.T * residuals - mpmath.matrix(beta.tolist())
    exact = np.array([float(g) for g in exact])
    reference = workloads.get("logistic_gradient").reference(x, y, beta)
    assert np.max(np.abs(reference - exact)) <= EPS * np.max(np.abs(exact))

    def log_posterior(b):  # in other words than any kernel's
        eta = x @ b
        return -np.sum(np.log1p(np.exp(np.where(y == 1, -eta, eta)))) - b @ b / 2

    for j, step in enumerate(1e-5 * np.eye(10)):
        slope = (log_posterior(beta + step) - log_posterior(beta - step)) / 2e-5
        assert reference[j] == pytest.approx(slope, abs=1e-6)


def test_draws_are_judged_by_their_distribution():
    n = 10_001
    grid = (np.arange(n) + 0.5) / n
    normal = np.array([NormalDist().inv_cdf(u) for u in grid])
    error, tolerance = workloads.get("normals").error, workloads.get("normals").tolerance(n)
    nothing = np.zeros(n)
    assert error(normal, nothing) < 0.1
    # a mean of 0.1 is ten standard errors at n = 10,000
    assert error(normal + 0.1, nothing) > tolerance
    assert error(1.2 * normal, nothing) > tolerance
    assert error(12**0.5 * (grid - 0.5), nothing) > tolerance  # uniform, of mean 0 and variance 1
    # at n = 1 a draw of 5 happens once in two million, and one of 9 does not
    assert error(np.array([5.0]), nothing) <= workloads.get("normals").tolerance(1)
    assert error(np.array([9.0]), nothing) > workloads.get("normals").tolerance(1)


def test_options_are_a_value_of_each(monkeypatch):
    spec = workloads.get("elementwise")
    with pytest.raises(ValueError, match="elementwise takes no options; given: k = 3"):
        spec.inputs(5, k=3)
    assert spec.settings() == [{}]
    spec = dataclasses.replace(spec, options={"k": (1, 2), "how": ("a", "b")})
    with pytest.raises(ValueError, match="takes k = 1, 2; how = a, b; given: none"):
        spec.inputs(5)
    with pytest.raises(ValueError, match="given: k = 3, how = 'a'"):
        spec.inputs(5, k=3, how="a")
    assert {"k": 2, "how": "a"} in spec.settings()
    assert len(spec.settings()) == 4


def test_inputs_are_the_same_in_every_process_and_differ_between_draws(run_python):
    code = """
from jitcost.backends import workloads
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
        assert spec.limits.keys() <= set(backends.names())
        for limit in filter(None, (*spec.limits.values(), spec.others)):
            assert limit.reason


@pytest.mark.parametrize(
    ("operation", "exact"),
    [
        ("square", lambda x: x * x),
        ("scale", lambda x: 3 * x),
        ("exp", mpmath.exp),
        ("cos", mpmath.cos),
        ("tanh", mpmath.tanh),
        ("multiply", lambda x, y: x * y),
        ("add", lambda x, y: x + y),
        ("sum", None),
    ],
)
def test_the_reference_of_each_operation(operation, exact):
    spec = workloads.get("operations")
    inputs = spec.inputs(300, operation=operation)
    rows = [tuple(map(mpmath.mpf, row)) for row in np.stack(inputs, axis=1).tolist()]
    if operation == "sum":
        expected = np.array(float(mpmath.fsum(x for (x,) in rows)))
    else:
        expected = np.array([float(exact(*row)) for row in rows])
    reference = spec.reference(*inputs, operation=operation)
    assert reference.shape == expected.shape
    assert workloads.relative_error(reference, expected) <= EPS


def test_the_reference_of_op_chain_is_what_the_operations_give():
    (x,) = workloads.get("op_chain").inputs(100, k=1)
    v = [mpmath.mpf(float(u)) for u in x]
    for k in range(1, 33):
        v = [u * 0.75 if k % 2 else u + 0.25 for u in v]
        if k in workloads.get("op_chain").options["k"]:
            reference = workloads.get("op_chain").reference(x, k=k)
            assert workloads.relative_error(reference, np.array([float(u) for u in v])) <= EPS


@pytest.mark.parametrize("k", [1, 2, 4, 8, 16, 32])
def test_no_operation_of_the_chain_is_folded_away(k):
    """XLA's own count of the compiled program: k floating-point operations for each element."""
    compiled = jax_jit.fresh_kernel("op_chain", k=k).lower(jax.numpy.ones(1_000)).compile()
    analysis = compiled.cost_analysis()
    analysis = analysis[0] if isinstance(analysis, list) else analysis  # before JAX 0.5
    assert analysis["flops"] == pytest.approx(1_000 * k, rel=0.01)


@pytest.mark.parametrize(
    ("workload", "arrays", "said"),
    [
        ("elementwise", [np.ones(9)], r"takes float64 \(10,\); given: float64 \(9,\)"),
        (
            "elementwise",
            [np.ones(10, np.float32)],
            r"takes float64 \(10,\); given: float32 \(10,\)",
        ),
        ("elementwise", [np.ones(10)] * 2, r"given: float64 \(10,\), float64 \(10,\)"),
        ("metropolis", [np.ones(10)], r"takes float64 \(10,\), float64 \(10,\); given: float64 "),
        ("metropolis", [np.ones(10), np.ones(8)], r"given: float64 \(10,\), float64 \(8,\)"),
        (
            "logistic_gradient",
            [np.ones((10, 3))],
            r"takes float64 \(10, 10\), .*given: float64 \(10, 3",
        ),
        (
            "normals",
            [np.ones(2), np.ones(10)],
            r"takes uint32 \(2,\), float64 \(10,\); given: float64",
        ),
        ("kalman", [np.full(10, np.nan)], "kalman takes finite numbers; given: NaN or infinity"),
        ("kalman", [np.full(10, np.inf)], "kalman takes finite numbers; given: NaN or infinity"),
    ],
)
def test_other_inputs_are_refused_with_the_expected_ones(workload, arrays, said):
    with pytest.raises(ValueError, match=said):
        workloads.get(workload).checked(tuple(arrays), 10)


def test_a_spec_that_draws_other_inputs_than_it_says_is_refused():
    spec = dataclasses.replace(
        workloads.get("elementwise"), draw_inputs=lambda n, rng: (rng.random(n, np.float32),)
    )
    with pytest.raises(ValueError, match="given: float32"):
        spec.inputs(10)


@pytest.mark.parametrize("workload", workloads.WORKLOADS)
def test_no_input_decays_into_the_subnormal_numbers(workload):
    """XLA flushes them to zero, and other backends take a hundred times as long on them."""
    spec = workloads.get(workload)
    for options in spec.settings():
        inputs = spec.inputs(300, **options)
        for array in (*inputs, spec.reference(*inputs, **options)):
            values = np.abs(array[array != 0])
            assert np.all(values > np.finfo(np.float64).tiny)
