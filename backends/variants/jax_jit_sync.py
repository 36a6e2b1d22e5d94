"""jit whose calls return when the result is ready: nothing is handed to another thread."""

from __future__ import annotations

import jax

from jitcost.backends.jax_jit import details, fresh_kernel, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

# The environment variable of this name does nothing; this does, until the first computation.
jax.config.update("jax_cpu_enable_async_dispatch", False)


def verify_effect(workload: str) -> None:  # noqa: ARG001
    kernel, native = fresh_kernel("elementwise"), inputs("elementwise", 1_000_000, to_native)
    make_call(kernel, native)()
    if not all(is_ready(kernel(*native)) for _ in range(10)):  # each takes a millisecond or ten
        raise NoEffectError("jax_jit_sync returns before the result is ready")
