"""The floors in C: right, dependent on every number that they must read, and no more than a bound."""

import os
import platform
import re
import shutil
import subprocess

import numpy as np
import pytest

from benchmarks import _c, c_baseline, floors
from jitcost.backends import references, workloads

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no cc on the PATH")

needs_nm = pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm on the PATH")


@pytest.mark.parametrize("function", floors.CASES)
def test_a_floor_returns_what_numpy_does(function):
    call = floors.Floors().checked_call(function)  # raises where it does not
    workload, options, _ = floors.CASES[function]
    reference = workloads.get(workload).reference(*call.inputs, **options)
    assert call().shape == reference.shape  # as many bytes written as by the workload
    first, second = call(), call()
    assert first is not second  # a new result each time, as a kernel makes


def test_the_functions_of_elementwise_against_other_formulas():
    call = floors.Floors().checked_call("elementwise")
    expected = references.floor_math(*call.inputs)
    assert float(call()) == pytest.approx(float(expected), rel=1e-14)


@pytest.mark.parametrize("function", floors.CASES)
def test_a_floor_reads_every_number_and_writes_every_one(function):
    workload, options, _ = floors.CASES[function]
    n = 261  # beyond a block of rows, and no whole number of vectors
    name = floors.FLOORS[function]
    inputs = workloads.get(workload).inputs(n, **options)
    before = floors.checked_floor(name, inputs, n)()
    assert np.isfinite(before).all()
    rng = np.random.default_rng(0)
    for number, array in enumerate(inputs):
        for place in (0, array.size - 1, *rng.integers(array.size, size=20)):
            changed = [other.copy() for other in inputs]
            changed[number].flat[place] += 1.0
            assert not np.array_equal(floors.checked_floor(name, changed, n)(), before)


def test_a_wrong_floor_is_none(monkeypatch):
    monkeypatch.setitem(floors.EXPECTED, "each_exp", np.exp2)
    with pytest.raises(AssertionError, match="each_exp in C is wrong by"):
        floors.Floors().checked_call("operations_exp")


@pytest.mark.timing
def test_a_loop_over_numpys_scalars_is_far_from_its_floor():
    benchmark = floors.Floors()
    benchmark.setup("metropolis_chains", "numpy")
    # six operations, each over arrays of a hundred with its own call: microseconds for what C reads
    # in tens of nanoseconds
    assert benchmark.track_ratio_to_floor("metropolis_chains", "numpy") > 5


def test_the_compiled_floors_leave_subnormal_numbers_alone(run_python):
    code = """
import numpy as np
from benchmarks import floors
floors.Floors().checked_call("operations_sum")
print(np.full(8, 1e-310).sum() > 0, float(np.float64(1e-300) * 1e-10) > 0)
"""
    assert run_python(code).split() == ["True", "True"]


@needs_nm
def test_the_vector_functions_are_those_that_the_library_asks_for(tmp_path):
    made = _c.compiled(floors.SOURCE, tmp_path, *floors.OPTIONS)
    wanted = subprocess.run(["nm", "-D", "-u", made], capture_output=True, text=True, check=True)
    found = set(re.findall(r" U _ZGV\w+?v_(\w+)", wanted.stdout))
    assert floors.vector_functions() == found
    assert floors.VectorFunctions().track_called() == len(found)
    library, version = platform.libc_ver()
    gcc = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout
    recent = library == "glibc" and tuple(map(int, version.split("."))) >= (2, 35)
    if recent and platform.machine() == "x86_64" and "Free Software Foundation" in gcc:
        assert found == {"exp", "cos", "tanh", "log"}


def test_without_a_compiler_it_is_skipped_with_the_reason(monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", os.devnull)
    _c.library.cache_clear()
    for ask in (
        lambda: floors.Floors().setup("recursion", "numba"),
        lambda: floors.VectorFunctions().track_called(),
    ):
        with pytest.raises(NotImplementedError, match="no C compiler: there is no cc on the PATH"):
            ask()


def test_every_function_of_the_source_is_a_floor():
    functions = re.findall(r"^void (\w+)\(", floors.SOURCE.read_text(), re.MULTILINE)
    assert set(functions) == set(floors.EXPECTED) == set(floors.FLOORS.values())
    assert list(floors.FLOORS) == list(floors.CASES)
    for function, case in c_baseline.CASES.items():  # the two ratios are of the same work
        assert floors.CASES[function] == case
