"""Has a change made something slower? The verdict of a gate over all cells that it has measured."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jitcost.questions.cell_verdicts import Pair, Place, Row, Verdict, rows_of

__all__ = [
    "CANNOT_TELL",
    "SLOWER",
    "Check",
    "Options",
    "Side",
    "ask",
]

# The exit statuses of a gate, besides 0 and that of a bad call.
SLOWER, CANNOT_TELL = 1, 3

# Below this, in seconds, a call that is a sample by itself is mostly what asv adds to it.
MOSTLY_ASV = 10e-6


@dataclass(frozen=True)
class Options:
    """What the gate lets through.

    Attributes
    ----------
    threshold : float
        The share from which on slower is too slow.
    cannot_tell : float
        The share of cells that may remain without a verdict.
    """

    threshold: float = 0.05
    cannot_tell: float = 0.2


@dataclass(frozen=True)
class Side:
    """One of the two that are compared.

    Attributes
    ----------
    name : str
        What the person called it.
    commit : str
        The full hash.
    versions : mapping of str to str
        What was installed there.
    """

    name: str
    commit: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Check:
    """The answer of a gate.

    Attributes
    ----------
    earlier, later : Side
    threshold, may_be_untold : float
        See `Options`.
    status : int
        0: nothing is slower; 1: a cell is, by the threshold or more, or fails; 3: neither, but more
        cells than may be could not be told.
    verdict : str
        The same in words.
    cells : tuple of Row
        In the order of their importance.
    left_out : tuple of str
        The cells that there was no time for, as asv names them.
    finished : bool
        Whether nobody has interrupted it.
    mostly_asv : int
        Of how many cells a sample is one call so short that asv's own cost is most of it.
    """

    earlier: Side
    later: Side
    threshold: float
    may_be_untold: float
    status: int
    verdict: str
    cells: tuple[Row, ...]
    left_out: tuple[str, ...]
    finished: bool
    mostly_asv: int

    def with_verdict(self, *verdicts: Verdict) -> list[Row]:
        """Return the cells of which this is said."""
        return [row for row in self.cells if row.verdict in verdicts]

    @property
    def slower(self) -> list[Row]:
        """What is slower by the threshold or more, and what fails."""
        return [row for row in self.cells if _is_slower(row, self.threshold)]

    @property
    def may_be_slower(self) -> list[Row]:
        """What is not, and whose interval reaches beyond the threshold."""
        return [row for row in self.cells if _may_be_slower(row, self.threshold)]


def ask(
    sides: tuple[Side, Side],
    first: Mapping[Place, Pair],
    fresh: Mapping[Place, Pair],
    suspicious: Mapping[Place, Literal["slower", "faster"]],
    *,
    benchmarks: Mapping[str, Mapping[str, Any]],
    failed: Mapping[Place, tuple[str | None, str | None]],
    single_calls: Collection[Place] = (),
    left_out: Collection[Place] = (),
    finished: bool = True,
    options: Options = Options(),
) -> Check:
    """Judge each cell by the rule of `jitcost.stats.gate`, and all of them.

    Parameters
    ----------
    sides : tuple of Side
    first, fresh : mapping of Place to Pair
        The first look, and the processes that were started for what looked suspicious there.
    suspicious : mapping of Place to str
        What it looked like.
    benchmarks : mapping
        What asv knows of each.
    failed : mapping
        Why a cell could not be measured on the earlier side and on the later one; None where it could,
        `skipped` where its benchmark does not want to.
    single_calls : collection of Place
        The cells of which a sample is one short call.
    left_out : collection of Place
    finished : bool
        See `Check`.
    options : Options
    """
    rows = rows_of(first, fresh, suspicious, failed, benchmarks)
    status, verdict = _over_all(rows, options, finished)
    short = sum(
        place in single_calls and statistics.median(earlier) < MOSTLY_ASV
        for place, (earlier, _) in first.items()
    )
    return Check(
        *sides,
        options.threshold,
        options.cannot_tell,
        status,
        verdict,
        tuple(rows),
        tuple(f"{name}({', '.join(texts)})" if texts else name for name, texts in left_out),
        finished,
        short,
    )


def _is_slower(row: Row, threshold: float) -> bool:
    slow = row.verdict == "slower" and row.ratio is not None and row.ratio >= 1 + threshold
    return slow or row.verdict == "fails"


def _may_be_slower(row: Row, threshold: float) -> bool:
    beyond = row.ratio_high is not None and row.ratio_high > 1 + threshold
    return beyond and not _is_slower(row, threshold)


def _over_all(rows: Sequence[Row], options: Options, finished: bool) -> tuple[int, str]:
    """Return the status, and what it means in words."""
    judged = [row for row in rows if row.verdict not in ("new", "gone", "broken")]
    slow = [row for row in judged if _is_slower(row, options.threshold)]
    # What may be faster is let through.
    untold = sum(row.verdict == "cannot tell" and row.looked != "faster" for row in judged)
    of, percent = f"of {len(judged)} cells", f"{100 * options.threshold:g} %"
    if slow:
        failing = sum(row.verdict == "fails" for row in slow)
        said = {f"slower by {percent} or more": len(slow) - failing, "failing": failing}
        return SLOWER, f"{', '.join(f'{n} {what}' for what, n in said.items() if n)}, {of}"
    if not finished:
        return CANNOT_TELL, "cannot tell: interrupted"
    if not judged:
        return CANNOT_TELL, "cannot tell: there is nothing to compare"
    if untold > options.cannot_tell * len(judged):
        return CANNOT_TELL, f"cannot tell: {untold} without a verdict, {of}"
    without = f"; {untold} without a verdict" if untold else ""
    may = sum(_may_be_slower(row, options.threshold) for row in judged)
    more = f"; {may} may be, by their intervals" if may else ""
    return 0, f"nothing significantly slower by {percent} or more, {of}{more}{without}"
