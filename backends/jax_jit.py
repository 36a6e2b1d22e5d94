"""JAX under jit: traced once, compiled by XLA; recursions by lax.scan."""

from __future__ import annotations

from typing import Any, cast

import jax
import jax.numpy as jnp

from jitcost.backends import Kernel, jax_eager
from jitcost.backends._fresh import fresh_callable, fresh_function, made_for
from jitcost.backends._jax import XP, details, is_native, is_ready, make_call, to_native, to_numpy

# Vectorised kernels are the eager formulas: what differs is only that they are compiled.
from jitcost.backends.jax_eager import (
    JITTED,
    KALMAN_START,
    elementwise,
    kalman_step,
    log_target,
    logistic_gradient,
    normals,
    op_chain,
    operations,
    summands,
)

__all__ = [
    "TRACES",
    "XP",
    "constants",
    "details",
    "elementwise",
    "fresh_kernel",
    "is_native",
    "is_ready",
    "logistic_gradient",
    "make_call",
    "normals",
    "of_function",
    "op_chain",
    "operations",
    "summands",
    "to_native",
    "to_numpy",
]

# Traced: a number of Python's would be an array in range(), and a text cannot be one.
TRACES = True


def recursion(e: jax.Array, unroll: int = 1) -> jax.Array:
    def step(x: jax.Array, e_t: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = jnp.tanh(0.9 * x) + e_t
        return x, x

    path: jax.Array = jax.lax.scan(step, jnp.zeros(()), e, unroll=unroll)[1]
    return path


def metropolis(increments: jax.Array, log_uniforms: jax.Array) -> jax.Array:
    def step(
        state: tuple[jax.Array, jax.Array], drawn: tuple[jax.Array, jax.Array]
    ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        (x, log_p), (increment, log_u) = state, drawn
        y = x + increment
        log_q = log_target(y)
        accepted = log_u < log_q - log_p
        x = jnp.where(accepted, y, x)
        return (x, jnp.where(accepted, log_q, log_p)), x

    start = jnp.ones(()), jnp.zeros(())
    path: jax.Array = jax.lax.scan(step, start, (increments, log_uniforms))[1]
    return path


def metropolis_cond(increments: jax.Array, log_uniforms: jax.Array) -> jax.Array:
    def step(
        state: tuple[jax.Array, jax.Array], drawn: tuple[jax.Array, jax.Array]
    ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        (x, log_p), (increment, log_u) = state, drawn
        y = x + increment
        log_q = log_target(y)
        state = jax.lax.cond(log_u < log_q - log_p, lambda: (y, log_q), lambda: (x, log_p))
        return state, state[0]

    start = jnp.ones(()), jnp.zeros(())
    path: jax.Array = jax.lax.scan(step, start, (increments, log_uniforms))[1]
    return path


def metropolis_chains(increments: jax.Array, log_uniforms: jax.Array) -> jax.Array:
    def mean(increments: jax.Array, log_uniforms: jax.Array) -> jax.Array:
        def step(
            state: tuple[jax.Array, ...], drawn: tuple[jax.Array, jax.Array]
        ) -> tuple[tuple[jax.Array, ...], None]:
            (x, log_p, total), (increment, log_u) = state, drawn
            y = x + increment
            log_q = log_target(y)
            accepted = log_u < log_q - log_p
            x = jnp.where(accepted, y, x)
            return (x, jnp.where(accepted, log_q, log_p), total + x), None

        start = jnp.ones(()), jnp.zeros(()), jnp.zeros(())
        (_, _, total), _ = jax.lax.scan(step, start, (increments, log_uniforms))
        return total / increments.size

    means: jax.Array = jax.vmap(mean, in_axes=1)(increments, log_uniforms)
    return means


def kalman(y: jax.Array) -> jax.Array:
    start = tuple(jnp.array(KALMAN_START))
    return jnp.stack(jax.lax.scan(kalman_step, start, y)[1], axis=1)


def by_fori_loop(e: jax.Array) -> jax.Array:
    def body(t: jax.Array, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        x, path = state
        x = jnp.tanh(0.9 * x) + e[t]
        return x, path.at[t].set(x)

    path: jax.Array = jax.lax.fori_loop(0, e.size, body, (jnp.zeros(()), jnp.zeros_like(e)))[1]
    return path


def unrolled(form: str) -> Kernel:
    # A Python loop is run while tracing: all its steps are in the program, one after another.
    forms = {"python_loop": jax_eager.recursion, "scan": recursion, "fori_loop": by_fori_loop}
    return forms[form]


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    kernel: Kernel = jax.jit(fresh_function(made_for(globals()[workload], options)))
    return kernel


def constants(kernel: Kernel, inputs: tuple[Any, ...]) -> list[int]:
    try:
        traced = cast(Any, kernel).trace(*inputs).jaxpr
    except AttributeError:  # a jitted function that comes from a pickle cannot be looked into
        return []
    return [int(getattr(constant, "size", 1)) for constant in traced.consts]


def of_function(function: Kernel) -> Kernel:
    if isinstance(function, JITTED):  # with options that only its author knows
        jitted: Kernel = function
        if hasattr(jitted, "__wrapped__"):
            cast(
                Any, jitted
            ).clear_cache()  # traces and compiles anew: 35 ms of 36, and 0.07 without
        else:
            jax.clear_caches()  # it comes from a pickle, where its own way has been lost
        return jitted
    kernel: Kernel = jax.jit(fresh_callable(function))
    return kernel
