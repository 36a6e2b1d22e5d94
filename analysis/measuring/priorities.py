"""Which cells a check measures, and in which order: the last ones are left out where time is short."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from jitcost.errors import BadCallError
from jitcost.measuring.planning import is_skipped
from jitcost.measuring.selection import Selection, chosen
from jitcost.measuring.sides import Place
from jitcost.measuring.touched import Kernel
from jitcost.store.parameters import parse_size, unquote

__all__ = ["of_any_suite", "of_backends", "ordered"]

# The classes of a suite of backends that are checked: how long a call takes, and the first one.
STEADY_STATE, FIRST_CALL = ".SteadyState.", ".FirstCall."


def of_backends(
    discovered: Mapping[str, dict[str, Any]], selection: Selection, unavailable: Collection[str]
) -> list[tuple[str, Place]]:
    """Return the selected cells of a suite of backends, each with the series that it is of.

    Parameters
    ----------
    discovered : mapping
        What asv has discovered.
    selection : Selection
    unavailable : collection of str
        Backends that cannot be measured here.
    """
    return [
        (_series(about, cell, name), (name, cell))
        for name, about, cells in chosen(dict(discovered), selection)
        if STEADY_STATE in name or FIRST_CALL in name
        for cell in cells
        if not is_skipped(name, about["param_names"], cell, unavailable)
    ]


def of_any_suite(
    discovered: Mapping[str, dict[str, Any]], benchmark: str | None
) -> list[tuple[str, Place]]:
    """Return the cells of benchmarks that time something, each with the series that it is of.

    Parameters
    ----------
    discovered : mapping
        What asv has discovered.
    benchmark : str or None
        A regular expression, searched for in name(parameter, parameter), as asv's --bench.

    Raises
    ------
    BadCallError
        If it matches none.
    """
    try:
        wanted = re.compile(benchmark or "")
    except re.error as error:
        raise BadCallError(f"--bench {benchmark}: no regular expression ({error})") from None
    found = [
        (_series(about, cell, name), (name, cell))
        for name, about in discovered.items()
        if about.get("type") == "time"
        for cell in itertools.product(*about["params"])
        if wanted.search(f"{name}({', '.join(cell)})" if cell else name)
    ]
    if not found:
        timed = sorted(name for name, about in discovered.items() if about.get("type") == "time")
        there = f"there are {', '.join(timed[:8])}" if timed else "this suite times nothing"
        raise BadCallError(f"no benchmark that takes a time matches; {there}")
    return found


def ordered(cells: Iterable[tuple[str, Place]], first: Set[Kernel] = frozenset()) -> list[Place]:
    """Return the cells in the order of their importance.

    What has changed comes first. Then each series gets one of its cells, the middle one, before any
    gets a second: at first the ends, then what is between. First calls, of which a process takes few,
    come after all times.

    Parameters
    ----------
    cells : iterable
        Each with the series that it is of.
    first : set of Kernel
        What has changed.
    """
    series: dict[str, list[Place]] = {}
    for its, place in cells:
        series.setdefault(its, []).append(place)
    turns = [(turn, one) for its in series.values() for turn, one in enumerate(_spread(its))]

    def importance(turn: int, place: Place) -> tuple[bool, bool, int]:
        return not _is_of(place, first), FIRST_CALL in place[0], turn

    return [place for _, place in sorted(turns, key=lambda one: importance(*one))]


def _is_of(place: Place, kernels: Set[Kernel]) -> bool:
    name, texts = place
    module = name.split(".")[0]
    return any(
        workload in (None, module) and backend in map(unquote, texts)
        for workload, backend in kernels
    )


def _series(about: Mapping[str, Any], cell: tuple[str, ...], name: str) -> str:
    """Return what a cell has in common with those of other sizes and other numbers."""
    words = [i for i, texts in enumerate(about["params"]) if not all(map(_is_number, texts))]
    return repr((name, [cell[i] for i in words]))


def _is_number(text: str) -> bool:
    return parse_size(text) is not None


def _spread(places: Sequence[Place]) -> Iterator[Place]:
    """Yield the middle one, the ends, and the middles of what is between.

    >>> list(_spread("abcde"))
    ['c', 'e', 'a', 'd', 'b']
    """
    left = list(range(len(places)))
    taken: list[int] = []
    while left:
        if not taken:
            number = left[len(left) // 2]
        elif len(taken) < 3:
            number = left[-1] if len(taken) == 1 else left[0]
        else:  # the farthest from what is there
            number = max(left, key=lambda one: (min(abs(one - other) for other in taken), one))
        taken.append(number)
        left.remove(number)
        yield places[number]
