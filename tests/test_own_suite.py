"""Benchmarks of one's own functions: which file they read, what they skip, refuse and time."""

import re

import pytest

from jitcost.errors import BadCallError
from jitcost.measuring.planning import is_skipped, steps
from jitcost.measuring.selection import Selection

FILE = """
import numpy as np

def inputs(n, rng):
    return rng.normal(size=n)

def fit_numpy(x):
    return x + {constant}

def fit_numba(x):
    return x + 1

def fit_python(x):
    return [one + 1 for one in x]

def other_numpy(x):
    return x
"""

RIGHT = FILE.format(constant=1)

MODULE = """
from jitcost.own import suite

class _Own:
    file, workload, version = {file!r}, {workload!r}, "1"
    limits = {{"python": 100}}

class SteadyState(_Own, suite.SteadyState):
    params = [[10, 1000], ["numpy", "numba", "python", "jax_jit"]]

class FirstCall(_Own, suite.FirstCall):
    params = SteadyState.params
"""


@pytest.fixture
def suite(tmp_path, run_python):
    """Run code with the benchmarks of a file, which may be another one in asv's checkout."""
    root, env = tmp_path / "repository", tmp_path / "env"
    (root / "benchmarks" / "own").mkdir(parents=True)
    for folder in (root / "benchmarks", root / "benchmarks" / "own"):
        (folder / "__init__.py").write_text("")

    def run(code, *, repository=RIGHT, checkout=None, workload="fit"):
        module = root / "benchmarks" / "own" / "fit.py"
        module.write_text(MODULE.format(file="fit.py", workload=workload))
        if repository is not None:
            (root / "fit.py").write_text(repository)
        variables = {}
        if checkout is not None:
            (env / "project").mkdir(parents=True, exist_ok=True)
            variables["ASV_ENV_DIR"] = str(env)
            if checkout:
                (env / "project" / "fit.py").write_text(checkout)
        start = f"import sys; sys.path.insert(0, {str(root)!r})\nfrom benchmarks.own import fit\n"
        return run_python(start + code, env=variables)

    return run


SKIP = """
def why(n, backend):
    try:
        fit.SteadyState().setup(n, backend)
    except NotImplementedError as error:
        return str(error)
"""


def test_a_call_is_timed_as_the_suites_own_are(suite):
    code = """
import inspect, timeit
benchmark = fit.SteadyState()
print(benchmark.number, benchmark.rounds, benchmark.repeat, inspect.isabstract(fit.suite.SteadyState))
for n in (10, 10, 1000):
    benchmark.setup(n, "numba")
    batch = benchmark.batch
    seconds = timeit.Timer(lambda: benchmark.time_call(n, "numba"), timer=benchmark.timer).timeit(1)
    print(1e-8 < seconds < 1e-3, batch.m > 1)
"""
    assert suite(code) == "1 5 4 True\n" + 3 * "True True\n"


def test_setting_up_again_keeps_the_batch_and_makes_another_first_call(suite):
    code = """
steady, first = fit.SteadyState(), fit.FirstCall()
steady.setup(10, "numba"); batch = steady.batch; steady.setup(10, "numba")
print(steady.batch is batch)
import time
seconds = []
for _ in range(2):
    first.setup(10, "numba")
    start = time.perf_counter(); first.time_first_call(10, "numba")
    seconds.append(time.perf_counter() - start)
start = time.perf_counter(); first.call(); again = time.perf_counter() - start
print(min(seconds) > 10 * again)
"""
    assert suite(code) == "True\nTrue\n"


def test_the_checked_out_commit_is_measured_and_nothing_else(suite):
    value = (
        SKIP + "print(why(10, 'numpy'))\nprint(fit.SteadyState().loaded(10, 'numpy').call(10)()[0])"
    )
    inputs = "def inputs(n, rng): return __import__('numpy').zeros(n)\n"
    ours, theirs = (f"{inputs}def fit_numpy(x): return x + {constant}\n" for constant in (1, 2))
    assert suite(value, repository=ours) == "None\n1.0\n"
    assert suite(value, repository=ours, checkout=theirs) == "None\n2.0\n"


def test_what_a_commit_lacks_is_skipped(suite):
    code = SKIP + "print(why(10, 'numba'))"
    assert suite(code, checkout="") == "there is no fit.py\n"
    older = "def inputs(n, rng): ...\ndef fit_numpy(x): ...\n"
    assert suite(code, checkout=older) == "fit.py has no fit on numba\n"
    assert suite(code, checkout="x = 1").startswith("fit.py: no kernel: ")


def test_a_size_beyond_a_kernels_limit_is_skipped(suite):
    code = SKIP + "print(why(10, 'python'), why(1000, 'python'))"
    assert suite(code) == "None python is measured up to n = 100\n"


