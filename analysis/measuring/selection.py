"""What to measure: workloads, backends and sizes, as asv's patterns."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jitcost import backends
from jitcost.backends import workloads
from jitcost.backends.variants import base_of, is_floor
from jitcost.errors import BadCallError
from jitcost.store.catalogue import OWN
from jitcost.store.parameters import parse_size

__all__ = [
    "Cell",
    "Selection",
    "chosen",
    "class_of",
    "further_backends",
    "pattern",
    "require_backends",
]

Cell = tuple[str, ...]  # the texts of its parameters, as asv writes them

# The article's two problems. A quick run measures them at the sizes below, by benchmark class: enough
# for a comparison and a fit in minutes.
PROBLEMS = ("elementwise", "recursion")
QUICK_SIZES = {
    "SteadyState": (10, 100, 1_000, 10_000, 100_000, 1_000_000),
    "FirstCall": (100, 100_000),
    "Agreement": (100_000,),
    "Replay": (100_000,),
}

# How far a result is from its reference, each process that times the cell has found out before, and
# recorded: asked for by itself it is a third of a quick run. A full run does.
CHECKED = "Agreement.track_max_relative_error"

# And of the other workloads, unless they are asked for by name, one size in steady state.
QUICK_OTHERS = {
    "metropolis": (1_000,),
    "metropolis_chains": (100,),
    "kalman": (1_000,),
    "logistic_gradient": (1_000,),
    "normals": (1_000,),
}

# The classes of experiments: what one changed setting is worth. They are measured only when asked for.
# Operations are NumPy's, and have no parameter that says so.
EXPERIMENTS = ("Variants", "Operations")

# Modules that are no workload's, and measured only when asked for by name: a full run has no room.
BY_NAME = ("floors",)


def further_backends() -> tuple[str, ...]:
    """Return the registered backends beyond the built-in ones; the benchmarks are told of them."""
    built_in = {backend.name for backend in backends.BUILT_IN}
    return tuple(name for name in backends.names() if name not in built_in)


def require_backends(named: Iterable[str]) -> None:
    """Raise `BadCallError` if one, its version left out, is not among the backends that there are."""
    known = backends.names()
    if unknown := {name.partition("__")[0] for name in named}.difference(known):
        raise BadCallError(f"no backend {min(unknown)!r}; there are {', '.join(known)}")


@dataclass(frozen=True)
class Selection:
    """What to measure: None means every workload, backend, or (`full`) size, or the quick sizes.

    Where `ladders` names a workload, its sizes are those, by benchmark class, instead of the quick
    ones, and a class that is not among them is not measured. `variants` selects the experiments,
    at every size, and nothing else; backends are then those that the variants come from.

    `own` are the problems of a repository whose suite is of its owner's functions: these are then all
    that there is to select, and every size is.
    """

    workloads: Sequence[str] | None = None
    backends: Sequence[str] | None = None
    sizes: Sequence[int] | None = None
    full: bool = False
    variants: bool = False
    ladders: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    own: Sequence[str] = ()

    def __post_init__(self) -> None:
        try:
            for workload in self.workloads or ():
                self._require(workload)
            for size in self.sizes or ():
                workloads.checked_size(size)
            require_backends(self.backends or ())
        except ValueError as error:
            raise BadCallError(str(error)) from None

    def _require(self, workload: str) -> None:
        if self.own and workload not in self.own:
            raise BadCallError(f"no problem {workload!r}; there are {', '.join(self.own)}")
        if not self.own and workload not in BY_NAME:
            workloads.get(workload)

    def has(self, module: str, kind: str, parameters: list[str]) -> bool:
        """Tell whether a benchmark with these parameters can be among the selected."""
        if self.own:
            return not self.variants and module in (self.workloads or self.own)
        if self.variants is not (kind in EXPERIMENTS):
            return False
        if kind == "Operations" and not self._has_backend("numpy"):
            return False
        if self.workloads is not None:
            return module in self.workloads
        if module in BY_NAME:
            return False
        if self.sizes:
            return "n" in parameters
        if self.backends:
            return self.variants or "backend" in parameters
        return self.full or module == "harness" or "n" in parameters

    def _has_backend(self, name: str) -> bool:
        return self.backends is None or bool({name, name.partition("__")[0]} & {*self.backends})

    def _has_variant(self, name: str) -> bool:
        return is_floor(name) or self._has_backend(base_of(name))

    def sizes_of(self, module: str, kind: str) -> Sequence[int]:
        """Return the sizes of a selection that is not of all."""
        ladder = self.ladders[module].get(kind, ()) if module in self.ladders else None
        if self.sizes is not None:
            return () if ladder == () else self.sizes
        if ladder is not None:
            return ladder
        if self.workloads is not None or module in PROBLEMS:
            return QUICK_SIZES.get(kind, ())
        return QUICK_OTHERS.get(module, ()) if kind == "SteadyState" else ()

    def of(self, name: str, texts: list[str], module: str, kind: str) -> list[str]:
        """Return which values of a benchmark's parameter are selected, as asv writes them."""
        if name == "backend":
            return [text for text in texts if self._has_backend(text.strip("'"))]
        if name == "variant":
            return [text for text in texts if self._has_variant(text.strip("'"))]
        every = self.full or self.variants or bool(self.own)
        if name == "n" and not (every and self.sizes is None):
            sizes = self.sizes_of(module, kind)
            return [text for text in texts if parse_size(text) in sizes]
        return texts


