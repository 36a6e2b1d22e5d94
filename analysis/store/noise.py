"""What a machine's times differ by when nothing has changed: a check of an unchanged pair, kept.

Beside the results, in a folder that no reader of results looks into: a verdict of a gate is none.
"""

from __future__ import annotations

import json
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.store import finding
from jitcost.store.heads import head
from jitcost.store.json_files import BROKEN, existing, read_json
from jitcost.store.selecting import require_machine

__all__ = ["keep_noise", "place"]


def place(history: Path, machine: str) -> Path:
    """Return where a machine's noise is kept.

    Parameters
    ----------
    history : Path
        The kept results.
    machine : str
    """
    return history / finding.NOISE / f"{machine}.json"


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
    content = _checked(check)
    to = place(history, _machine(history, machine))
    if existing(to.with_name("machine.json")).is_file():
        raise BadCallError(
            f"{to.parent} holds the results of a machine of this name, and no noise; rename it"
        )
    to.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(to, json.dumps(content, separators=(",", ":")) + "\n")
    return to


def _checked(check: Path) -> object:
    try:
        content = read_json(check)
    except BROKEN as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadCallError(f"{check} cannot be read: {why}") from None
    try:
        sides = [dict(content[side]["versions"]) for side in ("earlier", "later")]
        cells, finished = list(content["cells"]), bool(content["finished"])
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
    return content


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
