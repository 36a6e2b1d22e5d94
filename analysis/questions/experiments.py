"""The experiments among the cells: variants of a workload, and its operations one by one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from jitcost.questions.groups import Benchmark, benchmark_groups
from jitcost.questions.timed import time_of
from jitcost.stats.estimates import Measurement, Quantity
from jitcost.store import results
from jitcost.units import size_text

__all__ = ["Experiment", "NotMeasuredError", "measurement_of", "operations_of", "variants"]


class NotMeasuredError(Exception):
    """What a part is made of is not among the cells; says what."""


@dataclass(frozen=True)
class Experiment:
    """One benchmark's times, by variant (or operation) and n.

    Attributes
    ----------
    of : Benchmark
    times : mapping
        Seconds per call.
    """

    of: Benchmark
    times: Mapping[tuple[str, float], Measurement]

    def at(self, name: str, n: float) -> Measurement:
        """Return one measurement, or raise `NotMeasuredError`."""
        try:
            return self.times[name, n]
        except KeyError:
            raise NotMeasuredError(f"{name} at n = {size_text(n)} was not measured") from None

    def sum(self, n: float, **factors: float) -> Quantity:
        """Return a sum of measurements at one n, each times its factor."""
        return Quantity({self.at(name, n): factor for name, factor in factors.items()})

    def sizes(self, *names: str) -> list[float]:
        """Return the sizes at which all of these were measured."""
        there = [{n for name, n in self.times if name == wanted} for wanted in names]
        return sorted(set.intersection(*there))

    def names(self, n: float) -> list[str]:
        """Return what was measured at n."""
        return [name for name, size in self.times if size == n]


def measurement_of(cell: Mapping[str, Any], experiment: str) -> Measurement:
    """Return the measurement that a row of cells holds."""
    return Measurement.of(time_of(cell), experiment)


def variants(cells: pl.DataFrame) -> Iterator[Experiment]:
    """Yield the experiment of each workload and origin that has variants."""
    yield from _experiments(cells, "Variants", "variant")


def operations_of(cells: pl.DataFrame, experiment: Experiment) -> Experiment:
    """Return the operations that were timed beside an experiment; empty where none were."""
    for found in _experiments(cells, "Operations", "operation"):
        if (found.of.origin, found.of.workload) == (experiment.of.origin, experiment.of.workload):
            return found
    return Experiment(experiment.of, {})


def _experiments(cells: pl.DataFrame, kind: str, parameter: str) -> Iterator[Experiment]:
    chosen = cells.filter(pl.col("value") > 0, pl.col("value").is_finite(), kind=kind)
    # Without a benchmarks.json beside the results the parameter already counts as the backend.
    if any(parameter in json.loads(params) for params in chosen["params"].unique()):
        chosen = results.with_parameters(chosen, backend=parameter)
    for of, group in benchmark_groups(chosen):
        times = {
            (cell["backend"], cell["n"]): measurement_of(cell, of.name)
            for cell in group.iter_rows(named=True)
        }
        yield Experiment(of, times)