def test_a_missing_backend_is_skipped(suite):
    text = RIGHT + "def fit_jax_jit(x): return x + 1\n"
    code = "import sys; sys.modules['jax'] = None\n" + SKIP + "print(why(10, 'jax_jit'))"
    assert re.match(
        r"jax_jit: .*get it by: python -m pip install jax", suite(code, repository=text)
    )


def test_a_kernel_that_differs_from_numpys_is_refused(suite):
    code = """
try:
    fit.SteadyState().setup(10, "numba")
except Exception as error:
    print(type(error).__name__, str(error)[:20])
"""
    wrong = FILE.format(constant=2)
    assert suite(code, repository=wrong) == "RefusedError differs from numpy's\n"
    # The file's own reference comes first, and then it is NumPy's kernel that is wrong.
    right = wrong + "def reference(x): return x + 1\n"
    assert suite(code, repository=right) == ""
    said = suite(code.replace("numba", "numpy"), repository=right)
    assert said.startswith("RefusedError is wrong")


def test_a_kernel_that_changes_its_input_gets_another_one_for_each_call(suite):
    text = """
mutates = True
def inputs(n, rng): return rng.normal(size=n)
def fit_numpy(x):
    assert not (x == 7).any()
    x[:] = 7
    return x.sum()
"""
    code = """
import timeit
benchmark = fit.SteadyState()
benchmark.setup(10, "numpy")
seconds = timeit.Timer(lambda: benchmark.time_call(10, "numpy"), timer=benchmark.timer).timeit(1)
print(1e-7 < seconds < 1e-3, benchmark.batch.m > 1)
"""
    assert suite(code, repository=text) == "True True\n"


def test_what_was_compiled_with_its_file_has_no_first_call(suite):
    text = """
import numba
def inputs(n, rng): return rng.normal(size=n)
@numba.njit("float64[:](float64[::1])")
def fit_numba(x): return x + 1
"""
    code = (
        SKIP
        + """
print(why(10, "numba"))
try:
    fit.FirstCall().setup(10, "numba")
except NotImplementedError as error:
    print(error)
"""
    )
    said = "it is compiled when its file is loaded: it has no first call"
    assert suite(code, repository=text) == f"None\n{said}\n"


def test_a_size_of_several_parts_goes_by_their_n(suite):
    text = "def inputs(size, rng): return rng.normal(size=size)\ndef fit_numpy(x): return x + 1\n"
    code = """
fit.SteadyState.sizes = {6: (2, 3)}
benchmark = fit.SteadyState()
benchmark.setup(6, "numpy")
print(benchmark.batch.call().shape)
"""
    assert suite(code, repository=text) == "(2, 3)\n"


OWN = {
    "version": 2,
    "elsewhere.SteadyState.time_call": {"param_names": ["n"], "params": [["'x'"]], "rounds": 2},
    **{
        f"own.{problem}.{method}": {
            "param_names": ["n", "backend"],
            "params": [["10", "100000"], ["'numpy'", "'numba'", "'numba__parallel'"]],
            "rounds": 5,
        }
        for problem in ("kalman", "fit")
        for method in ("SteadyState.time_call", "FirstCall.time_first_call")
    },
}


def processes(**asked):
    selection = Selection(own=("fit", "kalman"), **asked)
    return {step.name: step.processes for step in steps(OWN, selection)}


def test_bench_selects_among_ones_own_functions_alone():
    assert processes() == {
        f"own.{problem}.{kind}": 2 * 3 * 5
        for problem in ("fit", "kalman")
        for kind in ("FirstCall", "SteadyState")
    }
    one = processes(workloads=["fit"], backends=["numba"], sizes=[10])
    assert one == {f"own.fit.{kind}": 2 * 5 for kind in ("FirstCall", "SteadyState")}
    version = processes(workloads=["fit"], backends=["numba__parallel"])
    assert version == {f"own.fit.{kind}": 2 * 5 for kind in ("FirstCall", "SteadyState")}
    assert processes(variants=True) == {}


def test_bench_refuses_what_ones_own_suite_has_not():
    with pytest.raises(BadCallError, match=r"^no problem 'elementwise'; there are fit, kalman$"):
        processes(workloads=["elementwise"])
    with pytest.raises(
        BadCallError, match=r"^n = 7 is not measured; there are .*; the nearest is 10$"
    ):
        processes(sizes=[7])
    with pytest.raises(BadCallError, match=r"^no backend 'torch'; there are python, "):
        processes(backends=["torch__fast"])


def test_ones_own_functions_have_no_spec_to_skip_them_by():
    # The suite's kalman ends before this size in eager JAX; a person's problem of that name does not.
    names, cell = ["n", "backend"], ("100000", "'jax_eager'")
    assert is_skipped("kalman.SteadyState.time_call", names, cell)
    assert not is_skipped("own.kalman.SteadyState.time_call", names, cell)
    versions = ("10", "'numba__parallel'")
    assert is_skipped("own.fit.SteadyState.time_call", names, versions, ["numba"])
