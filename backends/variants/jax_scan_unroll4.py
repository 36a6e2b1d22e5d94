"""lax.scan with 4 steps in its body."""

from __future__ import annotations

from jitcost.backends import Kernel
from jitcost.backends.jax_jit import details, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import _scan

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def fresh_kernel(workload: str) -> Kernel:
    return _scan.unrolled(workload, 4)


def verify_effect(workload: str) -> None:
    _scan.refuse_rolled(workload, fresh_kernel(workload), 4)
