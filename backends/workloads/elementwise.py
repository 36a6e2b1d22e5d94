"""The article's expression, with and without its sum."""

from __future__ import annotations

import math

from jitcost.backends import references
from jitcost.backends.workloads.spec import EPS, Limit, Workload, normal
from jitcost.backends.workloads.tables import add

add(
    Workload(
        name="elementwise",
        summary="sum(exp(-x^2/2) cos(3x) + x tanh(x))",
        n_counts="elements",
        k=10,
        k_counts="the ten equations of its jaxpr: nine elementwise operations and the sum",
        draw_inputs=normal,
        reference=references.elementwise,
        tolerance=lambda n: (16 + math.sqrt(n)) * EPS,
        tolerance_reason=(
            "16 eps for the functions, each good to a few ulp; a running sum of n terms with a "
            "positive mean gathers rounding errors as a random walk, about sqrt(n) eps / 6"
        ),
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)

add(
    Workload(
        name="summands",
        summary="the terms of elementwise before they are summed; compared, never timed",
        n_counts="elements",
        k=9,
        k_counts="elementwise without its sum",
        draw_inputs=normal,
        reference=references.summands,
        tolerance=lambda n: 16 * EPS,  # noqa: ARG005
        tolerance_reason="nine operations on each element, each good to a few ulp",
        limits={"python": Limit(1_000_000, "a call at 10^7 takes more than a second")},
    )
)
