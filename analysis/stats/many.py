"""What is told of many series at once: p, adjusted for how many were looked at."""

from __future__ import annotations

from collections.abc import Sequence

from scipy import stats

__all__ = ["among_many"]


def among_many(p: Sequence[float], flat: int) -> list[float]:
    """Return each p adjusted by the procedure of Benjamini and Hochberg (1995).

    Of those at .05 or less, as far as each p holds, one in twenty is expected to be of nothing.

    Parameters
    ----------
    p : sequence of float
        Of what was found.
    flat : int
        How many series nothing was found in. They count as looks that found p = 1.

    Examples
    --------
    >>> among_many([0.001, 0.03], 8)
    [0.01, 0.15]
    """
    if not p:
        return []
    every = [*p, *[1.0] * flat]
    return [float(one) for one in stats.false_discovery_control(every, method="bh")[: len(p)]]
