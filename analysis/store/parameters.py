"""What an asv parameter's text stands for: asv stores `repr(value)`, and nothing here evaluates it."""

from __future__ import annotations

import ast
import json
import math
import re
from typing import Any

__all__ = ["Texts", "parameter_names", "parse_size", "take", "unquote"]

Texts = dict[str, str]  # a cell's parameters, by name

# 10, -2.5, 1e3, 1_000, 10**3, 2 * 10**6, and NumPy's scalars since 2.0: np.int64(1000)
_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_LITERAL = rf"(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:e[+-]?{_DIGITS})?"
_POWER = rf"{_LITERAL}(?:\s*\*\*\s*[+-]?{_LITERAL})?"
_TIMES = re.compile(r"(?<!\*)\*(?!\*)")
_NUMBER = re.compile(
    r"(?:(?:np|numpy)\.(?:u?int|float)\d*\()?"
    rf"(?P<number>(?P<sign>[+-]?)(?P<product>{_POWER}(?:\s*\*\s*{_POWER})*))"
    r"(?P<closed>\))?",
    re.IGNORECASE,
)

# One string literal with the escapes that repr writes, and no others; u'…' is Python 2's, and
# np.str_('…') NumPy's.
_ESCAPE = r"\\(?:[\\'\"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})"
_LITERAL = rf"u?(?:'(?:[^'\\\n]|{_ESCAPE})*'|\"(?:[^\"\\\n]|{_ESCAPE})*\")"
_STRING = re.compile(rf"(?P<bare>{_LITERAL})|(?:np|numpy)\.str_\((?P<wrapped>{_LITERAL})\)")


def parse_size(text: str) -> float | None:
    """Return the number that a parameter's text stands for, or None where it is no finite number.

    Literals are read, and products and powers of literals, as people write sizes.

    >>> [parse_size(text) for text in ("10", "1e3", "np.int64(1000)", "'10'", "(3, 100)", "inf")]
    [10.0, 1000.0, 1000.0, None, None, None]
    >>> [parse_size(text) for text in ("1_000", "10**3", "2 * 10**3", "-2**2", "10**400", "1 + 1")]
    [1000.0, 1000.0, 2000.0, -4.0, None, None]
    """
    match = _NUMBER.fullmatch(text)
    if match is None or (match["closed"] is None) != (match.start("number") == 0):
        return None
    number = -1.0 if match["sign"] == "-" else 1.0
    try:
        for factor in _TIMES.split(match["product"]):
            base, _, exponent = factor.partition("**")
            number *= float(base) ** float(exponent or 1)
    except ArithmeticError:  # too large, or zero to a negative power
        return None
    return number if math.isfinite(number) else None


def unquote(text: str) -> str:
    r"""Return the string that a quoted text stands for; any other text as it is.

    >>> unquote("'numpy'"), unquote('"it\'s"'), unquote("<class 'float'>"), unquote("'a' (0)")
    ('numpy', "it's", "<class 'float'>", "'a' (0)")
    """
    match = _STRING.fullmatch(text)
    if match is None:
        return text
    try:
        # A string literal: there is nothing to evaluate.
        return str(ast.literal_eval(match["bare"] or match["wrapped"]))
    except (ValueError, SyntaxError):  # \U with a number that is no character
        return text


def parameter_names(params: list[list[str]], names: Any) -> list[str]:
    """Return the names of a result's parameters.

    Parameters
    ----------
    params : list of list of str
        The texts of each parameter.
    names : Any
        What benchmarks.json calls them. Results themselves hold no names, and that file may be
        another commit's: it is believed only where the number of parameters is right.
    """
    if isinstance(names, list) and len(set(map(str, names))) == len(names) == len(params):
        return list(map(str, names))
    if len(params) == 2 and all(params):  # as in this suite: whole numbers, then strings
        sizes, backends = params
        if all(map(_is_whole, sizes)) and all(map(_STRING.fullmatch, backends)):
            return ["n", "backend"]
    return [f"param{number}" for number in range(1, len(params) + 1)]  # as asv calls them


def _is_whole(text: str) -> bool:
    size = parse_size(text)
    return size is not None and size.is_integer()


def take(
    texts: Texts, size: str = "n", backend: str = "backend"
) -> tuple[str | None, str, float | None]:
    """Take the size and the backend out of a cell's parameters.

    A size that is no number stays: cells of other sizes would be told apart by nothing else.

    Parameters
    ----------
    texts : dict of str to str
        The parameters by name; used up.
    size, backend : str
        Their names.

    Returns
    -------
    tuple
        The backend or None, the other parameters as a JSON object, and n or None.
    """
    n = parse_size(texts[size]) if size in texts else None
    if n is not None:
        del texts[size]
    name = texts.pop(backend, None)
    return None if name is None else unquote(name), json.dumps(texts), n
