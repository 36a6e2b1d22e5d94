"""The workloads, written once for each backend.

A *backend* is one way to run a workload. It is announced by a `Backend` and run by an
`Implementation`: the built-in ones are modules of this package, and other packages bring theirs by an
entry point of the group `jitcost.backends`, or by `register`. Importing `backends` imports none of the
libraries: `load` does, one backend at a time, and says what is missing and how to get it when it cannot.

>>> from jitcost import backends
>>> numpy = backends.load("numpy")
>>> kernel = numpy.fresh_kernel("elementwise")
"""

from __future__ import annotations

from jitcost.backends.registry import (
    Array,
    Backend,
    BackendUnavailable,
    Call,
    Implementation,
    Kernel,
    RegistrationError,
    UnknownNameError,
    compiled,
    get,
    heading,
    is_compiled,
    load,
    names,
    register,
    split_version,
)

__all__ = [
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
    "load",
    "names",
    "register",
    "split_version",
]

_JAX = "python -m pip install jax"

BUILT_IN = (
    Backend("python", "jitcost.backends.python", kernels=None),
    Backend("numpy", "jitcost.backends.numpy", kernels=None),
    Backend("jax_eager", "jitcost.backends.jax_eager", kernels=None, how_to_get=_JAX),
    Backend("jax_jit", "jitcost.backends.jax_jit", kernels=None, compiled=True, how_to_get=_JAX),
    Backend(
        "numba",
        "jitcost.backends.numba",
        kernels=None,
        compiled=True,
        how_to_get="python -m pip install numba",
    ),
    Backend(
        "julia",
        "jitcost.backends.julia",
        kernels=None,
        compiled=True,
        how_to_get="python -m pip install juliacall",
    ),
)

for _backend in BUILT_IN:
    register(_backend)
