"""What a search for a change has found so far, in a file: after an interrupt it goes on there."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jitcost.files import write_atomically
from jitcost.measuring.checking import Wanted
from jitcost.measuring.sides import Place, Side
from jitcost.measuring.suite import AsvSuite

__all__ = ["Found", "Step", "file_of", "keep", "read"]


@dataclass
class Step:
    """What was measured of one release or commit.

    Attributes
    ----------
    name : str
    earlier, later : list of float
        Each process's number, seconds per call: of the earlier end, and of this one.
    reason : str or None
        Why it could not be measured.
    """

    name: str
    earlier: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    reason: str | None = None


@dataclass
class Found:
    """What a bisection has found so far; kept in a file.

    Attributes
    ----------
    cell : Place or None
        The one that has changed most between the ends.
    ends : Step or None
        The later end against the earlier one.
    steps : dict of str to Step
        By name, in the order in which they were measured.
    neighbours : dict of str to Step
        The one after the change against the one before it, by the latter's name.
    """

    cell: Place | None = None
    ends: Step | None = None
    steps: dict[str, Step] = field(default_factory=dict)
    neighbours: dict[str, Step] = field(default_factory=dict)


def file_of(suite: AsvSuite, sides: Sequence[Side], wanted: Wanted) -> Path:
    """Return where a search is kept: another one measures something else, or elsewhere."""
    what = [[(side.commit, dict(side.requirements or {})) for side in sides], suite.commit]
    where = [suite.settings, sys.version, platform.node()]
    cells = [wanted.benchmark, repr(wanted.selection)]
    key = hashlib.sha256(json.dumps([what, where, cells]).encode()).hexdigest()[:12]
    return suite.work / f"bisect-{key}.json"


def keep(file: Path, found: Found) -> None:
    """Keep what has been found."""
    write_atomically(file, json.dumps(asdict(found), indent=1))


def read(file: Path) -> Found:
    """Return what an interrupted search has found; nothing where there was none."""
    try:
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        cell = kept["cell"]
        return Found(
            None if cell is None else (cell[0], tuple(cell[1])),
            kept["ends"] and Step(**kept["ends"]),
            {name: Step(**step) for name, step in kept["steps"].items()},
            {name: Step(**step) for name, step in kept["neighbours"].items()},
        )
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
    ):  # none, or of another version of this project
        return Found()
