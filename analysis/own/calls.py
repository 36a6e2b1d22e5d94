"""One kernel of a problem: what it gets, and how it is made anew."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jitcost.backends import Call, Implementation, Kernel
from jitcost.backends.functions import compiles, compiles_anew, constants, fresh, traces, with_xp

__all__ = ["Made", "OwnKernel", "names_of_arguments", "to_native"]


@dataclass(frozen=True)
class Made:
    """A kernel that can be called, and the arguments that were bound into it, by position."""

    kernel: Kernel
    bound: Mapping[int, Any]


class OwnKernel:
    """A person's function on a backend.

    Parameters
    ----------
    backend : Implementation
    function : callable
        As the file has it: plain, or compiled already.
    xp : bool
        Whether it takes the backend's array module.
    static, traced : collection of str
        Names of parameters that are bound before compiling, or are not, whatever they hold.
    """

    def __init__(
        self,
        backend: Implementation,
        function: Kernel,
        *,
        xp: bool = False,
        static: Collection[str] = (),
        traced: Collection[str] = (),
    ) -> None:
        self.backend, self.function, self.xp = backend, function, xp
        self.static, self.traced = frozenset(static), frozenset(traced)

    @property
    def compiles_anew(self) -> bool:
        """Whether each fresh kernel has a first call."""
        return compiles_anew(self.backend, self.function)

    @property
    def compiles(self) -> bool:
        """Whether a fresh kernel costs more than a call."""
        return compiles(self.backend, self.function)

    def fresh(self, arguments: tuple[Any, ...]) -> Made:
        """Return a kernel that has never run, for arguments in the backend's own form."""
        bound = self._bound(arguments)
        function = self._with_xp()
        if bound:
            function = _binding(function, bound)
        return Made(fresh(self.backend, function), bound)

    def made_for(self, arguments: tuple[Any, ...], earlier: Made | None) -> Made:
        """Return an earlier kernel, or a fresh one where what was bound into it is another value."""
        if earlier is not None and _equal(earlier.bound, self._bound(arguments)):
            return earlier
        return self.fresh(arguments)

    def call(self, made: Made, arguments: tuple[Any, ...]) -> Call:
        """Return the call of a kernel with arguments that it was made for."""
        return self.backend.make_call(made.kernel, _passed(made, arguments))

    def constants(self, made: Made, arguments: tuple[Any, ...]) -> list[int]:
        """Return the sizes of the arrays that a kernel takes from outside its arguments."""
        return constants(self.backend, made.kernel, _passed(made, arguments))

    def _with_xp(self) -> Kernel:
        if not self.xp:
            return self.function
        return with_xp(self.backend, self.function)

    def _bound(self, arguments: tuple[Any, ...]) -> dict[int, Any]:
        """Return the arguments that a tracing backend must not see, by position.

        A ready-made kernel has its author's own options.
        """
        if not traces(self.backend) or not inspect.isfunction(self.function):
            return {}
        names = names_of_arguments(self.function, len(arguments))
        return {
            i: value
            for i, (name, value) in enumerate(zip(names, arguments, strict=True))
            if name in self.static or (name not in self.traced and _is_static(value))
        }


def _passed(made: Made, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments that are not bound into a kernel."""
    return tuple(value for i, value in enumerate(arguments) if i not in made.bound)


def _binding(function: Kernel, bound: dict[int, Any]) -> Kernel:
    def binding(*passed: Any) -> Any:
        others = iter(passed)
        count = len(bound) + len(passed)
        return function(*(bound[i] if i in bound else next(others) for i in range(count)))

    return binding


def _equal(one: Mapping[int, Any], other: Mapping[int, Any]) -> bool:
    try:
        return bool(one == other)
    except Exception:  # of whatever somebody's objects are
        return False


def _is_static(value: Any) -> bool:
    """Tell whether a value is none that may be traced: arrays, floats and complex numbers may."""
    if isinstance(value, dict):
        return all(map(_is_static, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_static, value))
    if isinstance(value, np.integer | np.bool_):
        return True  # as Python's own: `rng.integers(5)` is one, and is meant for range() as well
    return not (hasattr(value, "dtype") or isinstance(value, float | complex))


def names_of_arguments(function: Kernel, count: int) -> list[str]:
    """Return what a function calls its arguments; by number where it does not say."""
    numbered = [f"argument {i + 1}" for i in range(count)]
    try:
        names = [name for name in inspect.signature(function).parameters if name != "xp"]
    except (TypeError, ValueError):
        return numbered
    return [*names[:count], *numbered[len(names) :]]


def to_native(backend: Implementation, value: Any) -> Any:
    """Hand arrays over to a backend, also those inside tuples, lists and dicts; leave the rest."""
    if isinstance(value, np.ndarray):
        return backend.to_native(value.copy())
    if isinstance(value, dict):
        return {key: to_native(backend, member) for key, member in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(to_native(backend, member) for member in value))
    if isinstance(value, list | tuple):
        return type(value)(to_native(backend, member) for member in value)
    if hasattr(value, "__array__") and not isinstance(value, np.generic):  # another library's
        return backend.to_native(np.asarray(value))
    return value
