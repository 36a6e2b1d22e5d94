"""lax.scan operation by operation, however small its state: XLA makes no kernel of a loop."""

from __future__ import annotations

from jitcost.backends.jax_jit import details, fresh_kernel, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError, _scan

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

_scan.set_threshold(0)


def verify_effect(workload: str) -> None:  # noqa: ARG001
    # By itself XLA makes one kernel of the recursion's loop, whose step reads and writes two numbers.
    if _scan.is_hoisted("recursion", 10):
        raise NoEffectError("jax_scan_by_operation makes one kernel of the recursion's loop")
