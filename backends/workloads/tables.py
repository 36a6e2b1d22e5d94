"""The workloads by name, and what else has a spec."""

from __future__ import annotations

from jitcost.backends.registry import UnknownNameError
from jitcost.backends.workloads.spec import Workload

__all__ = ["PROTOCOLS", "STAND_INS", "WORKLOADS", "add", "get", "known"]

WORKLOADS: dict[str, Workload] = {}

# The kernels of a workload, timed in another way (`Workload.times` says of which). They are no
# workloads: what they measure is not a call in steady state.
PROTOCOLS: dict[str, Workload] = {}

# What variants compute in the place of a workload: bounds of its time, itself on other inputs, its
# parts. They are no workloads, and in no table.
STAND_INS: dict[str, Workload] = {}


def add(workload: Workload) -> None:
    """Make a workload known."""
    WORKLOADS[workload.name] = workload


def get(name: str) -> Workload:
    """Return the spec of a workload, a protocol or a stand-in, or raise `UnknownNameError`."""
    for table in (WORKLOADS, PROTOCOLS, STAND_INS):
        if name in table:
            return table[name]
    raise UnknownNameError(f"no workload {name!r}; there are {', '.join(WORKLOADS)}")


def known(name: str | None) -> Workload | None:
    """Return a workload's spec; None for what is no workload of this project's.

    >>> from jitcost.backends import workloads
    >>> workloads.known("dispatch") is workloads.known(None) is None
    True
    """
    return WORKLOADS.get(name or "")
