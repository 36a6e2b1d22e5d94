"""Which files hold results: below a results folder, in a machine's, or the one that was named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.store.json_files import COMPRESSED, existing
from jitcost.store.versions import version_key

__all__ = [
    "ENDINGS",
    "LINES",
    "PROVENANCE",
    "beside",
    "owner",
    "paths",
    "plain",
    "results_folder",
    "stem",
    "upcoming",
]

# A result file's; asv reads no compressed ones.
ENDINGS = (".json", f".json{COMPRESSED}")

# What belongs to a result file has its name and one of these, compressed or not. asv would take a .json
# for results.
LINES, PROVENANCE = ".processes", ".provenance"

_NOT_RESULTS = ("machine", "benchmarks")


def stem(path: Path) -> str | None:
    """Return a result file's name without its ending; None for a file that is none."""
    for ending in ENDINGS:
        name = path.name.removesuffix(ending)
        if name != path.name:
            return None if name in _NOT_RESULTS else name
    return None


def paths(where: Path) -> Iterator[Path]:
    """Yield the result files by commit and environment; asv, too, looks at every depth.

    Parameters
    ----------
    where : Path
        What asv calls `results_dir`, a machine's folder in it, or one result file; or a link to one.
    """
    if where.is_file():
        yield where.resolve()  # what belongs to a file is beside it, and not beside a link
        return
    for root, folders, names in os.walk(where):
        folders.sort()
        files = [path for name in names if stem(path := Path(root, name)) is not None]
        yield from sorted(files, key=_place)


def _place(path: Path) -> tuple[Any, ...]:
    """Return what a file is sorted by: its commit's hash, then its environment and its versions."""
    commit, _, environment = (stem(path) or path.stem).partition("-")
    return commit, version_key(environment), path.name


def plain(path: Path, ending: str) -> Path:
    """Return where what belongs to a result file is written; it is never compressed."""
    return path.with_name(f"{stem(path) or path.stem}{ending}")


def beside(path: Path, ending: str) -> Path:
    """Return where what belongs to a result file is read; compressed if only that exists."""
    return existing(plain(path, ending))


def upcoming(path: Path) -> Path:
    """Return where lines stand while they and the result file are written."""
    return path.with_name(f"{path.name}{LINES}")


def owner(path: Path) -> str | None:
    """Return the name, without its ending, of the result file that a file belongs to; None: to none.

    >>> [owner(Path(name)) for name in ("x.processes.gz", "x.json.processes", "x.json")]
    ['x', 'x', None]
    """
    whole = path.name.removesuffix(COMPRESSED)
    for ending in (LINES, PROVENANCE):
        if (name := whole.removesuffix(ending)) != whole:
            return stem(Path(name)) or name
    return None


def results_folder(where: Path) -> Path:
    """Return what asv calls `results_dir`: above the folder of a machine, or of a file, that is named.

    Raises
    ------
    BadCallError
        If nothing is there, or a file of something else.
    """
    if where.is_file():
        where = where.resolve()
        if stem(where) is None:
            raise BadCallError(
                f"{where} is no result file; name a folder, or {' or '.join(ENDINGS)}"
            )
        return _above(where.parent)
    if not where.is_dir():
        raise BadCallError(f"no results folder {where}; make one with `make bench`")
    return _above(where) if existing(where / "machine.json").is_file() else where


def _above(folder: Path) -> Path:
    """Return the folder above, of a machine's that is no results folder itself."""
    if existing(folder / "benchmarks.json").is_file():
        return folder
    return folder.resolve().parent
