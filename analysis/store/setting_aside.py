"""What is replaced is set aside, under a number of its own: nothing that was kept is lost."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Collection
from pathlib import Path

from jitcost.files import replacing
from jitcost.store import finding
from jitcost.store.belongings import belongings
from jitcost.store.json_files import COMPRESSED

__all__ = ["copy", "set_aside"]

# Of what has one number together: a result file, and what belongs to it.
_TOGETHER = (
    *finding.ENDINGS,
    *(finding.LINES, finding.LINES + COMPRESSED),
    *(finding.PROVENANCE, finding.PROVENANCE + COMPRESSED),
)


def set_aside(path: Path, to: Path) -> Path:
    """Copy a file, and of a result file what belongs to it; what was copied there stays.

    Parameters
    ----------
    path : Path
    to : Path
        Where to, but for a number. A result file's copy has it before the ending, and is read as one
        again; that of any other file has it at the end, and nobody takes it for results.

    Returns
    -------
    Path
        Of the copy.
    """
    to.parent.mkdir(parents=True, exist_ok=True)
    name = finding.stem(to)
    if name is None:
        numbered = _numbered(to, ("",))
        copy(path, numbered)
        return numbered
    numbered = _numbered(to.with_name(name), _TOGETHER)
    aside = numbered.with_name(numbered.name + to.name.removeprefix(name))
    # The file comes last: where it is, all that belongs to it is, too.
    for belonging, ending in belongings(path):
        copy(belonging, numbered.with_name(numbered.name + ending))
    copy(path, aside)
    return aside


def _numbered(path: Path, endings: Collection[str]) -> Path:
    """Return the path with the first number that is free before each of the endings."""
    numbers = (path.with_name(f"{path.name}.{number}") for number in itertools.count(1))
    return next(
        one for one in numbers if not any(one.with_name(one.name + end).exists() for end in endings)
    )


def copy(path: Path, to: Path) -> None:
    """Copy a file; a reader finds all of it or what was there."""
    with replacing(to) as fresh:
        shutil.copyfile(path, fresh)
