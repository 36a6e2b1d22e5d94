"""What crossing into a backend costs: its own inputs, against NumPy arrays converted in each call."""

import functools

from . import _suite
from ._backends import backends, workloads

INPUTS = ["native", "numpy"]
SIZES = [10, 1_000, 100_000]


class Crossing(_suite.SteadyState):
    """In steady state, too; but half of its times are not of the kernel alone."""

    workload = "boundary"
    param_names = ["inputs", "n", "backend"]
    params = [INPUTS, SIZES, ["python", "jax_eager", "jax_jit", "julia"]]
    version = "1"

    def prepare(self, n, backend, inputs):
        """Find the batch of a call that converts, or does not."""
        self.batch = batch(backend, n, inputs)
        self.timer = self.batch.timer


@functools.lru_cache(maxsize=1)
def batch(backend, n, inputs):
    """Check and warm the kernel, once in a process, as everywhere."""
    spec, module = workloads.get("elementwise"), backends.load(backend)
    kernel = module.fresh_kernel(spec.name)
    _suite.check_kernel(spec, module, kernel, n)
    if inputs == "native":
        return _suite.Batch(module.make_call(kernel, _suite.native_inputs(spec.name, backend, n)))
    (x,) = spec.inputs(n)
    return _suite.Batch(module.make_call(lambda x: kernel(module.to_native(x)), (x,)))
