"""NumPy: one compiled loop for each operation; recursions as loops over its scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from backends import Array, Kernel
from backends._fresh import made_for
from backends._host import is_ready, make_call, to_numpy

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def summands(x: Array) -> Array:
    return np.exp(-0.5 * x**2) * np.cos(3 * x) + x * np.tanh(x)


def elementwise(x: Array) -> np.float64:
    return np.sum(summands(x))


def recursion(e: Array) -> Array:
    x = np.float64(0.0)
    path = np.empty_like(e)
    for t, e_t in enumerate(e):
        x = np.tanh(0.9 * x) + e_t
        path[t] = x
    return path


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    return made_for(globals()[workload], options)


def to_native(array: Array) -> Array:
    return array


def details() -> dict[str, str]:
    config: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment]
    blas = config["Build Dependencies"]["blas"]
    simd = config.get("SIMD Extensions", {})
    return {
        "numpy": np.__version__,
        "blas": f"{blas.get('name')} {blas.get('version')}",
        "simd": " ".join([*simd.get("baseline", []), *simd.get("found", [])]),
    }
