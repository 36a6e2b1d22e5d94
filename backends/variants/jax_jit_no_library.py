"""jit without kernels of the library YNN, to which XLA hands reductions and what goes with them."""

from __future__ import annotations

from jitcost.backends import BackendUnavailable, Kernel, jax_jit
from jitcost.backends.jax_jit import details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, program_text
from jitcost.backends.variants._xla import LIBRARY_MARK, compiled_without, has_library

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

LIBRARY = False

if not has_library():
    raise BackendUnavailable("jax_jit_no_library: this XLA has no library to switch off")


def fresh_kernel(workload: str) -> Kernel:
    return compiled_without(workload, library=LIBRARY)


def verify_effect(workload: str) -> None:
    native = inputs(workload, 100_000, to_native)
    if LIBRARY_MARK not in program_text(jax_jit.fresh_kernel(workload), native):
        raise NoEffectError(f"jax_jit_no_library: this XLA has no library kernel in {workload}")
    if LIBRARY_MARK in program_text(fresh_kernel(workload), native):
        raise NoEffectError("jax_jit_no_library has a library kernel in its program")
