"""What has become slower or faster from one state of a file to another, and whether that is true."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jitcost.questions.answers import Answer
from jitcost.stats import gate
from jitcost.stats.ratios import Ratio, ratio

__all__ = ["Key", "Pair", "Row", "ask"]

# Problem, backend and n; None stands for all sizes, by their geometric mean.
Key = tuple[str, str, float | None]

Verdict = Literal["slower", "faster", "neither", "cannot tell"]

# Each process's number, seconds: of the old state, and of the new one.
Pair = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True)
class Row:
    """What two states say of one kernel at one size, or over all sizes.

    Attributes
    ----------
    problem, backend : str
    n : float or None
        None: over all sizes.
    old, new : float
        Seconds per call, the median of the processes; over all sizes of their geometric means.
    ratio : float
        new / old.
    ratio_low, ratio_high : float or None
        Its 95 % interval; None where there are fewer than three processes.
    would_show : float or None
        The change, as a share, that would have been called one.
    verdict : {"slower", "faster", "neither", "cannot tell"}
        By fresh processes; `neither` also where the first look saw nothing to look at again. It cannot
        be told where that found it suspicious and it was not measured again, nor without an interval.
    processes : int
        On each side, that the numbers are of.
    fresh : bool
        Whether these were started after a first look had found it suspicious.
    """

    problem: str
    backend: str
    n: float | None
    old: float
    new: float
    ratio: float
    ratio_low: float | None
    ratio_high: float | None
    would_show: float | None
    verdict: Verdict
    processes: int
    fresh: bool


def ask(
    first: Mapping[Key, Pair], fresh: Mapping[Key, Pair], suspicious: Collection[Key]
) -> Answer[Row]:
    """Judge each kernel, by the rule of `jitcost.stats.gate`.

    Parameters
    ----------
    first : mapping of Key to Pair
        The first look.
    fresh : mapping of Key to Pair
        Of the processes that were started for what looked suspicious there.
    suspicious : collection of Key
        What did.

    Returns
    -------
    Answer of Row
        In the order of the first look.
    """
    verdicts = gate.confirmed(fresh, either=True)
    rows = []
    for key, looked in first.items():
        old, new = fresh.get(key, looked)
        found = ratio(new, old)
        rows.append(
            Row(
                *key,
                old=statistics.median(old),
                new=statistics.median(new),
                ratio=found.value,
                ratio_low=found.low,
                ratio_high=found.high,
                would_show=found.would_show,
                verdict=_verdict(verdicts.get(key), found, suspected=key in suspicious),
                processes=min(len(old), len(new)),
                fresh=key in fresh,
            )
        )
    return Answer(tuple(rows))


def _verdict(judged: gate.GateVerdict | None, found: Ratio, *, suspected: bool) -> Verdict:
    if judged is not None:
        return judged.verdict
    return "cannot tell" if suspected or found.low is None else "neither"
