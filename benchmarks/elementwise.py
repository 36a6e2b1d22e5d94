"""The article's expression: sum(exp(-x^2/2) cos(3x) + x tanh(x))."""

import gc
import math
import statistics
import time

import numpy as np

from . import _memory, _stages, _suite, _variants
from ._backends import backends, workloads

SIZES = [1, 3, 10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000]
SIZES += [3_162_278, 10_000_000]


class SteadyState(_suite.SteadyState):
    workload = "elementwise"
    params = [SIZES, _suite.BACKENDS]
    version = "1"
    rounds = 5


class FirstCall(_suite.FirstCall):
    workload = "elementwise"
    params = [SIZES, _suite.BACKENDS]
    version = "1"
    rounds = 5


class Agreement(_suite.Agreement):
    workload = "elementwise"
    params = [SIZES, _suite.BACKENDS]
    version = "1"

    def track_summand_difference(self, n, backend):
        """Return the largest difference between the backend's summands and NumPy's; NaN without any."""
        if workloads.get("summands").why_not(backend, n) is not None:
            return math.nan
        (x,) = workloads.get("summands").inputs(n)
        by_numpy, by_backend = (
            module.to_numpy(
                module.make_call(module.fresh_kernel("summands"), (module.to_native(x),))()
            )
            for module in (backends.load("numpy"), backends.load(backend))
        )
        return float(np.max(np.abs(by_backend - by_numpy)))

    track_summand_difference.unit = "largest absolute difference"


class Stages(_stages.Stages):
    workload = "elementwise"
    params = [[100, 100_000], _stages.STAGES, _stages.BACKENDS]
    version = "1"


class PeakMemory(_memory.PeakMemory):
    workload = "elementwise"
    params = [_memory.SIZES, _suite.BACKENDS]
    version = "1"


class Variants(_variants.Variants):
    workload = "elementwise"
    params = [
        [1, 128, 200, 1_000, 3_162, 5_000, 10_000, 31_623, 100_000, 1_000_000, 10_000_000],
        [
            *["numpy", "numpy_out", "numpy_blocked", "numpy_sorted", "numpy_heap"],
            *["jax_jit_unfused", "jax_jit_fused", "jax_jit_1thread", "jax_jit_sync"],
            *["jax_jit", "jax_jit_one_loop", "jax_jit_no_library"],
            *["numba", "numba_fastmath", "numba_parallel", "julia", "julia_numpy"],
            *["floor_memory", "floor_math_numpy", "floor_math_xla", "floor_math_libm"],
        ],
    ]
    version = "1"


class Operations(_variants.Variants):
    """NumPy's operations one by one, on their arguments, into buffers: the parts of numpy_sorted."""

    workload = "elementwise_parts"
    param_names = ["n", "operation"]
    params = [
        [1, 1_000, 100_000, 1_000_000, 10_000_000],
        ["square", "scale", "exp", "cos", "tanh", "multiply", "add", "sum"],
    ]
    version = "1"

    def cell(self, n, operation):
        return {"n": n, "backend": "numpy_out", "operation": operation}


class ColdStart(_suite.Suite):
    """A new process: imports, the runtime's start, and the first call; Python's own start is not in."""

    workload = "elementwise"
    params = [[1_000], _suite.BACKENDS]
    version = "1"
    number = 1
    rounds = 5
    repeat = 1  # asv starts a process for each sample: a round of one is one process
    warmup_time = 0.0

    def timeraw_first_call(self, n, backend):
        return f"""
import {backends.__name__} as backends
from {backends.__name__} import workloads
module = backends.load({backend!r})
inputs = workloads.get({self.workload!r}).inputs({n})
module.make_call(module.fresh_kernel({self.workload!r}), tuple(map(module.to_native, inputs)))()
"""


class Replay(_suite.Suite):
    """The break-even number of calls, for real: from a fresh kernel, call by call, against NumPy."""

    workload = "elementwise"
    params = [[100_000], ["jax_jit", "numba", "julia"]]
    version = "1"
    unit = "calls"

    def track_calls_until_paid(self, n, backend):
        """Return after how many calls the compiled total is below; NaN: not within 300, or never."""
        _suite.checked_once(self.workload, backend, n)
        found = []
        for _ in range(5):  # in turns: the clock drifts for both
            compiled, interpreted = (
                seconds_after_each(self.fresh_call(n, name), 300) for name in (backend, "numpy")
            )
            found.append(calls_until_below(compiled, interpreted))
        middle = statistics.median(found)
        return middle if math.isfinite(middle) else math.nan


def seconds_after_each(call, m):
    """Return the seconds from before the first of m calls until after each."""
    gc.collect()  # an earlier kernel is not to be collected inside the timing
    seconds, start = [], time.perf_counter()
    for _ in range(m):
        call()
        seconds.append(time.perf_counter() - start)
    return seconds


def calls_until_below(one, other):
    """Return the first number of calls after which one has taken no longer than the other."""
    pairs = enumerate(zip(one, other, strict=True), 1)
    return next((calls for calls, (a, b) in pairs if a <= b), math.inf)
