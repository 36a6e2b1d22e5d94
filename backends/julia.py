"""Julia through juliacall: typed loops; the kernels are the Julia package in `julia/`."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jitcost.backends import Array, BackendUnavailable, Kernel
from jitcost.backends._fresh import made_for
from jitcost.backends.host import is_ready, make_call
from jitcost.backends.set_up_julia import SETTINGS, remembered

__all__ = [
    "details",
    "fresh_kernel",
    "is_ready",
    "make_call",
    "of_file",
    "of_function",
    "to_native",
    "to_numpy",
]


def _source() -> Path:
    """Return the Julia package's file: beside this package, installed as in a checkout."""
    return Path(__file__).resolve().parent.parent / "julia" / "src" / "JitcostKernels.jl"


def _start_julia() -> Any:
    """Import juliacall, which starts Julia in this process.

    Left to itself, juliacall would look for a Julia on the network and download it, in the middle
    of a measurement; offline, it takes what is there or fails at once.
    """
    os.environ["PYTHON_JULIAPKG_OFFLINE"] = "yes"
    os.environ.setdefault("PYTHON_JULIACALL_THREADS", "1")
    if os.environ["PYTHON_JULIACALL_THREADS"] != "1":
        # As PythonCall's documentation asks: without it Julia's threads crash when they meet a
        # signal. The price is that Ctrl-C does not interrupt Julia.
        os.environ.setdefault("PYTHON_JULIACALL_HANDLE_SIGNALS", "yes")
    if not any(name in os.environ for name in SETTINGS):
        os.environ.update(remembered())
    try:
        import juliacall

        found = juliacall.Main.seval("string(pkgversion(PythonCall))")
        if found != juliacall.__version__:
            raise RuntimeError(f"PythonCall {found} does not go with it")
    except ModuleNotFoundError as error:
        if error.name == "juliacall":
            raise  # load() says how to get it
        reason: Exception = error
    except Exception as error:
        reason = error
    else:
        return juliacall
    project = Path(sys.prefix) / "julia_env"
    if not (project / "Project.toml").exists():  # juliapkg begins one before it looks for a Julia
        shutil.rmtree(project, ignore_errors=True)
    raise BackendUnavailable(
        f"julia: {_diagnose(' '.join(str(reason).split()))}; run `make julia` where there is a "
        f"network, or set both {' and '.join(SETTINGS)}"
    ) from reason


def _diagnose(said: str) -> str:
    """Say which step of starting Julia has failed."""
    if "could not find Julia" in said:
        # juliapkg limits the range itself where Python's OpenSSL is older than Julia 1.12's.
        limit = " (this Python's OpenSSL rules out Julia 1.12)" if "- 1.11" in said else ""
        return f"no Julia found: {said}{limit}"
    if "PythonCall.jl did not start" in said:
        return "Julia starts, but PythonCall is missing from its project or broken"
    return f"juliacall {metadata.version('juliacall')} did not start: {said}"


juliacall = _start_julia()
Main = juliacall.Main
_TYPES = {
    (dtype, ndim): Main.seval(f"Array{{{julia_type}, {ndim}}}")
    for dtype, julia_type in (("float64", "Float64"), ("uint32", "UInt32"))
    for ndim in (1, 2)
}


def fresh_kernel(workload: str, **options: Any) -> Kernel:
    # Julia keeps compiled code by method, so that a new kernel is a new method in a new module.
    module = juliacall.newmodule("Jitcost")
    module.include(str(_source()))
    return made_for(getattr(module.JitcostKernels, workload), options)


class JuliaFunction:
    """A function of somebody's Julia file: what is called is a method of its own in a new module."""

    def __init__(self, path: str, name: str) -> None:
        self.path, self.name = path, name

    def fresh(self) -> Kernel:
        """Return the function from the file included anew."""
        module = juliacall.newmodule("Own")
        module.include(self.path)
        function: Kernel = getattr(module, self.name)
        return function

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        return self.fresh()(*arguments)


def of_file(path: str, name: str) -> JuliaFunction:
    return JuliaFunction(path, name)


def of_function(function: Kernel) -> Kernel:
    return function.fresh() if isinstance(function, JuliaFunction) else function


def to_native(array: Array) -> Any:
    return juliacall.convert(_TYPES[str(array.dtype), array.ndim], array)


def to_numpy(result: Any) -> npt.NDArray[Any]:
    return np.array(result)


def details() -> dict[str, str]:
    return {
        "julia": str(Main.VERSION),
        "juliacall": juliacall.__version__,
        "PythonCall": str(Main.seval("string(pkgversion(PythonCall))")),
        "threads": str(Main.Threads.nthreads()),
    }
