"""JAX without jit: each operation is dispatched by itself."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp

from jitcost.backends import Kernel
from jitcost.backends._fresh import made_for
from jitcost.backends._jax import XP, details, is_native, is_ready, make_call, to_native, to_numpy

__all__ = [
    "XP",
    "details",
    "fresh_kernel",
    "is_native",
    "is_ready",
    "make_call",
    "of_function",
    "to_native",
    "to_numpy",
]

# What jax.jit returns: it has no public name of its own.
JITTED = type(jax.jit(lambda: None))

# Predicted level and slope, their covariances, and the log-likelihood so far.
KALMAN_START = (0.0, 0.0, 20.1, 10.0, 10.01, 0.0)


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


def log_target(x: jax.Array) -> jax.Array:
    return -((x**2 - 1.0) ** 2)


def metropolis(increments: jax.Array, log_uniforms: jax.Array) -> jax.Array:
    x, log_p = jnp.ones(()), jnp.zeros(())
    path = []
    for step, log_u in zip(increments, log_uniforms, strict=True):
        y = x + step
        log_q = log_target(y)
        accepted = log_u < log_q - log_p
        x = jnp.where(accepted, y, x)
        log_p = jnp.where(accepted, log_q, log_p)
        path.append(x)
    return jnp.stack(path)


def metropolis_chains(increments: jax.Array, log_uniforms: jax.Array) -> jax.Array:
    steps, n = increments.shape
    x, log_p, total = jnp.ones(n), jnp.zeros(n), jnp.zeros(n)
    for step, log_u in zip(increments, log_uniforms, strict=True):
        y = x + step
        log_q = log_target(y)
        accepted = log_u < log_q - log_p
        x = jnp.where(accepted, y, x)
        log_p = jnp.where(accepted, log_q, log_p)
        total = total + x
    return total / steps


def kalman_step(
    state: tuple[jax.Array, ...], y_t: jax.Array
) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]]:
    level, slope, p11, p12, p22, log_likelihood = state
    v = y_t - level
    s = p11 + 1.0
    k1, k2 = p11 / s, p12 / s
    level, slope = level + k1 * v, slope + k2 * v
    log_likelihood = log_likelihood - 0.5 * (jnp.log(2.0 * jnp.pi * s) + v * v / s)
    filtered = level, slope, log_likelihood
    level = level + slope
    p11, p12, p22 = p11 - k1 * p11, p12 - k1 * p12, p22 - k2 * p12
    p11, p12, p22 = p11 + 2.0 * p12 + p22 + 0.1, p12 + p22, p22 + 0.01
    return (level, slope, p11, p12, p22, log_likelihood), filtered


def kalman(y: jax.Array) -> jax.Array:
    state = tuple(jnp.array(KALMAN_START))
    filtered = []
    for y_t in y:
        state, now = kalman_step(state, y_t)
        filtered.append(jnp.stack(now))
    return jnp.stack(filtered)


def log_posterior(beta: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    eta = x @ beta
    return jnp.sum(y * eta - jnp.logaddexp(eta, 0.0)) - 0.5 * jnp.sum(beta**2)


def logistic_gradient(x: jax.Array, y: jax.Array, beta: jax.Array) -> jax.Array:
    gradient: jax.Array = jax.grad(log_posterior)(beta, x, y)
    return gradient


def normals(key: jax.Array, like: jax.Array) -> jax.Array:
    return jax.random.normal(key, like.shape)


OPERATIONS: dict[str, Kernel] = {
    "square": lambda x: x**2,
    "scale": lambda x: 3.0 * x,
    "exp": lambda x: jnp.exp(x),
    "cos": lambda x: jnp.cos(x),
    "tanh": lambda x: jnp.tanh(x),
    "multiply": lambda x, y: x * y,
    "add": lambda x, y: x + y,
    "sum": lambda x: jnp.sum(x),
}


def operations(operation: str) -> Kernel:
    return OPERATIONS[operation]


def op_chain(k: int) -> Kernel:
    def chain(x: jax.Array) -> jax.Array:
        for step in range(k):
            x = x + 0.25 if step % 2 else 0.75 * x
        return x

    return chain


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    # JAX compiles each operation at its first use with a shape, and keeps it for the process: without
    # this, the first call of a "fresh" kernel read 0.5 ms instead of 300.
    jax.clear_caches()
    return made_for(globals()[workload], options)


def of_function(function: Kernel) -> Kernel:
    jax.clear_caches()  # as above
    if isinstance(function, functools.partial):
        return functools.partial(_unjitted(function.func), *function.args, **function.keywords)
    return _unjitted(function)


def _unjitted(function: Kernel) -> Kernel:
    if not isinstance(function, JITTED):
        return function
    # What its author has jitted is run operation by operation here, as the backend's name says.
    plain: Kernel | None = getattr(function, "__wrapped__", None)
    if plain is None:  # lost where it comes from a pickle
        raise TypeError("a jitted function of another process stays jitted; give the plain one")
    return plain
