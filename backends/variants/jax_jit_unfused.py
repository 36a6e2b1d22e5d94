"""XLA without fusion, on one thread: a compiled loop for each operation, an array for each result."""

from __future__ import annotations

from jitcost.backends import Kernel
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, program
from jitcost.backends.variants._xla import FUSION, TREE_REDUCTION, compiled_without
from jitcost.backends.variants.jax_jit_1thread import (
    details,
    is_ready,
    make_call,
    to_native,
    to_numpy,
)

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

DISABLED = (*FUSION, *TREE_REDUCTION)
LIBRARY = False


def fresh_kernel(workload: str) -> Kernel:
    return compiled_without(workload, DISABLED, library=LIBRARY)


def verify_effect(workload: str) -> None:
    compiled = program(fresh_kernel(workload), inputs(workload, 100_000, to_native))
    if fusions := len(compiled.fusions):
        raise NoEffectError(f"jax_jit_unfused has {fusions} fusions in its program")
