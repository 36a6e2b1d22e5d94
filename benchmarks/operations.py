"""The operations that elementwise is made of, each alone: what one costs, fixed and for an element."""

from . import _suite

OPERATIONS = ["square", "scale", "exp", "cos", "tanh", "multiply", "add", "sum"]
SIZES = [10, 1_000, 100_000, 10_000_000]


class SteadyState(_suite.SteadyState):
    workload = "operations"
    param_names = ["operation", "n", "backend"]
    params = [OPERATIONS, SIZES, _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "operations"
    param_names = ["operation", "n", "backend"]
    params = [OPERATIONS, [1_000], _suite.BACKENDS]  # every timed cell is checked besides
    version = "1"
