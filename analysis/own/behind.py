"""What a function of a file comes from: its own definition, and those of all that it reads."""

from __future__ import annotations

import ast

from jitcost.own.definitions import never_runs, parse, reads

__all__ = ["behind"]


def behind(text: str, name: str) -> str:
    r"""Return the code at a file's top level that a name comes from, in the file's order.

    Those are the statements that bind it, and those that bind what they read, by way of others too:
    functions, constants, imports. Comments, layout, and what only other functions read leave it as it
    is. What stands in other files is not looked at.

    Parameters
    ----------
    text : str
        The file's source.
    name : str
        Of a function, which may be defined, assigned or a lambda.

    Returns
    -------
    str
        Empty if nothing in the file binds the name.

    Raises
    ------
    OwnFileError
        If the file is no Python.

    Examples
    --------
    >>> text = "a = 2 # two\nb = 3\ndef f(n): return a * n\ndef g(n): return b * f(n)"
    >>> print(behind(text, "f"))
    a = 2
    def f(n):
        return a * n
    """
    bound = [(one, _binds(one)) for one in parse(text).body if not never_runs(one)]
    wanted, ahead = set[str](), {name}
    while ahead:
        wanted |= ahead
        ahead = {read for one, names in bound if names & ahead for read in reads(one)} - wanted
    # Not as `ast.dump` has it: that is another one in Python 3.13 than before.
    return "\n".join(ast.unparse(one) for one, names in bound if names & wanted)


def _binds(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at the top level binds, or changes a part of."""
    match statement:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return {name}
    found = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(name, ast.Store()):
                found.add(name)
            case ast.Subscript(ast.Name(name), _, ast.Store()):  # TABLE[0] = 1
                found.add(name)
            case ast.Attribute(ast.Name(name), _, ast.Store()):
                found.add(name)
            case ast.alias(name, as_name):
                found.add((as_name or name).partition(".")[0])
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                found.add(name)
    return found
