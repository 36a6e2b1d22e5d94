"""The article's expression: sum(exp(-x^2/2) cos(3x) + x tanh(x))."""

import numpy as np

import backends
from backends import workloads

from . import _suite

SIZES = [1, 3, 10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000]
SIZES += [3_162_278, 10_000_000]


class SteadyState(_suite.SteadyState):
    workload = "elementwise"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class FirstCall(_suite.FirstCall):
    workload = "elementwise"
    params = [SIZES, _suite.BACKENDS]
    version = "1"


class Agreement(_suite.Agreement):
    workload = "elementwise"
    params = [SIZES, _suite.BACKENDS]
    version = "1"

    def track_summand_difference(self, n, backend):
        """Return the largest difference between the backend's summands and NumPy's."""
        (x,) = workloads.get("summands").inputs(n)
        by_numpy, by_backend = (
            module.to_numpy(
                module.make_call(module.fresh_kernel("summands"), (module.to_native(x),))()
            )
            for module in (backends.load("numpy"), backends.load(backend))
        )
        return float(np.max(np.abs(by_backend - by_numpy)))

    track_summand_difference.unit = "largest absolute difference"
