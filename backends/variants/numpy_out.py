"""NumPy into buffers that are kept: nothing is allocated, and no page is faulted in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from backends import Array, Kernel
from backends.numpy import details, is_ready, make_call, to_native, to_numpy
from backends.variants import InertSettingError
from backends.variants._evidence import allocated, inputs

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def elementwise(x: Array, a: Array, b: Array) -> np.float64:
    np.square(x, out=a)
    np.multiply(-0.5, a, out=a)
    np.exp(a, out=a)
    np.multiply(3, x, out=b)
    np.cos(b, out=b)
    np.multiply(a, b, out=a)
    np.tanh(x, out=b)
    np.multiply(x, b, out=b)
    np.add(a, b, out=a)
    return np.sum(a)


OPERATIONS: dict[str, Kernel] = {
    "square": lambda x, a, _: np.square(x, out=a),
    "scale": lambda x, a, _: np.multiply(3.0, x, out=a),
    "exp": lambda x, a, _: np.exp(x, out=a),
    "cos": lambda x, a, _: np.cos(x, out=a),
    "tanh": lambda x, a, _: np.tanh(x, out=a),
    "multiply": lambda x, y, a, _: np.multiply(x, y, out=a),
    "add": lambda x, y, a, _: np.add(x, y, out=a),
    "sum": lambda x, *_: np.sum(x),
}


def with_buffers(formula: Callable[..., Any]) -> Kernel:
    """Give a formula two arrays like its first input, the same ones in each call."""
    buffers: list[Array] = []

    def kernel(x: Array, *others: Array) -> Any:
        if not buffers or buffers[0].shape != x.shape:
            buffers[:] = np.empty_like(x), np.empty_like(x)
        return formula(x, *others, *buffers)

    return kernel


def fresh_kernel(workload: str, **options: Any) -> Kernel:  # noqa: ARG001
    return with_buffers(OPERATIONS[options["operation"]] if options else elementwise)


def refuse_inert(workload: str) -> None:  # noqa: ARG001 (every kernel's buffers come from one place)
    call = make_call(fresh_kernel("elementwise"), inputs("elementwise", 100_000, to_native))
    call()
    if (held := allocated(call)) > 100_000:  # an array has 800,000 bytes
        raise InertSettingError(f"numpy_out allocates {held} bytes in a call of 100,000 elements")
