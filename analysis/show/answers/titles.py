"""What a table is of, and where that was measured, where the answer holds more than one origin."""

from __future__ import annotations

from collections.abc import Iterable

from jitcost.questions.groups import Benchmark, HasBenchmark, origin_text

__all__ = ["caption"]


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
