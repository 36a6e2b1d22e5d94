"""Numba with fastmath: sums may be reordered, and divided among vector lanes."""

from __future__ import annotations

from typing import Any

import numba as nb

from jitcost.backends import Kernel, numba
from jitcost.backends._fresh import fresh_function
from jitcost.backends.numba import details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def fresh_kernel(workload: str) -> Kernel:
    kernel: Kernel = nb.njit(fastmath=True)(fresh_function(getattr(numba, workload)))
    return kernel


def verify_effect(workload: str) -> None:
    kernel: Any = fresh_kernel(workload)
    kernel(*inputs(workload, 10, to_native))
    if not any(" fast " in code for code in kernel.inspect_llvm().values()):
        raise NoEffectError("numba_fastmath has no operation in its code that is marked as fast")
