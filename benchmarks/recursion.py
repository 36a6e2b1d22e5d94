"""The article's recursion: x_t = tanh(0.9 x_{t-1}) + e_t."""

from . import _stages, _suite, _variants

SIZES = [1, 3, 10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "recursion"
    params = [SIZES, _suite.BACKENDS]
    version = "1"
    rounds = 5


class FirstCall(_suite.FirstCall):
    workload = "recursion"
    params = [SIZES, _suite.BACKENDS]
    version = "1"
    rounds = 5


class Agreement(_suite.Agreement):
    workload = "recursion"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class Stages(_stages.Stages):
    workload = "recursion"
    params = [[100, 100_000], _stages.STAGES, _stages.BACKENDS]
    version = "1"


class Variants(_variants.Variants):
    workload = "recursion"
    params = [
        [10, 100, 128, 160, 316, 1_000, 10_000, 100_000, 1_000_000],
        [
            *["jax_jit", "jax_scan_unroll4", "jax_scan_unroll8", "jax_scan_by_operation"],
            *["jax_fori_loop", "numba", "numba_fastmath", "julia", "julia_numpy"],
        ],
    ]
    version = "1"
