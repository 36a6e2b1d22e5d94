"""The backends that there are: the built-in ones, and those that others have registered.

A backend is announced by a `Backend`, which costs nothing to make and imports no library; what runs
the kernels is an `Implementation`, imported when the backend is first asked for (`load`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from jitcost.backends.entry_points import load_each
from jitcost.backends.variant_table import VARIANTS, base_of, process_settings

__all__ = [
    "GROUP",
    "Array",
    "Backend",
    "BackendUnavailable",
    "Call",
    "Implementation",
    "Kernel",
    "RegistrationError",
    "UnknownNameError",
    "compiled",
    "get",
    "heading",
    "is_compiled",
    "kernels_of",
    "load",
    "names",
    "register",
    "split_version",
]

Array = npt.NDArray[np.float64]
Kernel = Callable[..., Any]
Call = Callable[[], Any]

# The group of entry points that other distributions announce their backends by.
GROUP = "jitcost.backends"

# What stands between a backend's name and that of a version: two kernels of one backend.
_VERSION = "__"


class BackendUnavailable(Exception):  # noqa: N818 (a state that a caller handles, not a fault)
    """A backend that cannot be had in this process; says why, and how to get it."""


class UnknownNameError(ValueError):
    """A name that is no backend or no workload; says which names there are."""


class RegistrationError(ValueError):
    """A backend that cannot be registered; says why."""


class Implementation(Protocol):
    """What runs a backend's kernels: a module, or any object with these functions.

    `native` below stands for whatever the backend works on: a list of floats, a NumPy array, a JAX
    array, a Julia array. `jitcost.backends.host` has what backends on NumPy arrays share.
    """

    def fresh_kernel(self, workload: str, **options: Any) -> Kernel:
        """Return a kernel that has never run: its first call traces and compiles anew.

        The kernel is the module's function, or Julia's, that has the workload's name. Where the
        workload has options, that function takes them and returns the kernel made for them.
        """

    def to_native(self, array: Array) -> Any:
        """Hand an array over to the backend, outside every timing."""

    def to_numpy(self, result: Any) -> npt.NDArray[Any]:
        """Bring a native array or a kernel's result back, its dtype kept."""

    def make_call(self, kernel: Kernel, inputs: tuple[Any, ...]) -> Call:
        """Return the zero-argument call that is timed: it returns when the result is ready."""

    def is_ready(self, result: Any) -> bool:
        """Tell whether nothing of the result is still being computed."""

    def details(self) -> dict[str, str]:
        """Return what a reader of the timings should know: versions, threads, device."""


_FUNCTIONS = ("fresh_kernel", "to_native", "to_numpy", "make_call", "is_ready", "details")


@dataclass(frozen=True)
class Backend:
    """One way to run the workloads.

    Attributes
    ----------
    name : str
        What results store and commands take: an identifier without `__`, which begins a version's name.
    implementation : str or callable
        The module that is an `Implementation`, or a function without arguments that returns one. It
        may fail in any way where the library is missing, or say why by `BackendUnavailable`.
    kernels : tuple of str, or None
        The workloads that it has kernels for; None for every one, as the built-in backends have, but
        for what the workloads' specs excuse.
    heading : str
        What tables call it; the name where it is left empty.
    compiled : bool
        Whether it compiles a kernel before the first result, so that a first call costs more than the
        next ones, and compiling has to pay.
    how_to_get : str
        The command that installs its library.

    Raises
    ------
    RegistrationError
        If the name is no identifier, or holds `__`.
    """

    name: str
    implementation: str | Callable[[], Implementation]
    kernels: tuple[str, ...] | None
    heading: str = ""
    compiled: bool = False
    how_to_get: str = ""

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise RegistrationError(f"a backend's name is an identifier, and {self.name!r} is none")
        if _VERSION in self.name:
            raise RegistrationError(
                f"{_VERSION} begins the name of a version; name {self.name!r} otherwise"
            )
        if not self.heading:
            object.__setattr__(self, "heading", self.name)


_backends: dict[str, Backend] = {}
_loaded: dict[str, Implementation] = {}

# The variants whose process-wide settings each of the loaded backends runs under: the same for all.
_settled: dict[str, tuple[str, ...]] = {}

_entry_points_are_loaded = False


def register(backend: Backend) -> None:
    """Make a backend known, after those that are. The same one once more changes nothing.

    Raises
    ------
    RegistrationError
        If another backend, or a variant, has its name.
    """
    if backend.name in VARIANTS:
        raise RegistrationError(f"{backend.name!r} is a variant; name the backend otherwise")
    if _backends.setdefault(backend.name, backend) != backend:
        raise RegistrationError(f"there is another backend {backend.name!r}; name it otherwise")


