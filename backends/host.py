"""What backends on Python's and NumPy's own values share: nothing here is asynchronous.

A backend on NumPy arrays takes its functions from here, all but `fresh_kernel` and `details`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from jitcost.backends.registry import Array, Call, Kernel

__all__ = ["is_native", "is_ready", "make_call", "to_native", "to_numpy"]


def to_native(array: Array) -> Array:
    """Return the array itself: the kernels take NumPy arrays."""
    return array


def make_call(kernel: Kernel, inputs: tuple[Any, ...]) -> Call:
    """Return the call of a kernel that returns when its result is ready."""
    # partial costs a third of what a lambda does: the call's own overhead is part of every timing.
    return functools.partial(kernel, *inputs)


def is_native(result: Any) -> bool:
    """Tell whether no other library has computed it, which may not have finished: JAX's arrays wait."""
    if isinstance(result, dict):
        return all(map(is_native, result.values()))
    if isinstance(result, list | tuple):
        # Of a long list of numbers the first one says enough.
        return all(map(is_native, result[:100]))
    return not hasattr(result, "block_until_ready")


def is_ready(result: Any) -> bool:  # noqa: ARG001 (the contract's signature)
    """Return True: whatever has been returned is there."""
    return True


def to_numpy(result: Any) -> npt.NDArray[Any]:
    """Return a list, a number or an array as an array."""
    return np.asarray(result)
