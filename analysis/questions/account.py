"""Where does a call's time go? NumPy's and jit's in parts, the way from one to the other, the floor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from jitcost.errors import BadCallError
from jitcost.questions.answers import Answer
from jitcost.questions.bends import Curve, JudgedCause, bends, judged_causes
from jitcost.questions.causes import CURVES
from jitcost.questions.experiments import Experiment, operations_of, variants
from jitcost.questions.groups import Benchmark, Origin, origin_groups, origin_of
from jitcost.questions.parts import JitInParts, TimeInParts, jit_in_parts, numpy_in_parts
from jitcost.stats.estimates import Estimate, product
from jitcost.store.origins import provenances

__all__ = [
    "CHAIN",
    "LIBRARY",
    "SHOWN_SIZES",
    "Caches",
    "Floor",
    "Options",
    "Row",
    "Step",
    "Steps",
    "ask",
    "known_caches",
]

# The step by which XLA hands work to its library; below 4,096 elements it is the tree reduction's.
LIBRARY = "library kernels and tree reduction"

# From NumPy's time to jit's, one change at a time; each step is named after what it changes.
CHAIN = {
    "numpy": "",
    "numpy_out": "allocation",
    "jax_jit_unfused": "XLA's loops",
    "jax_jit_fused": "fusion",
    "jax_jit_1thread": LIBRARY,
    "jax_jit_sync": "threads",
    "jax_jit": "hand-off",
}

# The sizes at which the steps are shown, where not all are: one in which calls decide, one whose arrays
# fit into caches, and one whose do not.
SHOWN_SIZES = (1_000, 100_000, 10_000_000)

MEMORY_FLOOR = "floor_memory"
MATH_FLOORS = ("floor_math_numpy", "floor_math_xla", "floor_math_libm")

# The bytes of the caches of an origin's machine, by level.
Caches = tuple[Origin, Mapping[str, int]]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    workload : str or None
        None: every one that has an account.
    caches : sequence of (Origin, mapping of str to int)
        The bytes of the caches by level, for each origin of which they are known: see `known_caches`.
        Elsewhere they are no causes of bends.
    """

    workload: str | None = None
    caches: Sequence[Caches] = ()


@dataclass(frozen=True)
class Step:
    """One change on the way from NumPy's time to jit's.

    Attributes
    ----------
    step : str
        What is changed: several things where variants between were not measured.
    before, to : str
        The variants without and with it.
    worth : Estimate
        The difference of their times, seconds per call: negative where the change saves time.
    ratio : Estimate
        The ratio of their times, with the change over without it.
    """

    KEYS: ClassVar[Mapping[str, str]] = {"before": "from"}

    step: str
    before: str
    to: str
    worth: Estimate
    ratio: Estimate


@dataclass(frozen=True)
class Steps:
    """The way from NumPy's time to jit's at one size.

    Attributes
    ----------
    n : float
        The size.
    numpy, jax_jit : Estimate
        Both ends, seconds per call.
    steps : tuple of Step
    largest : str
        The step with the largest factor, up or down: by seconds, early ones would be favoured.
    missing : tuple of str
        Variants that were not measured at this size: their change is in the next step.
    """

    n: float
    numpy: Estimate
    jax_jit: Estimate
    steps: tuple[Step, ...]
    largest: str
    missing: tuple[str, ...]

    @property
    def largest_step(self) -> Step:
        """The step itself."""
        return next(step for step in self.steps if step.step == self.largest)


@dataclass(frozen=True)
class Floor:
    """The least time that is known to do the work at one size, and how far from it all are.

    Attributes
    ----------
    n : float
        The size.
    floor : Estimate
        Seconds per call: reading x once, or the functions, whichever takes longer.
    floor_is : str
        The variant that this is the time of.
    best : str
        The fastest of all others.
    best_time : Estimate
        Its time, seconds per call.
    ratio : Estimate
        Its time over the floor.
    ratios : mapping of str to Estimate
        The same of each variant.
    """

    n: float
    floor: Estimate
    floor_is: str
    best: str
    best_time: Estimate
    ratio: Estimate
    ratios: Mapping[str, Estimate]


