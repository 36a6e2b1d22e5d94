"""Gradient of a logistic regression's log-posterior: by jax.grad, elsewhere by hand."""

from . import _suite

SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "logistic_gradient"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "logistic_gradient"
    params = [[100, 100_000], _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "logistic_gradient"
    params = [[10, 1_000, 1_000_000], _suite.BACKENDS]
    version = "1"
