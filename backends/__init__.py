"""The workloads, written once for each backend.

A *backend* is one way to run a workload; each is one module of this package, and that module is
the whole contract (`Backend` below). Importing `backends` imports none of the libraries: `load`
does, one backend at a time, and says what is missing and how to get it when it cannot.

>>> from jitcost import backends
>>> numpy = backends.load("numpy")
>>> kernel = numpy.fresh_kernel("elementwise")
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

__all__ = [
    "NAMES",
    "Array",
    "Backend",
    "BackendUnavailable",
    "Call",
    "Kernel",
    "UnknownNameError",
    "load",
]

Array = npt.NDArray[np.float64]
Kernel = Callable[..., Any]
Call = Callable[[], Any]

NAMES = ("python", "numpy", "jax_eager", "jax_jit", "numba", "julia")

_HOW_TO_GET = {
    "jax_eager": "python -m pip install jax",
    "jax_jit": "python -m pip install jax",
    "numba": "python -m pip install numba",
    "julia": "python -m pip install juliacall",
}


class BackendUnavailable(Exception):  # noqa: N818 (a state that a caller handles, not a fault)
    """A backend's library is missing or its runtime does not start; says why and how to get it."""


class UnknownNameError(ValueError):
    """A name that is no backend or no workload; says which names there are."""


class Backend(Protocol):
    """What a module of this package provides.

    `native` below stands for whatever the backend works on: a list of floats, a NumPy array, a JAX
    array, a Julia array.
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


def names() -> tuple[str, ...]:
    """Return the names of the backends, in the order in which they are shown."""
    return NAMES


def heading(name: str) -> str:
    """Return what tables call a backend."""
    return name


def compiled() -> tuple[str, ...]:
    """Return the names of the backends that compile before their first result."""
    return ("jax_jit", "numba", "julia")


def load(name: str) -> Backend:
    """Import a backend, or a variant of one.

    Parameters
    ----------
    name : str
        One of `NAMES`, or of `backends.variants.VARIANTS`.

    Returns
    -------
    Backend
        The backend's module.

    Raises
    ------
    UnknownNameError
        If there is no such backend.
    BackendUnavailable
        If its library cannot be imported or its runtime cannot start.
    """
    from jitcost.backends.variants import VARIANTS, base_of

    if name not in NAMES and name not in VARIANTS:
        raise UnknownNameError(f"no backend {name!r}; there are {', '.join(NAMES)}")
    package = f"{__name__}.variants" if name in VARIANTS else __name__
    try:
        return cast(Backend, importlib.import_module(f"{package}.{name}"))
    except BackendUnavailable:
        raise
    # A broken library can fail in any way, and none of them may take the suite down.
    except Exception as error:
        what = " ".join(str(error).split()) or type(error).__name__
        get = _HOW_TO_GET.get(base_of(name))
        raise BackendUnavailable(
            f"{name}: {what}" + (f"; get it by: {get}" if get else "")
        ) from error
