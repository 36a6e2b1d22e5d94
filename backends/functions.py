"""Anybody's function on a backend: what an implementation may bring for it, and what stands in.

Nothing of this is needed to run the suite's workloads. An `Implementation` may have

`of_function(function) -> Kernel`
    A kernel of a function, or of what its author has compiled already, that has never run: its first
    call traces and compiles anew. Without it the function is the kernel.
`compiles_anew(function) -> bool`
    Whether it can: what was compiled when it was decorated cannot be compiled again.
`XP : str`
    The module that a kernel written for any array library gets as `xp`.
`with_xp(function) -> function`
    Such a kernel with its module bound, where that takes more than a keyword.
`is_native(result) -> bool`
    Whether the backend has computed a result: eager JAX hands NumPy's arrays through silently.
`constants(kernel, inputs) -> list of int`
    The sizes of the arrays that a kernel has taken from outside its arguments.
`of_file(path, name) -> function`
    A function of a source file in the backend's own language.
`TRACES : bool`
    Whether a kernel is traced: Python's own values, all but floats, are then bound before.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from types import CodeType
from typing import Any, cast

from jitcost.backends.registry import Implementation, Kernel

__all__ = [
    "compiled_by",
    "compiles",
    "compiles_anew",
    "constants",
    "fresh",
    "is_native",
    "names_in",
    "of_file",
    "traces",
    "with_xp",
]


# Whose objects a package's compiled functions are: the backends that run them as such.
_COMPILERS = {
    "numba": ("numba",),
    "jaxlib": ("jax_jit", "jax_eager"),
    "jax": ("jax_jit", "jax_eager"),
}


def compiled_by(function: Any) -> tuple[str, ...]:
    """Return the backends of which a function is a compiled one; none of a plain function.

    By its type's name: nothing is imported for the question.
    """
    return _COMPILERS.get(type(function).__module__.partition(".")[0], ())


def fresh(backend: Implementation, function: Kernel) -> Kernel:
    """Return a kernel of a function that has never run."""
    make = getattr(backend, "of_function", None)
    kernel: Kernel = function if make is None else make(function)
    return kernel


def compiles_anew(backend: Implementation, function: Kernel) -> bool:
    """Tell whether `fresh` gives one whose first call is a first call."""
    tell = getattr(backend, "compiles_anew", None)
    return True if tell is None else bool(tell(function))


def compiles(backend: Implementation, function: Kernel) -> bool:
    """Tell whether a fresh kernel costs more than a call: it is compiled, or what it calls is."""
    return hasattr(backend, "of_function") and compiles_anew(backend, function)


def constants(backend: Implementation, kernel: Kernel, inputs: tuple[Any, ...]) -> list[int]:
    """Return the sizes of the arrays that a kernel takes from outside, as far as that can be told."""
    tell = getattr(backend, "constants", None)
    return [] if tell is None else list(tell(kernel, inputs))


def of_file(backend: Implementation, path: str, name: str) -> Any:
    """Return a function of a source file in the backend's own language."""
    return cast(Any, backend).of_file(path, name)


def with_xp(backend: Implementation, function: Kernel) -> Kernel:
    """Return a kernel written for any array library, for the backend's own one."""
    bind = getattr(backend, "with_xp", None)
    if bind is not None:
        return cast(Kernel, bind(function))
    name = getattr(backend, "XP", None)
    module = None if name is None else importlib.import_module(name)
    # Where it is the default, the function is called as its author does: a keyword costs 0.1 us.
    if inspect.signature(function).parameters["xp"].default is module:
        return function
    return functools.partial(function, xp=module)


def is_native(backend: Implementation, result: Any) -> bool:
    """Tell whether the backend itself has computed a result, as far as that can be told."""
    tell = getattr(backend, "is_native", None)
    return True if tell is None else bool(tell(result))


def traces(backend: Implementation) -> bool:
    """Tell whether a kernel's arguments are traced."""
    return bool(getattr(backend, "TRACES", False))


def names_in(code: CodeType) -> set[str]:
    """Return the names that a function looks up in its module, those of the functions in it included."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(names_in, inner))
