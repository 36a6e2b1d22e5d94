"""Sizes as people write them: `10:1e6`, `10:1e6:3`, `100,1000`."""

from __future__ import annotations

import math

from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Size

__all__ = ["parse_sizes"]


def parse_sizes(text: str) -> tuple[Size, ...]:
    """Return the sizes that a text stands for.

    `low:high` are decades, `low:high:k` k sizes in each decade, and numbers with commas between stand
    for themselves; `(3, 100)` is a size of two parts.

    >>> parse_sizes("10:1e4"), parse_sizes("10:1000:3"), parse_sizes("1e2,5")
    ((10, 100, 1000, 10000), (10, 22, 46, 100, 215, 464, 1000), (100, 5))

    Raises
    ------
    OwnFileError
        If it stands for none.
    """
    try:
        if ":" in text:
            return _decades(*text.split(":"))
        parts = [part.strip() for part in text.split(",")]
        found = tuple(dict.fromkeys(_number(part) for part in parts if part))
    except (TypeError, ValueError, OverflowError):
        found = ()
    if not found:
        raise OwnFileError(
            f"sizes {text!r}: write 10:1e6, 10:1e6:3 (three a decade) or 10,100,1000"
        )
    return found


def _decades(low: str, high: str, count: str = "1") -> tuple[Size, ...]:
    first, last, each = _number(low), _number(high), int(count)
    if each < 1 or last < first:
        raise ValueError
    steps = math.floor(each * math.log10(last / first) + 1e-9)
    found = dict.fromkeys(round(first * 10 ** (step / each)) for step in range(steps + 1))
    if max(found) * 1.5 < last:  # the end that was asked for is meant
        found[round(last)] = None
    return tuple(found)


def _number(text: str) -> int:
    number = float(text.replace("_", ""))
    if number < 1 or not number.is_integer():
        raise ValueError
    return int(number)