@dataclass(frozen=True)
class Row:
    """The account of one workload at one origin.

    Attributes
    ----------
    of : Benchmark
        The variants'.
    numpy, jax_jit : tuple of TimeInParts
        By size; empty but for `elementwise`, as `steps` and `floor`.
    steps : tuple of Steps
        By size, where both ends were measured.
    floor : tuple of Floor
        By size.
    bends : tuple of Curve
        Where the curves bend.
    causes : tuple of JudgedCause
        What they are known to bend for.
    """

    of: Benchmark
    numpy: tuple[TimeInParts, ...]
    jax_jit: tuple[JitInParts, ...]
    steps: tuple[Steps, ...]
    floor: tuple[Floor, ...]
    bends: tuple[Curve, ...]
    causes: tuple[JudgedCause, ...]


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Account for the times of each workload with variants.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By origin and workload. Intervals are those of `jitcost.stats.estimates`.

    Raises
    ------
    BadCallError
        If there is no account of the workload that is asked for.
    """
    if options.workload is not None:
        if options.workload not in CURVES:
            known = ", ".join(CURVES)
            raise BadCallError(f"no account of {options.workload!r}; there are those of {known}")
        cells = cells.filter(workload=options.workload)
    return Answer(
        tuple(
            _account(of_origin, experiment, _caches(origin, options))
            for origin, of_origin in origin_groups(cells)
            for experiment in variants(of_origin)
        )
    )


def known_caches(cells: pl.DataFrame, folder: Path) -> list[Caches]:
    """Return the caches of each origin whose were recorded beside its results in the folder."""
    return [
        (origin_of(group.row(0, named=True)), place.caches)
        for place, group in provenances(cells, folder)
        if place.caches
    ]


def _caches(origin: Origin, options: Options) -> Mapping[str, int]:
    return next((caches for its, caches in options.caches if its == origin), {})


def _account(cells: pl.DataFrame, experiment: Experiment, caches: Mapping[str, int]) -> Row:
    causes = judged_causes(experiment, caches)
    curves = bends(experiment, causes)
    if experiment.of.workload != "elementwise":
        return Row(experiment.of, (), (), (), (), curves, causes)
    operations, sizes = operations_of(cells, experiment), experiment.sizes
    return Row(
        experiment.of,
        tuple(numpy_in_parts(experiment, operations, n) for n in sizes("numpy")),
        tuple(jit_in_parts(experiment, n) for n in sizes("jax_jit")),
        tuple(_steps(experiment, n) for n in sizes("numpy", "jax_jit")),
        tuple(floor for n in sizes(MEMORY_FLOOR) if (floor := _floor(experiment, n)) is not None),
        curves,
        causes,
    )


def _steps(experiment: Experiment, n: float) -> Steps:
    measured = set(experiment.names(n))
    steps: list[Step] = []
    before, changed = "numpy", []
    for name, change in list(CHAIN.items())[1:]:
        changed.append(change)
        if name not in measured:  # its change is in the next step's worth
            continue
        worth = experiment.sum(n, **{name: 1, before: -1}).estimate()
        ratio = _ratio(experiment, n, name, before)
        steps.append(Step(" and ".join(changed), before, name, worth, ratio))
        before, changed = name, []
    return Steps(
        n,
        experiment.sum(n, numpy=1).estimate(),
        experiment.sum(n, jax_jit=1).estimate(),
        tuple(steps),
        max(steps, key=lambda step: abs(math.log(step.ratio.value))).step,
        tuple(name for name in CHAIN if name not in measured),
    )


def _ratio(experiment: Experiment, n: float, over: str, under: str) -> Estimate:
    return product({experiment.at(over, n): 1, experiment.at(under, n): -1})


def _floor(experiment: Experiment, n: float) -> Floor | None:
    """Return the floor at n: reading x once, or the functions, what takes longer; None without."""
    times = {name: experiment.at(name, n).value for name in experiment.names(n)}
    maths = [name for name in MATH_FLOORS if name in times]
    others = [name for name in times if name not in (MEMORY_FLOOR, *MATH_FLOORS)]
    if not maths or not others:
        return None
    floor = max(MEMORY_FLOOR, min(maths, key=lambda name: times[name]), key=times.__getitem__)
    best = min(others, key=lambda name: times[name])
    return Floor(
        n,
        experiment.sum(n, **{floor: 1}).estimate(),
        floor,
        best,
        experiment.sum(n, **{best: 1}).estimate(),
        _ratio(experiment, n, best, floor),
        {name: _ratio(experiment, n, name, floor) for name in others},
    )
