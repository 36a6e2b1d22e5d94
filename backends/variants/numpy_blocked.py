"""NumPy block by block: each operation finds its input in the cache that the last one has filled."""

from __future__ import annotations

import numpy as np

from jitcost.backends import Array, Kernel
from jitcost.backends.numpy import details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError, numpy_out
from jitcost.backends.variants._evidence import allocated, inputs

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

# 32 kB an array: a block of the input and two buffers fit into a second-level cache many times.
BLOCK = 4_096


def elementwise() -> Kernel:
    a, b = np.empty(BLOCK), np.empty(BLOCK)

    def kernel(x: Array) -> np.float64:
        total = np.float64(0.0)
        for start in range(0, x.size, BLOCK):
            block = x[start : start + BLOCK]
            total += numpy_out.elementwise(block, a[: block.size], b[: block.size])
        return total

    return kernel


def fresh_kernel(workload: str) -> Kernel:  # noqa: ARG001
    return elementwise()


def verify_effect(workload: str) -> None:  # noqa: ARG001
    def made_and_called() -> None:
        make_call(fresh_kernel("elementwise"), native)()

    native = inputs("elementwise", 1_000_000, to_native)
    if (held := allocated(made_and_called)) > 1_000_000:  # a buffer for all has 8,000,000 bytes
        raise NoEffectError(f"numpy_blocked holds {held} bytes for blocks of {BLOCK} elements")
