"""What a table is of, and of which origin, where the answer holds more than one; names in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jitcost import backends
from jitcost.questions.groups import Benchmark, HasBenchmark, Origin, origin_text

__all__ = ["backend_text", "caption", "left_out", "not_shown"]

# How others are chosen, where all can be shown at once.
ALL_OR_SOME = "--machine, --environment or --commit choose, --all-origins shows all"

# Of the origins that are shown, and of those that are left out.
NAMED = 5


def caption(of: Benchmark, answer: Iterable[HasBenchmark], what: str) -> str:
    """Return a caption: workload, options and, where there are others, origin; then what it shows.

    Parameters
    ----------
    of : Benchmark
        The table's.
    answer : iterable
        All rows of the answer: no table holds rows of two origins.
    what : str
    """
    others = [row.of for row in answer]
    return f"{_title(of, others)}{origin_text(of.origin, [one.origin for one in others])}: {what}"


def _title(of: Benchmark, others: Iterable[Benchmark]) -> str:
    """Return the benchmark's title; its name, where another one would have the same title."""
    shared = any(one.title == of.title and one.name != of.name for one in others)
    return replace(of, workload=None).title if shared else of.title


def backend_text(backend: str | None) -> str:
    """Return what a table calls a backend; nothing where no parameter tells backends apart."""
    return "" if backend is None else backends.heading(backend)


def left_out(others: Sequence[Origin], shown: Sequence[Origin], chosen: str = "the newest") -> str:
    """Name the origins that are shown, and why these, and those that are not; say how to choose."""
    named = _named(shown, [*shown, *others])
    return f"shown is {chosen}, {named}; {not_shown(others, shown)}"


def not_shown(
    others: Sequence[Origin], shown: Sequence[Origin], choosing: str = ALL_OR_SOME
) -> str:
    """Name the origins that are not shown, the newest first; say how to choose."""
    return f"left out: {_named(others, [*shown, *others])}; {choosing}"


def _named(some: Sequence[Origin], every: Sequence[Origin]) -> str:
    """Name a few, each by what others lack: names of environments are long, and mostly alike."""
    more = f" and {len(some) - NAMED} more" if len(some) > NAMED else ""
    return ", ".join(origin_text(one, every).strip() for one in some[:NAMED]) + more
