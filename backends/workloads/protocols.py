"""Protocols: the kernels of a workload, timed in another way."""

from __future__ import annotations

import dataclasses
from typing import Any

from jitcost.backends import references
from jitcost.backends.workloads.spec import NO_LIMIT, Limit, normal
from jitcost.backends.workloads.tables import PROTOCOLS, get


def _add(name: str, times: str, **changes: Any) -> None:
    PROTOCOLS[name] = dataclasses.replace(get(times), name=name, times=times, **changes)


_add(
    "unrolled",
    times="recursion",
    summary="the recursion as a Python loop that tracing unrolls, as lax.scan and as fori_loop",
    options={"form": ("python_loop", "scan", "fori_loop")},
    shapes=lambda n, form: ((n,),),  # noqa: ARG005
    reference=lambda e, form: references.recursion(e),  # noqa: ARG005
    draw_inputs=lambda n, rng, form: normal(n, rng),  # noqa: ARG005
    limits={"jax_jit": Limit(300, "XLA takes seconds to compile more steps, unrolled")},
    others=Limit(0, "it traces no program that could be unrolled"),
)

_add(
    "dispatch",
    times="elementwise",
    summary="elementwise: time until the call returns against time until the result is ready",
    limits={"jax_eager": NO_LIMIT, "jax_jit": NO_LIMIT},
    others=Limit(0, "its calls return when the result is ready"),
)

_add(
    "boundary",
    times="elementwise",
    summary="elementwise on the backend's own inputs, and on NumPy arrays converted in each call",
    limits={
        **get("elementwise").limits,
        **dict.fromkeys(("numpy", "numba"), Limit(0, "its own inputs are NumPy arrays")),
    },
)

_add(
    "new_shape",
    times="elementwise",
    summary="elementwise, each call with a length that the kernel has never seen",
)
