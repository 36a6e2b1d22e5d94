"""XLA's own fusion, on one thread: one loop, with XLA's own functions and no library's."""

from __future__ import annotations

from jitcost.backends import Kernel
from jitcost.backends.variants._xla import TREE_REDUCTION, compiled_without, refuse_several_loops
from jitcost.backends.variants.jax_jit_1thread import (
    details,
    is_ready,
    make_call,
    to_native,
    to_numpy,
)

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

DISABLED = TREE_REDUCTION
LIBRARY = False


def fresh_kernel(workload: str) -> Kernel:
    return compiled_without(workload, DISABLED, library=LIBRARY)


def verify_effect(workload: str) -> None:
    refuse_several_loops("jax_jit_fused", workload, fresh_kernel(workload))
