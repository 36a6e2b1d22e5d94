"""The content of a JSON file, compressed or not, as strictly as others' files have to be taken."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from pathlib import Path
from typing import Any

__all__ = ["BROKEN", "COMPRESSED", "compressed", "existing", "parsed", "read_bytes", "read_json"]

# What a file raises that is cut short, lacks a key or holds something of another type.
BROKEN = (
    *(OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError),
    *(OverflowError, RecursionError),
)

COMPRESSED = ".gz"

# JSON can spell half a pair of UTF-16, and UTF-8 cannot: such a text is neither stored nor printed.
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
_SPELLED = re.compile(r"\\u[dD][89a-fA-F]")


def compressed(path: Path) -> Path:
    """Return where a file's compressed form is."""
    return path.with_name(path.name + COMPRESSED)


def existing(path: Path) -> Path:
    """Return the path, or its compressed form where only that exists."""
    packed = compressed(path)
    return packed if packed.is_file() and not path.exists() else path


def read_bytes(path: Path) -> bytes:
    """Return a file's content, decompressed.

    Raises
    ------
    OSError, EOFError, zlib.error
        If it cannot be read.
    """
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == COMPRESSED else data


def read_json(path: Path) -> Any:
    """Return what a JSON file holds.

    Raises
    ------
    Exception
        One of `BROKEN`, if it cannot be read or is no JSON.
    """
    data = read_bytes(path)
    return parsed(data.decode(json.detect_encoding(data)))


def parsed(text: str) -> Any:
    """Return what a JSON text holds; of half a pair of UTF-16, U+FFFD is what is left.

    Raises
    ------
    ValueError, RecursionError
        If it is no JSON, or nested too deeply.
    """
    content = json.loads(text)
    return _storable(content) if _SPELLED.search(text) else content


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {_storable(key): _storable(one) for key, one in value.items()}
    return value
