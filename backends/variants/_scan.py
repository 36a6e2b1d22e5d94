"""What the variants of lax.scan share."""

from __future__ import annotations

import os

import jax

from jitcost.backends import Kernel, jax_jit
from jitcost.backends._fresh import fresh_function
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, program


def unrolled(workload: str, steps: int) -> Kernel:
    """Return a kernel whose scan has so many steps in its body."""
    function = fresh_function(getattr(jax_jit, workload))
    kernel: Kernel = jax.jit(lambda *inputs: function(*inputs, unroll=steps))
    return kernel


def refuse_rolled(workload: str, kernel: Kernel, steps: int) -> None:
    """Raise `NoEffectError` where the program has fewer than so many tanh, one for each step."""
    (loop,) = program(kernel, inputs(workload, 1_000, jax_jit.to_native)).loops
    if (there := loop.operations["tanh"]) < steps:
        raise NoEffectError(f"jax_scan_unroll{steps} has {there} steps in its loop")


def set_threshold(size: int) -> None:
    """Set up to how many bytes XLA makes one kernel of a loop: before JAX's first computation."""
    option = f"--xla_backend_extra_options=xla_cpu_small_while_loop_byte_threshold={size}"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {option}".strip()


def is_hoisted(workload: str, n: int) -> bool:
    """Tell whether XLA makes one kernel of the workload's loop at size n."""
    native = inputs(workload, n, jax_jit.to_native)
    (loop,) = program(jax_jit.fresh_kernel(workload), native).loops
    return loop.whole
