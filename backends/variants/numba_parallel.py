"""Numba on all cores: prange."""

from __future__ import annotations

import math

import numba as nb

from jitcost.backends import Array, BackendUnavailable, Kernel
from jitcost.backends._fresh import fresh_function
from jitcost.backends.numba import details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, threads_used

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

if nb.get_num_threads() == 1:
    raise BackendUnavailable("numba_parallel: there is one core only")


def elementwise(x: Array) -> float:
    total = 0.0
    for i in nb.prange(x.size):
        v = x[i]
        total += math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v)
    return total


def fresh_kernel(workload: str) -> Kernel:  # noqa: ARG001
    kernel: Kernel = nb.njit(parallel=True)(fresh_function(elementwise))
    return kernel


def verify_effect(workload: str) -> None:
    call = make_call(fresh_kernel(workload), inputs(workload, 1_000_000, to_native))
    if (used := threads_used(call)) < 2:
        raise NoEffectError(f"numba_parallel runs on {used} thread")
