"""Julia on NumPy arrays: each call makes Julia arrays of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcost.backends import Array, Call, Kernel, julia
from jitcost.backends.julia import details, fresh_kernel, is_ready, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def to_native(array: Array) -> Array:
    return array


def make_call(kernel: Kernel, inputs: tuple[Any, ...]) -> Call:
    def call() -> Any:
        return kernel(*map(julia.to_native, inputs))

    return call


def verify_effect(workload: str) -> None:
    given: list[Any] = []
    call = make_call(lambda *arrays: given.append(arrays[0]), inputs(workload, 10, to_native))
    call()
    call()
    if given[0] is given[1] or type(given[0]) is np.ndarray:
        raise NoEffectError("julia_numpy does not convert its inputs in each call")
