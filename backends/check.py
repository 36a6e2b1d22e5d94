"""Is a kernel right, and is a call of it what is meant to be timed? Asked before every timing."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcost.backends import Implementation, Kernel
from jitcost.backends.workloads import Workload

__all__ = ["WrongKernel", "check_kernel"]


class WrongKernel(Exception):  # noqa: N818 (what is wrong is the kernel, and it is never timed)
    """A kernel that must not be timed; says what is wrong with it."""


def check_kernel(
    workload: Workload, backend: Implementation, kernel: Kernel, n: int, **options: Any
) -> float:
    """Run a kernel on two different input sets and compare it with the reference.

    Parameters
    ----------
    workload : Workload
    backend : Implementation
        The loaded backend that the kernel belongs to.
    kernel : callable
        One kernel for both sets: with an input closed over, it gives the first result again.
    n : int
        The size at which the kernel will be timed.
    **options
        Those that the kernel was made for.

    Returns
    -------
    float
        The larger of the two errors.

    Raises
    ------
    WrongKernel
        If the result is not ready when the call returns, differs from the reference in value, shape
        or dtype, or comes from closed-over inputs, or if an input has changed.
    """
    errors = []
    earlier = None
    with_options = "".join(f", {name} = {value}" for name, value in options.items())
    where = f"{workload.name} at n = {n}{with_options}: the kernel"
    for draw in (0, 1):
        inputs = workload.inputs(n, draw, **options)
        native = tuple(backend.to_native(array.copy()) for array in inputs)
        result = backend.make_call(kernel, native)()
        if not backend.is_ready(result):
            raise WrongKernel(f"{where}'s result is not ready when the call returns; block on it")
        if not all(map(np.array_equal, map(backend.to_numpy, native), inputs)):
            raise WrongKernel(f"{where} changes its input; work on a copy")
        value = backend.to_numpy(result)
        reference = workload.reference(*inputs, **options)
        if value.dtype != np.float64:
            raise WrongKernel(f"{where} computes in {value.dtype}, not in float64")
        if value.shape != reference.shape:
            raise WrongKernel(f"{where} returns the shape {value.shape}, not {reference.shape}")
        error, tolerance = workload.error(value, reference), workload.tolerance(n)
        if not error <= tolerance:  # NaN is wrong too
            if earlier is not None and np.array_equal(value, earlier):
                raise WrongKernel(f"{where} has an input closed over; it must take it as argument")
            raise WrongKernel(f"{where} is wrong by {error:.1e}; the tolerance is {tolerance:.1e}")
        if workload.draws:
            again = backend.to_numpy(backend.make_call(kernel, native)())
            if not np.array_equal(again, value):
                raise WrongKernel(f"{where} draws other numbers from an equal key")
            if earlier is not None and np.array_equal(value, earlier):
                raise WrongKernel(f"{where} draws equal numbers from another key")
        errors.append(error)
        earlier = value
    return max(errors)
