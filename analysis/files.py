"""Files that are written whole: a reader, or an interrupt, finds the old one or the new one."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

__all__ = ["replacing", "replacing_folder", "write_atomically"]


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a file to write that takes the path's place when it is complete, and is gone if not."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Give a folder to fill that takes the path's place when it is complete, and is gone if not."""
    fresh, old = (path.with_name(f".{path.name}.{os.getpid()}.{end}") for end in ("tmp", "old"))
    fresh.mkdir()
    try:
        yield fresh
        if path.exists():
            path.rename(old)  # a folder cannot be renamed onto one that holds something
        fresh.rename(path)
    except BaseException:
        if old.exists() and not path.exists():
            old.rename(path)
        raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def write_atomically(path: Path, content: str) -> None:
    """Write a text file whole."""
    with replacing(path) as temporary:
        temporary.write_text(content, encoding="utf-8")
