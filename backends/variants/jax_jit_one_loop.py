"""jit into one loop: no reduction in windows, no kernel of a library, no temporary array."""

from __future__ import annotations

from jitcost.backends import Kernel
from jitcost.backends.jax_jit import details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants._xla import TREE_REDUCTION, compiled_without, refuse_several_loops

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

DISABLED = TREE_REDUCTION
LIBRARY = False


def fresh_kernel(workload: str) -> Kernel:
    return compiled_without(workload, DISABLED, library=LIBRARY)


def verify_effect(workload: str) -> None:
    refuse_several_loops("jax_jit_one_loop", workload, fresh_kernel(workload))
