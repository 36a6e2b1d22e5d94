"""What the workloads' results should be: other formulas than the kernels', in extended precision."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from jitcost.backends import Array

# Extended precision on x86 (64-bit significand); elsewhere NumPy's longdouble may be wider or equal
# to float64, which still leaves a reference that is formulated independently of the kernels.
Extended = npt.NDArray[np.longdouble]


def _extended_summands(x: Array) -> Extended:
    # Other formulas than the kernels': cos 3x = 4 cos^3 x - 3 cos x, tanh x by expm1.
    y = x.astype(np.longdouble)
    c = np.cos(y)
    m = np.expm1(-2 * np.abs(y))
    x_tanh = np.abs(y) * -m / (m + 2)
    terms: Extended = np.exp(-(y * y) / 2) * (4 * c**3 - 3 * c) + x_tanh
    return terms


def _total(terms: Callable[[Array], Extended], x: Array) -> Array:
    # By blocks: at n = 10^7 one array in extended precision would be 160 MB, and there are several.
    block = 1 << 14
    total = sum(
        (terms(x[i : i + block]).sum() for i in range(0, x.size, block)), start=np.longdouble(0)
    )
    return np.asarray(total, dtype=np.float64)


def elementwise(x: Array) -> Array:
    return _total(_extended_summands, x)


def _extended_functions(x: Array) -> Extended:
    # Other formulas than the kernels': e^-|x| gives exp and tanh both, cos x = 2 cos^2(x/2) - 1.
    y = x.astype(np.longdouble)
    e = np.exp(-np.abs(y))
    tanh = np.copysign((1 - e**2) / (1 + e**2), y)
    terms: Extended = np.where(y < 0, e, 1 / e) + 2 * np.cos(y / 2) ** 2 - 1 + tanh
    return terms


def floor_math(x: Array) -> Array:
    return _total(_extended_functions, x)


def summands(x: Array) -> Array:
    return _extended_summands(x).astype(np.float64)


def recursion(e: Array) -> Array:
    """Run blocks of the recursion side by side, each from 0 and 400 steps before its first value.

    One step multiplies a difference between two states by at most 0.9, so that 400 steps leave
    0.9^400 = 5e-19 of it: the blocks agree with the one long run to extended precision.
    """
    n, burn_in = e.size, 400
    block = max(burn_in, math.isqrt(n))
    blocks = -(-n // block)
    padded = np.zeros(burn_in + blocks * block, dtype=np.longdouble)
    padded[burn_in : burn_in + n] = e  # zeros before the first step keep the state at 0
    x = np.zeros(blocks, dtype=np.longdouble)
    path = np.empty((block, blocks))
    starts = np.arange(blocks) * block
    for step in range(burn_in + block):
        decay = np.exp(-1.8 * np.abs(x))  # tanh z = sign(z) (1 - d) / (1 + d), d = exp(-2|z|)
        x = np.copysign((1 - decay) / (1 + decay), x) + padded[starts + step]
        if step >= burn_in:
            path[step - burn_in] = x
    return path.T.ravel()[:n]


def metropolis(increments: Array, log_uniforms: Array) -> Array:
    """Decide by the factored log ratio, then sum the accepted increments exactly.

    log p(y) - log p(x) = (x^2 - y^2) (x^2 + y^2 - 2), which rounds otherwise than the kernels do.
    """
    x, accepted = 1.0, []
    for step, log_u in zip(increments.tolist(), log_uniforms.tolist(), strict=True):
        y = x + step
        accept = log_u < (x - y) * (x + y) * (x * x + y * y - 2.0)
        accepted.append(accept)
        x = y if accept else x
    steps = np.where(accepted, increments, 0.0).astype(np.longdouble)
    return (1 + np.cumsum(steps)).astype(np.float64)


def metropolis_chains(increments: Array, log_uniforms: Array) -> Array:
    """Advance all chains together, by the factored log ratio; then average in extended precision."""
    x = np.ones(increments.shape[1], dtype=np.longdouble)
    total = np.zeros_like(x)
    for step, log_u in zip(increments, log_uniforms, strict=True):
        y = x + step
        x = np.where(log_u < (x - y) * (x + y) * (x * x + y * y - 2), y, x)
        total += x
    means: Extended = total / increments.shape[0]
    return means.astype(np.float64)


def kalman(y: Array) -> Array:
    """Filter in information form, the gains first (they do not depend on the data), then the means.

    The means as in the recursion: in blocks side by side, each from 0 and 400 steps before its
    first value, of which less than 1e-30 is left.
    """
    n, burn_in = y.size, 400
    block = max(burn_in, math.isqrt(n))
    blocks = -(-n // block)
    one = np.longdouble(1)
    # The predicted covariance, from its inverse: after an observation of variance 1 the
    # information about the level has grown by 1. The gains settle long before 1000 steps.
    p11, p12, p22 = 10 * one + 10 + one / 10, 10 * one, 10 * one + one / 100
    variances, gains = [], []
    for _ in range(min(n, 1_000)):
        variances.append(p11 + 1)
        determinant = p11 * p22 - p12 * p12
        i11, i12, i22 = p22 / determinant + 1, -p12 / determinant, p11 / determinant
        determinant = i11 * i22 - i12 * i12
        p11, p12, p22 = i22 / determinant, -i12 / determinant, i11 / determinant
        gains.append((p11, p12))  # the filtered covariance times the observation's 1/1
        p11, p12, p22 = p11 + 2 * p12 + p22 + one / 10, p12 + p22, p22 + one / 100
    at = np.minimum(np.arange(n), len(gains) - 1)
    variance = np.array(variances, dtype=np.longdouble)[at]
    padded_gains = np.ones((burn_in + blocks * block, 2), dtype=np.longdouble)
    padded_gains[:burn_in] = gains[-1]  # of the later blocks; the first one's state is still 0
    padded_gains[burn_in : burn_in + n] = np.array(gains, dtype=np.longdouble)[at]
    padded = np.zeros(burn_in + blocks * block, dtype=np.longdouble)
    padded[burn_in : burn_in + n] = y
    level, slope = (np.zeros(blocks, dtype=np.longdouble) for _ in range(2))
    found = np.empty((block, blocks, 3), dtype=np.longdouble)  # level, slope, innovation
    starts = np.arange(blocks) * block
    for step in range(burn_in + block):
        level = level + slope
        innovation = padded[starts + step] - level
        k1, k2 = padded_gains[starts + step].T
        level, slope = level + k1 * innovation, slope + k2 * innovation
        if step >= burn_in:
            found[step - burn_in] = np.stack([level, slope, innovation], axis=1)
    filtered = found.transpose(1, 0, 2).reshape(-1, 3)[:n]
    terms = np.log(8 * np.arctan(one) * variance) + filtered[:, 2] ** 2 / variance
    filtered[:, 2] = -np.cumsum(terms) / 2
    return filtered.astype(np.float64)


def logistic_gradient(x: Array, y: Array, beta: Array) -> Array:
    """Return X'(y - p) - beta with p by tanh: 1 / (1 + exp(-eta)) = (1 + tanh(eta / 2)) / 2."""
    total = np.zeros(beta.size, dtype=np.longdouble)
    block = 1 << 14
    for i in range(0, y.size, block):
        rows = x[i : i + block].astype(np.longdouble)
        p = (1 + np.tanh((rows * beta).sum(axis=1) / 2)) / 2
        total += (rows * (y[i : i + block] - p)[:, np.newaxis]).sum(axis=0)
    return (total - beta).astype(np.float64)


