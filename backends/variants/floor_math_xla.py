"""One exp, one cos and one tanh for each element, by XLA's loops."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jitcost.backends import Kernel
from jitcost.backends._fresh import fresh_function
from jitcost.backends.variants.jax_jit_sync import details, is_ready, make_call, to_native, to_numpy

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def floor_math(x: jax.Array) -> jax.Array:
    return jnp.sum(jnp.exp(x)) + jnp.sum(jnp.cos(x)) + jnp.sum(jnp.tanh(x))


def fresh_kernel(workload: str) -> Kernel:  # noqa: ARG001
    kernel: Kernel = jax.jit(fresh_function(floor_math))
    return kernel
