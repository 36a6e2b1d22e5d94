"""The workloads' specs: everything about a workload that is neither a kernel nor asv's.

A spec fixes what is computed (inputs, reference, tolerance), how the model counts it (n, k), and
which cells of the workload x backend table are left out, each with its reason.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from jitcost.backends import NAMES, Array, UnknownNameError, references
from jitcost.backends.variants import base_of

__all__ = ["WORKLOADS", "Limit", "Workload", "checked_size", "get", "relative_error"]

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
        By backend; a backend without one runs every size.
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

    def why_not(self, backend: str, n: int) -> str | None:
        """Return why a backend or variant does not run this workload at size n; None if it does."""
        limit = self.limits.get(base_of(backend))
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


WORKLOADS: dict[str, Workload] = {}

# What variants compute in the place of a workload: bounds of its time, itself on other inputs, its
# parts. They are no workloads, and in no table.
STAND_INS: dict[str, Workload] = {}


def _add(workload: Workload) -> None:
    WORKLOADS[workload.name] = workload


def get(name: str) -> Workload:
    """Return a workload's spec, or raise `UnknownNameError`."""
    try:
        return STAND_INS[name] if name in STAND_INS else WORKLOADS[name]
    except KeyError:
        known = ", ".join(WORKLOADS)
        raise UnknownNameError(f"no workload {name!r}; there are {known}") from None


def known(name: str | None) -> Workload | None:
    """Return a workload's spec; None for what is no workload of ours."""
    return WORKLOADS.get(name or "")


