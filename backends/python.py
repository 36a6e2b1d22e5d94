"""Plain Python: loops over floats, with the math module."""

from __future__ import annotations

import math
import platform
from typing import Any

from backends import Array, Kernel
from backends._fresh import made_for
from backends._host import is_ready, make_call, to_numpy

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


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


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    return made_for(globals()[workload], options)


def to_native(array: Array) -> list[float]:
    floats: list[float] = array.tolist()
    return floats


def details() -> dict[str, str]:
    return {"python": platform.python_version(), "implementation": platform.python_implementation()}
