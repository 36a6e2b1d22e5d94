"""What does jit make of a workload? Traces and compiles its kernel here and now, without timing it, and
shows the jaxpr, and from the compiled program (HLO) its kernels, fusions, temporaries and counted flops.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from jitcost import backends, cli
from jitcost.backends import hlo, workloads
from jitcost.errors import BadCallError
from jitcost.units import size_text

__all__ = ["add_arguments", "describe", "render", "run"]

EXAMPLE = "jitcost hlo elementwise --n 140"

# A table that is not written to a terminal: wide enough for a kernel's operations.
WIDTH = 120


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("workload", metavar="WORKLOAD")
    parser.add_argument("--n", required=True, metavar="N", help="the size")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of a workload that has options, such as k=8; repeatable",
    )
    parser.add_argument("--json", action="store_true", help="print strict JSON, not tables")


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    try:
        spec = workloads.get(args.workload)
        n = workloads.checked_size(cli.whole_number(args.n))
        options = _options(spec, args.option)
        reason = spec.why_not("jax_jit", n)
        if spec.times and not spec.options:  # an option makes a kernel of its own
            reason = f"{spec.name} times the kernel of {spec.times}; ask for that"
        if spec.name in workloads.STAND_INS:
            reason = (
                f"{spec.name} stands in for a workload, and is none; jitcost workloads lists those"
            )
        if reason is not None:
            raise BadCallError(reason)
        program = describe(spec, n, **options)
    except (backends.BackendUnavailable, ValueError) as error:
        raise BadCallError(str(error)) from None
    except MemoryError:
        raise BadCallError(f"the inputs at n = {size_text(n)} do not fit into memory") from None
    if args.json:
        print(json.dumps(program, indent=1, allow_nan=False))
        return 0
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for renderable in render(program):
        console.print(renderable)
    return 0


def _options(spec: workloads.Workload, texts: Sequence[str]) -> dict[str, Any]:
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


def render(program: dict[str, Any]) -> Iterator[RenderableType]:
    """Yield the jaxpr, what is in the program, and its kernels."""
    options = "".join(f", {name} = {value}" for name, value in program["options"].items())
    yield Text(
        f"{program['workload']}{options} at n = {size_text(program['n'])}, traced and compiled by "
        f"JAX {program['jax']} for the {program['device'].partition(' ')[0]}"
    )
    yield Text(f"\n{program['jaxpr']}\n")
    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_column(no_wrap=True)
    facts.add_column(justify="right", no_wrap=True)
    facts.add_column()
    for name, count, about in (
        ("equations", program["equations"], "of the jaxpr, loop bodies included"),
        ("kernels", len(program["kernels"]), "a call runs them one after another"),
        ("fusions", program["fusions"], "of two operations or more"),
        ("temporaries", program["temporaries"], _bytes(program)),
        ("windowed reductions", program["reduce_windows"], "reduce-window"),
        ("loops", len(program["loops"]), _loops(program)),
        ("counted flops", program["flops"], _side(program)),
    ):
        facts.add_row(name, f"{count:,.0f}", about)
    yield facts
    kernels = Table(box=None, header_style="bold", pad_edge=False)
    kernels.add_column("\nkernel", no_wrap=True)
    kernels.add_column("\noperations")
    for kernel in program["kernels"]:
        kernels.add_row(kernel["name"], _listed(kernel["operations"]))
    for loop in program["loops"]:
        kernels.add_row(f"a step of {loop['name']}", _listed(loop["operations"]))
    yield kernels


def _bytes(program: dict[str, Any]) -> str:
    said = "results that other kernels read"
    if program["temporary_bytes"] is not None:
        said += f"; XLA sets {program['temporary_bytes']:,} bytes aside"
    return said


def _loops(program: dict[str, Any]) -> str:
    return "; ".join(
        f"{loop['kernels']} kernels a step, {'compiled whole' if loop['whole'] else 'one by one'}"
        for loop in program["loops"]
    )


def _side(program: dict[str, Any]) -> str:
    """Say on which side of XLA's threshold the program is."""
    once = "a step of a loop counted once" if program["loops"] else ""
    side = {
        None: "",
        True: f"fewer than {hlo.INLINE_BELOW}: XLA runs it inline",
        False: f"{hlo.INLINE_BELOW} or more: XLA's asynchronous dispatch hands it to another thread",
    }[program["inline"]]
    return "; ".join(filter(None, (once, side)))


def _listed(operations: Counter[str]) -> str:
    return ", ".join(
        opcode if count == 1 else f"{count} {opcode}" for opcode, count in operations.items()
    )
