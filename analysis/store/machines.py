"""What asv has to find beside the results of a machine before it publishes them: its machine.json."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

from jitcost.store import asv_files

__all__ = ["unpublished"]


def unpublished(results_folder: Path) -> Iterator[str]:
    """Say of each machine's folder, in a line, why asv's pages would lack its results.

    Without a machine.json, or with one of another name, asv leaves them out with a warning; of one
    that it cannot read it dies, with a traceback or without, and publishes nothing at all.

    Parameters
    ----------
    results_folder : Path
        What asv calls `results_dir`.
    """
    with_results = {
        folder: list(paths)
        for folder, paths in itertools.groupby(
            (path for path in asv_files.paths(results_folder) if path.suffix == ".json"),
            key=lambda path: path.parent,
        )
    }
    described = {path.parent for path in results_folder.rglob("machine.json")}
    for folder in sorted(with_results.keys() | described):
        file = folder / "machine.json"
        if folder not in described:
            yield f"{file} is missing: asv publishes no results without; copy it from that machine"
        elif (name := _text(file, "machine")) is None:
            yield f"{file} is broken: asv publishes nothing at all; mend it, or copy it again"
        else:
            inside = {_text(path, "params", "machine") for path in with_results.get(folder, ())}
            for other in sorted(filter(None, inside - {name})):
                yield f"{file} says {name!r}, results beside it {other!r}: asv leaves those out"


def _text(path: Path, *keys: str) -> str | None:
    """Return the text that stands in a file under these keys; None if there is none."""
    try:
        value = json.loads(path.read_bytes())
        for key in keys:
            value = value[key]
    except asv_files.BROKEN:
        return None
    return value if isinstance(value, str) else None
