"""Whether a change made something slower, or faster: within one interleaved run, and between runs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from scipy import stats

from jitcost.stats.intervals import FEWEST
from jitcost.stats.ratios import Ratio, ratio
from jitcost.stats.yuen import trimmed_mean

__all__ = [
    "MARGIN",
    "Change",
    "CommonFactor",
    "GateVerdict",
    "Pair",
    "changed",
    "common_factor",
    "confirmed",
    "confirmed_each_way",
    "suspicious",
]

Key = TypeVar("Key", bound=Hashable)

# Each process's number, seconds per call: earlier, and later.
Pair = tuple[Sequence[float], Sequence[float]]

# The first look lets one unchanged cell in ten through: it only says where to look again.
_FIRST = 0.1

# Of the cells that the fresh processes condemn, the share that may be wrong.
_FALSE_DISCOVERIES = 0.02

# Cells of two runs differ by up to 2 % with nothing changed, each in its own way: more processes of
# the same two runs do not see it, and would only make it significant.
MARGIN = 0.03


@dataclass(frozen=True)
class GateVerdict:
    """What fresh processes say of one suspicious cell.

    Attributes
    ----------
    verdict : {"slower", "faster", "neither"}
        What the later is, significantly; `faster` only where both ways were looked.
    ratio : Ratio
        Later / earlier, of the fresh processes alone.
    p : float
        One-sided p, or two-sided where both ways were looked, adjusted (Benjamini and Hochberg 1995): at
        most 0.02 unless the verdict is `neither`.
    """

    verdict: Literal["slower", "faster", "neither"]
    ratio: Ratio
    p: float

    @property
    def slower(self) -> bool:
        """Whether the later is significantly slower."""
        return self.verdict == "slower"


def suspicious(cells: Mapping[Key, Pair], *, either: bool = False) -> tuple[Key, ...]:
    """Return the cells that a first look finds worth measuring again.

    Parameters
    ----------
    cells : mapping of a key to a pair of sequences of float
        The processes' numbers of each cell, earlier and later, measured in turns; five a side. Cells
        with fewer than three a side are always suspicious: nothing is known of them.
    either : bool
        Whether to look for what is faster, too.
    """
    ratios = {key: ratio(later, earlier) for key, (earlier, later) in cells.items()}
    return tuple(key for key, found in ratios.items() if _may_differ(found, either=either))


def _may_differ(found: Ratio, *, either: bool) -> bool:
    if found.p_greater is None or found.p_less is None:
        return True
    return found.p_greater < _FIRST or (either and found.p_less < _FIRST)


def confirmed(fresh: Mapping[Key, Pair], *, either: bool = False) -> dict[Key, GateVerdict]:
    """Return the verdicts of the suspicious cells.

    Only processes that the first look has not seen may decide: those that it has are slow because
    they were chosen for it, and with them one unchanged run in four or five is condemned. Many cells
    are judged at once, by the procedure of Benjamini and Hochberg (1995) on Yuen's one-sided p; on the
    two-sided one, twice the smaller, where both ways are looked.

    Parameters
    ----------
    fresh : mapping of a key to a pair of sequences of float
        The fresh processes' numbers of each suspicious cell, earlier and later, measured in turns; ten
        a side, and three at the least.
    either : bool
        As for the first look.

    Raises
    ------
    ValueError
        If a side has fewer than three processes.
    """
    ratios = {key: ratio(later, earlier) for key, (earlier, later) in fresh.items()}
    own = [found.p if either else found.p_greater for found in ratios.values()]
    p = [each for each in own if each is not None]
    if len(p) < len(ratios):
        raise ValueError("fewer than three fresh processes decide nothing")
    adjusted = np.asarray(stats.false_discovery_control(p, method="bh")) if p else np.empty(0)
    return {
        key: GateVerdict(_verdict(found, float(each), either=either), found, float(each))
        for (key, found), each in zip(ratios.items(), adjusted, strict=True)
    }


def _verdict(found: Ratio, p: float, *, either: bool) -> Literal["slower", "faster", "neither"]:
    if p > _FALSE_DISCOVERIES:
        return "neither"
    return "faster" if either and found.value < 1 else "slower"


def confirmed_each_way(
    fresh: Mapping[Key, Pair], looked: Mapping[Key, Literal["slower", "faster"]]
) -> dict[Key, GateVerdict]:
    """Return the verdicts of what looked slower, and of what looked faster, each a family by itself.

    One-sided both times: to look for what is faster then costs no power to find what is slower.

    Parameters
    ----------
    fresh : mapping of a key to a pair of sequences of float
        As for `confirmed`; what has fewer than three processes a side is passed over.
    looked : mapping of a key to {"slower", "faster"}
        What the first look made of each.
    """
    enough = {key: pair for key, pair in fresh.items() if min(map(len, pair)) >= FEWEST}
    slower = {key: pair for key, pair in enough.items() if looked[key] == "slower"}
    swapped = {key: pair[::-1] for key, pair in enough.items() if looked[key] == "faster"}
    found = confirmed(slower)
    for key, judged in confirmed(swapped).items():
        earlier, later = enough[key]
        verdict: Literal["faster", "neither"] = "faster" if judged.slower else "neither"
        found[key] = GateVerdict(verdict, ratio(later, earlier), judged.p)
    return found


@dataclass(frozen=True)
class CommonFactor:
    """What all cells of a later run take, as a multiple of an earlier run, for no reason of theirs.

    Attributes
    ----------
    value, low, high : float
        With 95 % interval.
    cells : int
        From how many.
    """

    value: float
    low: float
    high: float
    cells: int


def common_factor(unrelated: Sequence[Ratio]) -> CommonFactor | None:
    """Estimate the common factor of two runs.

    The trimmed mean of the log ratios: a few cells may have changed after all.

    Parameters
    ----------
    unrelated : sequence of Ratio
        Later / earlier, of cells that do not depend on what changed.

    Returns
    -------
    CommonFactor or None
        None for fewer than three cells.
    """
    if len(unrelated) < FEWEST:
        return None
    logs = trimmed_mean([math.log(found.value) for found in unrelated], resolution=0.0)
    low, high = np.exp(logs.interval())
    return CommonFactor(math.exp(logs.mean), float(low), float(high), len(unrelated))


@dataclass(frozen=True)
class Change:
    """What two runs say of one cell.

    Attributes
    ----------
    verdict : {"slower", "faster", "not significantly different", "no interval"}
        `no interval`: a run has fewer than three processes.
    value, low, high : float
        Later / earlier, divided by the common factor, with an interval that holds the uncertainty of
        both; the bounds are NaN without an interval.
    would_show : float
        The change, as a share, that would have been called one nearly always: the margin and twice the
        half-width; NaN without an interval.
    """

    verdict: Literal["slower", "faster", "not significantly different", "no interval"]
    value: float
    low: float
    high: float
    would_show: float


def changed(found: Ratio, common: CommonFactor | None = None, margin: float = MARGIN) -> Change:
    """Say whether a cell changed from one run to another.

    It did if the interval of its ratio lies wholly beyond the margin, on either side (the minimum
    effect test of Murphy and Myors 1999, for the region of indifference [1 / (1 + margin), 1 + margin]).

    Parameters
    ----------
    found : Ratio
        Later / earlier.
    common : CommonFactor or None
        Divided by, if it is known; the two half-widths are then added in squares (Zou and Donner 2008).
        Without, a machine that was slower in one run than in the other makes changes of all cells.
    margin : float
        What unchanged cells of repeated runs are seen to differ by, 3 % if nothing better is known.
    """
    value = found.value / (common.value if common else 1.0)
    if found.low is None or found.high is None:
        return Change("no interval", value, math.nan, math.nan, math.nan)
    shared = math.log(common.high / common.value) if common else 0.0
    half = math.hypot(math.log(found.high / found.value), shared)
    low, high = value / math.exp(half), value * math.exp(half)
    shows = (1 + margin) * math.exp(2 * half) - 1
    verdict: Literal["slower", "faster", "not significantly different"] = (
        "slower"
        if low > 1 + margin
        else "faster"
        if high < 1 / (1 + margin)
        else "not significantly different"
    )
    return Change(verdict, value, low, high, shows)
