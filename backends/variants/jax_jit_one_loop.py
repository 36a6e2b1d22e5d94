"""jit into one loop: no reduction in windows, no kernel of a library, no temporary array."""

from __future__ import annotations

from backends import Kernel
from backends.jax_jit import details, is_ready, make_call, to_native, to_numpy
from backends.variants import InertSettingError
from backends.variants._evidence import inputs, program
from backends.variants._xla import NO_LIBRARY_FUSION, NO_TREE_REDUCTION, jitted

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def fresh_kernel(workload: str) -> Kernel:
    return jitted(workload, NO_TREE_REDUCTION | NO_LIBRARY_FUSION)


def refuse_inert(workload: str) -> None:
    for n in (
        1_000,
        100_000,
    ):  # XLA reduces in windows up to some thousand elements, or by a library
        compiled = program(fresh_kernel(workload), inputs(workload, n, to_native))
        if (kernels := len(compiled.kernels)) != 1:
            raise InertSettingError(f"jax_jit_one_loop runs {kernels} kernels at n = {n}")
