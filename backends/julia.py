"""Julia through juliacall: typed loops; the kernels are the Julia package in `julia/`."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backends import Array, BackendUnavailable, Kernel
from backends._host import is_ready, make_call

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]


def _package() -> Path:
    """Find the Julia package: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "julia_package"
    return installed if installed.is_dir() else here.parent / "julia"


def _start_julia() -> Any:
    """Import juliacall, which starts Julia in this process.

    Left to itself, juliacall would look for a Julia on the network and download it, in the middle
    of a measurement; offline, it takes what is there or fails at once.
    """
    os.environ["PYTHON_JULIAPKG_OFFLINE"] = "yes"
    os.environ.setdefault("PYTHON_JULIACALL_THREADS", "1")
    project = Path(sys.prefix) / "julia_env"
    was_there = project.exists()
    try:
        import juliacall
    except ModuleNotFoundError as error:
        if error.name == "juliacall":
            raise  # load() says how to get it
        reason: Exception = error
    except Exception as error:
        reason = error
    else:
        return juliacall
    if not was_there:  # juliapkg begins a project before it looks for a Julia
        shutil.rmtree(project, ignore_errors=True)
    raise BackendUnavailable(
        f"julia: juliacall did not start: {' '.join(str(reason).split())}; install Julia 1.10.3 or "
        "later with PythonCall, or set both PYTHON_JULIACALL_EXE and PYTHON_JULIACALL_PROJECT"
    ) from reason


juliacall = _start_julia()
Main = juliacall.Main
_Vector = Main.seval("Vector{Float64}")


def fresh_kernel(workload: str) -> Kernel:
    # Julia keeps compiled code by method, so that a new kernel is a new method in a new module.
    module = juliacall.newmodule("Jitcost")
    module.include(str(_package() / "src" / "JitcostKernels.jl"))
    kernel: Kernel = getattr(module.JitcostKernels, workload)
    return kernel


def to_native(array: Array) -> Any:
    return juliacall.convert(_Vector, array)


def to_numpy(result: Any) -> npt.NDArray[Any]:
    return np.array(result)


def details() -> dict[str, str]:
    return {
        "julia": str(Main.VERSION),
        "juliacall": juliacall.__version__,
        "PythonCall": str(Main.seval("string(pkgversion(PythonCall))")),
        "threads": str(Main.Threads.nthreads()),
    }