def normals(key: npt.NDArray[np.uint32], like: Array) -> Array:  # noqa: ARG001 (the kernels')
    """Return zeros: of random draws only the shape is known before; `moment_error` tells the rest."""
    return np.zeros_like(like)


# Of other functions than the kernels use, where there are any.
_OPERATIONS: dict[str, Callable[..., Extended]] = {
    "square": lambda x: np.exp2(2 * np.log2(np.abs(x))),
    "scale": lambda x: x + x + x,
    "exp": lambda x: np.expm1(x) + 1,
    "cos": lambda x: 1 - 2 * np.sin(x / 2) ** 2,
    "tanh": lambda x: np.sign(x) * -np.expm1(-2 * np.abs(x)) / (np.expm1(-2 * np.abs(x)) + 2),
    "multiply": lambda x, y: ((x + y) ** 2 - (x - y) ** 2) / 4,
    "add": lambda x, y: x - (-y),
    "sum": lambda x: np.asarray(np.sum(x)),
}


def operations(*inputs: Array, operation: str) -> Array:
    """Compute in blocks: at n = 10^7 one array in extended precision would be 160 MB."""
    block = 1 << 14
    parts = [
        _OPERATIONS[operation](*(array[i : i + block].astype(np.longdouble) for array in inputs))
        for i in range(0, inputs[0].size, block)
    ]
    whole = np.asarray(np.sum(parts)) if operation == "sum" else np.concatenate(parts)
    return whole.astype(np.float64)


def op_chain(x: Array, k: int) -> Array:
    """Return the closed form: a pair of steps moves x a quarter of the way to 1."""
    result = 1 + np.longdouble(0.75) ** (k // 2) * (x.astype(np.longdouble) - 1)
    return np.asarray(result * 0.75 if k % 2 else result, dtype=np.float64)
