"""One kernel of a person's file, loaded into this process, checked at a size and ready to be timed."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitcost import backends
from jitcost.backends import Call, Implementation
from jitcost.own.calls import Made, OwnKernel, to_native
from jitcost.own.errors import OwnFileError
from jitcost.own.gate import Checked, Gate
from jitcost.own.jobs import Size, Source
from jitcost.own.kernels import Kernel
from jitcost.own.names import read
from jitcost.own.opening import kernel_of, sources, surroundings
from jitcost.own.problem import Problem, load
from jitcost.own.shared import Shared

__all__ = ["Loaded", "NotThereError", "checked", "found", "loaded"]


class NotThereError(Exception):
    """A file or a kernel that this commit does not have; says which."""


@functools.lru_cache(maxsize=1)
def found(path: Path, stem: str) -> dict[tuple[str, str], tuple[Source, Kernel]]:
    """Return the kernels that a file has, by problem and by what results call them.

    Parameters
    ----------
    path : Path
    stem : str
        What the problem of a bare `kernel` is called.

    Raises
    ------
    NotThereError
        If there is no such file, or its names stand for no kernels.
    """
    try:
        names = read(path.read_text(encoding="utf-8"), stem, backends.names())
    except FileNotFoundError:
        raise NotThereError(f"there is no {path.name}") from None
    except OwnFileError as error:
        raise NotThereError(f"{path.name}: {error}") from None
    return {(one.problem, one.name): (source, one) for source, one in sources(path, stem, names)}


@dataclass(frozen=True, eq=False)
class Loaded:
    """A kernel in this process.

    Attributes
    ----------
    backend : Implementation
    kernel : OwnKernel
    gate : Gate
    stand_ins : tuple of Gate
        Of the kernels whose result this one's may be held against, where the file has no reference.
    """

    backend: Implementation
    kernel: OwnKernel
    gate: Gate
    stand_ins: tuple[Gate, ...]

    def arguments(self, size: Size) -> tuple[Any, ...]:
        """Return arguments of their own, in the backend's form."""
        return tuple(to_native(self.backend, self.gate.shared.inputs(size, 0)))

    def call(self, size: Size) -> Call:
        """Return a call of the checked kernel, on arguments of its own.

        Raises
        ------
        RefusedError, OwnFileError
            As `checked`.
        """
        return self.kernel.call(checked(self, size)[1], self.arguments(size))

    def fresh_call(self, size: Size) -> Call:
        """Return a call of a kernel that no compiler has seen."""
        arguments = self.arguments(size)
        return self.kernel.call(self.kernel.fresh(arguments), arguments)


@functools.lru_cache(maxsize=1)
def loaded(path: Path, stem: str, problem: str, name: str, references: tuple[str, ...]) -> Loaded:
    """Load a kernel of a file; once in a process, which is this kernel's from then on.

    Parameters
    ----------
    path : Path
        The file.
    stem : str
        What the problem of a bare `kernel` is called.
    problem, name : str
        One of those that are `found`.
    references : tuple of str
        The kernels that may stand in for a reference.

    Raises
    ------
    BackendUnavailable
        If its backend cannot be had.
    OwnFileError
        If the file cannot be loaded, or the name stands for no function.
    """
    kernels = found(path, stem)
    source, kernel = kernels[problem, name]
    folder = tempfile.mkdtemp(prefix="jitcost-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.update(surroundings(folder))
    # Before the folder of the file is on the path: a file may be called jax.py.
    backend = backends.load(kernel.backend)
    its = load(source)
    shared = Shared(folder, its)
    gate = _gate(its, shared, source, kernel)
    others = [kernels[problem, one] for one in references if (problem, one) in kernels]
    stand_ins = () if its.reference else tuple(_gate(its, shared, *one) for one in others)
    return Loaded(backend, gate.kernel, gate, stand_ins)


def _gate(problem: Problem, shared: Shared, source: Source, kernel: Kernel) -> Gate:
    backend = backends.load(kernel.backend)
    made = kernel_of(problem, source, backend, kernel)
    return Gate(problem, shared, backend, made, kernel.names)


@functools.lru_cache(maxsize=1)
def checked(one: Loaded, size: Size) -> tuple[Checked, Made]:
    """Check a kernel at a size, against the reference or what stands in for it; once in a process.

    Raises
    ------
    RefusedError
        If it is not to be timed.
    OwnFileError
        If the inputs or the reference cannot be had.
    """
    for gate in one.stand_ins:
        try:
            gate.check(size)  # its results are the reference from then on
            break
        except Exception:  # it has a cell of its own, which says why; the next one may be better
            continue
    return one.gate.check(size)
