"""What a workload's spec is."""

from __future__ import annotations

import itertools
import math
import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from jitcost.backends.registry import Array, kernels_of
from jitcost.backends.variant_table import base_of

__all__ = [
    "EPS",
    "NO_LIMIT",
    "Limit",
    "Workload",
    "checked_size",
    "column_error",
    "moment_error",
    "normal",
    "relative_error",
]

EPS = float(np.finfo(np.float64).eps)
SEED = 20261012


def relative_error(value: npt.NDArray[np.floating], reference: Array) -> float:
    """Return max|value - reference| / max|reference|.

    Relative to the largest element: taken element by element, the recursion's passages through zero
    would decide.
    """
    return float(np.max(np.abs(value - reference)) / np.max(np.abs(reference)))


@dataclass(frozen=True)
class Limit:
    """The largest size that a backend runs of a workload (0: it has no kernel), and why."""

    largest: int
    reason: str


# Of a backend that is not among a workload's `others`.
NO_LIMIT = Limit(sys.maxsize, "every size")


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
        `(n, rng, **options) -> tuple of float64 arrays` (and, for a key, uint32).
    shapes : callable
        `(n, **options) -> ` the shape of each input.
    reference : callable
        `(*inputs, **options) -> ` the solution for these inputs, formulated independently of the
        kernels; float64.
    tolerance : callable
        `n -> ` the largest error of a correct kernel, under any options.
    tolerance_reason : str
        Where the tolerance comes from.
    error : callable
        `(value, reference) -> float`: what is held against the tolerance.
    options : mapping of str to tuple
        What a kernel is made for besides n: the values of each option, by name.
    draws : bool
        Whether the kernel draws random numbers by itself, from a key.
    baseline : str
        The backend that the others are compared with: what one would write first.
    limits : mapping of str to Limit
        By backend.
    others : Limit, optional
        Of every backend that `limits` does not name, whichever there are; without it, they run every
        size.
    times : str
        Of a timing protocol (`workloads.PROTOCOLS`): the workload that it times; otherwise empty.
    """

    name: str
    summary: str
    n_counts: str
    k: int
    k_counts: str
    draw_inputs: Callable[..., tuple[Array, ...]]
    reference: Callable[..., Array]
    tolerance: Callable[[int], float]
    tolerance_reason: str
    shapes: Callable[..., tuple[tuple[int, ...], ...]] = lambda n: ((n,),)
    cost: str = "n"
    baseline: str = "numpy"
    error: Callable[[npt.NDArray[Any], Array], float] = relative_error
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    draws: bool = False
    limits: Mapping[str, Limit] = field(default_factory=dict)
    others: Limit | None = None
    times: str = ""

    def inputs(self, n: int, draw: int = 0, **options: Any) -> tuple[Array, ...]:
        """Return the inputs of size n: the same for every backend, process and machine.

        Parameters
        ----------
        n : int
            The size, at least 1.
        draw : int
            Which of the independent input sets.
        **options
            The workload's options, all of them.

        Returns
        -------
        tuple of arrays
        """
        self.check_options(options)
        rng = np.random.default_rng((SEED, draw, checked_size(n)))
        return self.checked(self.draw_inputs(n, rng, **options), n, **options)

    def checked(self, arrays: tuple[Array, ...], n: int, **options: Any) -> tuple[Array, ...]:
        """Return the arrays, or raise ValueError where they are not what the kernels take.

        Compiled kernels do not look: Numba's and Julia's loops read past the end of a short array.
        """
        shapes = self.shapes(n, **options)
        types = ["uint32" if self.draws and i == 0 else "float64" for i in range(len(shapes))]
        expected = ", ".join(f"{t} {shape}" for t, shape in zip(types, shapes, strict=True))
        given = ", ".join(f"{array.dtype} {array.shape}" for array in arrays)
        if given != expected:
            raise ValueError(f"{self.name} at n = {n} takes {expected}; given: {given}")
        if not all(np.isfinite(array).all() for array in arrays):
            raise ValueError(f"{self.name} takes finite numbers; given: NaN or infinity")
        return arrays

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise ValueError where these are not a value of each of the workload's options."""
        if options.keys() != self.options.keys() or any(
            value not in self.options[name] for name, value in options.items()
        ):
            takes = "; ".join(f"{k} = {', '.join(map(str, v))}" for k, v in self.options.items())
            given = ", ".join(f"{k} = {v!r}" for k, v in options.items())
            raise ValueError(f"{self.name} takes {takes or 'no options'}; given: {given or 'none'}")

    def settings(self) -> list[dict[str, Any]]:
        """Return every combination of the options; without any, the empty one."""
        combinations = itertools.product(*self.options.values())
        return [dict(zip(self.options, values, strict=True)) for values in combinations]

    def limit_of(self, backend: str) -> Limit | None:
        """Return up to which size a backend or variant runs this workload; None: every size."""
        base = base_of(backend)
        kernels = kernels_of(base)
        if kernels is not None and (self.times or self.name) not in kernels:
            return Limit(0, f"it brings those of {', '.join(kernels) or 'no workload'} alone")
        limit = self.limits.get(base, self.others)
        return None if limit is NO_LIMIT else limit

    def why_not(self, backend: str, n: int) -> str | None:
        """Return why a backend or variant does not run this workload at size n; None if it does."""
        limit = self.limit_of(backend)
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


def column_error(value: npt.NDArray[np.floating], reference: Array) -> float:
    """Return the largest relative error of a column: columns of different scales count alike."""
    pairs = zip(value.T, reference.T, strict=True)
    return max(relative_error(column, expected) for column, expected in pairs)


def moment_error(value: npt.NDArray[np.floating], reference: Array) -> float:  # noqa: ARG001
    """Return how far draws are from standard normal ones, in standard errors of the moments.

    The moments are the means of x, x^2, and cos 2x and sin 2x, which tell a normal distribution
    from others of its mean and variance.
    """
    n = value.size
    deviations = [
        np.mean(value),
        (np.mean(value**2) - 1) / math.sqrt(2),
        np.mean(np.cos(2 * value)) - math.exp(-2),
        np.mean(np.sin(2 * value)),
    ]
    return float(np.max(np.abs(deviations)) * math.sqrt(n))


def normal(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    """Draw n standard normal numbers."""
    return (rng.standard_normal(n),)
