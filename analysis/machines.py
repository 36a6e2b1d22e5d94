"""What asv has to find beside the results of a machine before it publishes them: its machine.json."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis import asv_files

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
            asv_files.paths(results_folder), key=lambda path: path.parent
        )
    }
    described = {path.parent for path in results_folder.rglob("machine.json")}
    for folder in sorted(with_results.keys() | described):
        file = folder / "machine.json"
        if folder not in described:
            yield f"{file} is missing: asv publishes no results without; copy it from that machine"
        elif (name := _machine(file, lambda about: about["machine"])) is None:
            yield f"{file} is broken: asv publishes nothing at all; mend it, or copy it again"
        else:
            others = {_machine(path, _measured_on) for path in with_results.get(folder, ())}
            for other in sorted(filter(None, others - {name})):
                yield f"{file} says {name!r}, results beside it {other!r}: asv leaves those out"


def _measured_on(about: dict[str, Any]) -> Any:
    return about["params"]["machine"]


def _machine(path: Path, of: Any) -> str | None:
    """Return the machine that a file names; None if it names none."""
    try:
        name = of(json.loads(path.read_bytes()))
    except asv_files.BROKEN:
        return None
    return name if isinstance(name, str) else None
