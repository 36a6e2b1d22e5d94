"""The article's recursion: x_t = tanh(0.9 x_{t-1}) + e_t."""

from . import _stages, _suite

SIZES = [1, 3, 10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "recursion"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "recursion"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "recursion"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class Stages(_stages.Stages):
    workload = "recursion"
    params = [[100, 100_000], _stages.STAGES, _stages.BACKENDS]
    version = "1"
