"""The starred set: the backends that are not significantly slower than the fastest."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jitcost.stats.intervals import FEWEST
from jitcost.stats.ratios import ratio

__all__ = ["Stars", "stars"]


@dataclass(frozen=True)
class Stars:
    """Which backends may be the fastest.

    Attributes
    ----------
    fastest : str
        The one with the smallest median.
    starred : tuple of str
        With 95 % confidence the truly fastest of the judged backends is among them; in the order
        that the backends came in.
    provisional : bool
        Whether `fastest` has too few processes for any test, and is starred alone for its number only.
    unjudged : tuple of str
        The others with too few processes: no star, and nothing is claimed of them.
    p : mapping of str to float
        One-sided p of each judged backend against `fastest`: small where it is slower.
    """

    fastest: str
    starred: tuple[str, ...]
    provisional: bool
    unjudged: tuple[str, ...]
    p: Mapping[str, float]


def stars(cells: Mapping[str, Sequence[float]]) -> Stars:
    """Star the backends of one workload and size.

    A backend loses its star if the one-sided test of Yuen (1974) against the apparently fastest of k
    has p < .025 / (k - 1): Bonferroni's division, in the spirit of selecting a subset that contains the
    best (Gupta 1965; Hsu 1996). Half of .05, because the one tested against was not
    fixed beforehand: it is the smallest of k, and looks faster than it is.

    So does one whose processes all took longer than all of the fastest's, where chance would order them
    so as rarely: five processes against five, once in 252. When a fast backend's processes
    scatter by half (a threaded one on a busy machine), the t of five has two degrees of freedom and
    cannot see even one that is seven times slower in 40 of 100 cases; the order can.

    Parameters
    ----------
    cells : mapping of str to sequence of float
        The processes' numbers of each backend, seconds; at least one backend.
    """
    fastest = min(cells, key=lambda name: statistics.median(cells[name]))
    judged = [name for name in cells if len(cells[name]) >= FEWEST]
    if fastest not in judged:
        others = tuple(name for name in cells if name != fastest)
        return Stars(fastest, (fastest,), True, others, {})
    p = {name: _p_slower(cells[name], cells[fastest]) for name in judged if name != fastest}
    level = 0.025 / max(1, len(p))
    starred = tuple(name for name in judged if name == fastest or p[name] >= level)
    unjudged = tuple(name for name in cells if name not in judged)
    return Stars(fastest, starred, False, unjudged, p)


def _p_slower(numbers: Sequence[float], fastest: Sequence[float]) -> float:
    p = ratio(numbers, fastest).p_greater
    assert p is not None  # both have three processes
    return min(p, _p_of_order(numbers, fastest))


def _p_of_order(numbers: Sequence[float], fastest: Sequence[float]) -> float:
    """Return how likely equal backends are to be wholly apart this way round; 1 if they are not.

    The smallest p of the exact test of Wilcoxon (1945), one-sided. Its larger ones are not taken: they
    find no more than Yuen's test does, and add their errors.
    """
    if min(numbers) <= max(fastest):
        return 1.0
    return 1 / math.comb(len(numbers) + len(fastest), len(fastest))
