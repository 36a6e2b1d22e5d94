"""What the variants of jit share: options of XLA's compiler, for one kernel."""

from __future__ import annotations

import functools
from typing import Any

import jax

from backends import Kernel, jax_jit
from backends._fresh import fresh_function

# The passes and the option are XLA's, of JAX 0.10.2; the effect is looked for in what it compiles.
NO_FUSION = {"xla_disable_hlo_passes": "fusion,fusion-wrapper"}
NO_TREE_REDUCTION = {"xla_disable_hlo_passes": "tree_reduction_rewriter"}
NO_LIBRARY_FUSION = {"xla_cpu_experimental_ynn_fusion_type": ""}


@functools.cache
def _known(option: str, value: str) -> bool:
    try:
        jax.jit(lambda: 0.0, compiler_options={option: value}).lower().compile()
    except jax.errors.JaxRuntimeError as error:
        if "No such compile option" in str(error):
            return False
        raise
    return True


def jitted(workload: str, options: dict[str, str]) -> Kernel:
    """Return a fresh kernel that is compiled with these options, as far as this XLA has them.

    What an older one lacks, it need not switch off; whether the effect is there is checked.
    """
    known: dict[str, Any] = {key: value for key, value in options.items() if _known(key, value)}
    function = fresh_function(getattr(jax_jit, workload))
    kernel: Kernel = jax.jit(function, compiler_options=known)
    return kernel
