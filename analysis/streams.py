"""Standard output as it is: a pipe that closes early, and a terminal that knows few letters."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
import unicodedata

__all__ = ["as_typed", "discard_output", "readable", "tolerate_encodings"]

_HANDLER = "jitcost-readable"

# What a person reads for a letter that cannot be shown. Others lose their accents, or become a "?".
_INSTEAD = {
    "µ": "u",
    "μ": "u",
    "\N{EN DASH}": "-",
    "—": "-",
    "\N{MINUS SIGN}": "-",
    "─": "-",
    "━": "-",
    "…": "...",
    "\N{MULTIPLICATION SIGN}": "x",
    "·": "*",
    "±": "+-",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "²": "^2",
    "³": "^3",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "“": '"',
    "”": '"',
    "ß": "ss",
    "ø": "o",
    "æ": "ae",
    "ł": "l",
}


def readable(text: str) -> str:
    r"""Return a text in ASCII that reads like it.

    >>> readable("3.0 µs — n²: Müller…"), readable("日本"), readable("\udcff")
    ('3.0 us - n^2: Muller...', '??', '?')
    """
    return "".join(map(_ascii, text))


def _ascii(letter: str) -> str:
    if letter.isascii():
        return letter
    if letter in _INSTEAD:
        return _INSTEAD[letter]
    plain = "".join(filter(str.isascii, unicodedata.normalize("NFKD", letter)))
    return plain or ("" if unicodedata.combining(letter) else "?")


def tolerate_encodings() -> None:
    """Let standard output and error show something readable for what their encoding lacks."""
    codecs.register_error(_HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return readable(error.object[error.start : error.end]), error.end


def as_typed(argument: str) -> str:
    """Return an argument of the command line as it was typed.

    Where the locale's letters are ASCII's, Python has kept the bytes of all others undecoded.
    """
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument


def discard_output() -> None:
    """Let nothing more be said: Python flushes once more when it ends, into a pipe that has closed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # none, or none of a file
            os.dup2(nowhere, stream.fileno())
