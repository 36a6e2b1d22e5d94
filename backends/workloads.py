"""The workloads' specs: everything about a workload that is neither a kernel nor asv's.

A spec fixes what is computed (inputs, reference, tolerance), how the model counts it (n, k), and
which cells of the workload x backend table are left out, each with its reason.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from backends import Array, UnknownNameError

__all__ = ["WORKLOADS", "Limit", "Workload", "checked_size", "get", "relative_error"]

EPS = float(np.finfo(np.float64).eps)
SEED = 20261012

# Extended precision on x86 (64-bit significand); elsewhere NumPy's longdouble may be wider or equal
# to float64, which still leaves a reference that is formulated independently of the kernels.
Extended = npt.NDArray[np.longdouble]


@dataclass(frozen=True)
class Limit:
    """The largest size that a backend runs of a workload (0: it has no kernel), and why."""

    largest: int
    reason: str


@dataclass(frozen=True)
class Workload:
    """One numerical task of size n.

    Attributes
    ----------
    name, summary : str
        The name in asv and in tables; one line on what is computed.
    n_counts : str
        What n counts.
    k : int
        Number of operations in the model `t = k (c0 + c1 n)`.
    k_counts : str
        Where k comes from.
    cost : str
        The feature of the size that the time should be linear in.
    draw_inputs : callable
        `(n, rng) -> tuple of float64 arrays`.
    reference : callable
        The solution for these inputs, formulated independently of the kernels; float64.
    tolerance : callable
        `n -> ` the largest relative error (see `relative_error`) of a correct kernel.
    tolerance_reason : str
        Where the tolerance comes from.
    baseline : str
        The backend that the others are compared with: what one would write first.
    limits : mapping of str to Limit
        By backend; a backend without one runs every size.
    """

    name: str
    summary: str
    n_counts: str
    k: int
    k_counts: str
    draw_inputs: Callable[[int, np.random.Generator], tuple[Array, ...]]
    reference: Callable[..., Array]
    tolerance: Callable[[int], float]
    tolerance_reason: str
    cost: str = "n"
    baseline: str = "numpy"
    limits: Mapping[str, Limit] = field(default_factory=dict)

    def inputs(self, n: int, draw: int = 0) -> tuple[Array, ...]:
        """Return the inputs of size n: the same for every backend, process and machine.

        Parameters
        ----------
        n : int
            The size, at least 1.
        draw : int
            Which of the independent input sets.

        Returns
        -------
        tuple of float64 arrays
        """
        return self.draw_inputs(n, np.random.default_rng((SEED, draw, checked_size(n))))

    def why_not(self, backend: str, n: int) -> str | None:
        """Return why a backend does not run this workload at size n, or None if it does."""
        limit = self.limits.get(backend)
        if limit is None or checked_size(n) <= limit.largest:
            return None
        extent = f"runs to n = {limit.largest} only" if limit.largest else "has no kernel"
        return f"{backend} {extent}: {limit.reason}"


def checked_size(n: SupportsIndex) -> int:
    """Return n as an int, or raise ValueError where it is not a whole number of at least 1."""
    try:
        size = operator.index(n)
    except TypeError:
        raise ValueError(f"n = {n!r} is not a whole number; give one of at least 1") from None
    if size < 1:
        raise ValueError(f"n = {size} is too small; give a whole number of at least 1")
    return size


def relative_error(value: npt.NDArray[np.floating], reference: Array) -> float:
    """Return max|value - reference| / max|reference|.

    Relative to the largest element: taken element by element, the recursion's passages through zero
    would decide.
    """
    return float(np.max(np.abs(value - reference)) / np.max(np.abs(reference)))


WORKLOADS: dict[str, Workload] = {}


def _add(workload: Workload) -> None:
    WORKLOADS[workload.name] = workload


def get(name: str) -> Workload:
    """Return a workload's spec, or raise `UnknownNameError`."""
    try:
        return WORKLOADS[name]
    except KeyError:
        known = ", ".join(WORKLOADS)
        raise UnknownNameError(f"no workload {name!r}; there are {known}") from None


