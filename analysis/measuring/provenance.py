"""With what is measured: what was really imported, and what else the machine and each process said."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from asv import environment
from asv.config import Config

from jitcost.files import write_atomically
from jitcost.measuring import asv_environment  # noqa: F401 (asv finds the class by its base's children)
from jitcost.measuring.asv import Asv
from jitcost.measuring.installing import Source
from jitcost.measuring.machine import state
from jitcost.store import records

__all__ = ["describe", "described_in", "record"]

# What is imported, by the package of whichever commit is installed: an older one has another name.
_DESCRIBE = """
import importlib.util, runpy
name = "jitcost.backends" if importlib.util.find_spec("jitcost") else "backends"
runpy.run_module(name, run_name="__main__")
"""

# What the installer has recorded of the distributions that are named.
_INSTALLED = """
import importlib.metadata, json, sys
found = {}
for name in sys.argv[1:]:
    its = importlib.metadata.distribution(name)
    url = json.loads(its.read_text("direct_url.json") or "null")
    found[name] = {"version": its.version, "direct_url": url}
print(json.dumps(found))
"""


def describe(asv: Asv, sources: Mapping[str, Source] | None = None) -> dict[str, Any]:
    """Ask the environment what each backend imports in it; and in which state the machine is.

    Parameters
    ----------
    asv : Asv
    sources : mapping, optional
        Where some of what is installed comes from.

    Returns
    -------
    dict
        What `python -m jitcost.backends` says, the machine's `state`, and where there are any `sources`:
        by distribution what was `said`, what pip was `given`, what it was `built_from`, the `version`
        that the environment is filed under, and as what it was `imported`.
    """
    with contextlib.chdir(asv.conf_file.parent):
        (env,) = environment.get_environments(Config.load(str(asv.conf_file)), None)

    def run(args: Sequence[str], folder: str) -> str:
        said: str = env.run([*args], cwd=folder, timeout=300, dots=False)
        return said

    described = described_in(run) | {"state": state()}
    if sources:
        with tempfile.TemporaryDirectory() as elsewhere:
            called = ["-c", _INSTALLED, *(source.name for source in sources.values())]
            installed = json.loads(run(called, elsewhere))
        described["sources"] = {
            source.name: _told(source, installed[source.name]) for source in sources.values()
        }
    return described


def described_in(run: Callable[[Sequence[str], str], str]) -> dict[str, Any]:
    """Return what each backend imports in an environment.

    Parameters
    ----------
    run : callable
        Calls its Python with arguments, in a folder; returns what it writes.
    """
    # Not in the checkout: its backends would be taken.
    with tempfile.TemporaryDirectory() as elsewhere:
        described: dict[str, Any] = json.loads(run(["-c", _DESCRIBE], elsewhere))
    return described


def _told(source: Source, imported: Any) -> dict[str, Any]:
    return {
        "said": _without_secrets(source.said),
        "given": [_without_secrets(text) for text in (source.requirement, *source.options)],
        "built_from": _without_secrets(source.built_from) or None,
        "version": source.version,
        "imported": imported,
    }


def _without_secrets(text: str) -> str:
    """Return a text without who its addresses are asked as: results are shown to others."""
    return re.sub(r"(https?://)[^/@\s]*@", r"\1", text)


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
