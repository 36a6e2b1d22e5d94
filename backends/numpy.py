"""NumPy: one compiled loop for each operation; recursions as loops over its scalars."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from jitcost.backends import Array, Kernel
from jitcost.backends._fresh import made_for
from jitcost.backends.host import is_native, is_ready, make_call, to_native, to_numpy

__all__ = [
    "XP",
    "details",
    "fresh_kernel",
    "is_native",
    "is_ready",
    "make_call",
    "to_native",
    "to_numpy",
]

# What a kernel for any array library gets as xp.
XP = "numpy"


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


def metropolis(increments: Array, log_uniforms: Array) -> Array:
    x, log_p = np.float64(1.0), np.float64(0.0)
    path = np.empty_like(increments)
    for t, (step, log_u) in enumerate(zip(increments, log_uniforms, strict=True)):
        y = x + step
        log_q = -((y * y - 1.0) ** 2)
        if log_u < log_q - log_p:
            x, log_p = y, log_q
        path[t] = x
    return path


def metropolis_chains(increments: Array, log_uniforms: Array) -> Array:
    steps, n = increments.shape
    x, log_p, total = np.ones(n), np.zeros(n), np.zeros(n)
    for step, log_u in zip(increments, log_uniforms, strict=True):
        y = x + step
        log_q = -((y * y - 1.0) ** 2)
        accepted = log_u < log_q - log_p
        x = np.where(accepted, y, x)
        log_p = np.where(accepted, log_q, log_p)
        total += x
    means: Array = total / steps
    return means


def kalman(y: Array) -> Array:
    level, slope = np.float64(0.0), np.float64(0.0)
    p11, p12, p22 = np.float64(20.1), np.float64(10.0), np.float64(10.01)
    log_likelihood = np.float64(0.0)
    filtered = np.empty((y.size, 3))
    for t, y_t in enumerate(y):
        v = y_t - level
        s = p11 + 1.0
        k1, k2 = p11 / s, p12 / s
        level, slope = level + k1 * v, slope + k2 * v
        log_likelihood -= 0.5 * (np.log(2.0 * np.pi * s) + v * v / s)
        filtered[t] = level, slope, log_likelihood
        level += slope
        p11, p12, p22 = p11 - k1 * p11, p12 - k1 * p12, p22 - k2 * p12
        p11, p12, p22 = p11 + 2.0 * p12 + p22 + 0.1, p12 + p22, p22 + 0.01
    return filtered


def logistic_gradient(x: Array, y: Array, beta: Array) -> Array:
    return x.T @ (y - 1.0 / (1.0 + np.exp(-(x @ beta)))) - beta


def normals(key: npt.NDArray[np.uint32], like: Array) -> Array:
    return np.random.default_rng(key).standard_normal(like.shape)


OPERATIONS: dict[str, Kernel] = {
    "square": lambda x: x**2,
    "scale": lambda x: 3.0 * x,
    "exp": np.exp,
    "cos": np.cos,
    "tanh": np.tanh,
    "multiply": np.multiply,
    "add": np.add,
    "sum": np.sum,
}


def operations(operation: str) -> Kernel:
    return OPERATIONS[operation]


def op_chain(k: int) -> Kernel:
    def chain(x: Array) -> Array:
        for step in range(k):
            x = x + 0.25 if step % 2 else 0.75 * x
        return x

    return chain


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    return made_for(globals()[workload], options)


def details() -> dict[str, str]:
    config: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment]
    blas = config["Build Dependencies"]["blas"]
    simd = config.get("SIMD Extensions", {})
    return {
        "numpy": np.__version__,
        "blas": f"{blas.get('name')} {blas.get('version')}",
        "simd": " ".join([*simd.get("baseline", []), *simd.get("found", [])]),
    }
