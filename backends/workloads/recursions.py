"""Loops whose every step needs the one before."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from jitcost.backends import references
from jitcost.backends.registry import Array
from jitcost.backends.workloads.spec import EPS, NO_LIMIT, Limit, Workload, column_error, normal
from jitcost.backends.workloads.tables import add, get

add(
    Workload(
        name="recursion",
        summary="x_t = tanh(0.9 x_{t-1}) + e_t from x_0 = 0, every x_t returned",
        n_counts="steps",
        k=3,
        k_counts="multiply, tanh and add in each step",
        baseline="python",
        draw_inputs=normal,
        reference=references.recursion,
        tolerance=lambda n: 64 * EPS,  # noqa: ARG005
        tolerance_reason=(
            "a step errs by a few ulp and keeps at most 0.9 of the error before it: "
            "at most ten times a step's error, at any n"
        ),
        limits={
            "jax_eager": Limit(1_000, "each step dispatches its operations anew: 20 to 130 µs")
        },
    )
)


def _steps(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    """Draw increments and log-uniforms.

    Increments are multiples of 2^-32, which makes every sum of them exact: a proposal is the same
    number on each backend, and only a decision could differ, where the two sides of its inequality
    agree to 15 digits.
    """
    return _on_grid(rng.standard_normal(n)), np.log(rng.uniform(size=n))


def _chains_of_steps(n: int, rng: np.random.Generator) -> tuple[Array, ...]:
    return _on_grid(rng.standard_normal((1_000, n))), np.log(rng.uniform(size=(1_000, n)))


def _on_grid(x: Array) -> Array:
    rounded: Array = np.round(x * 2.0**32) / 2.0**32
    return rounded


add(
    Workload(
        name="metropolis",
        summary="random-walk Metropolis on p(x) ~ exp(-(x^2 - 1)^2) from x = 1; the chain returned",
        n_counts="steps",
        k=9,
        k_counts=(
            "in each step one addition, four operations for the log-density, a difference, a "
            "comparison and two selections"
        ),
        baseline="python",
        draw_inputs=_steps,
        shapes=lambda n: ((n,), (n,)),
        reference=references.metropolis,
        tolerance=lambda n: 4 * EPS,  # noqa: ARG005
        tolerance_reason="the increments' sums are exact; one wrong decision is an error of order 1",
        limits={"jax_eager": Limit(1_000, "each step dispatches its operations anew: 0.1 ms")},
    )
)

add(
    dataclasses.replace(
        get("metropolis"),
        name="metropolis_cond",
        summary="metropolis, each decision a branch that is taken (lax.cond) and not a selection",
        k=8,
        k_counts="metropolis's operations, with one branch in the place of two selections",
        limits={"jax_jit": NO_LIMIT},
        others=Limit(0, "a variant of the compiled kernel alone"),
    )
)

add(
    Workload(
        name="metropolis_chains",
        summary="n chains of metropolis, 1000 steps each; each chain's mean returned",
        n_counts="chains",
        k=10_000,
        k_counts="1000 steps of metropolis's nine operations and the addition to the mean",
        draw_inputs=_chains_of_steps,
        shapes=lambda n: ((1_000, n), (1_000, n)),
        reference=references.metropolis_chains,
        tolerance=lambda n: 4 * EPS,  # noqa: ARG005
        tolerance_reason="all sums are exact; one wrong decision changes a mean by 1e-4 at least",
        others=Limit(1_000, "the inputs take 16 kB a chain"),
    )
)

add(
    Workload(
        name="kalman",
        summary=(
            "Kalman filter of a local linear trend (variances 1, 0.1, 0.01; level and slope "
            "N(0, 10) before): level, slope, log-likelihood so far, at each observation"
        ),
        n_counts="observations",
        k=28,
        k_counts="the 28 equations of a step's jaxpr",
        baseline="python",
        # White noise, not data of the model: those wander off as n^1.5, and leave the innovations
        # without digits.
        draw_inputs=normal,
        reference=references.kalman,
        tolerance=lambda n: (64 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "a stable filter forgets the errors of its states as the recursion does; the "
            "log-likelihood is a sum of n terms: a random walk of rounding errors"
        ),
        error=column_error,
        limits={"jax_eager": Limit(1_000, "each step dispatches its operations anew: 0.2 ms")},
    )
)
