"""Where between two ends something has changed: halving that never trusts a verdict that cannot tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Bracket", "Place", "halve"]

# What one in the middle is like: the earlier end, the later one, nobody can tell, or it is not there.
Place = Literal["earlier", "later", "cannot tell", "not there"]


@dataclass
class Bracket:
    """Two neighbours with the change between them.

    Attributes
    ----------
    earlier, later : int
        The last that is like the earlier end, and the first that is like the later one.
    between : dict of int to Place
        What stands between them, and why it decides nothing.
    """

    earlier: int
    later: int
    between: dict[int, Place] = field(default_factory=dict)


def halve(count: int, place: Callable[[int], Place]) -> Bracket:
    """Find the change.

    One that cannot be told, or is not there, is passed over, and the nearest to the middle of the others
    taken. Where the series has changed more than once, a place is found where it has crossed what
    `place` decides by.

    Parameters
    ----------
    count : int
        How many there are, the ends included; 2 or more.
    place : callable
        Tells what the one of a number is like; is asked once for each.

    Returns
    -------
    Bracket
    """
    bracket = Bracket(0, count - 1)
    while inside := [
        number
        for number in range(bracket.earlier + 1, bracket.later)
        if number not in bracket.between
    ]:
        middle = (bracket.earlier + bracket.later) / 2
        number = min(inside, key=lambda one: (abs(one - middle), one))
        found = place(number)
        if found == "earlier":
            bracket.earlier = number
        elif found == "later":
            bracket.later = number
        else:
            bracket.between[number] = found
    bracket.between = {
        number: why
        for number, why in bracket.between.items()
        if bracket.earlier < number < bracket.later
    }
    return bracket
