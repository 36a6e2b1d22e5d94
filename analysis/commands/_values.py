"""Options' values, however people write them: whole numbers, times, shares."""

from __future__ import annotations

import re

from jitcost.errors import BadCallError

__all__ = ["seconds", "share", "whole_number"]

_UNITS = {"s": 1, "m": 60, "h": 3600}


def whole_number(text: str, what: str = "n") -> int:
    """Return an option's value as a number of at least 1, however people write it.

    >>> [whole_number(text) for text in ("1000", "1e3", "1_000", "1,000", "10**3")]
    [1000, 1000, 1000, 1000, 1000]

    Parameters
    ----------
    text : str
    what : str
        What the number is, for the message.

    Raises
    ------
    BadCallError
        If it is no whole number of at least 1.
    """
    from jitcost.store.parameters import parse_size

    plain = text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", text) else text
    number = float(plain) if plain.isdecimal() else parse_size(plain)
    if number is None or not number.is_integer():
        said = f"{what} = {text!r} is not a whole number; give one of at least 1, like 1000 or 1e3"
        raise BadCallError(said)
    if number < 1:
        raise BadCallError(f"{what} = {text} is too small; give a whole number of at least 1")
    return int(plain) if plain.isdecimal() else int(number)


def seconds(text: str, option: str) -> float:
    """Return an option's value in seconds, written like 90, 90s, 10m or 2h.

    >>> [seconds(text, "--time") for text in ("90", "90s", "1.5m", "2h")]
    [90.0, 90.0, 90.0, 7200.0]
    """
    plain = text[:-1] if text[-1:] in _UNITS else text
    number = _number(plain) * _UNITS.get(text[-1:], 1)
    if not 0 < number < 1e6:
        raise BadCallError(f"{option} {text}: give a time, such as 60, 90s, 10m or 2h")
    return number


def share(text: str, option: str) -> float:
    """Return an option's value as a share, written like 5% or 0.05.

    >>> share("5%", "--threshold"), share("0.05", "--threshold")
    (0.05, 0.05)
    """
    number = _number(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= number < 1:
        raise BadCallError(f"{option} {text}: give a share from 0% to below 100%, like 5% or 0.05")
    return number


def _number(text: str) -> float:
    """Return a number; a negative one, which no option takes, where it is none."""
    try:
        return float(text)
    except ValueError:
        return -1.0
