"""Each call with a length never seen: what a person pays whose shapes change."""

import itertools

from . import _suite
from ._backends import backends, workloads

SIZES = [100, 10_000]
KERNEL = "elementwise"

# How many elements more the next call has; one count for a process, which measures one cell.
MORE = itertools.count(1)


class NewShape(_suite.Suite):
    workload = "new_shape"
    params = [SIZES, _suite.BACKENDS]
    version = "1"
    number = 1
    rounds = 3
    repeat = 4
    warmup_time = 0.0
    kernel = None

    def prepare(self, n, backend):
        """Hand over inputs of the next length; the kernel is the same one each time."""
        module = backends.load(backend)
        if self.kernel is None:
            _suite.checked_once(KERNEL, backend, n)
            self.kernel = module.fresh_kernel(KERNEL)
            module.make_call(self.kernel, _suite.native_inputs(KERNEL, backend, n))()
        inputs = workloads.get(KERNEL).inputs(n + next(MORE))
        self.call = module.make_call(self.kernel, tuple(map(module.to_native, inputs)))

    def time_call(self, n, backend):
        self.call()
