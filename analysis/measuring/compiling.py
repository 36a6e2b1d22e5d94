"""What jit makes of a workload: its kernel traced and compiled here and now, without timing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcost import backends
from jitcost.backends import hlo, workloads

__all__ = ["describe", "options_of", "why_not"]


def why_not(spec: workloads.Workload, n: int) -> str | None:
    """Return why there is nothing to compile at this size, or None."""
    if spec.times and not spec.options:  # an option makes a kernel of its own
        return f"{spec.name} times the kernel of {spec.times}; ask for that"
    if spec.name in workloads.STAND_INS:
        return f"{spec.name} stands in for a workload, and is none; jitcost workloads lists those"
    return spec.why_not("jax_jit", n)


def options_of(spec: workloads.Workload, texts: Sequence[str]) -> dict[str, Any]:
    """Return the workload's options of which these are the texts; ValueError says what there are."""
    options: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        known = {str(one): one for one in spec.options.get(name, ())}
        options[name] = known.get(value, value)
    spec.check_options(options)
    return options


def describe(spec: workloads.Workload, n: int, **options: Any) -> dict[str, Any]:
    """Trace and compile a workload's kernel, and return what is in the program.

    Parameters
    ----------
    spec : Workload
    n : int
    **options
        Of the workload.

    Returns
    -------
    dict
        workload, n, options; jax, device (what has compiled it); kernels (name, opcode and the
        operations by opcode of each), fusions (how many of them are of two operations or more, loops
        included), loops (name, kernels and operations of a step, whether compiled whole),
        temporaries (kernels whose results other kernels read), temporary_bytes (None where XLA does
        not say), reduce_windows, flops and transcendentals (as XLA counts them), inline (whether a call
        runs in the calling thread; None on other devices than the CPU), equations (of the jaxpr, loop
        bodies included), jaxpr.
    """
    module = backends.load("jax_jit")
    kernel: Any = module.fresh_kernel(spec.name, **options)
    traced = kernel.trace(*map(module.to_native, spec.inputs(n, **options)))
    compiled = traced.lower().compile()
    program = hlo.read(compiled.as_text())
    # JAX 0.4.38 gives a list of one.
    costs = compiled.cost_analysis()
    costs = costs[0] if isinstance(costs, list) else costs
    flops = costs.get("flops", 0.0)  # no entry where nothing is counted
    about = module.details()
    return {
        "workload": spec.name,
        "n": n,
        "options": options,
        "jax": about["jax"],
        "device": about["device"],
        "kernels": [
            {"name": one.name, "opcode": one.opcode, "operations": program.operations(one)}
            for one in program.kernels
        ],
        "fusions": len(program.fusions),
        "loops": [vars(loop) for loop in program.loops],
        "temporaries": len(program.temporaries),
        "temporary_bytes": getattr(compiled.memory_analysis(), "temp_size_in_bytes", None),
        "reduce_windows": sum(counts["reduce-window"] for counts in program.counts.values()),
        "flops": flops,
        "transcendentals": costs.get("transcendentals", 0.0),
        "inline": flops < hlo.INLINE_BELOW if about["device"].startswith("cpu") else None,
        "equations": _equations(traced.jaxpr),
        "jaxpr": str(traced.jaxpr),
    }


def _equations(jaxpr: Any) -> int:
    """Count a jaxpr's equations, and those of the loop bodies and functions inside it.

    `benchmarks.unrolled` counts them, too, and by itself: it also measures commits without this.
    """
    jaxpr = getattr(jaxpr, "jaxpr", jaxpr)  # of a closed one
    count = 0
    for equation in jaxpr.eqns:
        count += 1
        for value in equation.params.values():
            for inner in value if isinstance(value, tuple | list) else (value,):
                if hasattr(inner, "eqns") or hasattr(inner, "jaxpr"):
                    count += _equations(inner)
    return count
