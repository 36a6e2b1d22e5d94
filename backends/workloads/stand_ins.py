"""What variants compute in the place of a workload."""

from __future__ import annotations

import dataclasses

import numpy as np

from jitcost.backends import references
from jitcost.backends.registry import Array
from jitcost.backends.workloads.tables import STAND_INS, get

STAND_INS["floor_math"] = dataclasses.replace(
    get("elementwise"),
    name="floor_math",
    summary="sum(exp(x)) + sum(cos(x)) + sum(tanh(x)): the functions of elementwise, and no more",
    k=6,
    k_counts="three functions and three sums",
    reference=references.floor_math,
)

STAND_INS["elementwise_sorted"] = dataclasses.replace(
    get("elementwise"),
    name="elementwise_sorted",
    summary="elementwise on sorted inputs",
    draw_inputs=lambda n, rng: (np.sort(rng.standard_normal(n)),),
)


def _parts(n: int, rng: np.random.Generator, operation: str) -> tuple[Array, ...]:
    x = np.sort(rng.standard_normal(n))
    if operation == "exp":
        return (-0.5 * x**2,)
    if operation == "cos":
        return (3.0 * x,)
    if operation == "multiply":
        return x, np.tanh(x)
    if operation in ("add", "sum"):
        terms = np.exp(-0.5 * x**2) * np.cos(3.0 * x), x * np.tanh(x)
        return terms if operation == "add" else (terms[0] + terms[1],)
    return (x,)


STAND_INS["elementwise_parts"] = dataclasses.replace(
    get("operations"),
    name="elementwise_parts",
    summary="each operation of elementwise alone, on the arguments that it has there, sorted",
    draw_inputs=_parts,
)
