"""With what is measured: what was really imported, and what else the machine and each process said."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from asv import environment
from asv.config import Config

from jitcost.files import write_atomically
from jitcost.measuring.asv import Asv
from jitcost.measuring.machine import state
from jitcost.store import records

__all__ = ["describe", "described_in", "record"]

# What is imported, by the package of whichever commit is installed: an older one has another name.
_DESCRIBE = """
import importlib.util, runpy
name = "jitcost.backends" if importlib.util.find_spec("jitcost") else "backends"
runpy.run_module(name, run_name="__main__")
"""


def describe(asv: Asv) -> dict[str, Any]:
    """Ask the environment what each backend imports in it; and in which state the machine is."""
    with contextlib.chdir(asv.conf_file.parent):
        (env,) = environment.get_environments(Config.load(str(asv.conf_file)), None)

    def run(code: str, folder: str) -> str:
        said: str = env.run(["-c", code], cwd=folder, timeout=300, dots=False)
        return said

    return described_in(run) | {"state": state()}


def described_in(run: Callable[[str, str], str]) -> dict[str, Any]:
    """Return what each backend imports in an environment.

    Parameters
    ----------
    run : callable
        Runs code there, in a folder; returns what it writes.
    """
    # Not in the checkout: its backends would be taken.
    with tempfile.TemporaryDirectory() as elsewhere:
        described: dict[str, Any] = json.loads(run(_DESCRIBE, elsewhere))
    return described


def record(described: dict[str, Any], fresh: Path, processes: Path) -> None:
    """Put what was imported, and what processes told, beside the result file of a run.

    asv would take a .json for results.

    Parameters
    ----------
    described : dict
        See `describe`.
    fresh : Path
        A results folder with a file of one environment and commit.
    processes : Path
        What the processes of the last call of asv told; gone afterwards.
    """
    for path in fresh.glob("*/*-*.json"):
        write_atomically(path.with_suffix(".provenance"), json.dumps(described, indent=1))
        # asv saves after the last process has ended; what it has not saved is of no process.
        if processes.is_file() and path.stat().st_mtime_ns >= processes.stat().st_mtime_ns:
            with records.beside(path).open("a", encoding="utf-8") as file:
                file.write(processes.read_text(encoding="utf-8"))
    processes.unlink(missing_ok=True)
