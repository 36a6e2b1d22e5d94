"""`python -m jitcost.backends`: what is installed here, and what each backend really imports, as JSON.

Each backend is started in a process of its own: Julia's runtime, Numba's LLVM and XLA do not always
get on, and one that crashes must not take the report with it.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from jitcost import backends

# Settings that change timings; recorded where they are set.
_SETTINGS = (
    "JAX_",
    "XLA_",
    "NUMBA_",
    "JULIA_",
    "PYTHON_JULIA",
    "OPENBLAS_",
    "OMP_",
    "MKL_",
    "NPROC",
)


def describe_backend(name: str) -> dict[str, Any]:
    """Return whether a backend is available in this process, with its details or the reason."""
    try:
        return {"available": True, **backends.load(name).details()}
    except backends.BackendUnavailable as error:
        return {"available": False, "reason": str(error)}


def _describe_in_new_process(name: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "jitcost.backends", name]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        description: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        reason = f"{name}: its process ended with status {done.returncode}: {last}"
        description = {"available": False, "reason": reason}
    return description


def _cpu() -> dict[str, Any]:
    fields: dict[str, str] = {}
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            key, _, value = line.partition(":")
            fields.setdefault(key.strip(), value.strip())
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "model": fields.get("model name", platform.processor()),
        "usable": usable,
        "flags": fields.get("flags", fields.get("Features", "")),
        "caches": _caches(),
    }


def _caches(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> dict[str, int]:
    """Return the bytes of the first core's data caches, by name: L1d, L2, L3."""
    found = {}
    for index in sorted(folder.glob("index*")):
        try:
            level, kind, size = (
                (index / name).read_text().strip() for name in ("level", "type", "size")
            )
        except OSError:  # virtual machines may leave some out
            continue
        if kind != "Instruction" and size.endswith("K"):
            found[f"L{level}{'d' if kind == 'Data' else ''}"] = 1024 * int(size[:-1])
    return found


def describe(found: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what a reader of results should know of the place where they were measured.

    Parameters
    ----------
    found : dict, optional
        What is known of each backend; by default all are started to find out.
    """
    if found is None:
        found = {name: _describe_in_new_process(name) for name in backends.names()}
    return {
        "python": sys.version,
        "platform": platform.platform(),
        "cpu": _cpu(),
        "settings": {k: v for k, v in sorted(os.environ.items()) if k.startswith(_SETTINGS)},
        "backends": found,
        "distributions": {
            d.metadata["Name"]: d.version
            for d in sorted(importlib.metadata.distributions(), key=lambda d: d.metadata["Name"])
        },
    }


if __name__ == "__main__":
    print(json.dumps(describe_backend(sys.argv[1]) if sys.argv[1:] else describe()))
