"""One measurement at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from jitcost.errors import BadCallError

__all__ = ["alone"]


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the folder: a second run beside this one would disturb its times, and its files."""
    try:
        held = FileLock(path).acquire(timeout=0)
    except Timeout:
        raise BadCallError("another measurement is at work here; wait for its end") from None
    with held:
        yield
