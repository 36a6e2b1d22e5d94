"""What is replaced is set aside, under a number of its own: nothing that was kept is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

from jitcost.files import replacing
from jitcost.store import finding, records
from jitcost.store.json_files import COMPRESSED

__all__ = ["copy", "set_aside"]


def set_aside(path: Path, to: Path) -> Path:
    """Copy a file, and of a result file the lines of its processes; what was copied there stays.

    Parameters
    ----------
    path : Path
    to : Path
        Where to; the copy has a number before its ending, the next one that is free.

    Returns
    -------
    Path
        Of the copy.
    """
    to.parent.mkdir(parents=True, exist_ok=True)
    name = finding.stem(to) or to.stem
    ending = to.name.removeprefix(name)
    number = 1
    while (numbered := to.with_name(f"{name}.{number}{ending}")).exists():
        number += 1
    # The file comes last: a copy that was begun and not completed has not taken its number.
    if finding.stem(path) is not None and (lines := records.beside(path)).is_file():
        compressed = COMPRESSED if lines.suffix == COMPRESSED else ""
        copy(lines, to.with_name(f"{name}.{number}.processes{compressed}"))
    copy(path, numbered)
    return numbered


def copy(path: Path, to: Path) -> None:
    """Copy a file; a reader finds all of it or what was there."""
    with replacing(to) as fresh:
        shutil.copyfile(path, fresh)
