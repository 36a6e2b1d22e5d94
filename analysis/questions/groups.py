"""Cells that belong together: of one benchmark and version, and of one origin."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, TypeVar

import polars as pl

from jitcost import backends
from jitcost.backends import workloads
from jitcost.errors import BadCallError
from jitcost.store.parameters import parse_size

__all__ = [
    "Benchmark",
    "HasBenchmark",
    "Origin",
    "backend_order",
    "baseline_of",
    "benchmark_groups",
    "by_benchmark",
    "k_of",
    "origin_groups",
    "origin_of",
    "origin_text",
    "require_baseline",
    "steady_and_first",
]


@dataclass(frozen=True)
class Origin:
    """What a number comes from. Numbers of two origins are never compared in one table.

    Attributes
    ----------
    machine, environment : str
        As asv names them.
    env_vars : mapping of str to str
        The environment variables that asv set.
    commit : str
        The full hash.
    """

    SPREAD: ClassVar[bool] = True

    machine: str
    environment: str
    env_vars: Mapping[str, str]
    commit: str


@dataclass(frozen=True)
class Benchmark:
    """What the cells of one benchmark at one origin have in common.

    Attributes
    ----------
    origin : Origin
    workload : str or None
        None where the benchmark is somebody else's.
    params : mapping of str to str
        The texts of every parameter but n and backend.
    name : str
        As asv has it: module, class and method.
    version : str or None
        Of what the benchmark measures: another version is another quantity.
    """

    SPREAD: ClassVar[bool] = True
    KEYS: ClassVar[Mapping[str, str]] = {"name": "benchmark"}

    origin: Origin
    workload: str | None
    params: Mapping[str, str]
    name: str
    version: str | None

    @property
    def title(self) -> str:
        """What a table of it is about: the workload and its options, or the benchmark's name."""
        options = "".join(f", {name} = {value}" for name, value in self.params.items())
        return f"{self.workload or self.name}{options}"

    def beside(self, other: Benchmark) -> bool:
        """Tell whether another benchmark is of the same workload and options, and of one origin."""
        return (self.origin, self.workload, self.params) == (
            other.origin,
            other.workload,
            other.params,
        )


class HasBenchmark(Protocol):
    """A row of an answer that is about one benchmark."""

    @property
    def of(self) -> Benchmark:
        """The benchmark."""


Row = TypeVar("Row", bound=HasBenchmark)

_ORIGIN = tuple(one.name for one in fields(Origin))
_TOGETHER = (*_ORIGIN, "workload", "params", "benchmark", "version")


def origin_of(values: Mapping[str, Any]) -> Origin:
    """Return the origin of a row of cells."""
    texts = json.loads(values["env_vars"] or "{}")
    return Origin(values["machine"], values["environment"], texts, values["commit"])


def origin_groups(cells: pl.DataFrame) -> Iterator[tuple[Origin, pl.DataFrame]]:
    """Yield the cells of each origin, in the order in which they first come."""
    for _, group in cells.group_by(_ORIGIN, maintain_order=True):
        yield origin_of(group.row(0, named=True)), group


def benchmark_groups(
    cells: pl.DataFrame, kind: str | None = None, *, whole: bool = False
) -> Iterator[tuple[Benchmark, pl.DataFrame]]:
    """Yield the cells of each benchmark, sorted by n, with what they have in common.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store`.
    kind : str, optional
        Only benchmarks of this kind, e.g. `SteadyState`.
    whole : bool
        All that was tried, failed cells and cells without a size included, and not the values alone.
    """
    tried = cells.filter(pl.col("state") != "not_measured")
    chosen = tried if whole else tried.filter(pl.col("n").is_not_null(), state="value")
    if kind is not None:
        chosen = chosen.filter(kind=kind)
    for values, group in chosen.sort("n").group_by(_TOGETHER, maintain_order=True):
        of = dict(zip(_TOGETHER, values, strict=True))
        params = json.loads(of["params"] or "{}")
        yield (
            Benchmark(origin_of(of), of["workload"], params, of["benchmark"], of["version"]),
            group,
        )


def steady_and_first(
    cells: pl.DataFrame,
) -> Iterator[tuple[Benchmark, pl.DataFrame, pl.DataFrame]]:
    """Yield each workload's steady-state cells with its first-call cells from the same origin."""
    firsts = list(benchmark_groups(cells, "FirstCall"))
    for of, steady in benchmark_groups(cells, "SteadyState"):
        for other, first in firsts:
            if of.beside(other):
                yield of, steady, first


def by_benchmark(rows: Iterable[Row]) -> list[list[Row]]:
    """Divide the rows of an answer into those of one benchmark, origin and version."""
    grouped: list[list[Row]] = []
    places: dict[str, int] = {}
    for row in rows:
        place = places.setdefault(repr(row.of), len(grouped))
        if place == len(grouped):
            grouped.append([])
        grouped[place].append(row)
    return grouped


def origin_text(origin: Origin, others: Sequence[Origin]) -> str:
    """Return what tells an origin from the others, with a space before it.

    The machine where there are several, the environment, its variables, the commit; nothing where
    all are the same. Of the environment, the parts of its name that others lack.
    """
    environments = [other.environment.split("-") for other in others]
    parts = origin.environment.split("-")
    own = [part for part in parts if any(part not in other for other in environments)]
    env_vars = " ".join(f"{name}={value}" for name, value in origin.env_vars.items())
    texts = {
        "machine": f" on {origin.machine}",
        "environment": f" in {'-'.join(own or parts)}",
        "env_vars": f" with {env_vars}" if env_vars else "",
        "commit": f" at {origin.commit[:8]}",
    }
    return "".join(
        text
        for name, text in texts.items()
        if any(getattr(other, name) != getattr(origin, name) for other in others)
    )


def k_of(benchmark: Benchmark) -> int:
    """Return the number of operations: the workload's; 1 where its spec is not known.

    A parameter named k counts them where the spec says so, by having an option of that name.
    """
    spec = workloads.known(benchmark.workload)
    if spec is None:
        return 1
    k = parse_size(benchmark.params.get("k", "")) if "k" in spec.options else None
    return int(k) if k is not None and k >= 1 and k == int(k) else spec.k


def require_baseline(cells: pl.DataFrame, baseline: str | None) -> None:
    """Raise `BadCallError` if a person has asked for a baseline that was not timed."""
    measured = backend_order(cells.filter(kind="SteadyState", state="value"))
    if baseline is not None and measured and baseline not in measured:
        raise BadCallError(f"no times of {baseline!r}; there are {', '.join(measured)}")


def baseline_of(benchmark: Benchmark) -> str:
    """Return the backend that the others are compared with unless a person asks for another."""
    spec = workloads.known(benchmark.workload)
    return "numpy" if spec is None else spec.baseline


def backend_order(group: pl.DataFrame) -> list[str]:
    """Return the backends in a group: those that are registered in their order, then any others."""
    present = group["backend"].drop_nulls().unique().to_list()
    order = {name: place for place, name in enumerate(backends.names())}
    return sorted(present, key=lambda name: (order.get(name, len(order)), name))
