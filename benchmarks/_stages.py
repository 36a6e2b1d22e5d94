"""JAX's stages of a first call, one by one: what it costs to trace, to lower, to compile, to run.

Numba and Julia infer types and compile in one go, inside the first call; only JAX hands out what is
between.
"""

import gc

from . import _suite
from ._backends import backends

# One backend, and a parameter all the same: it is chosen by name.
BACKENDS = ["jax_jit"]
STAGES = ["trace", "lower", "compile", "run"]


class Stages(_suite.Suite):
    """Time of one stage of a kernel that no compiler has seen; the stages before it are done."""

    param_names = ["n", "stage", "backend"]
    number = 1
    rounds = 3
    repeat = 2
    warmup_time = 0.0

    def prepare(self, n, backend, stage, **options):
        """Carry out the stages before this one."""
        _suite.checked_once(self.workload, backend, n, **options)
        module = backends.load(backend)
        kernel = module.fresh_kernel(self.workload, **options)
        inputs = _suite.native_inputs(self.workload, backend, n, **options)
        self.stage = prepared(stage, module, kernel, inputs)
        gc.collect()  # as before a first call

    def time_stage(self, *cell):
        self.stage()


def prepared(stage, module, kernel, inputs):
    """Return a stage as a callable, all stages before it carried out."""
    if stage == "trace":
        return lambda: kernel.trace(*inputs)
    traced = kernel.trace(*inputs)
    if stage == "lower":
        return traced.lower
    lowered = traced.lower()
    if stage == "compile":
        return lowered.compile
    return module.make_call(lowered.compile(), inputs)
