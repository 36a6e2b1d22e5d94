"""JAX returns before it is done: the time until a call returns, and until its result is ready.

One call for each sample, on an empty queue: calls in a batch would wait for one another, and the time
until they return would be that of the work.
"""

import functools

from . import _suite
from ._backends import backends, workloads

SIZES = [10, 1_000, 100_000, 10_000_000]


class Dispatch(_suite.Suite):
    """Of elementwise."""

    workload = "dispatch"
    params = [SIZES, ["jax_eager", "jax_jit"]]
    version = "1"
    number = 1
    rounds = 3
    repeat = 20  # of single calls, microseconds each: more of them than of batches
    warmup_time = 0.0
    result = None

    def prepare(self, n, backend):
        """Wait until nothing is under way; the kernel is checked, compiled and warm."""
        self.kernel, self.inputs, self.block = self.prepared(n, backend)
        if self.result is not None:
            self.block(self.result)
        self.block(self.kernel(*self.inputs))

    def prepared(self, n, backend):
        return checked("elementwise", backend, n)

    def time_until_returned(self, n, backend):
        self.result = self.kernel(*self.inputs)  # kept: it is still being computed

    def time_until_ready(self, n, backend):
        self.block(self.kernel(*self.inputs))


class MatrixProduct(Dispatch):
    """Of a product of two n x n matrices."""

    params = [[1_500], ["jax_jit"]]
    version = "1"

    def prepared(self, n, backend):
        return matrix_product(backend, n)


@functools.lru_cache(maxsize=1)
def checked(workload, backend, n):
    """Return a checked kernel, its inputs, and how to wait for its result."""
    spec, module = workloads.get(workload), backends.load(backend)
    kernel = module.fresh_kernel(workload)
    _suite.check_kernel(spec, module, kernel, n)
    return kernel, _suite.native_inputs(workload, backend, n), block


@functools.lru_cache(maxsize=1)
def matrix_product(backend, n):
    """Return the compiled product, two matrices, and how to wait for it."""
    import jax
    import numpy as np

    module, rng = backends.load(backend), np.random.default_rng(0)
    inputs = tuple(module.to_native(rng.standard_normal((n, n))) for _ in range(2))
    return jax.jit(lambda a, b: a @ b), inputs, block


def block(result):
    """Wait for a result."""
    result.block_until_ready()
