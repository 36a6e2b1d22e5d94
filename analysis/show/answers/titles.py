"""What a table is of, and of which origin, where the answer holds more than one; names in it."""

from __future__ import annotations

from collections.abc import Iterable

from jitcost import backends
from jitcost.questions.groups import Benchmark, HasBenchmark, origin_text

__all__ = ["backend_text", "caption"]


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
    return f"{of.title}{origin_text(of.origin, [row.of.origin for row in answer])}: {what}"


def backend_text(backend: str | None) -> str:
    """Return what a table calls a backend; nothing where no parameter tells backends apart."""
    return "" if backend is None else backends.heading(backend)
