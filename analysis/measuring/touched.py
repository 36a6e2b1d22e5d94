"""Which kernels a change concerns: of two commits, or two versions; these are measured first."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jitcost import backends
from jitcost.backends import workloads
from jitcost.measuring.checkout import git
from jitcost.measuring.libraries import library_of

__all__ = ["Kernel", "differing", "of_versions", "touched"]

# Workload and backend; None: every workload's, for what all kernels need has changed.
Kernel = tuple[str | None, str]


def touched(root: Path, earlier: str, later: str) -> set[Kernel]:
    """Return the kernels of two commits whose code differs; a comment is no code.

    Kernels of Julia count all, if a file of theirs differs.

    Parameters
    ----------
    root : Path
        The checkout's.
    earlier, later : str
    """
    listed = git("-C", str(root), "diff", "--name-only", earlier, later, "--", "backends", "julia")
    paths = [Path(line) for line in listed.stdout.splitlines()]
    found: set[Kernel] = set()
    for path in paths:
        if path.parts[:2] == ("julia", "src"):
            found.add((None, "julia"))
        elif path.stem in backends.names() and path.parent == Path("backends"):
            texts = (
                git("-C", str(root), "show", f"{one}:{path}").stdout for one in (earlier, later)
            )
            found |= {(workload, path.stem) for workload in differing(*texts)}
    return found


def of_versions(earlier: Mapping[str, str], later: Mapping[str, str]) -> set[Kernel]:
    """Return the kernels of the backends whose libraries differ.

    Parameters
    ----------
    earlier, later : mapping of str to str
        The versions of what is installed on each side.
    """
    return {
        (None, name)
        for name in backends.names()
        if (library := library_of(name)) and earlier.get(library) != later.get(library)
    }


def differing(earlier: str, later: str) -> set[str | None]:
    """Return the workloads whose kernels differ in two texts of a backend's module.

    A kernel is the function of its workload's name. It differs if its code does, or that of a function
    whose name it mentions. What differs and is mentioned by no kernel may be needed by all: None.
    """
    try:
        texts = [_definitions(ast.parse(text)) for text in (earlier, later)]
    except SyntaxError:
        return {None}
    names = texts[0].keys() | texts[1].keys()
    changed = {name for name in names if texts[0].get(name) != texts[1].get(name)}
    mentions = {name: texts[1].get(name, "") for name in names}
    found: set[str | None] = set()
    for name in changed:
        reached = _reached({name}, mentions)
        found |= reached & workloads.WORKLOADS.keys() or {None}
    return found


def _reached(names: set[str], code: dict[str, str]) -> set[str]:
    """Return the names, and those of all definitions that mention them, or mention those."""
    more = {name for name, text in code.items() for one in names if f"id='{one}'" in text}
    return names if more <= names else _reached(names | more, code)


def _definitions(module: ast.Module) -> dict[str, str]:
    """Return what each function of a module is, and under one name each everything else."""
    found: dict[str, str] = {}
    for statement in _without_texts(module.body):
        name = getattr(statement, "name", None) or ast.dump(statement)
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            statement.body = [*_without_texts(statement.body)]
        found[name] = ast.dump(statement)
    return found


def _without_texts(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements, documentation left out."""
    for statement in statements:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text:
            yield statement
