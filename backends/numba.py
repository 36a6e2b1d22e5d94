"""Numba: explicit loops under njit."""

from __future__ import annotations

import math
from types import CellType, FunctionType
from typing import Any, cast

import llvmlite
import numba
import numpy as np
import numpy.typing as npt
from numba.core.dispatcher import Dispatcher

from jitcost.backends import Array, Kernel
from jitcost.backends._array_functions import with_module
from jitcost.backends._fresh import fresh_function, made_for
from jitcost.backends.functions import names_in
from jitcost.backends.host import is_native, is_ready, make_call, to_native, to_numpy

__all__ = [
    "compiles_anew",
    "details",
    "fresh_kernel",
    "is_native",
    "is_ready",
    "make_call",
    "of_function",
    "to_native",
    "to_numpy",
    "with_xp",
]


def elementwise(x: Array) -> float:
    total = 0.0
    for v in x:
        total += math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v)
    return total


def summands(x: Array) -> Array:
    terms = np.empty_like(x)
    for i, v in enumerate(x):
        terms[i] = math.exp(-0.5 * v * v) * math.cos(3.0 * v) + v * math.tanh(v)
    return terms


def recursion(e: Array) -> Array:
    x = 0.0
    path = np.empty_like(e)
    for t, e_t in enumerate(e):
        x = math.tanh(0.9 * x) + e_t
        path[t] = x
    return path


def metropolis(increments: Array, log_uniforms: Array) -> Array:
    x, log_p = 1.0, 0.0
    path = np.empty_like(increments)
    for t in range(increments.size):
        y = x + increments[t]
        log_q = -((y * y - 1.0) ** 2)
        if log_uniforms[t] < log_q - log_p:
            x, log_p = y, log_q
        path[t] = x
    return path


def metropolis_chains(increments: Array, log_uniforms: Array) -> Array:
    steps, n = increments.shape
    x, log_p, total = np.ones(n), np.zeros(n), np.zeros(n)
    for t in range(steps):
        for i in range(n):
            y = x[i] + increments[t, i]
            log_q = -((y * y - 1.0) ** 2)
            accepted = log_uniforms[t, i] < log_q - log_p[i]
            # A new x of its own: reading x[i] back keeps LLVM from vectorising the loop over
            # chains, and 100 of them take 67 us where this takes 26.
            new = y if accepted else x[i]
            log_p[i] = log_q if accepted else log_p[i]
            x[i] = new
            total[i] += new
    means: Array = total / steps
    return means


def kalman(y: Array) -> Array:
    level, slope = 0.0, 0.0
    p11, p12, p22 = 20.1, 10.0, 10.01
    log_likelihood = 0.0
    filtered = np.empty((y.size, 3))
    for t, y_t in enumerate(y):
        v = y_t - level
        s = p11 + 1.0
        k1, k2 = p11 / s, p12 / s
        level, slope = level + k1 * v, slope + k2 * v
        log_likelihood -= 0.5 * (math.log(2.0 * math.pi * s) + v * v / s)
        filtered[t, 0], filtered[t, 1], filtered[t, 2] = level, slope, log_likelihood
        level += slope
        p11, p12, p22 = p11 - k1 * p11, p12 - k1 * p12, p22 - k2 * p12
        p11, p12, p22 = p11 + 2.0 * p12 + p22 + 0.1, p12 + p22, p22 + 0.01
    return filtered


def logistic_gradient(x: Array, y: Array, beta: Array) -> Array:
    n, p = x.shape
    gradient = -beta
    for i in range(n):
        eta = 0.0
        for j in range(p):
            eta += x[i, j] * beta[j]
        residual = y[i] - 1.0 / (1.0 + math.exp(-eta))
        for j in range(p):
            gradient[j] += residual * x[i, j]
    return gradient


def normals(key: npt.NDArray[np.uint32], like: Array) -> Array:
    # The only generator that compiled code can seed: Numba's own Mersenne Twister, by 32 bits.
    np.random.seed(key[0] ^ key[1])
    return np.random.standard_normal(like.size)


