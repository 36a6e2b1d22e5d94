"""What a file defines at its top level, by its syntax tree: nothing of it is run."""

from __future__ import annotations

import ast
import itertools
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from jitcost.own.errors import OwnFileError

__all__ = ["Definition", "definitions", "never_runs", "parse", "reads"]

# Blocks that do not run when the file is imported: what they bind is not there.
_NEVER_RUN = (
    "__name__ == '__main__'",
    "'__main__' == __name__",
    "TYPE_CHECKING",
    "typing.TYPE_CHECKING",
)


@dataclass(frozen=True)
class Definition:
    """A name that may stand for a function.

    Attributes
    ----------
    name : str
        What the file calls it.
    form : {"def", "async def", "lambda", "assigned"}
        `assigned` is what a call, another name or an attribute gives: a function or not, nobody knows
        before the file is loaded.
    xp : bool
        Whether it is seen to have a parameter `xp` that a keyword can bind.
    reads : frozenset of str
        The names that it reads.
    """

    name: str
    form: Literal["def", "async def", "lambda", "assigned"]
    xp: bool
    reads: frozenset[str]


def definitions(text: str) -> dict[str, Definition]:
    """Return what a file's text defines at its top level, by name, in order of appearance.

    Bodies of `if`, `try` and `with` belong to it. Imported names, classes, literals, containers and
    arithmetic are left out: none of them is a function that the file defines. Of a name bound twice
    the last binding says what it is, and both say what it reads.

    Parameters
    ----------
    text : str
        The file's source.

    Raises
    ------
    OwnFileError
        If it is no Python.

    Examples
    --------
    >>> found = definitions("import numba; a = 1; b = numba.njit(f); c = lambda x, xp: x")
    >>> [(one.name, one.form, one.xp) for one in found.values()]
    [('b', 'assigned', False), ('c', 'lambda', True)]
    """
    found: dict[str, Definition] = {}
    for statement in _statements(parse(text).body):
        for one in _defined_by(statement, found):
            before = found.get(one.name, one)
            found[one.name] = replace(one, reads=one.reads | before.reads)
    return found


def parse(text: str) -> ast.Module:
    """Return a file's syntax tree; raise `OwnFileError` if it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever imports the file is told
            return ast.parse(text.removeprefix("\ufeff"))
    except SyntaxError as error:
        where = f"line {error.lineno}" if error.lineno else "the file"
        raise OwnFileError(f"{where} is no Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:  # a null byte; nested too deep
        raise OwnFileError(f"the file is no Python: {error or 'nested too deep'}") from None


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        yield from _statements(_inside(statement))


def never_runs(statement: ast.stmt) -> bool:
    """Tell whether the body of a statement is left out when the file is imported."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in _NEVER_RUN


def _inside(statement: ast.stmt) -> Sequence[ast.stmt]:
    match statement:
        case ast.If(_, body, orelse):
            return orelse if never_runs(statement) else [*body, *orelse]
        case ast.Try(body, handlers, orelse, last) | ast.TryStar(body, handlers, orelse, last):
            caught = itertools.chain.from_iterable(handler.body for handler in handlers)
            return [*body, *caught, *orelse, *last]
        case ast.With():
            return statement.body
        case _:
            return ()


def _defined_by(statement: ast.stmt, before: dict[str, Definition]) -> Iterator[Definition]:
    match statement:
        case ast.FunctionDef():
            yield Definition(statement.name, "def", _takes_xp(statement.args), reads(statement))
        case ast.AsyncFunctionDef():
            yield Definition(statement.name, "async def", False, reads(statement))
        case ast.Assign(targets, value):
            for name, own in itertools.chain.from_iterable(_bound(one, value) for one in targets):
                yield from _assigned(name, own, before)
        case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
            yield from _assigned(name, value, before)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment binds, each with what it is bound to."""
    match target, value:
        case ast.Name(name), _:
            yield name, value
        case ((ast.Tuple(targets) | ast.List(targets)), (ast.Tuple(values) | ast.List(values))):
            # Past a starred name nobody counts: whatever the pairs say is found out on loading.
            for one, own in zip(targets, values, strict=False):
                yield from _bound(one, own)
        case ((ast.Tuple(targets) | ast.List(targets)), _):
            for one in targets:
                yield from _bound(one, value)


def _assigned(name: str, value: ast.expr, before: dict[str, Definition]) -> Iterator[Definition]:
    match value:
        case ast.IfExp(_, body, orelse):  # f = njit(g) if numba else None
            yield from itertools.islice(
                itertools.chain(_assigned(name, body, before), _assigned(name, orelse, before)), 1
            )
        case ast.Lambda():
            yield Definition(name, "lambda", _takes_xp(value.args), reads(value))
        case ast.Name(other) if other in before:  # another name of a function above
            yield replace(before[other], name=name, reads=reads(value))
        case ast.Call() | ast.Name() | ast.Attribute():
            yield Definition(name, "assigned", False, reads(value))


def _takes_xp(parameters: ast.arguments) -> bool:
    return any(one.arg == "xp" for one in (*parameters.args, *parameters.kwonlyargs))


def reads(node: ast.AST) -> frozenset[str]:
    """Return the names that a piece of a file reads."""
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))
