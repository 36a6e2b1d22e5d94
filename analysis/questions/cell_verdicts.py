"""What a gate says of each cell: slower, faster, or neither; new, gone, or failing."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jitcost.questions.groups import title_of
from jitcost.stats import gate
from jitcost.stats.gate import Pair
from jitcost.stats.ratios import ratio
from jitcost.store.catalogue import Catalogue

__all__ = ["Described", "Pair", "Place", "Row", "Verdict", "rows_of"]

# A benchmark, and the texts of its parameters.
Place = tuple[str, tuple[str, ...]]

Verdict = Literal[
    "slower",
    "faster",
    "not significantly different",
    "cannot tell",
    "fails",
    "new",
    "gone",
    "broken",
]


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
        `slower`, `faster`: significantly, by fresh processes. `cannot tell`: it looked so, and there was
        no time to look again. `fails`, `new`, `gone`: measured on one side only; it fails on the
        later, or on the earlier, or is skipped on the later. `broken`: it fails on both.
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
    p : float or None
        Of the fresh processes: one-sided, adjusted for how many cells were measured again.
    looked : {"slower", "faster"} or None
        What the first look made of it, where that was suspicious.
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
    p: float | None = None
    looked: Literal["slower", "faster"] | None = None
    reason: str | None = None

    @property
    def title(self) -> str:
        """What it is of: the workload and its options, or the benchmark's name and parameters."""
        of = None if self.backend is None else self.workload
        return title_of(self.benchmark, of, self.params)


def rows_of(
    first: Mapping[Place, Pair],
    fresh: Mapping[Place, Pair],
    suspicious: Mapping[Place, Literal["slower", "faster"]],
    failed: Mapping[Place, tuple[str | None, str | None]],
    benchmarks: Mapping[str, Mapping[str, Any]],
) -> list[Row]:
    """Judge each cell by the rule of `jitcost.stats.gate`; see `jitcost.questions.check.ask`.

    Returns
    -------
    list of Row
        What there is most to say of comes first.
    """
    verdicts = gate.confirmed_each_way(fresh, suspicious)
    describe = Described(benchmarks)
    rows = [
        _judged(describe(place), pair, fresh.get(place), verdicts.get(place), suspicious.get(place))
        for place, pair in first.items()
    ]
    for place, reasons in failed.items():
        if any(reason != _SKIPPED for reason in reasons):
            rows.append(_one_sided(describe(place), *reasons))
    return sorted(rows, key=lambda row: _ORDER.index(row.verdict))


_SKIPPED = "skipped"

_ORDER: tuple[Verdict, ...] = ("fails", "slower", "cannot tell", "faster")
_ORDER += ("not significantly different", "new", "gone", "broken")


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


def _judged(
    described: dict[str, Any],
    first: Pair,
    fresh: Pair | None,
    judged: gate.GateVerdict | None,
    looked: Literal["slower", "faster"] | None,
) -> Row:
    earlier, later = first if judged is None or fresh is None else fresh
    found = ratio(later, earlier)
    verdict: Verdict = "not significantly different"
    reason = None
    if judged is not None:
        verdict = verdict if judged.verdict == "neither" else judged.verdict
    elif found.low is None:
        verdict, reason = "cannot tell", "fewer than three processes have no interval"
    elif looked is not None:
        verdict = "cannot tell"
        reason = f"it looked {looked}, and there was no time to measure it again"
    return Row(
        **described,
        verdict=verdict,
        earlier=statistics.median(earlier),
        later=statistics.median(later),
        ratio=found.value,
        ratio_low=found.low,
        ratio_high=found.high,
        would_show=found.would_show,
        processes=min(len(earlier), len(later)),
        fresh=judged is not None,
        p=None if judged is None else judged.p,
        looked=looked,
        reason=reason,
    )


def _one_sided(described: dict[str, Any], earlier: str | None, later: str | None) -> Row:
    """Return the row of a cell that could not be measured on both sides."""
    if earlier is None:
        verdict: Verdict = "gone" if later == _SKIPPED else "fails"
        return Row(**described, verdict=verdict, reason=later)
    if later is None:
        return Row(**described, verdict="new", reason=earlier)
    return Row(**described, verdict="broken", reason=later if later != _SKIPPED else earlier)
