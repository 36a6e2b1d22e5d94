"""Which files the functions of a problem come from: the person's own, and what it has imported."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from jitcost import backends, benchmarks
from jitcost.own.jobs import Source

__all__ = ["OURS", "digest", "imported"]

# Where this package is: links lead to two of its parts.
OURS = tuple(
    folder.resolve()
    for folder in (
        Path(__file__).parents[1],
        *map(Path, (*backends.__path__, *benchmarks.__path__)),
    )
)


def imported(source: Source) -> dict[str, str]:
    """Return the files that a problem's functions come from, each with the hash of its text.

    The person's file comes first. Of what it has imported up to now, by way of others too, those in
    its folder count, and of a commit's file those in the commit's tree and in today's. What an
    environment or this package has is none of them.
    """
    own = Path(source.path).resolve()
    there = own.parent, *map(Path, source.roots), *filter(None, [_path(source.instead_of)])
    folders = {folder.resolve() for folder in there}
    found = sorted(
        file
        for file in set(_loaded())
        if any(file.is_relative_to(folder) for folder in folders) and _is_theirs(file, folders)
    )
    files = dict.fromkeys([own, *filter(None, [_path(source.julia)]), *found])
    return {str(file): digest(file.read_bytes()) for file in files if file.is_file()}


def digest(text: bytes) -> str:
    """Return the hash that tells one text of a file from another."""
    return hashlib.sha1(text, usedforsecurity=False).hexdigest()


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name).resolve()


def _loaded() -> Iterator[Path]:
    # By their dictionaries: asking a module for what it has not may run code of its own.
    for module in list(sys.modules.values()):
        file = getattr(module, "__dict__", {}).get("__file__")
        if isinstance(file, str):
            yield Path(file).resolve()


def _is_theirs(file: Path, folders: set[Path]) -> bool:
    prefixes = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)} - folders
    return "site-packages" not in file.parts and not any(
        map(file.is_relative_to, (*prefixes, *OURS))
    )
