"""Texts with versions in them, in the order of the versions: 0.9.2 before 0.10.2."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from packaging.version import InvalidVersion, Version

__all__ = ["in_order", "parsed", "version_key"]

# A word of a text: what stands before the version, whether there is one, and which.
Word = tuple[str, bool, Version]

NONE = Version("0")


@functools.cache
def parsed(text: str) -> Version:
    """Return a version; `0` where the text is none: not pinned, or not there."""
    try:
        return Version(text)
    except InvalidVersion:
        return NONE


def version_key(text: str) -> tuple[list[Word], str]:
    """Return what a version, an environment's name or a title is sorted by: word by word.

    >>> sorted(["py3.12-jax0.10.2", "py3.9-jax0.4.38", "py3.12-jax0.9.2"], key=version_key)
    ['py3.9-jax0.4.38', 'py3.12-jax0.9.2', 'py3.12-jax0.10.2']
    """
    return [_word(word) for word in re.split(r"[-,\s]+", text)], text


def in_order(texts: Iterable[str]) -> list[str]:
    """Return texts sorted by `version_key`.

    >>> in_order(["0.12.0", "0.9.2", "0.12.0+1a2b", "0.10.2", "0.12.0.dev1"])
    ['0.9.2', '0.10.2', '0.12.0.dev1', '0.12.0', '0.12.0+1a2b']
    """
    return sorted(texts, key=version_key)


@functools.cache
def _word(word: str) -> Word:
    """Divide `jax0.10.2` into the library and its version: the longest end that is a version."""
    for start in re.finditer(r"\d+", word):
        if (found := parsed(word[start.start() :])) is not NONE:
            return word[: start.start()], True, found
    return word, False, NONE
