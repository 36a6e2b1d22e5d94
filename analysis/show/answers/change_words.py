"""How a cell has changed, in words: alike between runs, releases and versions of a file."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from jitcost.stats.ratios import Ratio

__all__ = ["change_text", "range_text", "ratio_text"]

Verdict = Literal["slower", "faster", "neither"]

_NEITHER = "not significantly different"


def change_text(
    verdict: str, ratio: float, low: float, high: float, would_show: float | None
) -> str:
    """Return a change and its interval, in per cent of the earlier time.

    Parameters
    ----------
    verdict : str
        `slower`, `faster`, or what is said where it is neither.
    ratio, low, high : float
        Later / earlier, with its interval.
    would_show : float or None
        The change, as a share, that would have been called one; None where it is not known.

    >>> change_text("slower", 1.12, 1.09, 1.15, None), change_text("faster", 0.69, 0.66, 0.72, None)
    ('slower by 12 % [9, 15]', 'faster by 31 % [28, 34]')
    >>> change_text("not significantly different", 1.01, 0.97, 1.05, 0.071)
    'not significantly different (8 % would have shown)'
    """
    if verdict in ("slower", "faster"):
        return f"{verdict} by {_share_text(verdict, ratio, low, high)}"
    return (
        verdict
        if would_show is None
        else f"{verdict} ({_rounded_up(would_show)} % would have shown)"
    )


def range_text(verdict: str, ratios: Iterable[tuple[float, float, float]]) -> str:
    """Return the smallest and the largest of changes that go one way; once what they have in common.

    Parameters
    ----------
    verdict : str
        `slower`, `faster`, or what is said where they are neither; of all of them.
    ratios : iterable of (ratio, low, high)
        Later / earlier, each with its interval; one at least.

    >>> range_text("faster", [(0.69, 0.66, 0.72), (0.9, 0.88, 0.92), (0.8, 0.79, 0.81)])
    'faster by 10 % [8, 12] to 31 % [28, 34]'
    >>> range_text("slower", [(1.12, 1.09, 1.15)]), range_text("no change", [(1, 0.9, 1.1)])
    ('slower by 12 % [9, 15]', 'no change')
    """
    if verdict not in ("slower", "faster"):
        return verdict
    ordered = sorted(ratios, key=lambda one: abs(one[0] - 1))
    ends = dict.fromkeys(_share_text(verdict, *one) for one in (ordered[0], ordered[-1]))
    return f"{verdict} by {' to '.join(ends)}"


def _share_text(verdict: str, ratio: float, low: float, high: float) -> str:
    """Return by which share a time is longer or shorter, and the bounds of that, the least first."""
    slower = verdict == "slower"
    shares = (ratio - 1, low - 1, high - 1) if slower else (1 - ratio, 1 - high, 1 - low)
    value, least, most = (f"{100 * share:.0f}" for share in shares)
    return f"{value} % [{least}, {most}]"


def ratio_text(found: Ratio, verdict: Verdict | None = None) -> str:
    """Return what a ratio of two times says of a change.

    Parameters
    ----------
    found : Ratio
        Later / earlier.
    verdict : {"slower", "faster", "neither"} or None
        What has been decided where several cells were judged at once (`jitcost.stats.gate`); None: what
        this ratio says by itself, at a level of 5 %.
    """
    if found.low is None or found.high is None:
        return "no interval"
    if verdict is None:
        slower: Verdict = "slower" if found.value > 1 else "faster"
        verdict = slower if found.significant() else "neither"
    said = _NEITHER if verdict == "neither" else verdict
    return change_text(said, found.value, found.low, found.high, found.would_show)


def _rounded_up(share: float) -> int:
    return math.ceil(100 * share)
