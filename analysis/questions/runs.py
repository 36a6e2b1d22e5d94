"""Runs of one machine, and what all cells of one take as a multiple of those of another.

A run is what was measured in one environment at one commit. The machine is slower in one than in the
other, by a factor that its cells have in common; it is estimated from cells that what varies cannot have
changed, and divided by.

- Over the releases of libraries: the backends that use none of the libraries that differ. Over JAX's
  these are NumPy, plain Python and Numba; over NumPy's plain Python alone.
- Over commits any kernel may have changed, so that no backend is above suspicion, and least of all the
  one in question. Its factor comes from the others, and of them from the one in the middle: from three
  on, one that has changed by whatever factor is at an end and decides nothing. Of two, both are taken,
  and their disagreement widens the interval. One alone may have changed as well as the one in question;
  then there is no factor.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from jitcost.questions.groups import benchmark_groups
from jitcost.questions.releases import Axis, pinned
from jitcost.questions.timed import time_of
from jitcost.stats import times
from jitcost.stats.gate import CommonFactor, common_factor
from jitcost.stats.ratios import Ratio
from jitcost.stats.times import Time

__all__ = ["LIBRARIES", "Run", "Runs", "unaffected"]

# What a change of may change a backend's times. Of a backend that is not here nothing is known, and it
# counts for nothing.
LIBRARIES: Mapping[str, frozenset[str]] = {
    "python": frozenset(),
    "numpy": frozenset({"numpy"}),
    "jax_eager": frozenset({"jax", "jaxlib", "numpy"}),
    "jax_jit": frozenset({"jax", "jaxlib", "numpy"}),
    "numba": frozenset({"numba", "llvmlite", "numpy"}),
    "julia": frozenset({"juliacall", "juliapkg", "numpy"}),
}


@dataclass(frozen=True)
class Run:
    """What was measured in one environment at one commit.

    Attributes
    ----------
    versions : mapping of str to str
        The libraries that the environment pins.
    times : mapping
        In steady state, by what a cell is (benchmark, version, options, size) and its backend.
    """

    versions: Mapping[str, str]
    times: dict[tuple[str, str], Time] = field(default_factory=dict)


class Runs:
    """The runs along an axis, by the value of its column."""

    def __init__(self, cells: pl.DataFrame, axis: Axis) -> None:
        self._over_commits = axis.column == "commit"
        self._runs: dict[str, Run] = {}
        self._factors: dict[tuple[str, str, str | None], CommonFactor | None] = {}
        for value, text in cells.select(axis.column, "versions").unique().iter_rows():
            self._runs[value] = Run(pinned(text))
        for of, group in benchmark_groups(cells, "SteadyState"):
            run = self._runs[getattr(of.origin, axis.column)]
            for cell in group.filter(pl.col("value") > 0).iter_rows(named=True):
                what = repr((of.name, of.version, of.params, cell["n"]))
                run.times[what, cell["backend"]] = time_of(cell)

    def common(self, before: str, after: str, backend: str | None) -> CommonFactor | None:
        """Return the common factor of two runs, for one backend; None where it cannot be estimated.

        Parameters
        ----------
        before, after : str
            The axis's values; the factor is of `after` as a multiple of `before`.
        backend : str or None
            The one that is to be divided by it; over releases that makes no difference.
        """
        key = before, after, backend if self._over_commits else None
        if key not in self._factors:
            self._factors[key] = self._estimated(*key)
        return self._factors[key]

    def _estimated(self, before: str, after: str, backend: str | None) -> CommonFactor | None:
        ratios = self._ratios(before, after)
        if self._over_commits:
            others = {name: own for name, own in ratios.items() if name != backend}
            return common_factor(_of_the_middle(others))
        one, other = self._runs[before].versions, self._runs[after].versions
        unrelated = _using_none_of(_differing([one, other])) & ratios.keys()
        return common_factor([ratio for name in sorted(unrelated) for ratio in ratios[name]])

    def _ratios(self, before: str, after: str) -> dict[str, list[Ratio]]:
        """Return the ratios of the cells that both runs have, after / before, by backend."""
        found: dict[str, list[Ratio]] = {}
        earlier, later = self._runs[before].times, self._runs[after].times
        for key in earlier.keys() & later.keys():
            found.setdefault(key[1], []).append(times.ratio(later[key], earlier[key]))
        return found


def unaffected(cells: pl.DataFrame, axis: Axis) -> frozenset[str]:
    """Return the backends that what varies along an axis cannot change; over commits there are none.

    Parameters
    ----------
    cells : polars.DataFrame
        Of what is on the axis.
    axis : Axis
    """
    if axis.column == "commit":
        return frozenset()
    return _using_none_of(_differing(map(pinned, cells["versions"].unique())))


def _differing(environments: Iterable[Mapping[str, str]]) -> set[str]:
    """Return the libraries of which environments pin several versions, or not all of them one."""
    every = list(environments)
    names = {name for versions in every for name in versions}
    return {name for name in names if len({versions.get(name) for versions in every}) > 1}


def _using_none_of(libraries: set[str]) -> frozenset[str]:
    return frozenset(name for name, its in LIBRARIES.items() if not its & libraries)


def _of_the_middle(ratios: Mapping[str, list[Ratio]]) -> list[Ratio]:
    """Return the ratios of the backend whose median is in the middle, of an even number of the two."""
    if len(ratios) < 2:
        return []
    ordered = sorted(
        ratios, key=lambda name: statistics.median(math.log(one.value) for one in ratios[name])
    )
    middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    return [ratio for name in middle for ratio in ratios[name]]
