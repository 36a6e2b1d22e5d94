"""A kernel of a loaded file, ready to be checked, and what its process has to find around it."""

from __future__ import annotations

import os
from pathlib import Path

from jitcost.backends import Implementation, functions
from jitcost.own.calls import OwnKernel
from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Source
from jitcost.own.julia_names import julia_kernels
from jitcost.own.kernels import Kernel
from jitcost.own.names import Names
from jitcost.own.problem import Problem

__all__ = ["kernel_of", "sources", "surroundings"]


def surroundings(caches: str) -> dict[str, str]:
    """Return the environment variables that a process of a person's kernels needs beside its own.

    Parameters
    ----------
    caches : str
        A folder of this process alone: what Numba has kept of an earlier one would be read from there,
        and a first call would compile nothing.
    """
    # In double precision unless the file says otherwise, also where the file imports JAX by itself.
    wanted = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}
    return (
        wanted | {k: os.environ[k] for k in wanted if k in os.environ} | {"NUMBA_CACHE_DIR": caches}
    )


def sources(path: Path, stem: str, names: Names) -> list[tuple[Source, Kernel]]:
    """Return every kernel of a file, those of the Julia file beside it included, and where it is.

    Parameters
    ----------
    path : Path
        The Python file.
    stem : str
        What the problem of a bare `kernel` is called.
    names : Names
        What the file's names say.
    """
    julia = path.with_suffix(".jl")
    beside = (
        julia_kernels(julia.read_text(encoding="utf-8"), stem, names.problems)
        if julia.is_file()
        else ()
    )
    return [
        (
            Source(
                str(path.resolve()),
                kernel.problem,
                names.inputs[kernel.problem],
                names.references.get(kernel.problem),
                str(julia.resolve()) if kernel in beside else None,
            ),
            kernel,
        )
        for kernel in (*names.kernels, *beside)
    ]


def kernel_of(
    problem: Problem, source: Source, backend: Implementation, named: Kernel
) -> OwnKernel:
    """Return a kernel of a loaded file.

    Raises
    ------
    OwnFileError
        If its name stands for something that cannot be called, or that another backend has compiled.
    """
    if source.julia and named.backend == "julia":
        function = functions.of_file(backend, source.julia, named.function)
    else:
        function = problem.namespace.get(named.function)
    if not callable(function):
        raise OwnFileError(f"{named.function} is no function but {type(function).__name__}")
    if (other := functions.compiled_by(function)) and named.backend not in other:
        raise OwnFileError(_misnamed(named, other[0]))
    return OwnKernel(
        backend,
        function,
        xp=named.xp,
        static=problem.setting("static", *named.names, default=()),
        traced=problem.setting("traced", *named.names, default=()),
    )


def _misnamed(named: Kernel, backend: str) -> str:
    """Return what is wrong with a kernel that another backend than its name's has compiled."""
    name, mark, version = named.function.partition("__")
    name = f"{name.removesuffix(f'_{named.backend}')}_{backend}{mark}{version}"
    return f"{named.function} is compiled by {backend} already: name it {name}"