def names() -> tuple[str, ...]:
    """Return the backends' names: the built-in ones, then the registered ones in order."""
    _load_entry_points()
    return tuple(_backends)


def get(name: str) -> Backend:
    """Return what is known of a backend without importing its library.

    Raises
    ------
    UnknownNameError
        If there is no such backend.
    """
    found = _find(name)
    if found is None:
        raise UnknownNameError(f"no backend {name!r}; there are {', '.join(names())}")
    return found


def split_version(name: str) -> tuple[str, str]:
    """Return the backend and the version that a name consists of.

    A person's file may have several kernels for one backend, told apart by what stands after `__`. Only
    of a backend that there is: any other name is whole, and its version is empty.

    >>> split_version("numba__parallel"), split_version("numba"), split_version("rust__fast")
    (('numba', 'parallel'), ('numba', ''), ('rust__fast', ''))
    """
    base, _, version = name.partition(_VERSION)
    return (base, version) if version and _find(base) is not None else (name, "")


def heading(name: str) -> str:
    """Return what tables call a backend, and which version; of any other name, that name."""
    base, version = split_version(name)
    found = _find(base)
    return name if found is None else f"{found.heading} {version}".rstrip()


def compiled() -> tuple[str, ...]:
    """Return the backends whose first call compiles, in order."""
    return tuple(name for name in names() if _backends[name].compiled)


def is_compiled(name: str) -> bool:
    """Tell whether a backend, or a version of one, compiles in its first call."""
    return split_version(name)[0] in compiled()


def kernels_of(name: str) -> tuple[str, ...] | None:
    """Return the workloads that a backend has kernels for; None where it says nothing of them."""
    found = _find(name)
    return None if found is None else found.kernels


def load(name: str) -> Implementation:
    """Import a backend, or a variant of one.

    Some variants change a setting of the whole process, which cannot be undone. A process runs
    backends under one such setting or under none: what needs another one is refused.

    Parameters
    ----------
    name : str
        One of `names()`, or of `backends.variants.VARIANTS`.

    Returns
    -------
    Implementation
        The backend's module, or whatever its `Backend` says.

    Raises
    ------
    UnknownNameError
        If there is no such backend.
    BackendUnavailable
        If its library cannot be imported, its runtime cannot start, or this process has another
        setting.
    """
    if name in _loaded:
        return _loaded[name]
    backend = get(base_of(name))
    settings = process_settings(name)
    _refuse_another_setting(name, settings)
    if settings:  # made by the import, even where the rest of it fails
        _settled[name] = settings
    source = f"{__package__}.variants.{name}" if name in VARIANTS else backend.implementation
    try:
        found = importlib.import_module(source) if isinstance(source, str) else source()
        lacking = [each for each in _FUNCTIONS if not callable(getattr(found, each, None))]
        if lacking:
            raise BackendUnavailable(f"{name}: its implementation lacks {', '.join(lacking)}")
    except BackendUnavailable:
        raise
    # A broken library can fail in any way, and none of them may take the suite down.
    except Exception as error:
        what = " ".join(str(error).split()) or type(error).__name__
        get_it = f"; get it by: {backend.how_to_get}" if backend.how_to_get else ""
        raise BackendUnavailable(f"{name}: {what}{get_it}") from error
    _settled[name] = settings
    _loaded[name] = cast(Implementation, found)
    return _loaded[name]


def _find(name: str) -> Backend | None:
    # What is there already is not looked for: a cold start has no entry points to read.
    if name not in _backends and name not in VARIANTS:
        _load_entry_points()
    return _backends.get(name)


def _refuse_another_setting(name: str, settings: tuple[str, ...]) -> None:
    """Raise `BackendUnavailable` where what is loaded runs under other settings of the process."""
    for other, theirs in _settled.items():
        different = [
            each for each in (*theirs, *settings) if (each in theirs) != (each in settings)
        ]
        if different:
            setting = VARIANTS[different[-1]].setting
            raise BackendUnavailable(
                f"{name}: this process has loaded {other}, and {different[-1]} ({setting}) changes "
                "the whole process; use a new one"
            )


def _load_entry_points() -> None:
    """Register what other distributions announce, once."""
    global _entry_points_are_loaded
    if not _entry_points_are_loaded:
        _entry_points_are_loaded = True  # before: what is loaded here may ask for names
        load_each(GROUP, Backend, register)
