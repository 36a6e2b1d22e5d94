"""The account of where the time goes: a call's time in parts, each from an experiment of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from jitcost.questions.bends import bends, judged_causes
from jitcost.questions.experiments import Experiment, NotMeasuredError, operations_of, variants
from jitcost.stats.estimates import Quantity, product

__all__ = ["CHAIN", "CHECK", "JIT_PARTS", "NUMPY_PARTS", "OPERATIONS", "SHOWN_SIZES", "accounts"]

Row = dict[str, Any]

# How often the expression applies each of NumPy's operations: ten in all.
OPERATIONS = {
    "square": 1,
    "scale": 2,
    "exp": 1,
    "cos": 1,
    "tanh": 1,
    "multiply": 2,
    "add": 1,
    "sum": 1,
}

# Up to this size all arrays of an operation stay in the first-level cache.
IN_CACHE = 1_000

# The parts, and the experiment that each comes from.
NUMPY_PARTS = {
    "interpreter and dispatch": "the ten operations, each alone, on one element",
    "arithmetic": "their time for each further element while the arrays are in the first-level cache",
    "memory passes": "what they take beyond that at n, still each alone, on sorted inputs",
    "mispredicted branches": "numpy_out less numpy_sorted, whose branches can be predicted",
    "allocation": "numpy less numpy_out, which reuses its arrays: with it go the page faults",
}
JIT_PARTS = {
    "call": "jax_jit_1thread on one element",
    "arithmetic": "jax_jit_1thread less the call",
    "threads": "jax_jit_sync less jax_jit_1thread",
    "hand-off": "jax_jit less jax_jit_sync",
}
CHECK = "floor_math_xla"

# From NumPy's time to jit's, one change at a time; each step is named after what it changes.
CHAIN = {
    "numpy": "",
    "numpy_out": "allocation",
    "jax_jit_unfused": "XLA's loops",
    "jax_jit_fused": "fusion",
    "jax_jit_1thread": "vectorised library",
    "jax_jit_sync": "threads",
    "jax_jit": "hand-off",
}

# The sizes at which the steps are shown, where not all are: one in which calls decide, one whose arrays
# fit into caches, and one whose do not.
SHOWN_SIZES = (1_000, 100_000, 10_000_000)

MEMORY_FLOOR = "floor_memory"
MATH_FLOORS = ("floor_math_numpy", "floor_math_xla", "floor_math_libm")


def accounts(cells: pl.DataFrame, caches: Mapping[str, int] | None = None) -> list[Row]:
    """Account for the times of each workload with variants.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`.
    caches : mapping of str to int, optional
        The bytes of the caches of the machine that measured them, where they are known.

    Returns
    -------
    list of dict
        A row for each workload, machine, environment and commit: what its cells have in common
        (`jitcost.questions.groups`), and

        - numpy, jax_jit: by n, the whole, its parts, the remainder, and what was not measured;
        - steps: by n, what each change from NumPy to jit is worth;
        - floor: by n, the least time that is known to do the work, and how far from it all are;
        - bends, causes: see `jitcost.questions.bends`.

        Times and ratios are objects of value, low and high: 95 % intervals.
    """
    rows = []
    for experiment in variants(cells):
        times: Row = {"numpy": [], "jax_jit": [], "steps": [], "floor": []}
        if experiment.head["workload"] == "elementwise":
            operations = operations_of(cells, experiment)
            times = {
                "numpy": [_numpy(experiment, operations, n) for n in experiment.sizes("numpy")],
                "jax_jit": [_jit(experiment, n) for n in experiment.sizes("jax_jit")],
                "steps": [_steps(experiment, n) for n in experiment.sizes("numpy", "jax_jit")],
                "floor": _floors(experiment),
            }
        causes = judged_causes(experiment, caches or {})
        rows.append(
            experiment.head | times | {"bends": bends(experiment, causes), "causes": causes}
        )
    return rows


def _account(n: float, whole: Quantity, parts: Mapping[str, Callable[[], Quantity | None]]) -> Row:
    """Return a whole with its parts: None for one that is nothing at this n by its definition."""
    found: dict[str, Quantity] = {}
    missing = {}
    for name, part in parts.items():
        try:
            quantity = part()
        except NotMeasuredError as error:
            missing[name] = str(error)
        else:
            found |= {} if quantity is None else {name: quantity}
    remainder = whole - sum(found.values(), Quantity())
    shown = remainder.estimate()
    return {
        "n": n,
        "whole": _shown(whole),
        "parts": {name: _shown(quantity) for name, quantity in found.items()},
        "remainder": asdict(shown),
        "remainder_share": shown.value / whole.estimate().value,
        "missing": missing,
    }


def _shown(quantity: Quantity) -> dict[str, float]:
    return asdict(quantity.estimate())


def _numpy(experiment: Experiment, operations: Experiment, n: float) -> Row:
    def all_operations(size: float) -> Quantity:
        return operations.sum(size, **OPERATIONS)

    def arithmetic() -> Quantity:
        return (all_operations(IN_CACHE) - all_operations(1)) * ((n - 1) / (IN_CACHE - 1))

    def memory_passes() -> Quantity | None:
        return None if n <= IN_CACHE else all_operations(n) - all_operations(1) - arithmetic()

    parts = (
        lambda: all_operations(1),
        arithmetic,
        memory_passes,
        lambda: experiment.sum(n, numpy_out=1, numpy_sorted=-1),
        lambda: experiment.sum(n, numpy=1, numpy_out=-1),
    )
    whole = experiment.sum(n, numpy=1)
    return _account(n, whole, dict(zip(NUMPY_PARTS, parts, strict=True)))


def _jit(experiment: Experiment, n: float) -> Row:
    def call() -> Quantity:
        return experiment.sum(1, jax_jit_1thread=1)

    parts = (
        call,
        lambda: experiment.sum(n, jax_jit_1thread=1) - call(),
        lambda: experiment.sum(n, jax_jit_sync=1, jax_jit_1thread=-1),
        lambda: experiment.sum(n, jax_jit=1, jax_jit_sync=-1),
    )
    row = _account(n, experiment.sum(n, jax_jit=1), dict(zip(JIT_PARTS, parts, strict=True)))
    try:
        check = experiment.sum(n, **{CHECK: 1}) - experiment.sum(1, **{CHECK: 1})
    except NotMeasuredError:
        return row | {"check": None}
    return row | {"check": _shown(check)}


def _steps(experiment: Experiment, n: float) -> Row:
    measured = set(experiment.names(n))
    steps: list[Row] = []
    before, changed = "numpy", []
    for name, change in list(CHAIN.items())[1:]:
        changed.append(change)
        if name not in measured:  # its change is in the next step's worth
            continue
        steps.append(
            {
                "step": " and ".join(changed),
                "from": before,
                "to": name,
                "worth": _shown(experiment.sum(n, **{name: 1, before: -1})),
                "ratio": _ratio(experiment, n, name, before),
            }
        )
        before, changed = name, []
    return {
        "n": n,
        "numpy": _shown(experiment.sum(n, numpy=1)),
        "jax_jit": _shown(experiment.sum(n, jax_jit=1)),
        "steps": steps,
        "largest": max(steps, key=lambda step: abs(step["worth"]["value"]))["step"],
        "missing": [name for name in CHAIN if name not in measured],
    }


def _ratio(experiment: Experiment, n: float, over: str, under: str) -> dict[str, float]:
    return asdict(product({experiment.at(over, n): 1, experiment.at(under, n): -1}))


def _floors(experiment: Experiment) -> list[Row]:
    """Return the floor at each n that has one: reading x once, or the functions, what takes longer."""
    rows = []
    for n in experiment.sizes(MEMORY_FLOOR):
        times = {name: experiment.at(name, n).value for name in experiment.names(n)}
        maths = [name for name in MATH_FLOORS if name in times]
        others = [name for name in times if name not in (MEMORY_FLOOR, *MATH_FLOORS)]
        if not maths or not others:
            continue
        floor = max(MEMORY_FLOOR, min(maths, key=lambda name: times[name]), key=times.__getitem__)
        best = min(others, key=lambda name: times[name])
        rows.append(
            {
                "n": n,
                "floor": _shown(experiment.sum(n, **{floor: 1})),
                "floor_is": floor,
                "best": best,
                "best_time": _shown(experiment.sum(n, **{best: 1})),
                "ratio": _ratio(experiment, n, best, floor),
                "ratios": {name: _ratio(experiment, n, name, floor) for name in others},
            }
        )
    return rows
