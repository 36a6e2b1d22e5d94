"""What a first look finds suspicious, and what of it there is time to measure again."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Literal, TypeVar

from jitcost.stats import gate
from jitcost.stats.gate import Pair
from jitcost.stats.intervals import FEWEST
from jitcost.stats.ratios import ratio

__all__ = ["FRESH", "affordable", "suspicious"]

Key = TypeVar("Key", bound=Hashable)

# Processes of each side of the second look, which decides.
FRESH = 10

# With fewer fresh processes the second look is not worth its time: what it would take to be significant
# is more than anybody asks about.
FEWEST_FRESH = 5


def suspicious(pairs: Mapping[Key, Pair]) -> dict[Key, Literal["slower", "faster"]]:
    """Return what looks slower, the most suspicious first, and then what looks faster.

    Of what fewer than three processes a side have measured nobody can say what it looks like.
    """
    pairs = {key: pair for key, pair in pairs.items() if min(map(len, pair)) >= FEWEST}
    swapped = {key: (later, earlier) for key, (earlier, later) in pairs.items()}
    found: dict[Key, Literal["slower", "faster"]] = {}
    found |= dict.fromkeys(_ordered(pairs, gate.suspicious(pairs)), "slower")
    faster = _ordered(swapped, gate.suspicious(swapped))
    return found | {key: "faster" for key in faster if key not in found}


def _ordered(pairs: Mapping[Key, Pair], keys: Collection[Key]) -> list[Key]:
    def p_of(key: Key) -> float:
        earlier, later = pairs[key]
        found = ratio(later, earlier).p_greater
        return 0.0 if found is None else found

    return sorted(keys, key=p_of)


def affordable(
    keys: Sequence[Key], costs: Mapping[Key, float], seconds: float
) -> tuple[list[Key], int]:
    """Return which can be measured again within the time, and in how many processes a side.

    Parameters
    ----------
    keys : sequence of Key
        In the order of their importance; the first one is always measured again.
    costs : mapping of Key to float
        What one process of each side takes, in seconds.
    seconds : float
        That are left.
    """
    if not keys:
        return [], 0
    processes = FRESH
    if FRESH * costs[keys[0]] > seconds:
        processes = max(FEWEST_FRESH, int(seconds / costs[keys[0]]))
    chosen: list[Key] = []
    spent = 0.0
    for key in keys:
        spent += processes * costs[key]
        if chosen and spent > seconds:
            break
        chosen.append(key)
    return chosen, processes
