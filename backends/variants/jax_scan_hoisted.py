"""lax.scan as one kernel, however large its state: XLA's threshold of 1,024 bytes raised."""

from __future__ import annotations

import jax

from jitcost.backends import BackendUnavailable
from jitcost.backends.jax_jit import details, fresh_kernel, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError, _scan

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

if jax.__version_info__ >= (0, 12):
    raise BackendUnavailable("jax_scan_hoisted: this XLA makes one kernel of every loop by itself")

_scan.set_threshold(10**9)


def verify_effect(workload: str) -> None:  # noqa: ARG001
    # A step of 1,000 chains reads and writes more than XLA would make one kernel of by itself.
    if not _scan.is_hoisted("metropolis_chains", 1_000):
        raise NoEffectError("jax_scan_hoisted runs the loop of metropolis_chains by operation")
