"""The least that any call must do: read each element, here for the sum of its square."""

from __future__ import annotations

import numba as nb

from backends import Array, Kernel
from backends._fresh import fresh_function
from backends.numba import details, is_ready, make_call, to_native, to_numpy

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def floor_memory(x: Array) -> float:
    total = 0.0
    for v in x:
        total += v * v
    return total


def fresh_kernel(workload: str) -> Kernel:  # noqa: ARG001
    kernel: Kernel = nb.njit(fastmath=True)(fresh_function(floor_memory))
    return kernel
