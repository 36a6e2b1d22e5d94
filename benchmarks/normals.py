"""Standard normal draws: each backend's own generator, from a key."""

from . import _suite

SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "normals"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "normals"
    params = [[100, 100_000], _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "normals"
    params = [[10, 1_000, 1_000_000], _suite.BACKENDS]
    version = "1"
    unit = "standard errors"
