"""Many independent Metropolis chains of 1000 steps: a loop over steps, a vector over chains."""

from . import _suite, _variants

SIZES = [1, 10, 100, 1_000]


class SteadyState(_suite.SteadyState):
    workload = "metropolis_chains"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "metropolis_chains"
    params = [[10, 1_000], _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "metropolis_chains"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class Variants(_variants.Variants):
    workload = "metropolis_chains"
    params = [
        [1, 3, 10, 32, 100, 316, 1_000],
        ["jax_jit", "jax_scan_hoisted", "jax_scan_by_operation"],
    ]
    version = "1"
