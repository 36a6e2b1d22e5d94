"""How far the compiled backends are from the same formula in plain C, compiled for this machine.

A ratio of 1 is C's time. C is compiled when it is timed (`cc -O3 -march=native`), called through
ctypes, and its result checked like any kernel's; without a C compiler the cells are skipped. The
draws of `normals` are no formula that C would share, and the other workloads run these kernels.
"""

import ctypes
import functools
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import numpy as np

import backends
from backends import workloads

from . import _suite

# By the function's name in C: workload, options, n.
CASES = {
    "elementwise": ("elementwise", {}, 100_000),
    "recursion": ("recursion", {}, 100_000),
    "metropolis": ("metropolis", {}, 100_000),
    "metropolis_chains": ("metropolis_chains", {}, 100),
    "kalman": ("kalman", {}, 100_000),
    "logistic_gradient": ("logistic_gradient", {}, 100_000),
    "operations_exp": ("operations", {"operation": "exp"}, 100_000),
    "operations_sum": ("operations", {"operation": "sum"}, 100_000),
    "op_chain_8": ("op_chain", {"k": 8}, 100_000),
}

SOURCE = pathlib.Path(__file__).with_suffix(".c")


@functools.cache
def library():
    """Compile the C functions, once in a process."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise NotImplementedError("no C compiler: there is no cc on the PATH, and CC names none")
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "c_baseline.so")
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", made, SOURCE, "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NotImplementedError(f"{compiler} does not compile: {done.stderr.strip()[:200]}")
        return ctypes.CDLL(str(made))


def c_call(function, inputs, shape, n):
    """Return a call of a C function that makes a new result each time, as the kernels do."""
    pointer, compiled = ctypes.c_void_p, library()[function]
    compiled.argtypes = [pointer] * (len(inputs) + 1) + [ctypes.c_long]
    compiled.restype = None
    addresses = tuple(array.ctypes.data for array in inputs)  # the cell keeps the arrays

    def call():
        result = np.empty(shape)
        compiled(*addresses, result.ctypes.data, n)
        return result

    return call


def checked_c_call(function):
    """Return a call whose result is that of the workload's reference, and the inputs with it."""
    workload, options, n = CASES[function]
    spec = workloads.get(workload)
    inputs = spec.inputs(n, **options)
    reference = spec.reference(*inputs, **options)
    call = c_call(function, inputs, reference.shape, n)
    error = spec.error(call(), reference)
    if not error <= spec.tolerance(n):
        raise AssertionError(f"{function} in C is wrong by {error:.1e}")
    return call, inputs


class Baseline:
    param_names = ["function", "backend"]
    params = [list(CASES), ["jax_jit", "numba", "julia"]]
    version = "1"
    unit = "ratio"
    timeout = 300

    def setup(self, function, backend):
        """Skip what cannot be had, before anything is imported."""
        try:
            workload, _, n = CASES[function]
            reason = workloads.get(workload).why_not(backend, n)
            if reason is None:
                library()
                backends.load(backend)
        except (backends.UnknownNameError, backends.BackendUnavailable) as error:
            reason = str(error)
        if reason is not None:
            raise NotImplementedError(reason)

    def track_ratio_to_c(self, function, backend):
        """Return the kernel's time over that of C, in turns: the clock drifts for both."""
        workload, options, n = CASES[function]
        by_backend = _suite.steady_state(workload, backend, n, **options)
        call, _inputs = checked_c_call(function)
        by_c = _suite.Batch(call)
        return statistics.median(seconds(by_backend) / seconds(by_c) for _ in range(21))


def seconds(batch):
    """Return the time of one call of a batch."""
    start = batch.timer()
    batch.run()
    return batch.timer() - start
