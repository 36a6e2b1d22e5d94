"""JAX without jit: each operation is dispatched by itself."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from backends import Kernel
from backends._jax import details, is_ready, make_call, to_native, to_numpy

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def summands(x: jax.Array) -> jax.Array:
    return jnp.exp(-0.5 * x**2) * jnp.cos(3 * x) + x * jnp.tanh(x)


def elementwise(x: jax.Array) -> jax.Array:
    return jnp.sum(summands(x))


def recursion(e: jax.Array) -> jax.Array:
    x = jnp.zeros(())
    path = []
    for e_t in e:
        x = jnp.tanh(0.9 * x) + e_t
        path.append(x)
    return jnp.stack(path)


def fresh_kernel(workload: str) -> Kernel:
    # JAX compiles each operation at its first use with a shape, and keeps it for the process: without
    # this, the first call of a "fresh" kernel read 0.5 ms instead of 300.
    jax.clear_caches()
    kernel: Kernel = globals()[workload]
    return kernel
