"""lax.fori_loop in the place of lax.scan: each step writes into an array that it carries on."""

from __future__ import annotations

import jax

from jitcost.backends import Kernel
from jitcost.backends._fresh import fresh_function
from jitcost.backends.jax_jit import by_fori_loop, details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def fresh_kernel(workload: str) -> Kernel:  # noqa: ARG001
    kernel: Kernel = jax.jit(fresh_function(by_fori_loop))
    return kernel


def verify_effect(workload: str) -> None:
    # JAX makes a scan of a loop whose length it knows, but one that writes by itself.
    equations = str(jax.make_jaxpr(fresh_kernel(workload))(*inputs(workload, 10, to_native)))
    if "scatter" not in equations and "dynamic_update_slice" not in equations:
        raise NoEffectError("jax_fori_loop does not write into an array that it carries on")
