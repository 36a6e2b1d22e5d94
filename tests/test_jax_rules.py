"""What JAX asks of a function that is compiled, each rule by the kernels or one small function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks import elementwise as elementwise_benchmarks
from jitcost import backends
from jitcost.backends import jax_eager, jax_jit, workloads


@pytest.fixture
def traces(monkeypatch):
    """Count how often the kernel of elementwise is traced: its Python code runs then, and only then."""
    shapes = []

    def counted(x):
        shapes.append(x.shape)  # a side effect
        return jax_eager.elementwise(x)

    monkeypatch.setattr(jax_jit, "elementwise", counted)
    return shapes


def test_a_side_effect_happens_once_while_tracing(traces):
    kernel = jax_jit.fresh_kernel("elementwise")
    x = jnp.linspace(-1, 1, 10)
    results = {float(kernel(x)) for _ in range(5)}
    assert traces == [(10,)]
    assert results == {float(kernel(x))}
    without_jit = backends.load("jax_eager").make_call(jax_jit.elementwise, (x,))
    for _ in range(5):
        without_jit()
    assert len(traces) == 6  # one by one, it happens in each call


def test_a_new_shape_traces_again_and_an_old_one_does_not(traces):
    kernel = jax_jit.fresh_kernel("elementwise")
    for n in (10, 20, 10, 20, 30, 10):
        kernel(jnp.ones(n))
    assert traces == [(10,), (20,), (30,)]
    kernel(jnp.ones(10, jnp.float32))  # nor is another dtype the same signature
    assert traces == [(10,), (20,), (30,), (10,)]


def test_nothing_is_traced_while_the_steady_state_is_timed(traces):
    benchmark = elementwise_benchmarks.SteadyState()
    n = 77  # of no other test: what is prepared is kept
    benchmark.setup(n, "jax_jit")
    assert traces == [(n,)]  # by the check, on two input sets of one shape
    for _ in range(3):
        benchmark.setup(n, "jax_jit")
        benchmark.time_call(n, "jax_jit")
    assert traces == [(n,)]


def test_every_first_call_traces(traces):
    benchmark = elementwise_benchmarks.FirstCall()
    benchmark.setup(78, "jax_jit")
    before = len(traces)
    benchmark.time_first_call(78, "jax_jit")
    assert len(traces) == before + 1


def test_a_python_if_on_a_traced_value_raises():
    def halve_if_positive(x):
        if x[0] > 0:
            return x / 2
        return x

    x = jnp.ones(3)
    assert halve_if_positive(x)[0] == 0.5  # without jit there is a value to ask
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(halve_if_positive)(x)
    assert jax.jit(lambda x: jnp.where(x[0] > 0, x / 2, x))(x)[0] == 0.5


def test_a_python_if_in_the_metropolis_kernel_would_raise():
    """Why the compiled kernel chooses by where: plain Python's, traced, has an if in each step."""
    inputs = tuple(map(jnp.asarray, workloads.get("metropolis").inputs(3)))
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(backends.load("python").metropolis)(*inputs)
    assert jax_jit.fresh_kernel("metropolis")(*inputs).shape == (3,)


def test_a_traced_value_that_is_kept_is_no_value():
    kept = []
    jax.jit(lambda x: kept.append(x) or x)(1.0)
    with pytest.raises(jax.errors.UnexpectedTracerError):
        kept[0] + 1


def test_random_numbers_come_from_keys():
    kernel = jax_jit.fresh_kernel("normals")
    key, like = map(jnp.asarray, workloads.get("normals").inputs(1_000))
    first = np.asarray(kernel(key, like))
    assert np.array_equal(first, np.asarray(kernel(key, like)))  # no state is left behind
    one, other = jax.random.split(key)
    draws = [np.asarray(kernel(k, like)) for k in (key, one, other)]
    for i in range(3):
        for j in range(i):
            assert abs(np.corrcoef(draws[i], draws[j])[0, 1]) < 0.15  # 5 standard errors


def test_jax_computes_in_float32_and_the_suite_in_float64(run_python):
    code = """
import jax.numpy as jnp
print(jnp.ones(3).dtype, (jnp.float32(1) + 1e-9 == 1).item())
"""
    assert run_python(code, without=("JAX_ENABLE_X64",)).split() == ["float32", "True"]
    code = """
from jitcost import backends
from jitcost.backends import workloads
for name in ("jax_eager", "jax_jit"):
    module = backends.load(name)
    call = module.make_call(
        module.fresh_kernel("elementwise"),
        tuple(map(module.to_native, workloads.get("elementwise").inputs(5))),
    )
    print(call().dtype)
"""
    assert run_python(code, without=("JAX_ENABLE_X64",)).split() == ["float64"] * 2
