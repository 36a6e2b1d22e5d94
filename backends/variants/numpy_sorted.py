"""NumPy on sorted inputs: each branch of a function goes as it went for the element before.

Of the ten operations it is cos that has branches: 8 ns an element where the processor can predict
them, and 13 where it cannot. Of an array of a thousand elements it knows them all by heart.
"""

from __future__ import annotations

import numpy as np

from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs
from jitcost.backends.variants.numpy_out import (
    details,
    fresh_kernel,
    is_ready,
    make_call,
    to_native,
    to_numpy,
)

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def verify_effect(workload: str) -> None:  # noqa: ARG001
    (x,) = inputs("elementwise_sorted", 1_000, to_native)
    if np.any(np.diff(x) < 0):
        raise NoEffectError("numpy_sorted is given inputs that are not sorted")
