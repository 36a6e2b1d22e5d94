"""A compiled program, for a person: its jaxpr, what is in it, and its kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jitcost.backends import hlo
from jitcost.units import size_text

__all__ = ["WIDTH", "render"]

# A table that is not written to a terminal: wide enough for a kernel's operations.
WIDTH = 120


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
