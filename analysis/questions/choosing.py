"""Which cells a question is about: those of some benchmarks, their size and what is compared.

This suite's results say it themselves. Of other people's a person says it, or it is guessed where only
one guess is possible: so that every question is asked of them in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from jitcost.backends import workloads
from jitcost.errors import BadCallError
from jitcost.questions.sized import with_size
from jitcost.store import results

__all__ = ["Choice", "Chosen", "choose", "matching", "parameters_of"]

# The kinds of benchmarks that questions know. asv's own time_ benchmarks are warmed up before they are
# timed: what they measure is the steady state, too.
_STEADY = "SteadyState"
_OWN = ("FirstCall", "Replay", "Agreement", "Variants", "Operations")


@dataclass(frozen=True)
class Choice:
    """What a person has said.

    Attributes
    ----------
    benchmark : str or None
        A regular expression that asv's names of the benchmarks match.
    size, backend : str or None
        The parameters that are n, and that tell apart what is compared.
    """

    benchmark: str | None = None
    size: str | None = None
    backend: str | None = None


@dataclass(frozen=True, eq=False)
class Chosen:
    """The cells that a question is asked of, and what was made of them.

    Attributes
    ----------
    cells : polars.DataFrame
    guessed : tuple of str
        A sentence for each parameter that was taken for n without having been named.
    missing : tuple of str
        What is not known of somebody else's benchmarks, and how to say it.
    """

    cells: pl.DataFrame
    guessed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass
class _Found:
    alone: bool
    parts: list[pl.DataFrame] = field(default_factory=list)
    guessed: dict[str, list[str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)


def choose(cells: pl.DataFrame, choice: Choice = Choice(), *, alone: bool = False) -> Chosen:
    """Return the cells that are meant, with the size and the backend in their columns.

    A benchmark of somebody else's that is timed counts as one in steady state. Where nothing is said
    and the cells hold this suite's own, they are left as they are.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    choice : Choice
    alone : bool
        For questions that compare no backends: where nothing tells any apart, somebody else's benchmark
        has one, whose name is empty.

    Raises
    ------
    BadCallError
        If the pattern is none or matches nothing, or there is no such parameter.
    """
    own = pl.col("backend").is_not_null() & (pl.col("kind") == _STEADY)
    if choice == Choice() and not cells.filter(own).is_empty():
        return Chosen(cells)
    if choice.benchmark is not None:
        cells = cells.filter(pl.col("benchmark").is_in(matching(choice.benchmark, cells)))
    if (choice.size, choice.backend) != (None, None):
        cells = results.with_parameters(cells, size=choice.size, backend=choice.backend)
    found = _Found(alone)
    for (name,), its in cells.group_by("benchmark", maintain_order=True):
        found.parts.append(_timed(str(name), its, choice.size, found) if _others(its) else its)
    return Chosen(
        pl.concat(found.parts) if found.parts else cells,
        tuple(
            f"n is {parameter}, the only parameter with three or more numbers, in {_some(names)}"
            for parameter, names in found.guessed.items()
        ),
        tuple(f"{reason} ({_some(names)})" for reason, names in found.missing.items()),
    )


def parameters_of(cells: pl.DataFrame) -> set[str]:
    """Return the names of the parameters that cells have."""
    taken = {name for name in ("n", "backend") if cells[name].count()}
    return taken.union(*map(json.loads, cells["params"].unique()))


def matching(pattern: str, cells: pl.DataFrame) -> list[str]:
    """Return the benchmarks whose names a regular expression matches.

    Raises
    ------
    BadCallError
        If it is none, or matches none of them.
    """
    names: list[str] = cells["benchmark"].unique(maintain_order=True).to_list()
    try:
        found = list(filter(re.compile(pattern).search, names))
    except re.error as error:
        raise BadCallError(f"--benchmark {pattern!r} is no regular expression: {error}") from None
    if not found:
        raise BadCallError(f"--benchmark {pattern!r} matches none of {_some(names)}")
    return found


def _others(its: pl.DataFrame) -> bool:
    """Tell whether a benchmark is somebody else's, of whose class questions know nothing."""
    first = its.row(0, named=True)
    return workloads.known(first["workload"]) is None and first["kind"] not in _OWN


def _timed(name: str, its: pl.DataFrame, size: str | None, found: _Found) -> pl.DataFrame:
    """Return one benchmark's cells; what was guessed of them, and what is missing, is noted."""
    if its["unit"][0] not in ("seconds", "s"):
        found.missing.setdefault("not times", []).append(name)
        return its
    if size is None:
        part = with_size(its)
        if part.guessed is not None:
            found.guessed.setdefault(part.guessed, []).append(name)
        if part.reason is not None:
            found.missing.setdefault(part.reason, []).append(name)
        else:
            its = part.cells
    if not its["backend"].count():
        if found.alone:
            its = its.with_columns(backend=pl.lit(""))
        else:
            found.missing.setdefault(_to_tell_apart(its), []).append(name)
    if its["kind"][0] == _STEADY:
        return its
    return its.with_columns(kind=pl.lit(_STEADY), workload=pl.lit(None, pl.String))


def _to_tell_apart(its: pl.DataFrame) -> str:
    names = sorted(parameters_of(its) - {"n"})
    if not names:
        return "no parameter tells apart what is compared"
    return f"what is compared may be told apart by {' or '.join(names)}: say which (--backend)"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
