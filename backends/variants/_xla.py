"""What the variants of jit share: options of XLA's compiler, for one kernel."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import jax

from jitcost.backends import Kernel, hlo, jax_jit
from jitcost.backends._fresh import fresh_function
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, program_text

# Passes of XLA's, in JAX 0.10 to 0.12; the effect is looked for in what it compiles.
FUSION = ("fusion", "fusion-wrapper")
TREE_REDUCTION = ("tree_reduction_rewriter",)

# XLA hands fusions that end in a reduction to the library YNN, which has its own vectorised functions:
# exp and tanh in JAX 0.10, cos too in 0.12. An XLA that lacks the option has no such library.
_LIBRARY = "xla_cpu_experimental_ynn_fusion_type"
LIBRARY_MARK = "__ynn_fusion"


@functools.cache
def has_library() -> bool:
    """Tell whether this XLA can hand fusions to a library."""
    try:
        jax.jit(lambda: 0.0, compiler_options={_LIBRARY: ""}).lower().compile()
    except jax.errors.JaxRuntimeError as error:
        if "No such compile option" in str(error):
            return False
        raise
    return True


def compiled_without(workload: str, passes: Sequence[str] = (), *, library: bool) -> Kernel:
    """Return a fresh kernel that is compiled without these passes, and without the library."""
    options = {"xla_disable_hlo_passes": ",".join(passes)} if passes else {}
    if not library and has_library():
        options[_LIBRARY] = ""
    kernel: Kernel = jax.jit(fresh_function(getattr(jax_jit, workload)), compiler_options=options)
    return kernel


def refuse_several_loops(name: str, workload: str, kernel: Kernel) -> None:
    """Raise `NoEffectError` where a kernel is not one loop of XLA's own."""
    for n in (1_000, 100_000):  # by itself it reduces the one in windows, the other by the library
        text = program_text(kernel, inputs(workload, n, jax_jit.to_native))
        kernels = len(hlo.read(text).kernels)
        if kernels != 1 or LIBRARY_MARK in text:
            by = "the library" if LIBRARY_MARK in text else "XLA"
            raise NoEffectError(f"{name} runs {kernels} kernels of {by} at n = {n}")
