"""Workloads on whole vectors and matrices: products, gradients, draws."""

from __future__ import annotations

import math

import numpy as np

from jitcost.backends import references
from jitcost.backends.registry import Array
from jitcost.backends.workloads.spec import EPS, Limit, Workload, moment_error
from jitcost.backends.workloads.tables import add


def _regression(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    x = rng.standard_normal((n, 10))
    truth = rng.standard_normal(10) / 3
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-(x @ truth)))).astype(np.float64)
    return x, y, truth / 2


add(
    Workload(
        name="logistic_gradient",
        summary="gradient of a logistic regression's log-posterior, 10 columns, normal prior",
        n_counts="rows",
        k=8,
        k_counts="NumPy's: two products of matrix and vector, negative, exp, and four of arithmetic",
        draw_inputs=_regression,
        shapes=lambda n: ((n, 10), (n,), (10,)),
        reference=references.logistic_gradient,
        tolerance=lambda n: (32 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "each row's term is good to some ulp; their sum gathers rounding errors as a random "
            "walk, and does not vanish at half the true coefficients"
        ),
        limits={"python": Limit(100_000, "a call at 10^6 takes more than a second")},
    )
)


def _key(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    # What JAX calls a raw key. The second input only says how many to draw, by its shape.
    return rng.integers(2**32, size=2, dtype=np.uint32), np.zeros(n)  # type: ignore[return-value]


add(
    Workload(
        name="normals",
        summary="n standard normal draws from a key; each backend's own generator",
        n_counts="draws",
        k=1,
        k_counts="one draw for each element",
        draw_inputs=_key,
        draws=True,
        shapes=lambda n: ((2,), (n,)),
        reference=references.normals,
        error=moment_error,
        tolerance=lambda n: 6 + 26 / math.sqrt(n),
        tolerance_reason=(
            "in standard errors. A right generator exceeds this for one key in ten million at any "
            "n: 6 by Hoeffding's inequality for the bounded moments, and with the second term by "
            "Laurent and Massart's for the sum of squares, whose upper tail is heavier"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)
