"""One process of `measure_detection`: `python tests/detection_process.py KERNEL`."""

import functools
import json
import random
import sys

import numpy as np

from jitcost.benchmarks import _suite

LEVELS = (0, 2, 5, 10)  # how much more work, per cent
SAMPLES = 4


def numpy_kernel():
    from jitcost.backends import numpy

    return numpy.fresh_kernel("elementwise"), np.asarray


def numba_kernel():
    from jitcost.backends import numba

    return numba.fresh_kernel("elementwise"), np.asarray


def jit_kernel():
    import jax

    from jitcost.backends import jax_jit

    kernel = jax_jit.fresh_kernel("elementwise")
    return lambda x: jax.block_until_ready(kernel(x)), jax_jit.to_native


# What makes a kernel, and how many elements it gets: enough for the time to go with their number. From
# 10^5 on jit's is divided among threads.
KERNELS = {
    "numpy": (numpy_kernel, 10_000),
    "numba": (numba_kernel, 1_000),
    "jit": (jit_kernel, 100_000),
}


def work(kernel):
    """Print the samples of one process, seconds, by level: levels in random order."""
    make, size = KERNELS[kernel]
    function, to_native = make()
    calls = {}
    for level in LEVELS:
        x = to_native(np.random.default_rng(1).normal(size=size + size * level // 100))
        calls[level] = functools.partial(function, x)
    samples = {}
    for level in random.sample(LEVELS, len(LEVELS)):
        calls[level]()
        batch = _suite.Batch(calls[level])
        samples[level] = []
        for _ in range(SAMPLES):
            start = batch.timer()
            batch.run()
            samples[level].append(batch.timer() - start)
    print(json.dumps(samples))


if __name__ == "__main__":
    work(sys.argv[1])
