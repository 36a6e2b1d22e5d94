"""Cheap operations in a row: does the time grow with their number k? Fused operations share a pass."""

from . import _memory, _suite

K = [1, 2, 4, 8, 16, 32]
SIZES = [10, 1_000, 1_000_000]


class SteadyState(_suite.SteadyState):
    workload = "op_chain"
    param_names = ["k", "n", "backend"]
    params = [K, SIZES, _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "op_chain"
    param_names = ["k", "n", "backend"]
    params = [K, [1_000], _suite.BACKENDS]  # every timed cell is checked besides
    version = "1"


class PeakMemory(_memory.PeakMemory):
    workload = "op_chain"
    param_names = ["k", "n", "backend"]
    params = [[1, 4, 32], _memory.SIZES, _suite.BACKENDS]
    version = "1"
