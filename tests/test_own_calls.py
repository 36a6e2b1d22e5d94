"""What people's kernels get, and how those that are compiled already are run."""

import math
import types

import pytest

from jitcost.backends._array_functions import with_module
from own_files import fine, scout, write

SCALARS = """
import numpy as np

def inputs(n, rng):
    return rng.normal(size=n), 1.5, 3, np.int64(2), True, "yes", None
"""


@pytest.fixture
def scouted(tmp_path):
    """Write a file and scout it."""
    return lambda text, sizes=(10, 100), **how: scout(write(tmp_path, text, **how), sizes)


def test_numbers_texts_and_none_are_bound_before_jit_and_floats_are_traced(scouted):
    found = scouted(
        """
        def kernel(x, a, count, more, flag, name, nothing, xp=np):
            for _ in range(count + more):
                x = x * a
            return x if flag and name == "yes" and nothing is None else -x

        def kernel_jax_jit__traces(x, a, count, more, flag, name, nothing):
            assert type(count) is int and type(name) is str
            return x * a**5 + 0 * (hasattr(a, "aval") or 1 / 0)
        """,
        head=SCALARS,
    )
    assert fine(found) == set(found)


def test_static_and_traced_say_otherwise(scouted):
    found = scouted(
        """
        static = ["a"]
        traced = {"jax_jit": ["count"]}

        def kernel(x, a, count, *_, xp=np):
            return x * count if a > 1 else x

        def kernel_jax_jit__both(x, a, count, *_):
            assert type(a) is float and hasattr(count, "aval")
            return x * count
        """,
        head=SCALARS.replace('True, "yes", None', "").replace("np.int64(2), ", "2.0"),
    )
    assert fine(found) == set(found)


def test_structures_and_types_of_all_sorts(scouted):
    found = scouted(
        """
        def tree(p, c, xp): return {"sum": xp.sum(p["a"]), "pair": (p["b"][0] * c, [p["b"][1]])}
        def complex_numpy(p, c): return np.fft.fft(p["a"]) * c
        def complex_jax(p, c):
            import jax.numpy as jnp
            return jnp.fft.fft(p["a"]) * c
        def tree_numpy(p, c): return tree(p, c, np)
        def nan_numpy(p, c): return np.append(p["a"], np.nan)
        def nan_python(p, c): return [*p["a"], float("nan")]
        """,
        head=(
            "import numpy as np\n"
            "def inputs(n, rng): return {'a': rng.normal(size=n), 'b': (rng.normal(size=n), 2.0)}, 2j\n"
        ),
    )
    assert {name.split()[0] for name in found} == {"tree", "complex", "nan"}
    assert fine(found) == set(found)


def test_ready_made_kernels_run_with_their_authors_options(scouted):
    found = scouted(
        """
        import functools, jax, numba

        def kernel(x, k): return x**k + x.sum()
        @functools.partial(jax.jit, static_argnums=1)
        def kernel_jax_jit(x, k): return x ** int(k) + sum([x.sum() for _ in range(k - 2)])
        @functools.partial(jax.jit, static_argnames="k")
        def kernel_jax_jit__named(x, k): return x ** int(k) + x.sum()
        @numba.njit
        def helper(x): return x.sum()
        @numba.njit(cache=True, fastmath=True)
        def kernel_numba(x, k): return x**k + helper(x)
        def plain(x, i): return 0.0 if i == x.size else x[i] + plain(x, i + 1)
        def kernel_numba__recursive(x, k): return x**k + plain(x, 0)
        @numba.njit("float64[:](float64[:], int64)")
        def kernel_numba__signature(x, k): return x**k + x.sum()
        """,
        head="import numpy as np\ndef inputs(n, rng): return rng.normal(size=n), 3\n",
        sizes=(10,),
    )
    assert fine(found) == set(found)
    assert len(found) == 6


def test_sizes_may_be_tuples_and_names_any_alphabet(scouted):
    found = scouted(
        "def größe_numpy(x, y): return x @ y\ndef größe_python(x, y): return [sum(map(float.__mul__, "
        "r, y)) for r in x]",
        head=(
            "def inputs(size, rng):\n"
            "    n, p = size\n"
            "    return rng.normal(size=(n, p)), rng.normal(size=p)\n"
        ),
        sizes=((2, 3), (20, 30)),
    )
    assert fine(found) == {"größe numpy", "größe python"}
    assert [told["n"] for told in found["größe numpy"].ok.values()] == [6.0, 600.0]


def test_numba_is_offered_what_is_written_for_any_array_library(scouted):
    found = scouted(
        """
        def half(v):
            return 0.5 * v

        def kernel(x, scale=2.0, *, xp):
            return xp.tanh(half(x)) * scale

        def other(x, xp=np, scale=3.0):
            return xp.exp(x) * scale

        def other_numba(x):
            return np.exp(x) * 3.0

        def third(x, xp=np):
            return xp.einsum("i,i->", x, x)

        def third_numpy(x):
            return (x * x).sum()

        def third_numba__own(x):
            return (x * x).sum()
        """
    )
    # Of the file's own problem alone: the others have kernels of Numba's.
    assert [name for name in found if name.endswith("numba__xp")] == ["mine numba__xp"]
    assert fine(found) == set(found)


def test_what_numba_cannot_compile_of_it_is_told(scouted):
    found = scouted(
        """
        def kernel(x, xp=np):
            return xp.einsum("i,i->", x, x)
        """
    )
    assert "einsum" in found["mine numba__xp"].reason
    assert fine(found) == {"mine numpy", "mine jax_eager", "mine jax_jit"}


def test_a_parameter_is_dropped_with_its_default(tmp_path):
    def kernel(x, xp=math, y=2.0):
        return x, xp.name, y

    module = types.SimpleNamespace(name="bound")
    bound = with_module(kernel, "xp", module)
    assert bound(1.0) == (1.0, "bound", 2.0)
    assert bound(1.0, 3.0) == (1.0, "bound", 3.0)
    assert kernel(1.0, module) == (1.0, "bound", 2.0)
