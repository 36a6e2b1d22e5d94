"""How far each backend is from a floor: the least that any call has to do, on one core.

A floor reads the inputs and writes a result of the workload's size, both once, and evaluates as many
exp, cos, tanh and log as the workload has, but no element waits for another and there is no other
arithmetic. It is written in C, compiled when it is timed so that sums and functions take several
elements at once (`-ffast-math`, and with it glibc's vectorised functions where there are any, which
`VectorFunctions` records), and its result is checked against NumPy's.

A ratio of 1 is the floor's time. It is a bound for one core and for these functions: a kernel on two
threads, as under jit, and one whose library has faster functions can be below 1. Each backend of
`normals` has a generator of its own, and what the least is that any generator has to do, nobody knows.

These are not among what `jitcost bench --full` measures: `jitcost bench floors` does.
"""

import math
import pathlib
import re
import tempfile

import numpy as np

from . import _c
from ._backends import workloads

# By name: workload, options, n.
CASES = {
    "elementwise": ("elementwise", {}, 100_000),
    "recursion": ("recursion", {}, 100_000),
    "metropolis": ("metropolis", {}, 100_000),
    "metropolis_chains": ("metropolis_chains", {}, 100),
    "kalman": ("kalman", {}, 100_000),
    "logistic_gradient": ("logistic_gradient", {}, 100_000),
    "operations_exp": ("operations", {"operation": "exp"}, 100_000),
    "operations_cos": ("operations", {"operation": "cos"}, 100_000),
    "operations_tanh": ("operations", {"operation": "tanh"}, 100_000),
    "operations_sum": ("operations", {"operation": "sum"}, 100_000),
    "op_chain_8": ("op_chain", {"k": 8}, 100_000),
}

# Which function in C is the floor of which.
FLOORS = {
    "elementwise": "floor_math",
    "recursion": "each_tanh",
    "metropolis": "each_sum",
    "metropolis_chains": "chain_sums",
    "kalman": "each_log_thrice",
    "logistic_gradient": "rows_and_exp",
    "operations_exp": "each_exp",
    "operations_cos": "each_cos",
    "operations_tanh": "each_tanh",
    "operations_sum": "floor_memory",
    "op_chain_8": "each_copied",
}

# What those functions return, by NumPy.
EXPECTED = {
    "floor_memory": lambda x: np.sum(x),
    "floor_math": lambda x: np.sum(np.exp(x)) + np.sum(np.cos(x)) + np.sum(np.tanh(x)),
    "each_exp": np.exp,
    "each_cos": np.cos,
    "each_tanh": np.tanh,
    "each_copied": np.copy,
    "each_sum": np.add,
    "chain_sums": lambda x, y: np.sum(x, axis=0) + np.sum(y, axis=0),
    "each_log_thrice": lambda y: np.repeat(np.log1p(y**2), 3).reshape(-1, 3),
    "rows_and_exp": lambda x, y, beta: np.sum(x) + np.sum(np.exp(y)) - beta,
}

SOURCE = pathlib.Path(__file__).with_suffix(".c")
OPTIONS = ("-ffast-math", "-fopenmp-simd")


def checked_floor(name, inputs, n):
    """Return a call of a function in C, by its name there, its result checked."""
    expected = EXPECTED[name](*inputs)
    call = _c.call_of(_c.library(SOURCE, *OPTIONS)[name], inputs, expected.shape, n)
    error = workloads.relative_error(call(), expected)
    # libmvec's functions are good to 4 ulp; sums are rounded in another order than NumPy's.
    if not error <= (16 + math.sqrt(n)) * np.finfo(float).eps:
        raise AssertionError(f"{name} in C is wrong by {error:.1e}")
    return call


class Floors(_c.Ratio):
    params = [list(CASES), ["numpy", "jax_jit", "numba", "julia"]]
    version = "1"
    source = SOURCE
    options = OPTIONS
    cases = CASES

    def checked_call(self, function):
        workload, options, n = CASES[function]
        return checked_floor(FLOORS[function], workloads.get(workload).inputs(n, **options), n)

    def track_ratio_to_floor(self, function, backend):
        """Return the kernel's time over that of its floor."""
        return self.ratio(function, backend)


class VectorFunctions:
    """How many of exp, cos, tanh and log the floors evaluate for several elements at once."""

    version = "1"
    unit = "functions"

    def track_called(self):
        return len(vector_functions())


def vector_functions():
    """Return which functions the compiled floors call in a form for several elements."""
    with tempfile.TemporaryDirectory() as folder:
        content = _c.compiled(SOURCE, pathlib.Path(folder), *OPTIONS).read_bytes()
    # The name of a vector function: _ZGV, instruction set, mask, elements, arguments, _, function.
    return {name.decode() for name in re.findall(rb"_ZGV[a-z][MN]\d+v+_(\w+)", content)}
