"""Where the results are that nobody has named: where asv or `jitcost measure` puts them."""

from __future__ import annotations

from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.store.asv_files import BROKEN

__all__ = ["default_folder"]

_NAMES = ("asv.conf.json", "asv.conf.jsonc")  # as asv looks for it

# What `jitcost measure` has measured of a person's own functions, beside their file.
_OWN = Path(".jitcost", "results")


def default_folder() -> Path:
    """Return the nearest results folder, here or in a parent folder.

    It is the one that asv.conf.json names, or `.jitcost/results`; where a folder has both, the former.

    Raises
    ------
    BadCallError
        If there is neither, or asv.conf.json cannot be read.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        for conf in filter(Path.is_file, map(folder.joinpath, _NAMES)):
            return folder / _named_in(conf)
        if (folder / _OWN).is_dir():
            return folder / _OWN
    raise BadCallError(
        f"no results here or above: neither an {_NAMES[0]}, which names asv's, nor {_OWN}, where "
        "jitcost measure keeps its own; say which results with --results DIR"
    )


def _named_in(conf: Path) -> str:
    import json5  # asv's own reader of it; nobody who names a folder waits for it

    try:
        named: str = json5.loads(conf.read_text(encoding="utf-8")).get("results_dir", "results")
        return named
    except BROKEN as error:
        said = " ".join(str(error).split())
        raise BadCallError(
            f"{conf} cannot be read ({said}); say which results with --results DIR"
        ) from None