def _normal(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    return (rng.standard_normal(n),)


def _extended_summands(x: Array) -> Extended:
    # Other formulas than the kernels': cos 3x = 4 cos^3 x - 3 cos x, tanh x by expm1.
    y = x.astype(np.longdouble)
    c = np.cos(y)
    m = np.expm1(-2 * np.abs(y))
    x_tanh = np.abs(y) * -m / (m + 2)
    terms: Extended = np.exp(-(y * y) / 2) * (4 * c**3 - 3 * c) + x_tanh
    return terms


def _reference_elementwise(x: Array) -> Array:
    # By blocks: at n = 10^7 one array in extended precision would be 160 MB, and there are several.
    block = 1 << 14
    total = sum(
        (_extended_summands(x[i : i + block]).sum() for i in range(0, x.size, block)),
        start=np.longdouble(0),
    )
    return np.asarray(total, dtype=np.float64)


def _reference_summands(x: Array) -> Array:
    return _extended_summands(x).astype(np.float64)


_add(
    Workload(
        name="elementwise",
        summary="sum(exp(-x^2/2) cos(3x) + x tanh(x))",
        n_counts="elements",
        k=10,
        k_counts="the ten equations of its jaxpr: nine elementwise operations and the sum",
        draw_inputs=_normal,
        reference=_reference_elementwise,
        tolerance=lambda n: (16 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "16 eps for the functions, each good to a few ulp; a running sum of n terms with a "
            "positive mean gathers rounding errors as a random walk, about sqrt(n) eps / 6"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)

_add(
    Workload(
        name="summands",
        summary="the terms of elementwise before they are summed; compared, never timed",
        n_counts="elements",
        k=9,
        k_counts="elementwise without its sum",
        draw_inputs=_normal,
        reference=_reference_summands,
        tolerance=lambda n: 16 * EPS,  # noqa: ARG005
        tolerance_reason="nine operations on each element, each good to a few ulp",
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)


def _reference_recursion(e: Array) -> Array:
    """Run blocks of the recursion side by side, each from 0 and 400 steps before its first value.

    One step multiplies a difference between two states by at most 0.9, so that 400 steps leave
    0.9^400 = 5e-19 of it: the blocks agree with the one long run to extended precision.
    """
    n, burn_in = e.size, 400
    block = max(burn_in, math.isqrt(n))
    blocks = -(-n // block)
    padded = np.zeros(burn_in + blocks * block, dtype=np.longdouble)
    padded[burn_in : burn_in + n] = e  # zeros before the first step keep the state at 0
    x = np.zeros(blocks, dtype=np.longdouble)
    path = np.empty((block, blocks))
    starts = np.arange(blocks) * block
    for step in range(burn_in + block):
        decay = np.exp(-1.8 * np.abs(x))  # tanh z = sign(z) (1 - d) / (1 + d), d = exp(-2|z|)
        x = np.copysign((1 - decay) / (1 + decay), x) + padded[starts + step]
        if step >= burn_in:
            path[step - burn_in] = x
    return path.T.ravel()[:n]


_add(
    Workload(
        name="recursion",
        summary="x_t = tanh(0.9 x_{t-1}) + e_t from x_0 = 0, every x_t returned",
        n_counts="steps",
        k=3,
        k_counts="multiply, tanh and add in each step",
        baseline="python",
        draw_inputs=_normal,
        reference=_reference_recursion,
        tolerance=lambda n: 64 * EPS,  # noqa: ARG005
        tolerance_reason=(
            "a step errs by a few ulp and keeps at most 0.9 of the error before it: "
            "at most ten times a step's error, at any n"
        ),
        limits={"jax_eager": Limit(1_000, "each step dispatches its operations anew: 0.1 ms")},
    )
)
