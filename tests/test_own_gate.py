"""What the gate says of people's kernels before any is timed: one clear line, or nothing."""

import pytest

from own_files import fine, scout, write


@pytest.fixture
def scouted(tmp_path):
    """Write a file and scout it."""
    return lambda text, sizes=(10, 100), **how: scout(write(tmp_path, text, **how), sizes)


REFUSED = {
    "another shape": (
        "def kernel(x): return x\ndef kernel_numba(x): return x[:5]",
        "mine numba",
        "differs from numpy's: shape (5,), expected (10,)",
    ),
    "another value": (
        "def kernel(x): return x\ndef kernel_numba(x): return np.where(x == x[7], 0.0, x)",
        "mine numba",
        "differs from numpy's at [7]: 0.0, expected",
    ),
    "another value than the reference's": (
        "def reference(x): return x.sum() + 1.0\ndef kernel(x): return x.sum()",
        "mine numpy",
        "is wrong: ",
    ),
    "an input that changes": (
        "def kernel(x):\n    x *= 2\n    return x.sum()",
        "mine numpy",
        "changes its input x; work on a copy, or say mutates = True in the file",
    ),
    "a second call that differs": (
        "calls = []\ndef kernel(x):\n    calls.append(1)\n    return x + len(calls)",
        "mine numpy",
        "its second call differs from its first at [0]: ",
    ),
    "a generator": (
        "def kernel(x): return (v for v in x)",
        "mine numpy",
        "returns a generator, which has computed nothing yet; return a list",
    ),
    "an iterator": (
        "def kernel(x): return map(abs, x)",
        "mine numpy",
        "returns a map, which has computed nothing yet",
    ),
    "eager without xp": (
        "def kernel(x): return np.exp(x)\ndef kernel_jax_eager(x): return np.exp(x)",
        "mine jax_eager",
        "returns an array of another library, which has computed it, and not this backend; use the ",
    ),
    "donated inputs": (
        "import jax\ndef kernel(x): return 2 * x\n"
        "kernel_jax_jit = jax.jit(lambda x: 2 * x, donate_argnums=0)",
        "mine jax_jit",
        "donates its inputs, and finds them gone at the second call; donate nothing",
    ),
    "a module that is missing": (
        "def kernel(x):\n    import no_such_module\n    return x",
        "mine numpy",
        "ModuleNotFoundError: No module named 'no_such_module' (mine.py, line 7)",
    ),
    "what Numba does not compile": (
        "class Model:\n    def fit(self, x): return x.sum()\n"
        "kernel_numpy = kernel_numba = Model().fit",
        "mine numba",
        "TypeError: Numba compiles plain functions, and method is none",
    ),
    "a result that is none": (
        "import threading\ndef kernel(x): return threading.Lock()",
        "mine numpy",
        "its second call differs from its first: <unlocked _thread.lock object",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_kernel_that_is_refused_says_why_in_one_line(scouted, case):
    text, name, said = REFUSED[case]
    found = scouted(text, sizes=(10,))[name]
    assert not found.ok
    assert found.reason.startswith(said)
    assert "\n" not in found.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "import numba\n@numba.njit\ndef kernel(x): return x.sum()",
            "kernel is compiled by numba already: name it kernel_numba",
        ),
        (
            "import numba\n@numba.njit\ndef mine_numpy__b(x): return x.sum()",
            "mine_numpy__b is compiled by numba already: name it mine_numba__b",
        ),
        (
            "import jax\n@jax.jit\ndef kernel_numba(x): return x.sum()",
            "kernel_numba is compiled by jax_jit already: name it kernel_jax_jit",
        ),
    ],
)
def test_who_is_compiled_by_another_backend_than_its_names_is_told_the_right_one(
    scouted, text, said
):
    (found,) = scouted(text).values()
    assert found.unusable == said
    assert not found.ok


def test_what_fails_at_one_size_is_measured_at_the_others(scouted):
    found = scouted(
        """
        def kernel(x):
            if x.size == 100:
                raise ValueError("too many")
            return x.sum()
        """,
        sizes=(10, 100, 1_000),
    )["mine numpy"]
    assert list(found.ok) == [10, 1_000]
    assert found.failed == {100: "ValueError: too many (mine.py, line 9)"}


