"""What the backends share whose arrays are NumPy's or Python's: nothing asynchronous, nothing to convert."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from backends import Call, Kernel


def make_call(kernel: Kernel, inputs: tuple[Any, ...]) -> Call:
    # partial costs a third of what a lambda does: the call's own overhead is part of every timing.
    return functools.partial(kernel, *inputs)


def is_ready(result: Any) -> bool:  # noqa: ARG001 (the contract's signature)
    return True


def to_numpy(result: Any) -> npt.NDArray[Any]:
    return np.asarray(result)
