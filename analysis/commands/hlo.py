"""What does jit make of a workload? Traces and compiles its kernel here and now, without timing it, and
shows the jaxpr, and from the compiled program (HLO) its kernels, fusions, temporaries and counted flops.
"""

from __future__ import annotations

import argparse
import json

from jitcost import backends
from jitcost.backends import workloads
from jitcost.commands import _values
from jitcost.errors import BadCallError
from jitcost.measuring import compiling
from jitcost.units import size_text

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost hlo elementwise --n 140"


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
    parser.add_argument("--json", action="store_true", help="print strict JSON, not a table")


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    try:
        spec = workloads.get(args.workload)
        n = workloads.checked_size(_values.whole_number(args.n))
        options = compiling.options_of(spec, args.option)
        if (reason := compiling.why_not(spec, n)) is not None:
            raise BadCallError(reason)
        program = compiling.describe(spec, n, **options)
    except (backends.BackendUnavailable, ValueError) as error:
        raise BadCallError(str(error)) from None
    except MemoryError:
        raise BadCallError(f"the inputs at n = {size_text(n)} do not fit into memory") from None
    if args.json:
        print(json.dumps(program, indent=1, allow_nan=False))
    else:
        # rich: environments that are measured lack it
        from jitcost.show.program import WIDTH, render
        from jitcost.show.terminal import console_for

        console = console_for(WIDTH)
        for renderable in render(program):
            console.print(renderable)
    return 0
