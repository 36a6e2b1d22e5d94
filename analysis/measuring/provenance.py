"""With what is measured: what was really imported, recorded beside the results."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

from asv import environment
from asv.config import Config

from jitcost.files import write_atomically
from jitcost.measuring.asv import Asv

__all__ = ["describe", "record"]

# What is imported, by the package of whichever commit is installed: an older one has another name.
_DESCRIBE = """
import importlib.util, runpy
name = "jitcost.backends" if importlib.util.find_spec("jitcost") else "backends"
runpy.run_module(name, run_name="__main__")
"""


def describe(asv: Asv) -> dict[str, Any]:
    """Ask the environment what each backend imports in it."""
    with contextlib.chdir(asv.conf_file.parent):
        (env,) = environment.get_environments(Config.load(str(asv.conf_file)), None)
    with (
        tempfile.TemporaryDirectory() as elsewhere
    ):  # not the checkout: its backends would be taken
        described: dict[str, Any] = json.loads(
            env.run(["-c", _DESCRIBE], cwd=elsewhere, timeout=300, dots=False)
        )
    return described


def record(described: dict[str, Any], fresh: Path) -> None:
    """Put what was imported beside each result file; asv would take a .json for results."""
    for path in fresh.glob("*/*-*.json"):
        write_atomically(path.with_suffix(".provenance"), json.dumps(described, indent=1))
