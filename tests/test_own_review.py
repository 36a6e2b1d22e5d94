"""What would have been a wrong number, silently: each was found in kernels that people might write."""

import textwrap

import pytest

from jitcost.errors import BadCallError
from own_files import fine, measured, scout, write


@pytest.fixture
def scouted(tmp_path):
    """Write a file and scout it."""
    return lambda text, sizes=(10, 100), **how: scout(write(tmp_path, text, **how), sizes)


FOREIGN = "another library, which has computed it"


def test_a_number_of_numpys_is_nothing_that_jax_has_computed(scouted):
    found = scouted(
        """
        def kernel_numpy(x):
            return np.exp(x).sum()

        def kernel_jax_eager(x):
            return np.exp(x).sum()
        """
    )
    assert FOREIGN in found["mine jax_eager"].reason


def test_what_jax_has_yet_to_compute_is_no_result_of_numpys(scouted):
    found = scouted(
        """
        import jax

        def kernel_numpy(x):
            return jax.jit(lambda x: x + 1)(x)

        def kernel_python(x):
            return [v + 1 for v in x]
        """
    )
    assert FOREIGN in found["mine numpy"].reason
    assert not found["mine python"].failed


def test_an_object_that_nobody_can_wait_for_is_refused(scouted):
    found = scouted(
        """
        import dataclasses
        import jax.numpy as jnp

        @dataclasses.dataclass
        class Pair:
            a: object
            b: object

        def kernel_numpy(x):
            return Pair(x + 1, x + 2)

        def kernel_jax_eager(x):
            return Pair(x + 1, x + 2)
        """
    )
    assert "not ready when the call returns" in found["mine jax_eager"].reason


def test_a_kernel_that_is_refused_is_nothing_that_others_are_held_against(scouted):
    found = scouted(
        """
        calls = []

        def kernel_numpy(x):
            calls.append(1)
            return x + len(calls)

        def kernel_python(x):
            return [v + 1.0 for v in x]

        def kernel_numba(x):
            return x + 1.0
        """
    )
    assert all("its second call differs" in said for said in found["mine numpy"].failed.values())
    assert fine(found) == {"mine python", "mine numba"}


def test_constants_are_found_where_no_name_leads_to_them(scouted):
    found = scouted(
        """
        import jax.numpy as jnp
        weights = {"w": np.arange(50.0)}

        def kernel_numpy(x):
            return x.sum() * weights["w"].sum()

        def kernel_jax_jit(x):
            return x.sum() * jnp.asarray(weights["w"]).sum()
        """
    )
    assert found["mine jax_jit"].remarks == {
        "has an array of 50 elements that is no argument: it is compiled in as a constant; pass it as "
        "an argument"
    }


def test_nothing_to_trace_is_told(scouted):
    found = scouted(
        """
        import jax.numpy as jnp

        def kernel_numpy(n):
            return np.arange(float(n)).sum()

        def kernel_jax_jit(n):
            return jnp.arange(float(n)).sum()
        """,
        head="import numpy as np\n\ndef inputs(n, rng):\n    return n\n",
    )
    (said,) = (one for one in found["mine jax_jit"].remarks if "traced" in one)
    assert said == "gets nothing that is traced: a compiler may compute it beforehand"


def test_what_is_partly_applied_is_jitted_and_unjitted(scouted):
    found = scouted(
        """
        import functools
        import jax
        import jax.numpy as jnp

        def scaled(x, factor):
            # of a tracer there is no number
            assert not factor == 3.0 or float(x[0]) is not None
            return x * factor

        kernel_numpy = functools.partial(scaled, factor=3.0)
        kernel_jax_eager = functools.partial(jax.jit(scaled), factor=3.0)
        kernel_jax_jit = functools.partial(jnp.multiply, 3.0)
        """
    )
    assert fine(found) == {"mine numpy", "mine jax_eager", "mine jax_jit"}


def test_compiled_functions_that_are_closed_over_are_compiled_anew(scouted):
    found = scouted(
        """
        import numba

        def make():
            @numba.njit
            def step(v):
                return 2.0 * v

            @numba.njit(locals={"total": numba.float32})
            def run(x):
                total = 0.0
                for v in x:
                    total += step(v)
                return total
            return run

        kernel_numpy = lambda x: (2.0 * x).sum()
        kernel_numba = make()
        tolerance = 1e-3
        """
    )
    assert not found["mine numba"].failed, found["mine numba"].failed
    # The declared type of the local is kept: a sum in double precision would be nearer than 1e-9.
    assert found["mine numba"].ok[100]["error"] > 1e-9


def test_a_file_of_which_nothing_is_a_function_is_one_line(tmp_path):
    path = write(tmp_path, "def make(): pass\nkernel_numpy = make()\n")
    with pytest.raises(BadCallError, match="none of the kernels is a function"):
        measured(path, sizes=(10,), processes=1)


MUTATES = """
import numpy as np
mutates = True

def inputs(n, rng):
    return (rng.normal(size=n),)

def kernel_numpy(x):
    x += 1.0
    return x

def kernel_numba(x):
    for i in range(x.size):
        x[i] += 1.0
    return x
"""


def test_a_sample_of_what_changes_its_inputs_is_as_many_calls_for_each(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(textwrap.dedent(MUTATES))
    found, _ = measured(path, sizes=(100,), processes=1)
    calls = {
        entry.kernel.name: process.record["m"]
        for (entry, _), (process,) in found.outcome.cells.items()
    }
    # a call takes about a microsecond; by the first call of numba, 100 ms, a sample would be one call
    assert min(calls.values()) > 100


def test_a_file_may_be_called_as_the_library_that_it_imports(tmp_path):
    text = """
    import statistics
    import jax.numpy as jnp

    def kernel_numpy(x):
        return np.tanh(x)

    def kernel_python(x):
        return [statistics.fmean([np.tanh(v)]) for v in x]

    def kernel_jax_jit(x):
        return jnp.tanh(x)
    """
    for name in ("jax", "statistics"):
        (tmp_path / name).mkdir()
        path = write(tmp_path / name, text, name=f"{name}.py")
        found, _ = measured(path, sizes=(10,), budget=30.0)
        assert {row.backend for row in found.compare()} == {"numpy", "python", "jax_jit"}
