"""`%%jitcost`: measure the functions of a notebook's cell.

A cell is written as a file is: `inputs`, and kernels named after their backends. What they need from
other cells comes along.
"""

from __future__ import annotations

import argparse
import ast
import shlex
from typing import TYPE_CHECKING, Any, NoReturn

from jitcost import backends
from jitcost.errors import BadCallError, JitcostError
from jitcost.measured.functions import measure
from jitcost.own.errors import OwnFileError
from jitcost.own.names import SETTINGS, read
from jitcost.own.sizes import parse_sizes

if TYPE_CHECKING:
    from jitcost.measured.result import Measured

__all__ = ["register"]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadCallError(message)


def register(shell: Any) -> None:
    """Make `%%jitcost` known to an IPython shell."""

    def jitcost(line: str, cell: str) -> Measured | None:
        """Run a cell, and measure the functions that it has: %%jitcost --sizes 10:1000."""
        if not shell.run_cell(cell).success:  # its error is shown already
            return None
        try:
            return _measured(line, cell, shell.user_ns)
        except (JitcostError, OwnFileError) as error:
            print(f"jitcost: {error}")
            return None

    shell.register_magic_function(jitcost, "cell")


def _measured(line: str, cell: str, namespace: dict[str, Any]) -> Measured:
    parser = _Parser(prog="%%jitcost", add_help=False)
    parser.add_argument("--sizes")
    parser.add_argument("--name", default="cell")
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--time", type=float, default=60.0)
    args = parser.parse_args(shlex.split(line))
    names = read(cell, args.name, backends.names())
    for near_miss in names.near_misses:
        print(f"jitcost: {near_miss}")
    if len(names.problems) > 1:
        raise BadCallError(f"a cell has one problem, and this one has {', '.join(names.problems)}")
    (problem,) = names.problems
    reference = names.references.get(problem)
    settings = {name: namespace[name] for name in SETTINGS if name in _bound(cell)}
    own_sizes = settings.pop("sizes", None)
    sizes = parse_sizes(args.sizes) if args.sizes else own_sizes
    return measure(
        {kernel.name: namespace[kernel.function] for kernel in names.kernels},
        inputs=namespace[names.inputs[problem]],
        sizes=sizes,
        reference=None if reference is None else namespace[reference],
        name=problem,
        processes=args.processes,
        time=args.time,
        **settings,
    )


def _bound(cell: str) -> set[str]:
    """Return the names that a cell itself assigns or defines; earlier cells' are not its settings."""
    nodes = ast.parse(cell).body
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    others = (node for node in nodes if not isinstance(node, ast.FunctionDef | ast.ClassDef))
    stored = (one for node in others for one in ast.walk(node) if isinstance(one, ast.Name))
    return functions | {one.id for one in stored if isinstance(one.ctx, ast.Store)}
