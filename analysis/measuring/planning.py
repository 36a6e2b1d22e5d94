"""The calls of asv that measure a selection, and how many processes they start."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from jitcost.backends import workloads
from jitcost.measuring.selection import PROBLEMS, Cell, Selection, chosen, class_of, pattern
from jitcost.store.parameters import parse_size, unquote

__all__ = ["FIRST", "Step", "is_skipped", "planned_steps", "steps"]

# From so many processes on, minutes, there is a first look at the article's two problems: the first
# process of each cell before all others.
LONG = 100
FIRST = ", first process"


@dataclass(frozen=True)
class Step:
    """One `asv run`: the benchmarks of one workload and class.

    Attributes
    ----------
    name : str
    patterns : tuple of str
        asv's --bench, matched against name(parameter, parameter).
    cells : int
    processes : int
        asv starts one for each cell and round.
    rounds : int or None
        Of each of its benchmarks; None where they differ, or one has none.
    arguments : tuple of str
        What asv is told besides.
    """

    name: str
    patterns: tuple[str, ...]
    cells: int
    processes: int
    rounds: int | None = None
    arguments: tuple[str, ...] = ()

    def in_rounds(self, rounds: int, *, append: bool = False, name: str = "") -> Step:
        """Return the step with other rounds than its benchmarks have."""
        said = ("-a", f"rounds={rounds}", *(["--append-samples"] if append else []))
        processes = self.cells * rounds
        return Step(name or self.name, self.patterns, self.cells, processes, rounds, said)


def planned_steps(
    discovered: dict[str, Any],
    selection: Selection,
    processes: int | None = None,
    unavailable: Collection[str] = (),
) -> list[Step]:
    """Return the steps of a run in their order: in a long one the first look comes first.

    Parameters
    ----------
    discovered : dict
        What asv has discovered (its benchmarks.json).
    selection : Selection
    processes : int, optional
        How many a timed cell gets; by default as many as its benchmark says.
    unavailable : collection of str
        Backends that cannot be measured here.
    """
    all_steps = steps(discovered, selection, rounds=processes, unavailable=unavailable)
    if sum(step.processes for step in all_steps) < LONG:
        return all_steps
    looked = {f"{problem}.SteadyState" for problem in PROBLEMS}
    first, rest = [], []
    for step in all_steps:
        if step.name in looked and step.rounds is not None and step.rounds > 1:
            first.append(step.in_rounds(1, name=f"{step.name}{FIRST}"))
            rest.append(step.in_rounds(step.rounds - 1, append=True))
        else:
            rest.append(step)
    return first + rest


def steps(
    discovered: dict[str, Any],
    selection: Selection,
    *,
    rounds: int | None = None,
    unavailable: Collection[str] = (),
) -> list[Step]:
    """Divide what asv has discovered (its benchmarks.json) into steps.

    Parameters
    ----------
    discovered : dict
    selection : Selection
    rounds : int, optional
        How many processes a timed cell gets; by default as many as its class says.
    unavailable : collection of str
        Backends without which nothing is measured: asv would start a process for each cell and round,
        to be told so.
    """
    by_class: dict[str, list[tuple[str, int, int | None]]] = {}  # pattern, cells, rounds
    for name, benchmark, cells in chosen(discovered, selection):
        parameters = benchmark["param_names"]
        had = [cell for cell in cells if not is_skipped(name, parameters, cell, unavailable)]
        if had:
            about = (pattern(name, had), len(had), benchmark.get("rounds"))
            by_class.setdefault(class_of(name), []).append(about)
    return [_step(name, members, rounds) for name, members in sorted(by_class.items())]


def _step(name: str, members: Sequence[tuple[str, int, int | None]], rounds: int | None) -> Step:
    all_rounds = {each for _, _, each in members}
    step = Step(
        name,
        tuple(pattern for pattern, _, _ in members),
        sum(count for _, count, _ in members),
        sum(count * (each or 1) for _, count, each in members),
        all_rounds.pop() if len(all_rounds) == 1 else None,
    )
    # asv would measure what it does not time, too, so many times, and keep the last.
    return step if rounds is None or step.rounds is None else step.in_rounds(rounds)


def is_skipped(
    name: str, parameters: Sequence[str], cell: Cell, unavailable: Collection[str] = ()
) -> bool:
    """Tell whether a cell's backend cannot be had, or its spec says why it is not measured."""
    module = name.split(".")[0]  # of a person's own functions "own", which has no spec
    spec = workloads.known(module) or workloads.PROTOCOLS.get(module)
    values = dict(zip(parameters, cell, strict=True))
    if "backend" not in values:
        return False
    backend, n = unquote(values["backend"]), parse_size(values.get("n", ""))
    if backend.partition("__")[0] in unavailable or spec is None or n is None:
        return backend.partition("__")[0] in unavailable
    return spec.why_not(backend, int(n)) is not None
