"""At which size one backend overtakes another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jitcost.stats.ratios import Ratio

__all__ = ["Crossing", "Crossings", "crossings"]

# Two curves that are equal everywhere cross if one size is significant one way and another the other.
# That is likelier the more sizes there are, as their square; with the level of a size divided in
# proportion it is not. Six sizes at .05 cross by chance in about 2 % of pairs.
_LEVEL = 0.05
_SIZES = 6


@dataclass(frozen=True)
class Crossing:
    """A crossover that is significant on both sides.

    Attributes
    ----------
    n_low, n_high : float
        Measured sizes: at the one the first curve differs significantly one way, at the other the
        other way, and between them there is no measured size where they differ significantly.
    n_at : float or None
        Where the curves' ratio is 1, interpolated (log-log); None if there are sizes between `n_low` and
        `n_high`, where they are not significantly different: it cannot be told where between.
    first_faster_below : bool
        Whether it is the first curve that is faster at `n_low`.
    """

    n_low: float
    n_high: float
    n_at: float | None
    first_faster_below: bool


@dataclass(frozen=True)
class Crossings:
    """What may be said of two curves over their common sizes.

    Attributes
    ----------
    crossings : tuple of Crossing
        In order of n.
    undecided : tuple of tuple of float
        Runs of measured sizes, the first and the last of each, where the curves are not significantly
        different: whether they cross there cannot be told.
    sizes : tuple of float
        The sizes that were compared; nothing is said beyond them.
    level : float
        Two-sided, of each size.
    """

    crossings: tuple[Crossing, ...]
    undecided: tuple[tuple[float, float], ...]
    sizes: tuple[float, ...]
    level: float


def crossings(ratios: Mapping[float, Ratio]) -> Crossings:
    """Return where two measured curves cross.

    Each size is tested at .05 x 6 / sizes (at .05 for six sizes and fewer): by Yuen's t (1974) on
    logarithms where the ratio comes from processes. A size with fewer than three processes a side is
    never significant.

    Parameters
    ----------
    ratios : mapping of float to Ratio
        By size, the first curve's time over the second's.
    """
    sizes = tuple(sorted(ratios))
    level = _LEVEL * min(1.0, _SIZES / max(1, len(sizes)))
    sides = [_side(ratios[n], level) for n in sizes]
    decided = [i for i, side in enumerate(sides) if side]
    found = tuple(
        Crossing(
            sizes[i],
            sizes[j],
            _crosses_at(sizes[i], sizes[j], ratios[sizes[i]], ratios[sizes[j]])
            if j == i + 1
            else None,
            sides[i] < 0,
        )
        for i, j in pairwise(decided)
        if sides[i] != sides[j]
    )
    return Crossings(found, tuple(_runs(sizes, sides)), sizes, level)


def _side(found: Ratio, level: float) -> int:
    """Return -1 where the first is significantly faster, 1 where the second is, 0 for neither."""
    if not found.significant(level):
        return 0
    return -1 if found.value < 1 else 1


def _crosses_at(n_low: float, n_high: float, low: Ratio, high: Ratio) -> float:
    before, after = math.log(low.value), math.log(high.value)
    share = before / (before - after)
    if n_low <= 0:
        return n_low + share * (n_high - n_low)
    return float(n_low * (n_high / n_low) ** share)


def _runs(sizes: Sequence[float], sides: Sequence[int]) -> list[tuple[float, float]]:
    runs: list[tuple[float, float]] = []
    for i, n in enumerate(sizes):
        if sides[i]:
            continue
        if i and not sides[i - 1]:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs
