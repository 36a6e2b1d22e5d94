"""What a machine's times differ by when nothing has changed: a check of an unchanged pair, kept.

Beside the results, in files that no reader of results looks at: a verdict of a gate is none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.store import finding
from jitcost.store.heads import head
from jitcost.store.json_files import BROKEN, read_json
from jitcost.store.selecting import require_machine

__all__ = ["NOISE", "Compared", "keep_noise", "place", "read_noise"]

# Of the kept results, the folder of what is kept of noise. A machine may have this name, too.
NOISE = "noise"

# Of JSON; but in each folder asv takes a .json for results, and a machine.json for a machine.
_ENDING = ".check"


@dataclass(frozen=True)
class Compared:
    """A cell of which a check has times of both sides.

    Attributes
    ----------
    benchmark : str
    workload : str or None
    params : dict
        Its options, by name.
    backend : str or None
    n : float or None
    ratio : float
        Later / earlier.
    verdict : str
    processes : int
        Of each side.
    """

    benchmark: str
    workload: str | None
    params: dict[str, str]
    backend: str | None
    n: float | None
    ratio: float
    verdict: str
    processes: int


_NOTHING = type(None)
_TYPES: dict[str, tuple[type, ...]] = {
    "benchmark": (str,),
    "workload": (str, _NOTHING),
    "params": (dict,),
    "backend": (str, _NOTHING),
    "n": (int, float, _NOTHING),
    "ratio": (int, float),
    "verdict": (str,),
    "processes": (int,),
}


def place(history: Path, machine: str) -> Path:
    """Return where a machine's noise is kept.

    Parameters
    ----------
    history : Path
        The kept results.
    machine : str
    """
    return history / NOISE / f"{machine}{_ENDING}"


def read_noise(history: Path, machine: str) -> Sequence[Compared]:
    """Return the cells of what is kept of a machine's noise; none where nothing is kept.

    Raises
    ------
    BadCallError
        If what is kept is none.
    """
    path = place(history, machine)
    return _checked(path)[1] if path.is_file() else ()


def keep_noise(check: Path, history: Path, machine: str | None = None) -> Path:
    """Keep what `jitcost check --json` has printed of a pair in which nothing differs.

    Parameters
    ----------
    check : Path
        The file that it was printed into.
    history : Path
        The kept results.
    machine : str, optional
        Where it was measured, one that results are kept of; by default the only one.

    Returns
    -------
    Path
        Where it is kept; what was kept of this machine before is replaced.

    Raises
    ------
    BadCallError
        If the file is none of these, its two sides had different versions of anything, or nobody
        waited for its end; if it is not clear of which machine it is.
    """
    content, _ = _checked(check)
    to = place(history, _machine(history, machine))
    to.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(to, json.dumps(content, separators=(",", ":")) + "\n")
    return to


def _checked(check: Path) -> tuple[object, list[Compared]]:
    """Return the answer of a gate about an unchanged pair, and the cells that it has compared."""
    try:
        content = read_json(check)
    except BROKEN as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadCallError(f"{check} cannot be read: {why}") from None
    try:
        sides = [dict(content[side]["versions"]) for side in ("earlier", "later")]
        cells = [_compared(cell) for cell in content["cells"] if cell["ratio"] is not None]
        finished = bool(content["finished"])
    except BROKEN:
        raise BadCallError(
            f"{check} is no answer of a gate; make one with `jitcost check --json`"
        ) from None
    names = sides[0].keys() | sides[1].keys()
    differing = sorted(name for name in names if sides[0].get(name) != sides[1].get(name))
    if differing:
        raise BadCallError(
            f"the sides of {check} differ in {', '.join(differing)}; noise is of an unchanged pair"
        )
    if not (cells and finished):
        raise BadCallError(f"{check} was interrupted, or compared nothing; let a check finish")
    return content, cells


def _compared(cell: dict[str, Any]) -> Compared:
    """Return a cell; who reads it can rely on it as on an answer that was not written down."""
    for name, kinds in _TYPES.items():
        if not isinstance(cell[name], kinds):
            raise TypeError(f"no {name}: {cell[name]}")
    found = Compared(**{name: cell[name] for name in _TYPES})
    if not (0 < found.ratio < math.inf and math.isfinite(found.n or 0)):
        raise ValueError(f"no ratio, or no size: {found.ratio}, {found.n}")
    return found


def _machine(history: Path, machine: str | None) -> str:
    known = set()
    for path in finding.paths(history):
        try:
            known.add(head(path).machine)
        except (*BROKEN, BadCallError):
            continue
    if not known:
        raise BadCallError(f"no results in {history}; keep those of the machine first")
    if machine is None and len(known) > 1:
        names = ", ".join(sorted(known))
        raise BadCallError(f"say where it was measured with --machine; there are {names}")
    if machine is None:
        return known.pop()
    require_machine(machine, known)
    return machine
