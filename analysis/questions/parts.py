"""A call's time in parts, each from an experiment of its own: NumPy's, and jit's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jitcost.questions.experiments import Experiment, NotMeasuredError
from jitcost.stats.estimates import Estimate, Quantity

__all__ = [
    "CHECK",
    "JIT_PARTS",
    "NUMPY_PARTS",
    "OPERATIONS",
    "JitInParts",
    "TimeInParts",
    "jit_in_parts",
    "numpy_in_parts",
]

# How often the expression applies each of NumPy's operations: ten in all.
OPERATIONS = {
    "square": 1,
    "scale": 2,
    "exp": 1,
    "cos": 1,
    "tanh": 1,
    "multiply": 2,
    "add": 1,
    "sum": 1,
}

# Up to this size all arrays of an operation stay in the first-level cache.
IN_CACHE = 1_000

# The parts, and the experiment that each comes from.
NUMPY_PARTS = {
    "interpreter and dispatch": "the ten operations, each alone, on one element",
    "arithmetic": "their time for each further element while the arrays are in the first-level cache",
    "memory passes": "what they take beyond that at n, still each alone, on sorted inputs",
    "mispredicted branches": "numpy_out less numpy_sorted, whose branches can be predicted",
    "allocation": "numpy less numpy_out, which reuses its arrays: with it go the page faults",
}
JIT_PARTS = {
    "call": "jax_jit_1thread on one element",
    "arithmetic": "jax_jit_1thread less the call",
    "threads": "jax_jit_sync less jax_jit_1thread",
    "hand-off": "jax_jit less jax_jit_sync",
}
CHECK = "floor_math_xla"


@dataclass(frozen=True)
class TimeInParts:
    """The time of a call at one size.

    Attributes
    ----------
    n : float
        The size.
    whole : Estimate
        Seconds per call.
    parts : mapping of str to Estimate
        Seconds; what is nothing at this size by its definition is not among them.
    remainder : Estimate
        The whole less the parts, seconds.
    remainder_share : float
        Of the whole.
    missing : mapping of str to str
        Why a part could not be told, by its name: it is in the remainder.
    """

    n: float
    whole: Estimate
    parts: Mapping[str, Estimate]
    remainder: Estimate
    remainder_share: float
    missing: Mapping[str, str]


@dataclass(frozen=True)
class JitInParts(TimeInParts):
    """The time of a jitted call at one size.

    Attributes
    ----------
    check : Estimate or None
        XLA's exp, cos and tanh alone, from another experiment, seconds: what most of the arithmetic
        has to be.
    """

    check: Estimate | None


def _in_parts(
    n: float, whole: Quantity, parts: Mapping[str, Callable[[], Quantity | None]]
) -> TimeInParts:
    """Return a whole with its parts: None for one that is nothing at this n by its definition."""
    found: dict[str, Quantity] = {}
    missing = {}
    for name, part in parts.items():
        try:
            quantity = part()
        except NotMeasuredError as error:
            missing[name] = str(error)
        else:
            found |= {} if quantity is None else {name: quantity}
    remainder = (whole - sum(found.values(), Quantity())).estimate()
    estimate = whole.estimate()
    return TimeInParts(
        n,
        estimate,
        {name: quantity.estimate() for name, quantity in found.items()},
        remainder,
        remainder.value / estimate.value,
        missing,
    )


def numpy_in_parts(experiment: Experiment, operations: Experiment, n: float) -> TimeInParts:
    """Return NumPy's time at n in `NUMPY_PARTS`.

    Parameters
    ----------
    experiment, operations : Experiment
        The variants, and NumPy's operations one by one.
    n : float
    """

    def all_operations(size: float) -> Quantity:
        return operations.sum(size, **OPERATIONS)

    def arithmetic() -> Quantity:
        return (all_operations(IN_CACHE) - all_operations(1)) * ((n - 1) / (IN_CACHE - 1))

    def memory_passes() -> Quantity | None:
        return None if n <= IN_CACHE else all_operations(n) - all_operations(1) - arithmetic()

    parts = (
        lambda: all_operations(1),
        arithmetic,
        memory_passes,
        lambda: experiment.sum(n, numpy_out=1, numpy_sorted=-1),
        lambda: experiment.sum(n, numpy=1, numpy_out=-1),
    )
    whole = experiment.sum(n, numpy=1)
    return _in_parts(n, whole, dict(zip(NUMPY_PARTS, parts, strict=True)))


def jit_in_parts(experiment: Experiment, n: float) -> JitInParts:
    """Return jit's time at n in `JIT_PARTS`: differences along one chain of variants."""

    def call() -> Quantity:
        return experiment.sum(1, jax_jit_1thread=1)

    parts = (
        call,
        lambda: experiment.sum(n, jax_jit_1thread=1) - call(),
        lambda: experiment.sum(n, jax_jit_sync=1, jax_jit_1thread=-1),
        lambda: experiment.sum(n, jax_jit=1, jax_jit_sync=-1),
    )
    found = _in_parts(n, experiment.sum(n, jax_jit=1), dict(zip(JIT_PARTS, parts, strict=True)))
    check: Estimate | None = None
    try:
        alone = experiment.sum(n, **{CHECK: 1}) - experiment.sum(1, **{CHECK: 1})
    except NotMeasuredError:
        pass
    else:
        check = alone.estimate()
    return JitInParts(
        found.n,
        found.whole,
        found.parts,
        found.remainder,
        found.remainder_share,
        found.missing,
        check,
    )
