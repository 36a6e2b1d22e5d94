"""How far the compiled backends are from the same formula in plain C, compiled for this machine.

A ratio of 1 is C's time. C is compiled when it is timed (`cc -O3 -march=native`), called through
ctypes, and its result checked like any kernel's; without a C compiler the cells are skipped. The
draws of `normals` are no formula that C would share, and the other workloads run these kernels.
"""

import pathlib

from . import _c
from ._backends import workloads

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


def checked_call(function):
    """Return a call of the C function, its result that of the workload's reference."""
    workload, options, n = CASES[function]
    spec = workloads.get(workload)
    inputs = spec.inputs(n, **options)
    reference = spec.reference(*inputs, **options)
    call = _c.call_of(_c.library(SOURCE)[function], inputs, reference.shape, n)
    error = spec.error(call(), reference)
    if not error <= spec.tolerance(n):
        raise AssertionError(f"{function} in C is wrong by {error:.1e}")
    return call


class Baseline(_c.Ratio):
    params = [list(CASES), ["jax_jit", "numba", "julia"]]
    version = "1"
    source = SOURCE
    cases = CASES

    def checked_call(self, function):
        return checked_call(function)

    def track_ratio_to_c(self, function, backend):
        """Return the kernel's time over that of C."""
        return self.ratio(function, backend)
