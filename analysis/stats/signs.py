"""Where a ratio of measured times passes through 1: the changes of its sign on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Crossing", "Point", "sign_changes"]


class Point(NamedTuple):
    """A ratio at one size, and whether the two times differ significantly there."""

    n: float
    ratio: float
    differs: bool


@dataclass(frozen=True)
class Crossing:
    """One passage through 1.

    Attributes
    ----------
    n : float
        By interpolation on logarithmic axes.
    n_low, n_high : float
        The nearest sizes at which the two times differ significantly, and in opposite directions.
    falls : bool
        Whether the ratio goes below 1.
    """

    n: float
    n_low: float
    n_high: float
    falls: bool


def sign_changes(points: Sequence[Point]) -> list[Crossing]:
    """Return where a ratio of times passes through 1.

    Parameters
    ----------
    points : sequence of Point
        By increasing n, ratios positive.

    Returns
    -------
    list of Crossing
        By increasing n.
    """
    changes = []
    certain = [i for i, point in enumerate(points) if point.differs]
    for left, right in pairwise(certain):
        before, after = math.log(points[left].ratio), math.log(points[right].ratio)
        if (before > 0) == (after > 0):
            continue
        # Among times that do not differ significantly the sign may change more than once: the first.
        for one, other in pairwise(points[left : right + 1]):
            y0, y1 = math.log(one.ratio), math.log(other.ratio)
            if y0 * before > 0 and y1 * before <= 0:
                share = y0 / (y0 - y1)
                n = math.exp(math.log(one.n) + share * (math.log(other.n) - math.log(one.n)))
                changes.append(Crossing(n, points[left].n, points[right].n, before > 0))
                break
    return changes
