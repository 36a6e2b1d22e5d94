"""JAX without jit: each operation is dispatched by itself."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from backends import Kernel
from backends._fresh import made_for
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


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    return made_for(globals()[workload], options)
