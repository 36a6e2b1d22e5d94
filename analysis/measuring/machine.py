"""The machine that is measured on: its name, and what asv knows of it."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Any

from asv.machine import Machine, MachineCollection

from jitcost.errors import BadCallError

__all__ = ["introduce", "machine_name"]


def machine_name(given: str | None) -> str:
    """Return the name to keep results under: the host's unless a person has given one."""
    platforms = os.environ.get("JAX_PLATFORMS", "cpu")
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
        known = json.loads(file.read_text()) if file.is_file() else {}
    except ValueError:
        raise BadCallError(f"{file} is broken; mend it, or delete it and tell asv anew") from None
    return known if isinstance(known, dict) else {}
