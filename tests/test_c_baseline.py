"""The formulas in C: right, or no baseline."""

import gc
import re
import shutil
import weakref

import numpy as np
import pytest

from benchmarks import _c, c_baseline
from jitcost.backends import workloads

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no cc on the PATH")


@needs_compiler
@pytest.mark.parametrize("function", c_baseline.CASES)
def test_c_agrees_with_the_reference(function):
    call = c_baseline.checked_call(function)  # raises where it does not
    workload, options, n = c_baseline.CASES[function]
    assert len(call.inputs) == len(workloads.get(workload).inputs(n, **options))
    first, second = call(), call()
    assert first is not second  # a new result each time, as a kernel makes


@needs_compiler
def test_a_wrong_function_in_c_is_no_baseline(monkeypatch):
    case = ("operations", {"operation": "cos"}, 1_000)
    monkeypatch.setitem(c_baseline.CASES, "operations_exp", case)
    with pytest.raises(AssertionError, match="operations_exp in C is wrong by"):
        c_baseline.checked_call("operations_exp")


@needs_compiler
@pytest.mark.timing
def test_the_ratio_is_of_times_in_one_run():
    benchmark = c_baseline.Baseline()
    benchmark.setup("recursion", "numba")
    ratio = benchmark.track_ratio_to_c("recursion", "numba")
    assert 0.1 < ratio < 10  # of the same order; how near is what the benchmark records


def test_without_a_compiler_it_is_skipped_with_the_reason(monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(_c.shutil, "which", lambda name: None)
    _c.library.cache_clear()
    with pytest.raises(NotImplementedError, match="no C compiler: there is no cc on the PATH"):
        c_baseline.Baseline().setup("recursion", "numba")


@needs_compiler
def test_the_call_keeps_the_arrays_that_c_reads():
    reached = weakref.ref(x := np.ones(1_000))
    call = _c.call_of(_c.library(c_baseline.SOURCE)["operations_sum"], (x,), (), 1_000)
    del x
    gc.collect()
    assert reached() is not None
    assert call() == 1_000


def test_a_compiler_that_fails_is_no_error_of_the_suite(monkeypatch):
    monkeypatch.setenv("CC", "false")
    _c.library.cache_clear()
    with pytest.raises(NotImplementedError, match="false does not compile"):
        _c.library(c_baseline.SOURCE)
    _c.library.cache_clear()


def test_every_function_of_the_source_is_a_case():
    functions = re.findall(r"^void (\w+)\(", c_baseline.SOURCE.read_text(), re.MULTILINE)
    assert functions == list(c_baseline.CASES)
