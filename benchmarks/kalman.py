"""Kalman filter of a local linear trend: some thirty scalar operations for each observation."""

from . import _suite

SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "kalman"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "kalman"
    params = [[100, 100_000], _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "kalman"
    params = [[10, 1_000, 1_000_000], _suite.BACKENDS]
    version = "1"
