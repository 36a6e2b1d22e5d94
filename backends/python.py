"""Plain Python: loops over floats, with the math module."""

from __future__ import annotations

import math
import operator
import platform
import random
from collections.abc import Sequence
from typing import Any

from jitcost.backends import Array, Kernel
from jitcost.backends._fresh import made_for
from jitcost.backends.host import is_native, is_ready, make_call, to_numpy

__all__ = ["details", "fresh_kernel", "is_native", "is_ready", "make_call", "to_native", "to_numpy"]


def elementwise(x: list[float]) -> float:
    total = 0.0
    for v in x:
        total += math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v)
    return total


def summands(x: list[float]) -> list[float]:
    return [math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v) for v in x]


def recursion(e: list[float]) -> list[float]:
    x = 0.0
    path = []
    for e_t in e:
        x = math.tanh(0.9 * x) + e_t
        path.append(x)
    return path


def metropolis(increments: Sequence[float], log_uniforms: Sequence[float]) -> list[float]:
    x, log_p = 1.0, 0.0
    path = []
    for step, log_u in zip(increments, log_uniforms, strict=True):
        y = x + step
        log_q = -((y * y - 1.0) ** 2)
        if log_u < log_q - log_p:
            x, log_p = y, log_q
        path.append(x)
    return path


def metropolis_chains(
    increments: list[list[float]], log_uniforms: list[list[float]]
) -> list[float]:
    chains = zip(zip(*increments, strict=True), zip(*log_uniforms, strict=True), strict=True)
    return [math.fsum(metropolis(*chain)) / len(increments) for chain in chains]


def kalman(y: list[float]) -> list[tuple[float, float, float]]:
    level, slope = 0.0, 0.0
    p11, p12, p22 = 20.1, 10.0, 10.01
    log_likelihood = 0.0
    filtered = []
    for y_t in y:
        v = y_t - level
        s = p11 + 1.0
        k1, k2 = p11 / s, p12 / s
        level, slope = level + k1 * v, slope + k2 * v
        log_likelihood -= 0.5 * (math.log(2.0 * math.pi * s) + v * v / s)
        filtered.append((level, slope, log_likelihood))
        level += slope
        p11, p12, p22 = p11 - k1 * p11, p12 - k1 * p12, p22 - k2 * p12
        p11, p12, p22 = p11 + 2.0 * p12 + p22 + 0.1, p12 + p22, p22 + 0.01
    return filtered


def logistic_gradient(x: list[list[float]], y: list[float], beta: list[float]) -> list[float]:
    gradient = [-b for b in beta]
    for row, y_i in zip(x, y, strict=True):
        eta = sum(map(operator.mul, row, beta))
        residual = y_i - 1.0 / (1.0 + math.exp(-eta))
        gradient = [g + residual * x_ij for g, x_ij in zip(gradient, row, strict=True)]
    return gradient


def normals(key: list[int], like: list[float]) -> list[float]:
    gauss = random.Random(key[0] << 32 | key[1]).gauss
    return [gauss(0.0, 1.0) for _ in like]


# Built-in functions under map take two thirds of what a comprehension that calls them does.
OPERATIONS: dict[str, Kernel] = {
    "square": lambda x: [v * v for v in x],
    "scale": lambda x: [3.0 * v for v in x],
    "exp": lambda x: list(map(math.exp, x)),
    "cos": lambda x: list(map(math.cos, x)),
    "tanh": lambda x: list(map(math.tanh, x)),
    "multiply": lambda x, y: list(map(operator.mul, x, y)),
    "add": lambda x, y: list(map(operator.add, x, y)),
    "sum": sum,
}


def operations(operation: str) -> Kernel:
    return OPERATIONS[operation]


def op_chain(k: int) -> Kernel:
    def chain(x: list[float]) -> list[float]:
        for step in range(k):
            x = [v + 0.25 for v in x] if step % 2 else [0.75 * v for v in x]
        return x

    return chain


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    return made_for(globals()[workload], options)


def to_native(array: Array) -> list[Any]:
    numbers: list[Any] = array.tolist()
    return numbers


def details() -> dict[str, str]:
    return {"python": platform.python_version(), "implementation": platform.python_implementation()}
