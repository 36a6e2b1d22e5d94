"""Numba: explicit loops under njit."""

from __future__ import annotations

import math
from typing import Any

import llvmlite
import numba
import numpy as np

from backends import Array, Kernel
from backends._fresh import fresh_function, made_for
from backends._host import is_ready, make_call, to_numpy

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def elementwise(x: Array) -> float:
    total = 0.0
    for v in x:
        total += math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v)
    return total


def summands(x: Array) -> Array:
    terms = np.empty_like(x)
    for i, v in enumerate(x):
        terms[i] = math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v)
    return terms


def recursion(e: Array) -> Array:
    x = 0.0
    path = np.empty_like(e)
    for t, e_t in enumerate(e):
        x = math.tanh(0.9 * x) + e_t
        path[t] = x
    return path


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    kernel: Kernel = numba.njit(fresh_function(made_for(globals()[workload], options)))
    return kernel


def to_native(array: Array) -> Array:
    return array


def details() -> dict[str, str]:
    return {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "threads": str(numba.get_num_threads()),
        "svml": str(bool(numba.config.USING_SVML)),
    }
