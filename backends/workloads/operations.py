"""Single operations, each alone and in a row: workloads with options."""

from __future__ import annotations

import math

import numpy as np

from jitcost.backends import references
from jitcost.backends.registry import Array
from jitcost.backends.workloads.spec import EPS, Limit, Workload, normal
from jitcost.backends.workloads.tables import add


def _operands_of(operation: str) -> int:
    return 2 if operation in ("multiply", "add") else 1


def _operands(n: int, rng: np.random.Generator, operation: str) -> tuple[Array, ...]:
    if operation == "sum":  # of mean 1: a sum that cancels has no relative error to speak of
        return (1 + rng.standard_normal(n),)
    return tuple(rng.standard_normal(n) for _ in range(_operands_of(operation)))


add(
    Workload(
        name="operations",
        summary="each operation of elementwise alone: x^2, 3 x, exp, cos, tanh, x y, x + y, sum",
        n_counts="elements",
        k=1,
        k_counts="one operation",
        options={
            "operation": ("square", "scale", "exp", "cos", "tanh", "multiply", "add", "sum"),
        },
        draw_inputs=_operands,
        shapes=lambda n, operation: ((n,),) * _operands_of(operation),
        reference=references.operations,
        tolerance=lambda n: (8 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "8 eps for a function, good to a few ulp; the sum of n terms of mean 1 gathers rounding "
            "errors as a random walk, about sqrt(n) eps / 4"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes half a second and 320 MB")},
    )
)

add(
    Workload(
        name="op_chain",
        summary="k operations in a row: times 0.75, plus 0.25, times 0.75, ...",
        n_counts="elements",
        k=1,
        k_counts="the option k",
        options={"k": (1, 2, 4, 8, 16, 32)},
        # No compiler may fold these: (0.75 x + 0.25) 0.75 rounds otherwise than 0.5625 x + 0.1875.
        # The values go to 1, and never near the subnormal numbers.
        draw_inputs=lambda n, rng, k: normal(n, rng),  # noqa: ARG005
        shapes=lambda n, k: ((n,),),  # noqa: ARG005
        reference=references.op_chain,
        tolerance=lambda n: 16 * EPS,  # noqa: ARG005
        tolerance_reason=(
            "a rounding error of a number of order 1 in each operation, and each pair of operations "
            "keeps three quarters of the errors before it: at most four times a pair's"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes half a second and 640 MB")},
    )
)
