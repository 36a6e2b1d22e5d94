"""Files that are written whole: a reader, or an interrupt, finds the old one or the new one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["replacing", "write_atomically"]


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a file to write that takes the path's place when it is complete, and is gone if not."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_atomically(path: Path, content: str) -> None:
    """Write a text file whole."""
    with replacing(path) as temporary:
        temporary.write_text(content, encoding="utf-8")
