"""One random-walk Metropolis chain: n steps that depend on each other, with a decision in each."""

from . import _suite

SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "metropolis"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "metropolis"
    params = [[100, 100_000], _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "metropolis"
    params = [[10, 1_000, 1_000_000], _suite.BACKENDS]
    version = "1"


class Cond(_suite.SteadyState):
    """The variant by lax.cond: the branch is taken, not both sides computed and one selected."""

    workload = "metropolis_cond"
    params = [[1_000, 100_000], ["jax_jit"]]
    version = "1"
