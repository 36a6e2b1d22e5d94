"""Many independent Metropolis chains of 1000 steps: a loop over steps, a vector over chains."""

from . import _suite

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
