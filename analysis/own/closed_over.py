"""Arrays that a function takes from outside its arguments: a compiler makes constants of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from jitcost.backends.functions import names_in
from jitcost.own.calls import Made, OwnKernel

__all__ = ["arrays_of", "constants_of"]

# A handful of coefficients is written into a formula, and is meant to be constant.
_FEW = 16


def constants_of(kernel: OwnKernel, made: Made, arguments: tuple[Any, ...]) -> Iterator[str]:
    """Yield what to say of the arrays that a compiled kernel takes from outside its arguments.

    By name; and where no name leads to them, by what the compiled program holds.

    Parameters
    ----------
    kernel : OwnKernel
    made : Made
    arguments : tuple
        In the backend's own form.
    """
    named = list(arrays_of(kernel.function))
    for name, size in named:
        yield (
            f"takes {name} ({size} elements) from outside: compilers make a constant of it; pass it as "
            "an argument"
        )
    sizes = () if named else kernel.constants(made, arguments)
    for size in sorted({size for size in sizes if size > _FEW}):
        yield (
            f"has an array of {size} elements that is no argument: it is compiled in as a constant; "
            "pass it as an argument"
        )


def arrays_of(function: Callable[..., Any]) -> Iterator[tuple[str, int]]:
    """Yield the name and the size of each array that a function, or one it calls, closes over.

    Of the functions that it calls, those of its own file.
    """
    seen: set[int] = set()
    pending = [function]
    while pending:
        plain = _plain(pending.pop())
        if plain is None or id(plain) in seen:
            continue
        seen.add(id(plain))
        for name, value in _outside(plain):
            size = getattr(value, "size", None)
            if hasattr(value, "dtype") and isinstance(size, int) and size > _FEW:
                yield name, size
            else:
                helper = _plain(value)
                if helper is not None and helper.__globals__ is plain.__globals__:
                    pending.append(helper)


def _plain(value: Any) -> FunctionType | None:
    """Return the Python function inside a jitted, dispatched or partly applied one."""
    for _ in range(10):
        if isinstance(value, FunctionType):
            return value
        if isinstance(value, functools.partial):
            value = value.func
        elif callable(value):
            value = getattr(value, "py_func", None) or getattr(value, "__wrapped__", None)
        else:
            return None
    return None


def _outside(function: FunctionType) -> Iterator[tuple[str, Any]]:
    yield from inspect.getclosurevars(function).nonlocals.items()
    names = inspect.signature(function).parameters
    defaults = ((name, one.default) for name, one in names.items())
    yield from ((name, value) for name, value in defaults if hasattr(value, "dtype"))
    for name in names_in(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]