def chosen(
    discovered: dict[str, Any], selection: Selection
) -> Iterator[tuple[str, dict[str, Any], list[Cell]]]:
    """Yield each selected benchmark: its name, what asv knows of it, and the selected cells.

    Parameters
    ----------
    discovered : dict
        What asv has discovered (its benchmarks.json).
    selection : Selection

    Raises
    ------
    BadCallError
        If a size is asked for that no selected benchmark has.
    """
    _require_sizes(discovered, selection)
    for name, benchmark in discovered.items():
        if name == "version":  # of the file's format
            continue
        if bool(selection.own) is not name.startswith(OWN):
            continue
        module, kind = (*name.removeprefix(OWN).split("."), "")[:2]
        if not selection.has(module, kind, benchmark["param_names"]):
            continue
        if name.endswith(CHECKED) and not selection.full:
            continue
        values = [
            selection.of(parameter, texts, module, kind)
            for parameter, texts in zip(benchmark["param_names"], benchmark["params"], strict=True)
        ]
        if all(values):
            yield name, benchmark, list(itertools.product(*values))


def pattern(name: str, cells: Sequence[Cell]) -> str:
    """Return what asv's --bench takes, for these cells of a benchmark."""
    if list(cells) == [()]:
        return f"^{re.escape(name)}$"
    return rf"^{re.escape(name)}\((?:{'|'.join(re.escape(', '.join(cell)) for cell in cells)})\)$"


def class_of(name: str) -> str:
    """Return a benchmark's module and class.

    >>> class_of("elementwise.SteadyState.time_call"), class_of("others.time_it")
    ('elementwise.SteadyState', 'others.time_it')
    >>> class_of("own.rbf.SteadyState.time_call")
    'own.rbf.SteadyState'
    """
    return ".".join(name.split(".")[: 3 if name.startswith(OWN) else 2])


def _require_sizes(discovered: dict[str, Any], selection: Selection) -> None:
    """Refuse a size that no selected benchmark has, instead of leaving it out."""
    ladders: dict[str, set[int]] = {}
    for name, benchmark in discovered.items():
        if name == "version" or "n" not in benchmark["param_names"]:
            continue
        if bool(selection.own) is not name.startswith(OWN):
            continue
        module = name.removeprefix(OWN).split(".")[0]
        if selection.workloads is None or module in selection.workloads:
            texts = benchmark["params"][benchmark["param_names"].index("n")]
            ladders.setdefault(module, set()).update(map(int, texts))
    if selection.sizes and not ladders:
        raise BadCallError(f"{', '.join(selection.workloads or ())} has no sizes to choose from")
    known = sorted(set().union(*ladders.values()))
    for size in selection.sizes or ():
        if size not in known:
            named = f"{', '.join(ladders)}: " if len(ladders) == 1 else ""
            nearest = min(known, key=lambda one: max(one / size, size / one))
            raise BadCallError(
                f"n = {size} is not measured; there are {named}{', '.join(map(str, known))}; the "
                f"nearest is {nearest}"
            )
