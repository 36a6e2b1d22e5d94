"""Has a change made something slower? The verdict of a gate, cell by cell and over all."""

from __future__ import annotations

import json
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from jitcost.questions.groups import title_of
from jitcost.stats import gate
from jitcost.stats.intervals import FEWEST
from jitcost.stats.ratios import ratio
from jitcost.store.catalogue import Catalogue

__all__ = [
    "CANNOT_TELL",
    "SLOWER",
    "Check",
    "Described",
    "Options",
    "Pair",
    "Place",
    "Row",
    "Side",
    "ask",
]

# A benchmark, and the texts of its parameters.
Place = tuple[str, tuple[str, ...]]

# Each process's number, seconds per call: earlier, and later.
Pair = tuple[Sequence[float], Sequence[float]]

Verdict = Literal[
    "slower", "faster", "not significantly different", "cannot tell", "fails", "new", "gone"
]

# The exit statuses of a gate, besides 0 and that of a bad call.
SLOWER, CANNOT_TELL = 1, 3

# Below this, in seconds, a call that is a sample by itself is mostly what asv adds to it.
MOSTLY_ASV = 10e-6

Value = TypeVar("Value")


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
class Row:
    """What became of one cell.

    Attributes
    ----------
    benchmark : str
    kind : str or None
        `SteadyState`, `FirstCall`, or what asv calls the kind of others' benchmarks.
    workload, backend : str or None
        None where the benchmark is of none.
    params : mapping of str to str
        The texts of its other parameters.
    n : float or None
    verdict : str
        `slower`, `faster`: significantly, by fresh processes. `cannot tell`: it looked suspicious, and
        there was no time to look again; or it could be measured on neither side. `fails`, `new`,
        `gone`: measured on one side only; it fails on the later, or on the earlier, or is skipped on
        the later.
    earlier, later : float or None
        Seconds per call, the median of the processes; None where it was not measured.
    ratio, ratio_low, ratio_high : float or None
        later / earlier with its 95 % interval.
    would_show : float or None
        The change, as a share, that would have been called one.
    processes : int
        On each side, that the numbers are of.
    fresh : bool
        Whether these were started after a first look had found it suspicious.
    reason : str or None
        Why it could not be measured, or told.
    """

    benchmark: str
    kind: str | None
    workload: str | None
    backend: str | None
    params: Mapping[str, str]
    n: float | None
    verdict: Verdict
    earlier: float | None = None
    later: float | None = None
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    would_show: float | None = None
    processes: int = 0
    fresh: bool = False
    reason: str | None = None

    @property
    def title(self) -> str:
        """What it is of: the workload and its options, or the benchmark's name and parameters."""
        of = None if self.backend is None else self.workload
        return title_of(self.benchmark, of, self.params)


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
    left_out : int
        How many cells there was no time for.
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
    left_out: int
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
        return [
            row
            for row in self.cells
            if not _is_slower(row, self.threshold)
            and row.ratio_high is not None
            and row.ratio_high > 1 + self.threshold
        ]


