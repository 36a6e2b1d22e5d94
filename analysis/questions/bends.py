"""Where the curves over n bend, and which of the known causes an experiment confirms.

A cause is taken away by a variant. Where the curve bends because of it, the ratio of the curve to the
variant is another one beyond the bend than before it; where the variant bends alike, it is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from jitcost.questions.experiments import Experiment
from jitcost.questions.groups import k_of
from jitcost.stats.estimates import product
from jitcost.stats.model import NOISE, fit

__all__ = ["CAUSES", "CURVES", "Cause", "bends", "judged_causes"]

Row = dict[str, Any]


@dataclass(frozen=True)
class Cause:
    """Something that a curve is known to bend for.

    Attributes
    ----------
    workload, curve : str
        Whose time it is about.
    name, text : str
        What it is called, and what happens.
    low, high : float
        Up to `low` it is not felt (or still is), from `high` on it is (or no longer is).
    without : tuple of str
        The variants that do not have it.
    present : str
        The variant with it that is nearest to those without: the curve itself where it is empty.
    rises : bool or None
        Whether it makes larger sizes slower, or faster; None where either may be.
    """

    workload: str
    curve: str
    name: str
    text: str
    low: float
    high: float
    without: tuple[str, ...]
    present: str = ""
    rises: bool | None = True


CAUSES = (
    Cause(
        "elementwise",
        "jax_jit",
        "hand-off",
        "from 1,000 counted flops on (n = 141), XLA's program runs on another thread than the caller's",
        140,
        141,
        ("jax_jit_sync",),
    ),
    Cause(
        "elementwise",
        "jax_jit",
        "library kernels",
        "from 4,096 elements on XLA hands the sum, and with it what it can of the expression, to a "
        "library with vectorised functions; below, and for what the library lacks, it has its own loops",
        4_095,
        4_096,
        ("jax_jit_no_library",),
        rises=None,
    ),
    Cause(
        "elementwise",
        "jax_jit",
        "windowed reduction",
        "XLA rewrites a sum that it keeps into a tree of windows, with a temporary array",
        1,
        1_000,
        ("jax_jit_fused",),
        present="jax_jit_1thread",  # without the hand-off, which is larger than what is looked for
    ),
    Cause(
        "elementwise",
        "jax_jit",
        "threads",
        "large loops are divided into tasks for several threads",
        1_000,
        1_000_000,
        ("jax_jit_1thread",),
        present="jax_jit_sync",
        rises=None,
    ),
    Cause(
        "elementwise",
        "numpy",
        "malloc's trim threshold",
        "what is freed of larger arrays goes back to the system, and the next call faults each page in "
        "again",
        31_623,
        100_000,
        ("numpy_heap", "numpy_out"),
    ),
    Cause(
        "elementwise",
        "numpy",
        "mispredicted branches",
        "the processor learns the branches of NumPy's cos by heart while an array is short and the same "
        "in each call; of a longer one it mispredicts them",
        5_000,
        31_623,
        ("numpy_sorted",),
        present="numpy_out",  # numpy_sorted allocates no more than that
    ),
    Cause(
        "metropolis_chains",
        "jax_jit",
        "a loop of 1,024 bytes",
        "a scan whose step reads and writes more (4 chains) is run operation by operation by XLA's "
        "runtime; a smaller one is one kernel",
        3,
        10,
        ("jax_scan_hoisted",),
    ),
)

CURVES = {
    "elementwise": ("numpy", "jax_jit"),
    "recursion": ("jax_jit",),
    "metropolis_chains": ("jax_jit",),
}


def _causes(workload: str, caches: Mapping[str, int]) -> list[Cause]:
    """Return the causes of a workload's bends, with a machine's caches where their sizes are known."""
    of_caches = [
        Cause(
            "elementwise",
            "numpy",
            f"{level} cache",
            f"the arrays no longer fit into the {level} cache ({size / 1024:,.0f} KiB)",
            # All of up to eight arrays of doubles fit, and not even one does.
            size / 64,
            size / 8,
            ("numpy_blocked",),
            present="numpy_out",  # numpy_blocked allocates no more than that
        )
        for level, size in caches.items()
    ]
    return [cause for cause in (*CAUSES, *of_caches) if cause.workload == workload]


def judged_causes(experiment: Experiment, caches: Mapping[str, int]) -> list[Row]:
    """Return a row for each cause that the workload's curves are known to bend for.

    Parameters
    ----------
    experiment : Experiment
        The workload's variants.
    caches : mapping of str to int
        The bytes of the machine's caches by name; empty where they are not known.

    Returns
    -------
    list of dict
        curve, cause, text, verdict (`confirmed`, `not confirmed`, `not measured`), tests: for each
        variant without the cause, present and without (the two that are compared), the sizes left and
        right, the ratio at_left and at_right (present / without), step (at_right / at_left), shown
        (whether the step is beyond its interval and the project's noise, in the cause's direction).
    """
    rows = []
    for cause in _causes(experiment.head["workload"], caches):
        present = cause.present or cause.curve
        tests = [
            test
            for without in cause.without
            if (test := _test(experiment, cause, present, without)) is not None
        ]
        missing = sorted(set(cause.without) - {test["without"] for test in tests})
        shown = bool(tests) and not missing and all(test["shown"] for test in tests)
        verdict = "confirmed" if shown else "not confirmed"
        rows.append(
            {
                "curve": cause.curve,
                "cause": cause.name,
                "text": cause.text,
                "verdict": verdict if tests else "not measured",
                "tests": tests,
                "missing": missing,
            }
        )
    return rows


def _test(experiment: Experiment, cause: Cause, present: str, without: str) -> Row | None:
    """Compare the ratio on both sides of the cause, at the nearest sizes; None if one has none."""
    sizes = experiment.sizes(present, without)
    before = [n for n in sizes if n <= cause.low]
    beyond = [n for n in sizes if n >= cause.high]
    if not before or not beyond:
        return None
    left, right = before[-1], beyond[0]
    at_left, at_right = (
        {experiment.at(present, n): 1, experiment.at(without, n): -1} for n in (left, right)
    )
    step = product({**at_right, **{time: -power for time, power in at_left.items()}})
    rises = step.low > 1 and step.value > 1 + NOISE
    falls = step.high < 1 and step.value < 1 / (1 + NOISE)
    return {
        "present": present,
        "without": without,
        "left": left,
        "right": right,
        "at_left": asdict(product(at_left)),
        "at_right": asdict(product(at_right)),
        "step": asdict(step),
        "shown": {True: rises, False: falls, None: rises or falls}[cause.rises],
    }


def bends(experiment: Experiment, causes: list[Row]) -> list[Row]:
    """Return what the fit says of each curve, and the causes that come into question for its bends.

    Parameters
    ----------
    experiment : Experiment
    causes : list of dict
        As `judged_causes` returns them.

    Returns
    -------
    list of dict
        curve, verdict and reason (of the fit), bends: n, left and right (the measured sizes around
        it), confirmed and candidates (names of causes).
    """
    rows = []
    for curve in CURVES.get(experiment.head["workload"], ()):
        sizes = experiment.sizes(curve)
        times = [experiment.at(curve, n).value for n in sizes]
        found = fit(sizes, times, k_of(experiment.head))
        rows.append(
            {
                "curve": curve,
                "verdict": found.verdict,
                "reason": found.reason,
                "bends": [
                    _bend(bend, sizes, [row for row in causes if row["curve"] == curve])
                    for bend in found.bends
                ],
            }
        )
    return rows


def _bend(bend: float, sizes: list[float], causes: list[Row]) -> Row:
    place = next(i for i, (_, right) in enumerate(pairwise(sizes)) if bend <= right)
    # The fit gives each piece three sizes and can miss a bend's place by one.
    low, high = sizes[max(0, place - 1)], sizes[min(place + 2, len(sizes) - 1)]
    candidates = [
        row
        for row in causes
        if any(max(low, test["left"]) < min(high, test["right"]) for test in row["tests"])
    ]
    return {
        "n": bend,
        "left": sizes[place],
        "right": sizes[place + 1],
        "confirmed": [row["cause"] for row in candidates if row["verdict"] == "confirmed"],
        "candidates": [row["cause"] for row in candidates],
    }
