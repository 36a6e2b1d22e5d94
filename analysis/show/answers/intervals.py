"""What the intervals of a table are of, in words: nobody has to guess what an asterisk promises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from jitcost.stats.times import Kind

__all__ = ["HasInterval", "basis", "count_text", "is_of_samples"]

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class HasInterval(Protocol):
    """A row with a number that may have an interval."""

    @property
    def interval(self) -> Kind:
        """What the interval is of."""

    @property
    def processes(self) -> int | None:
        """How many processes the number comes from; None where that is not known."""


def count_text(count: int) -> str:
    """Return a small number in words.

    >>> count_text(5), count_text(12)
    ('five', '12')
    """
    return _WORDS[count] if count < len(_WORDS) else str(count)


def is_of_samples(rows: Iterable[HasInterval]) -> bool:
    """Tell whether any number's processes are not known, so that comparisons go by samples."""
    return any(row.processes is None for row in rows)


def basis(rows: Iterable[HasInterval], level: str = "95 %") -> str:
    """Return what the intervals of these rows are, and of how many processes.

    Parameters
    ----------
    rows : iterable
        Those of one table.
    level : str
        Of intervals of processes.

    Returns
    -------
    str
        E.g. `95 %, five processes a cell`, or that they are of samples.
    """
    rows = list(rows)
    if not rows:
        return "none"
    kinds = {row.interval for row in rows}
    if is_of_samples(rows):
        if "of samples" in kinds:
            return (
                "of samples: asv's 99 % intervals, too narrow for what another process would read"
            )
        return "no interval: the processes are not known"
    counts = sorted({row.processes or 0 for row in rows})
    said = count_text(counts[-1])
    if len(counts) > 1:
        said = f"{count_text(counts[0])} to {said}"
    noun = "process" if counts == [1] else "processes"
    if kinds == {"none"}:
        return f"no interval: {said} {noun} a cell, and three are the fewest that give one"
    return f"{level}, {said} {noun} a cell"
