"""The machine that is measured on: its name, and what asv knows of it."""

from __future__ import annotations

import json
import os
import platform
import re
from pathlib import Path
from typing import Any

from asv.machine import Machine, MachineCollection

from jitcost.errors import BadCallError

__all__ = ["introduce", "machine_name", "state"]

_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
_MEMORY = Path("/proc/meminfo")


def machine_name(given: str | None) -> str:
    """Return the name to keep results under: the host's unless a person has given one."""
    platforms = os.environ.get("JAX_PLATFORMS") or "cpu"
    if platforms != "cpu" and given is None:
        raise BadCallError(
            f"JAX_PLATFORMS={platforms} is another machine than the CPU; name it: --machine NAME"
        )
    return given or platform.node()


def introduce(machine: str) -> None:
    """Describe a machine to asv that it does not know; it would ask a person otherwise."""
    if machine not in _known_machines():
        # `asv machine --yes` leaves out all but the name if that is not the host's.
        MachineCollection.save(machine, {**Machine.get_defaults(), "machine": machine})


def _known_machines() -> dict[str, Any]:
    """Return the machines that asv knows; what a person has told it about one is kept."""
    file = Path("~/.asv-machine.json").expanduser()
    try:
        known = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError:
        raise BadCallError(f"{file} is broken; mend it, or delete it and tell asv anew") from None
    return known if isinstance(known, dict) else {}


def state() -> dict[str, Any]:
    """Return what of the machine's state changes times: null where it is not known.

    `governor` (of the first core's frequency), `swap_used` in bytes, `cores` that may be used.
    """
    usable = getattr(os, "sched_getaffinity", None)
    memory = dict(re.findall(r"^(\w+): +(\d+) kB", _read(_MEMORY), re.MULTILINE))
    known = {"SwapTotal", "SwapFree"} <= memory.keys()
    return {
        "governor": _read(_GOVERNOR).strip() or None,
        "swap_used": 1024 * (int(memory["SwapTotal"]) - int(memory["SwapFree"])) if known else None,
        "cores": len(usable(0)) if usable else os.cpu_count(),
    }


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
