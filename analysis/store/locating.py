"""Where the results are that nobody has named: asv's configuration, here or above, says it."""

from __future__ import annotations

from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.store.asv_files import BROKEN

__all__ = ["default_folder"]

_NAMES = ("asv.conf.json", "asv.conf.jsonc")  # as asv looks for it


def default_folder() -> Path:
    """Return the results folder that the nearest asv.conf.json names, here or in a parent folder.

    Raises
    ------
    BadCallError
        If there is no such file, or it cannot be read.
    """
    import json5  # asv's own reader of it; nobody who names a folder waits for it

    here = Path.cwd()
    for folder in (here, *here.parents):
        for conf in filter(Path.is_file, map(folder.joinpath, _NAMES)):
            try:
                named: str = json5.loads(conf.read_text(encoding="utf-8")).get(
                    "results_dir", "results"
                )
                return folder / named
            except BROKEN as error:
                said = " ".join(str(error).split())
                raise BadCallError(
                    f"{conf} cannot be read ({said}); say which results with --results DIR"
                ) from None
    raise BadCallError("no asv.conf.json here or above; say which results with --results DIR")