SCALAR_OPERATIONS: dict[str, Kernel] = {
    "square": lambda v: v * v,
    "scale": lambda v: 3.0 * v,
    "exp": lambda v: math.exp(v),
    "cos": lambda v: math.cos(v),
    "tanh": lambda v: math.tanh(v),
    "multiply": lambda v, w: v * w,
    "add": lambda v, w: v + w,
}


def operations(operation: str) -> Kernel:
    if operation == "sum":
        return total_of
    scalar = numba.njit(fresh_function(SCALAR_OPERATIONS[operation]))

    def of_one(x: Array) -> Array:
        result = np.empty_like(x)
        for i in range(x.size):
            result[i] = scalar(x[i])
        return result

    def of_two(x: Array, y: Array) -> Array:
        result = np.empty_like(x)
        for i in range(x.size):
            result[i] = scalar(x[i], y[i])
        return result

    return of_two if operation in ("multiply", "add") else of_one


def total_of(x: Array) -> float:
    total = 0.0
    for v in x:
        total += v
    return total


def op_chain(k: int) -> Kernel:
    def chain(x: Array) -> Array:
        result = np.empty_like(x)
        for i in range(x.size):
            v = x[i]
            for step in range(k):
                v = v + 0.25 if step % 2 else 0.75 * v
            result[i] = v
        return result

    return chain


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    kernel: Kernel = numba.njit(fresh_function(made_for(globals()[workload], options)))
    return kernel


def of_function(function: Kernel) -> Kernel:
    if not compiles_anew(function):
        if isinstance(function, np.ufunc) or type(function).__module__.startswith("numba."):
            return function  # compiled when it was decorated
        raise TypeError(f"Numba compiles plain functions, and {type(function).__name__} is none")
    return _compiled(function, {}, helpers=isinstance(function, FunctionType))


def with_xp(function: Kernel) -> Kernel:
    # Numba compiles much of NumPy; but a module can be no argument of what it compiles.
    return with_module(function, "xp", np)


def compiles_anew(function: Kernel) -> bool:
    if isinstance(function, Dispatcher):  # unless its author has given signatures
        return bool(cast(Any, function)._can_compile)
    return isinstance(function, FunctionType)


def _compiled(function: Kernel, done: dict[Kernel, Kernel], *, helpers: bool) -> Kernel:
    """Compile a copy that calls copies of the compiled functions beside it, and they of theirs.

    And of the plain ones, where `helpers` says so: whoever compiles a kernel compiles these.
    """
    options: dict[str, Any] = {"nopython": True}
    original = cast(Any, function)
    if isinstance(function, Dispatcher):
        original = function.py_func
        options = {**function.targetoptions, "locals": cast(Any, function).locals}
    its_globals = dict(original.__globals__)
    copy = fresh_function(original, its_globals, _fresh_cells(original, done, helpers=helpers))
    kernel: Kernel = numba.jit(**options)(copy)
    # At once: it may call itself. Nothing is compiled before the first call.
    done[function] = kernel
    for name in names_in(original.__code__):
        helper = its_globals.get(name)
        if isinstance(helper, (FunctionType, Dispatcher) if helpers else Dispatcher):
            theirs = getattr(helper, "py_func", helper)
            if theirs.__module__ == original.__module__ and compiles_anew(helper):
                its_globals[name] = done.get(helper) or _compiled(helper, done, helpers=helpers)
    return kernel


def _fresh_cells(
    function: Any, done: dict[Kernel, Kernel], *, helpers: bool
) -> tuple[CellType, ...] | None:
    """Return what a function closes over, with the compiled functions in it to be compiled anew."""
    if function.__closure__ is None:
        return None
    values = [cell.cell_contents for cell in function.__closure__]
    return tuple(
        CellType(done.get(value) or _compiled(value, done, helpers=helpers))
        if isinstance(value, Dispatcher) and compiles_anew(value)
        else CellType(value)
        for value in values
    )


def details() -> dict[str, str]:
    return {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "threads": str(numba.get_num_threads()),
        "svml": str(bool(numba.config.USING_SVML)),
    }
