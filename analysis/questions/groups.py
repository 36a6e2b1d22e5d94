"""Cells that belong together: of one benchmark and version, and of one origin."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, TypeVar

import polars as pl

from jitcost import backends
from jitcost.backends import workloads
from jitcost.backends.workloads import Workload
from jitcost.errors import BadCallError
from jitcost.stats.candidates import Law, law_named
from jitcost.store.catalogue import OWN
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
    "law_of",
    "origin_groups",
    "origin_of",
    "origin_text",
    "require_baseline",
    "steady_and_first",
    "title_of",
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
        A workload of the suite's, or a problem of a person's own file (see `own`), maybe of the same
        name; None where the benchmark is somebody else's.
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
        return title_of(self.name, self.workload, self.params)

    @property
    def own(self) -> bool:
        """Whether it is of a person's own functions."""
        return self.name.startswith(OWN)

    @property
    def spec(self) -> Workload | None:
        """What the suite knows of its workload; None for others' and for a person's own."""
        return None if self.own else workloads.known(self.workload)

    @property
    def subject(self) -> tuple[object, ...]:
        """What its steady state and its first calls have in common: workload, options and origin."""
        return self.origin, self.own, self.workload, self.params

    def beside(self, other: Benchmark) -> bool:
        """Tell whether another benchmark is of the same workload and options, and of one origin."""
        return self.subject == other.subject


def title_of(name: str, workload: str | None, params: Mapping[str, str]) -> str:
    """Return what a benchmark of this name is about: the workload and its options, or its own name.

    A person's own problem that has the name of one of the suite's workloads is called so.

    >>> title_of("own.recursion.SteadyState.time_call", "recursion", {"k": "3"})
    'own recursion, k = 3'
    """
    options = "".join(f", {option} = {value}" for option, value in params.items())
    told_apart = "own " if name.startswith(OWN) and workloads.known(workload) else ""
    return f"{told_apart}{workload or name}{options}"


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
    spec = benchmark.spec
    if spec is None:
        return 1
    k = parse_size(benchmark.params.get("k", "")) if "k" in spec.options else None
    return int(k) if k is not None and k >= 1 and k == int(k) else spec.k


def law_of(group: pl.DataFrame, backend: str | None) -> Law:
    """Return what one backend's times have been said to grow with; n where nobody has said so."""
    said = group.filter(pl.col("backend").eq_missing(pl.lit(backend)))["grows"].drop_nulls()
    return (law_named(said[0]) if len(said) else None) or "n"


def require_baseline(cells: pl.DataFrame, baseline: str | None) -> None:
    """Raise `BadCallError` if a person has asked for a baseline that was not timed."""
    measured = backend_order(cells.filter(kind="SteadyState", state="value"))
    if baseline is not None and measured and baseline not in measured:
        raise BadCallError(f"no times of {baseline!r}; there are {', '.join(measured)}")


def baseline_of(benchmark: Benchmark, group: pl.DataFrame) -> str:
    """Return the backend that the others are compared with unless a person asks for another.

    The one that the workload's spec names. Of a person's own functions, of what was timed NumPy, or
    else plain Python, or else the first; of somebody else's benchmark NumPy, whether it was timed or
    not: what its parameters are is not known.

    Parameters
    ----------
    benchmark : Benchmark
    group : polars.DataFrame
        Its times in steady state; not empty.
    """
    if benchmark.spec is not None:
        return benchmark.spec.baseline
    timed = backend_order(group)
    interpreted = [
        name
        for wanted in ("numpy", "python")
        for name in timed
        if backends.split_version(name)[0] == wanted
    ]
    first = timed[:1] if benchmark.own else []
    return (interpreted or first or ["numpy"])[0]


def backend_order(group: pl.DataFrame) -> list[str]:
    """Return the backends in a group: the registered ones in their order, then any others.

    The versions of a backend come right after it, by their names.
    """
    present = group["backend"].drop_nulls().unique().to_list()
    order = {name: place for place, name in enumerate(backends.names())}

    def key(name: str) -> tuple[int, str, str]:
        base, version = backends.split_version(name)
        return order.get(base, len(order)), base, version

    return sorted(present, key=key)
