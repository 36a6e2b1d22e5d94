"""What a result file is of, from its first and last bytes: a thousandth of the time of reading it.

asv writes the results after what they are of, and the format's number at the end. A file that has
another order, or is cut short, is read as a whole.
"""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.store.asv_files import BROKEN, FORMATS, Head, head_of, load
from jitcost.store.json_files import COMPRESSED, parsed, read_bytes

__all__ = ["head", "machine_of"]

# A head is a few hundred bytes; an environment of many variables makes it thousands.
_FIRST, _LAST = 1 << 14, 64

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"\s*")
_END = re.compile(rb'"version"\s*:\s*(\d{1,9})\s*\}\s*$')
_OF_RESULTS = ("results", "result_columns")
_OF_FILE = {"commit_hash", "date", "env_name", "env_vars", "params"}


def head(path: Path) -> Head:
    """Return what a result file is of.

    Raises
    ------
    BadCallError
        If its format is not known.
    Exception
        One of `BROKEN`, if the file is. What is broken between the head and the end stays unseen.
    """
    first, last = _ends(path)
    try:
        version = int(_END.search(last)[1])  # type: ignore[index]
        if version in FORMATS:
            return head_of({**_members(first), "version": version}, path)
    except BROKEN:
        pass
    return load(path)


def machine_of(path: Path) -> str:
    """Return which machine a result file is of; one that cannot be read is of the folder's."""
    try:
        return head(path).machine
    except (*BROKEN, BadCallError):
        return path.absolute().parent.name


def _ends(path: Path) -> tuple[bytes, bytes]:
    """Return a file's first and last bytes."""
    if path.suffix == COMPRESSED:
        data = read_bytes(path)
        return data[:_FIRST], data[-_LAST:]
    with path.open("rb") as file:
        first = file.read(_FIRST)
        size = file.seek(0, 2)
        file.seek(max(0, size - _LAST))
        return first, file.read()


def _members(data: bytes) -> dict[str, Any]:
    """Return the members of a JSON object before its results.

    Raises
    ------
    Exception
        One of `BROKEN`, where they do not come within these bytes.
    """
    text = codecs.getincrementaldecoder("utf-8")().decode(data)  # the last letter may be half a one
    start = end = _expect(text, 0, "{")
    while True:
        key, at = _decode(text, end if end == start else _expect(text, end, ","))
        if key in _OF_RESULTS:
            break
        _, end = _decode(text, _expect(text, at, ":"))
    members: dict[str, Any] = parsed("{" + text[start:end] + "}")
    if not members.keys() >= _OF_FILE:
        raise ValueError("the results do not come last")
    return members


def _decode(text: str, at: int) -> tuple[Any, int]:
    """Return the value that stands there, and where it ends."""
    return _DECODER.raw_decode(text, _after_space(text, at))


def _after_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _expect(text: str, at: int, sign: str) -> int:
    """Return where the text goes on after a sign."""
    at = _after_space(text, at)
    if not text.startswith(sign, at):
        raise ValueError(f"no {sign} where one should stand")
    return at + 1