def _normal(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    return (rng.standard_normal(n),)


_add(
    Workload(
        name="elementwise",
        summary="sum(exp(-x^2/2) cos(3x) + x tanh(x))",
        n_counts="elements",
        k=10,
        k_counts="the ten equations of its jaxpr: nine elementwise operations and the sum",
        draw_inputs=_normal,
        reference=references.elementwise,
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
        reference=references.summands,
        tolerance=lambda n: 16 * EPS,  # noqa: ARG005
        tolerance_reason="nine operations on each element, each good to a few ulp",
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)


_add(
    Workload(
        name="recursion",
        summary="x_t = tanh(0.9 x_{t-1}) + e_t from x_0 = 0, every x_t returned",
        n_counts="steps",
        k=3,
        k_counts="multiply, tanh and add in each step",
        baseline="python",
        draw_inputs=_normal,
        reference=references.recursion,
        tolerance=lambda n: 64 * EPS,  # noqa: ARG005
        tolerance_reason=(
            "a step errs by a few ulp and keeps at most 0.9 of the error before it: "
            "at most ten times a step's error, at any n"
        ),
        limits={
            "jax_eager": Limit(1_000, "each step dispatches its operations anew: 20 to 130 µs")
        },
    )
)


def _steps(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    """Draw increments and log-uniforms.

    Increments are multiples of 2^-32, which makes every sum of them exact: a proposal is the same
    number on each backend, and only a decision could differ, where the two sides of its inequality
    agree to 15 digits.
    """
    return _on_grid(rng.standard_normal(n)), np.log(rng.uniform(size=n))


def _chains_of_steps(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    return _on_grid(rng.standard_normal((1_000, n))), np.log(rng.uniform(size=(1_000, n)))


def _on_grid(x: Array) -> Array:
    rounded: Array = np.round(x * 2.0**32) / 2.0**32
    return rounded


_add(
    Workload(
        name="metropolis",
        summary="random-walk Metropolis on p(x) ~ exp(-(x^2 - 1)^2) from x = 1; the chain returned",
        n_counts="steps",
        k=9,
        k_counts=(
            "in each step one addition, four operations for the log-density, a difference, a "
            "comparison and two selections"
        ),
        baseline="python",
        draw_inputs=_steps,
        shapes=lambda n: ((n,), (n,)),
        reference=references.metropolis,
        tolerance=lambda n: 4 * EPS,  # noqa: ARG005
        tolerance_reason="the increments' sums are exact; one wrong decision is an error of order 1",
        limits={"jax_eager": Limit(1_000, "each step dispatches its operations anew: 0.1 ms")},
    )
)

_add(
    dataclasses.replace(
        get("metropolis"),
        name="metropolis_cond",
        summary="metropolis, each decision a branch that is taken (lax.cond) and not a selection",
        k=8,
        k_counts="metropolis's operations, with one branch in the place of two selections",
        limits={
            name: Limit(0, "a variant of the compiled kernel alone")
            for name in NAMES
            if name != "jax_jit"
        },
    )
)

_CHAINS = Limit(1_000, "the inputs take 16 kB a chain")

_add(
    Workload(
        name="metropolis_chains",
        summary="n chains of metropolis, 1000 steps each; each chain's mean returned",
        n_counts="chains",
        k=10_000,
        k_counts="1000 steps of metropolis's nine operations and the addition to the mean",
        draw_inputs=_chains_of_steps,
        shapes=lambda n: ((1_000, n), (1_000, n)),
        reference=references.metropolis_chains,
        tolerance=lambda n: 4 * EPS,  # noqa: ARG005
        tolerance_reason="all sums are exact; one wrong decision changes a mean by 1e-4 at least",
        limits=dict.fromkeys(NAMES, _CHAINS),
    )
)

_add(
    Workload(
        name="kalman",
        summary=(
            "Kalman filter of a local linear trend (variances 1, 0.1, 0.01; level and slope "
            "N(0, 10) before): level, slope, log-likelihood so far, at each observation"
        ),
        n_counts="observations",
        k=28,
        k_counts="the 28 equations of a step's jaxpr",
        baseline="python",
        # White noise, not data of the model: those wander off as n^1.5, and leave the innovations
        # without digits.
        draw_inputs=_normal,
        reference=references.kalman,
        tolerance=lambda n: (64 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "a stable filter forgets the errors of its states as the recursion does; the "
            "log-likelihood is a sum of n terms: a random walk of rounding errors"
        ),
        error=column_error,
        limits={"jax_eager": Limit(1_000, "each step dispatches its operations anew: 0.2 ms")},
    )
)


def _regression(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    x = rng.standard_normal((n, 10))
    truth = rng.standard_normal(10) / 3
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-(x @ truth)))).astype(np.float64)
    return x, y, truth / 2


_add(
    Workload(
        name="logistic_gradient",
        summary="gradient of a logistic regression's log-posterior, 10 columns, normal prior",
        n_counts="rows",
        k=8,
        k_counts="NumPy's: two products of matrix and vector, negative, exp, and four of arithmetic",
        draw_inputs=_regression,
        shapes=lambda n: ((n, 10), (n,), (10,)),
        reference=references.logistic_gradient,
        tolerance=lambda n: (32 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "each row's term is good to some ulp; their sum gathers rounding errors as a random "
            "walk, and does not vanish at half the true coefficients"
        ),
        limits={"python": Limit(100_000, "a call at 10^6 takes more than a second")},
    )
)


def _key(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    # What JAX calls a raw key. The second input only says how many to draw, by its shape.
    return rng.integers(2**32, size=2, dtype=np.uint32), np.zeros(n)  # type: ignore[return-value]


_add(
    Workload(
        name="normals",
        summary="n standard normal draws from a key; each backend's own generator",
        n_counts="draws",
        k=1,
        k_counts="one draw for each element",
        draw_inputs=_key,
        draws=True,
        shapes=lambda n: ((2,), (n,)),
        reference=references.normals,
        error=moment_error,
        tolerance=lambda n: 6 + 26 / math.sqrt(n),
        tolerance_reason=(
            "in standard errors. A right generator exceeds this for one key in ten million at any "
            "n: 6 by Hoeffding's inequality for the bounded moments, and with the second term by "
            "Laurent and Massart's for the sum of squares, whose upper tail is heavier"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)


def _operands_of(operation: str) -> int:
    return 2 if operation in ("multiply", "add") else 1


def _operands(n: int, rng: np.random.Generator, operation: str) -> tuple[Array, ...]:
    if operation == "sum":  # of mean 1: a sum that cancels has no relative error to speak of
        return (1 + rng.standard_normal(n),)
    return tuple(rng.standard_normal(n) for _ in range(_operands_of(operation)))


_add(
    Workload(
        name="operations",
        summary="each operation of elementwise alone: x^2, 3 x, exp, cos, tanh, x y, x + y, sum",
        n_counts="elements",
        k=1,
        k_counts="one operation",
        options={
            "operation": ("square", "scale", "exp", "cos", "tanh", "multiply", "add", "sum"),
        },
        draw_inputs=_operands,
        shapes=lambda n, operation: ((n,),) * _operands_of(operation),
        reference=references.operations,
        tolerance=lambda n: (8 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "8 eps for a function, good to a few ulp; the sum of n terms of mean 1 gathers rounding "
            "errors as a random walk, about sqrt(n) eps / 4"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes half a second and 320 MB")},
    )
)

_add(
    Workload(
        name="op_chain",
        summary="k operations in a row: times 0.75, plus 0.25, times 0.75, ...",
        n_counts="elements",
        k=1,
        k_counts="the option k",
        options={"k": (1, 2, 4, 8, 16, 32)},
        # No compiler may fold these: (0.75 x + 0.25) 0.75 rounds otherwise than 0.5625 x + 0.1875.
        # The values go to 1, and never near the subnormal numbers.
        draw_inputs=lambda n, rng, k: _normal(n, rng),  # noqa: ARG005
        shapes=lambda n, k: ((n,),),  # noqa: ARG005
        reference=references.op_chain,
        tolerance=lambda n: 16 * EPS,  # noqa: ARG005
        tolerance_reason=(
            "a rounding error of a number of order 1 in each operation, and each pair of operations "
            "keeps three quarters of the errors before it: at most four times a pair's"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes half a second and 640 MB")},
    )
)

_NOT_TRACED = "it traces no program that could be unrolled"

_add(
    dataclasses.replace(
        get("recursion"),
        name="unrolled",
        summary="the recursion as a Python loop that tracing unrolls, as lax.scan and as fori_loop",
        options={"form": ("python_loop", "scan", "fori_loop")},
        shapes=lambda n, form: ((n,),),  # noqa: ARG005
        reference=lambda e, form: references.recursion(e),  # noqa: ARG005
        draw_inputs=lambda n, rng, form: _normal(n, rng),  # noqa: ARG005
        limits={
            **dict.fromkeys(NAMES, Limit(0, _NOT_TRACED)),
            "jax_jit": Limit(300, "XLA takes seconds to compile more steps, unrolled"),
        },
    )
)

_SYNCHRONOUS = Limit(0, "its calls return when the result is ready")

_add(
    dataclasses.replace(
        get("elementwise"),
        name="dispatch",
        summary="elementwise: time until the call returns against time until the result is ready",
        limits={name: _SYNCHRONOUS for name in NAMES if name not in ("jax_eager", "jax_jit")},
    )
)

_add(
    dataclasses.replace(
        get("elementwise"),
        name="boundary",
        summary="elementwise on the backend's own inputs, and on NumPy arrays converted in each call",
        limits={
            **get("elementwise").limits,
            **dict.fromkeys(("numpy", "numba"), Limit(0, "its own inputs are NumPy arrays")),
        },
    )
)

_add(
    dataclasses.replace(
        get("elementwise"),
        name="new_shape",
        summary="elementwise, each call with a length that the kernel has never seen",
    )
)

STAND_INS["floor_math"] = dataclasses.replace(
    get("elementwise"),
    name="floor_math",
    summary="sum(exp(x)) + sum(cos(x)) + sum(tanh(x)): the functions of elementwise, and no more",
    k=6,
    k_counts="three functions and three sums",
    reference=references.floor_math,
)

STAND_INS["elementwise_sorted"] = dataclasses.replace(
    get("elementwise"),
    name="elementwise_sorted",
    summary="elementwise on sorted inputs",
    draw_inputs=lambda n, rng: (np.sort(rng.standard_normal(n)),),
)


def _parts(n: int, rng: np.random.Generator, operation: str) -> tuple[Array, ...]:
    x = np.sort(rng.standard_normal(n))
    if operation == "exp":
        return (-0.5 * x**2,)
    if operation == "cos":
        return (3.0 * x,)
    if operation == "multiply":
        return x, np.tanh(x)
    if operation in ("add", "sum"):
        terms = np.exp(-0.5 * x**2) * np.cos(3.0 * x), x * np.tanh(x)
        return terms if operation == "add" else (terms[0] + terms[1],)
    return (x,)


STAND_INS["elementwise_parts"] = dataclasses.replace(
    get("operations"),
    name="elementwise_parts",
    summary="each operation of elementwise alone, on the arguments that it has there, sorted",
    draw_inputs=_parts,
)