def ask(
    sides: tuple[Side, Side],
    first: Mapping[Place, Pair],
    fresh: Mapping[Place, Pair],
    suspicious: Mapping[Place, Literal["slower", "faster"]],
    *,
    benchmarks: Mapping[str, Mapping[str, Any]],
    failed: Mapping[Place, tuple[str | None, str | None]],
    single_calls: Collection[Place] = (),
    left_out: int = 0,
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
    left_out, finished
        See `Check`.
    options : Options
    """
    verdicts = _verdicts(fresh, suspicious)
    describe = Described(benchmarks)
    rows = [
        _judged(describe(place), fresh.get(place, pair), verdicts.get(place), place in suspicious)
        for place, pair in first.items()
    ]
    for place, reasons in failed.items():
        if any(reason != _SKIPPED for reason in reasons):
            rows.append(_one_sided(describe(place), *reasons))
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
        tuple(sorted(rows, key=lambda row: _ORDER.index(row.verdict))),
        left_out,
        finished,
        short,
    )


_SKIPPED = "skipped"

_ORDER: tuple[Verdict, ...] = ("fails", "slower", "cannot tell", "faster")
_ORDER += ("not significantly different", "new", "gone")


class Described:
    """What a cell's place means: see `jitcost.store`."""

    def __init__(self, benchmarks: Mapping[str, Mapping[str, Any]]) -> None:
        self.benchmarks = {name: dict(about) for name, about in benchmarks.items()}
        self.known = Catalogue()

    def __call__(self, place: Place) -> dict[str, Any]:
        """Return the columns of a cell, by name."""
        name, texts = place
        grid = [[text] for text in texts]
        (position,) = self.known.positions_of(name, None, grid, self.benchmarks)
        columns = ("benchmark", "kind", "workload", "backend", "params", "n")
        found = {column: self.known.columns[column][position] for column in columns}
        return found | {"params": json.loads(found["params"])}


def _verdicts(
    fresh: Mapping[Place, Pair], suspicious: Mapping[Place, Literal["slower", "faster"]]
) -> dict[Place, Verdict]:
    """Return what fresh processes say: of what looked slower and of what looked faster, by itself.

    Each way is a family of one-sided tests: those that look for faster cells take nothing from the power
    to find slower ones.
    """
    found: dict[Place, Verdict] = {}
    ways: tuple[Literal["slower", "faster"], ...] = ("slower", "faster")
    for way in ways:
        pairs = {place: pair for place, pair in fresh.items() if suspicious.get(place) == way}
        enough = {place: pair for place, pair in pairs.items() if min(map(len, pair)) >= FEWEST}
        if way == "faster":
            enough = {place: (later, earlier) for place, (earlier, later) in enough.items()}
        for place, judged in gate.confirmed(enough).items():
            found[place] = way if judged.slower else "not significantly different"
    return found


def _judged(described: dict[str, Any], pair: Pair, verdict: Verdict | None, suspected: bool) -> Row:
    earlier, later = pair
    found = ratio(later, earlier)
    reason = None
    if verdict is None and suspected:
        reason = "it looked suspicious, and there was no time to measure it again"
    elif found.low is None:
        reason = "fewer than three processes have no interval"
    fallback: Verdict = "not significantly different" if reason is None else "cannot tell"
    return Row(
        **described,
        verdict=verdict or fallback,
        earlier=statistics.median(earlier),
        later=statistics.median(later),
        ratio=found.value,
        ratio_low=found.low,
        ratio_high=found.high,
        would_show=found.would_show,
        processes=min(len(earlier), len(later)),
        fresh=verdict is not None,
        reason=reason,
    )


def _one_sided(described: dict[str, Any], earlier: str | None, later: str | None) -> Row:
    """Return the row of a cell that could not be measured on both sides."""
    if earlier is None:
        verdict: Verdict = "gone" if later == _SKIPPED else "fails"
        return Row(**described, verdict=verdict, reason=later)
    if later is None:
        return Row(**described, verdict="new", reason=earlier)
    return Row(**described, verdict="cannot tell", reason=f"on both sides: {later}")


def _is_slower(row: Row, threshold: float) -> bool:
    slow = row.verdict == "slower" and row.ratio is not None and row.ratio >= 1 + threshold
    return slow or row.verdict == "fails"


def _over_all(rows: Sequence[Row], options: Options, finished: bool) -> tuple[int, str]:
    """Return the status, and what it means in words."""
    judged = [row for row in rows if row.verdict not in ("new", "gone")]
    slow = [row for row in judged if _is_slower(row, options.threshold)]
    untold = sum(row.verdict == "cannot tell" for row in judged)
    of, percent = f"of {len(judged)} cells", f"{100 * options.threshold:g} %"
    if slow:
        failing = sum(row.verdict == "fails" for row in slow)
        said = {f"slower by {percent} or more": len(slow) - failing, "failing": failing}
        return SLOWER, f"{', '.join(f'{n} {what}' for what, n in said.items() if n)}, {of}"
    if not finished:
        return CANNOT_TELL, "cannot tell: interrupted"
    if not judged or untold > options.cannot_tell * len(judged):
        return CANNOT_TELL, f"cannot tell: {untold} without a verdict, {of}"
    without = f"; {untold} without a verdict" if untold else ""
    return 0, f"nothing slower by {percent} or more, {of}{without}"
