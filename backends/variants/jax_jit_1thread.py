"""jit on one thread: XLA divides no loop among threads."""

from __future__ import annotations

import os

# XLA's pool has as many threads as this says when it is made; xla_cpu_multi_thread_eigen=false does
# not keep it from dividing loops.
os.environ["NPROC"] = "1"

from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, threads_used
from jitcost.backends.variants.jax_jit_sync import (
    details,
    fresh_kernel,
    is_ready,
    make_call,
    to_native,
    to_numpy,
)

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def verify_effect(workload: str) -> None:  # noqa: ARG001
    call = make_call(fresh_kernel("elementwise"), inputs("elementwise", 1_000_000, to_native))
    if (used := threads_used(call)) > 1:
        raise NoEffectError(f"jax_jit_1thread runs on {used} threads")