def test_a_kernel_that_changes_its_inputs_is_held_against_what_it_makes_of_them(scouted):
    found = scouted(
        """
        import jax

        mutates = True

        def kernel(x): x *= 2
        def kernel_python(x):
            for i in range(len(x)): x[i] *= 2
        def kernel_numba(x):
            for i in range(x.size): x[i] *= 2
        def kernel_numba__wrong(x):
            for i in range(x.size): x[i] *= 3
        def kernel_jax_eager(x): return 2 * x
        kernel_jax_jit = jax.jit(lambda x: 2 * x, donate_argnums=0)
        """
    )
    assert fine(found) == {
        *("mine numpy", "mine python", "mine numba", "mine jax_eager", "mine jax_jit")
    }
    assert found["mine numba__wrong"].failed[10].startswith("differs from numpy's at [0]: ")


def test_a_buffer_that_is_used_again_is_no_result_of_the_first_call(scouted):
    text = """
        OUT = np.empty(10)
        calls = []

        def kernel(x):
            calls.append(1)
            return np.multiply(x, {factor}, out=OUT)
        """
    assert fine(scouted(text.format(factor=2), sizes=(10,))) == {"mine numpy"}
    found = scouted(text.format(factor="len(calls)"), sizes=(10,))["mine numpy"]
    assert found.reason.startswith("its second call differs from its first")


def test_float32_is_a_remark_and_needs_no_tolerance(scouted):
    found = scouted(
        """
        def kernel(x): return x + 1
        def kernel_numba(x): return (x + 1).astype(np.float32)
        """
    )["mine numba"]
    assert found.remarks == {"float32, the reference is float64"}
    assert found.ok[10]["tolerance"] == 1e-4


def test_a_tolerance_for_a_backend_is_its_versions_unless_they_have_their_own(scouted):
    found = scouted(
        """
        tolerance = {"numba": 1e-3, "numba__b": 1e-6}
        def kernel(x): return x + 1
        def kernel_numba(x): return (x + 1) * (1 + 1e-5)
        def kernel_numba__a(x): return (x + 1) * (1 + 1e-5)
        def kernel_numba__b(x): return (x + 1) * (1 + 1e-5)
        def kernel_jax_jit(x): return (x + 1) * (1 + 1e-5)
        """,
        sizes=(10,),
    )
    assert fine(found) == {"mine numpy", "mine numba", "mine numba__a"}
    assert "tolerance 1e-06" in found["mine numba__b"].reason
    assert "tolerance 1e-09" in found["mine jax_jit"].reason


def test_what_is_closed_over_matters_to_compilers_only(scouted):
    found = scouted(
        """
        import jax
        TABLE = np.arange(100.0)
        def kernel(x): return x + TABLE[3]
        def kernel_jax_jit(x): return x + jax.numpy.asarray(TABLE)[3]
        def kernel_numba(x): return x + TABLE[3]
        """,
        sizes=(10,),
    )
    said = {
        "takes TABLE (100 elements) from outside: compilers make a constant of it; "
        "pass it as an argument"
    }
    assert [found[f"mine {name}"].remarks for name in ("numpy", "jax_jit", "numba")] == [
        set(),
        said,
        said,
    ]


def test_warnings_and_results_that_are_none_are_remarks(scouted):
    found = scouted(
        """
        import warnings
        def odd_numpy(x):
            warnings.warn("an odd\\n  kernel")
            return x.sum()
        def none_numpy(x): pass
        def same_numpy(x): return 3.0
        """
    )
    assert found["odd numpy"].remarks == {"warns: an odd kernel"}
    assert found["none numpy"].remarks == {
        "returns nothing: a compiler may leave out all of its work"
    }
    assert found["same numpy"].remarks == {"gives the same result for other inputs"}


@pytest.mark.parametrize(
    ("draws", "said"),
    [
        ("np.random.normal(size=n)", set()),
        (
            "np.random.default_rng().normal(size=n)",
            {"inputs returns other values each time: take rng, or seed the generator"},
        ),
    ],
)
def test_inputs_without_rng(scouted, draws, said):
    head = f"import numpy as np\ndef inputs(n): return {draws}\n"
    found = scouted("def kernel(x, xp): return xp.sum(x)", head=head)
    assert set().union(*(told.remarks for told in found.values())) == said
    assert all(list(told.ok) == [10, 100] for told in found.values())


def test_a_size_that_takes_too_long_ends_the_scout(tmp_path):
    path = write(
        tmp_path,
        "import time\ndef kernel(x):\n    time.sleep(x.size * 1e-3)\n    return x",
    )
    found = scout(path, (10, 30, 100, 1_000), limit=0.02)["mine numpy"]
    assert list(found.ok) == [10, 30]
    assert list(found.left_out) == [100]
    assert found.left_out[100].endswith(
        "ms at n = 30 already, and for all to fit into the time it may take 20.0 ms"
    )
