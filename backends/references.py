"""What the workloads' results should be: other formulas than the kernels', in extended precision."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from backends import Array

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


def elementwise(x: Array) -> Array:
    # By blocks: at n = 10^7 one array in extended precision would be 160 MB, and there are several.
    block = 1 << 14
    total = sum(
        (_extended_summands(x[i : i + block]).sum() for i in range(0, x.size, block)),
        start=np.longdouble(0),
    )
    return np.asarray(total, dtype=np.float64)


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
