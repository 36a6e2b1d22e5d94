"""The code of a workload's kernels, read and not run: no backend's library has to be there."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jitcost import backends

__all__ = ["KernelSource", "kernel_sources"]

# Beside the packages, installed as in a checkout.
_JULIA = Path(__file__).resolve().parent.parent / "julia" / "src"


@dataclass(frozen=True)
class KernelSource:
    """How one backend computes a workload.

    Attributes
    ----------
    backend : str
        The name that is shown.
    file : str
        Where its code stands: the name of a module or file.
    code : str
        The kernel, after what it needs of its module; empty where it is another backend's.
    same_as : str
        The backend whose kernel it is, as it is shown; empty where it is its own.
    compiled : bool
        Whether the backend compiles it.
    """

    backend: str
    file: str
    code: str
    same_as: str = ""
    compiled: bool = False


def kernel_sources(workload: str) -> list[KernelSource]:
    """Return the code of a workload's kernels, in the order of the backends.

    Parameters
    ----------
    workload : str
        One of the suite's.

    Returns
    -------
    list of KernelSource
        Of those backends whose kernel is a function of a module that can be read, or a file in Julia.
    """
    found: list[KernelSource] = []
    by_module: dict[str, str] = {}
    compiling = backends.compiled()
    for name in backends.names():
        heading, module = backends.heading(name), backends.get(name).implementation
        if name == "julia":
            found += _julia(workload, heading)
            continue
        if not isinstance(module, str) or (origin := _module(module)) is None:
            continue
        by_module[module] = heading
        if workload in origin.defined:
            code = "\n\n\n".join(_with_helpers(origin, workload))
            found.append(KernelSource(heading, module, code, compiled=name in compiling))
        elif (elsewhere := origin.imported.get(workload)) in by_module:
            of = by_module[elsewhere]
            found.append(KernelSource(heading, elsewhere, "", of, compiled=name in compiling))
    return found


def _julia(workload: str, heading: str) -> Iterator[KernelSource]:
    defined = re.compile(rf"^(?:function )?{re.escape(workload)}\(", re.MULTILINE)
    for file in sorted(_JULIA.glob("*.jl")):
        text = file.read_text(encoding="utf-8")
        if defined.search(text):
            yield KernelSource(heading, f"julia/src/{file.name}", text.strip(), compiled=True)


@dataclass(frozen=True)
class _Module:
    """The text of a module, its lines ended by line feeds; what it defines and imports at its top."""

    text: str
    tree: ast.Module

    @cached_property
    def defined(self) -> dict[str, ast.stmt]:
        """Its functions, and what has a value, by name."""
        found: dict[str, ast.stmt] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {one.id: node for one in targets if isinstance(one, ast.Name)}
        return found

    @cached_property
    def imported(self) -> dict[str, str]:
        """The modules of what it imports and calls as they do, by name."""
        return {
            alias.name: node.module
            for node in self.tree.body
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
            if alias.asname in (None, alias.name)
        }

    def code_of(self, name: str) -> str:
        node = self.defined[name]
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        # Not `splitlines`: a form feed or U+2028 ends a line there, and none in Python's count.
        return "\n".join(self.text.split("\n")[first - 1 : node.end_lineno])


def _module(name: str) -> _Module | None:
    """Return a module's text without importing it; None where there is none to read."""
    try:
        found = importlib.util.find_spec(name)
        if found is None or not found.origin or not found.origin.endswith(".py"):
            return None
        text = importlib.util.decode_source(Path(found.origin).read_bytes())
        return _Module(text, ast.parse(text))
    # To find a module, Python imports the packages that it is in. A stranger's may fail in any way, and
    # its text may be no Python: neither may cost a page more than this one source.
    except Exception:
        return None


def _with_helpers(module: _Module, name: str) -> list[str]:
    """Return a function's code after that of what it uses of its module."""
    met: set[str] = set()
    ordered: list[str] = []

    def visit(one: str) -> None:
        met.add(one)
        used = {node.id for node in ast.walk(module.defined[one]) if isinstance(node, ast.Name)}
        for other in module.defined:
            if other in used and other not in met:
                visit(other)
        ordered.append(one)

    visit(name)
    return [module.code_of(one) for one in ordered]
