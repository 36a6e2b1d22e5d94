"""What asv knows of benchmarks: the benchmarks.json near result files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitcost.store.json_files import BROKEN, existing, read_json
from jitcost.store.remarks import Remarks, warn

__all__ = ["NearBenchmarks", "load_benchmarks"]


def load_benchmarks(path: Path, warn: Callable[[Path, Exception], None] = warn) -> dict[str, Any]:
    """Return what a benchmarks.json says of each benchmark; {} where there is none to read.

    It describes the commit that asv looked at last, which need not be the one of a result.

    Parameters
    ----------
    path : Path
    warn : callable
        Says that it is broken.
    """
    try:
        content = read_json(existing(path))
        return {name: about for name, about in content.items() if isinstance(about, dict)}
    except FileNotFoundError:
        return {}
    except BROKEN as error:
        warn(path, error)
        return {}


class NearBenchmarks:
    """The benchmarks.json nearest to each file, up to the folder: it may hold several results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.near_folder: dict[Path, dict[str, Any]] = {}

    def near(self, path: Path, remarks: Remarks) -> dict[str, Any]:
        """Return what is known of the benchmarks of a result file; a broken one is a remark."""
        here = path.parent
        if here not in self.near_folder:
            self.near_folder[here] = self._of(here.resolve(), remarks)
        return self.near_folder[here]

    def _of(self, here: Path, remarks: Remarks) -> dict[str, Any]:
        if here not in self.near_folder:
            known = load_benchmarks(here / "benchmarks.json", remarks.file)
            if not known and here not in (self.folder, here.parent):
                known = self._of(here.parent, remarks)
            self.near_folder[here] = known
        return self.near_folder[here]
