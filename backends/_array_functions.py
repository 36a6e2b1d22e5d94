"""A function for any array library, with one bound into it: a compiler takes no module as argument."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import FunctionType, ModuleType
from typing import cast

from jitcost.backends import Kernel

__all__ = ["with_module"]


def with_module(function: Kernel, name: str, module: ModuleType) -> Kernel:
    """Return a function from the same source, whose parameter of a name is a module from outside.

    Parameters
    ----------
    function : FunctionType
        With that parameter, by position or by keyword.
    name : str
    module : ModuleType

    Raises
    ------
    OSError
        If its source is nowhere.
    TypeError
        If it is no function of a `def`.
    """
    original = cast(FunctionType, inspect.unwrap(function))
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(original))).body
    if not isinstance(definition, ast.FunctionDef):
        raise TypeError(f"{original.__name__} is no function that is defined by def")
    definition.decorator_list = []
    _drop(definition.args, name)
    ast.increment_lineno(definition, original.__code__.co_firstlineno - 1)
    code = compile(ast.Module([definition], []), original.__code__.co_filename, "exec")
    its_globals = {**original.__globals__, name: module}
    exec(code, its_globals)
    return cast(Kernel, its_globals[definition.name])


def _drop(arguments: ast.arguments, name: str) -> None:
    """Take a parameter and its default away."""
    by_position = [one.arg for one in arguments.args]
    if name in by_position:
        place = by_position.index(name)
        default = place - (len(by_position) - len(arguments.defaults))  # they are the last ones'
        del arguments.args[place]
        if default >= 0:
            del arguments.defaults[default]
    else:
        place = [one.arg for one in arguments.kwonlyargs].index(name)
        del arguments.kwonlyargs[place], arguments.kw_defaults[place]
