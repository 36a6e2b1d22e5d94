"""asv benchmarks of one's own functions: timed as the suite's workloads are, by `benchmarks._suite`.

Modules in a person's `benchmarks/own/` say of what, in literals; `jitcost init` writes them:

    class _Own:
        file, workload = "rbf.py", "rbf"            # and the problem in it
        version = "1"                               # changes when *what is measured* changes, only then

    class SteadyState(_Own, suite.SteadyState):
        params = [[10, 100, 1000], ["numpy", "jax_jit", "numba", "numba__parallel"]]

The file is the one of the commit that asv has checked out. What that commit lacks, the file, a kernel
or a backend, is not measured; a kernel that must not be timed fails, and says why (`own.gate`).
"""

from __future__ import annotations

import abc
import functools
import gc
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jitcost.backends import BackendUnavailable
from jitcost.benchmarks import _process, _suite
from jitcost.own import cells
from jitcost.own.gate import Checked
from jitcost.own.jobs import Size
from jitcost.own.kernels import STAND_INS
from jitcost.own.timing import MutatingBatch

__all__ = ["FirstCall", "SteadyState"]


class _Own(_suite.Suite):
    """What both have in common.

    Attributes
    ----------
    file : str
        The file's path in its repository.
    workload : str
        The problem in it.
    limits : mapping of str to float
        The largest n of the kernels for which a larger one takes too long, or too much memory.
    sizes : mapping of float to tuple
        What `inputs` gets for an n, where that is not n itself.
    """

    rounds = 5  # processes, the unit of every interval
    limits: Mapping[str, float] = {}
    sizes: Mapping[float, Size] = {}

    @property
    @abc.abstractmethod
    def file(self) -> str:
        """The file's path in its repository."""

    # A problem has no options besides n and the backend.
    def why_not(self, n: float, backend: str) -> str | None:  # type: ignore[override]
        """Return why a cell is not measured; None where it is, and its backend is then loaded."""
        if n > self.limits.get(backend, math.inf):
            return f"{backend} is measured up to n = {self.limits[backend]:,}"
        try:
            if (self.workload, backend) not in cells.found(self._path(), self._stem()):
                return f"{self.file} has no {self.workload} on {backend}"
            self.loaded(n, backend)
        except (cells.NotThereError, BackendUnavailable) as error:
            return str(error)
        return None

    def loaded(self, n: float, backend: str) -> cells.Loaded:
        """Return the kernel; of the others, those within their limits may be its reference."""
        references = tuple(
            one for one in STAND_INS if one != backend and n <= self.limits.get(one, math.inf)
        )
        return cells.loaded(self._path(), self._stem(), self.workload, backend, references)

    def size(self, n: float) -> Size:
        """Return what `inputs` gets."""
        return self.sizes.get(n, n)

    def _path(self) -> Path:
        """Return the file: in asv's checkout of the commit, or in the repository where there is none."""
        checkout = Path(os.environ.get("ASV_ENV_DIR", ""), "project").absolute()
        if "ASV_ENV_DIR" in os.environ and checkout.is_dir():
            return checkout / self.file
        module = sys.modules[type(self).__module__]
        return Path(str(module.__file__)).resolve().parents[2] / self.file

    def _stem(self) -> str:
        return Path(self.file).stem


class SteadyState(_Own, _suite.SteadyState):
    """Time of one call after the kernel is compiled and warm."""

    def prepare(self, n: float, backend: str) -> None:  # type: ignore[override]
        """Find the batch, and with it the timer."""
        self.batch = _batch(self.loaded(n, backend), self.size(n))
        self.timer = self.batch.timer


class FirstCall(_Own, _suite.FirstCall):
    """Time of the first call of a freshly made kernel: tracing, compiling and one run."""

    def prepare(self, n: float, backend: str) -> None:  # type: ignore[override]
        """Make the kernel, after another one has paid what is due once in a process."""
        one = self.loaded(n, backend)
        if not one.kernel.compiles_anew:
            raise NotImplementedError(
                "it is compiled when its file is loaded: it has no first call"
            )
        _checked(one, self.size(n))
        self.call = one.fresh_call(self.size(n))
        gc.collect()  # the kernel before this one is not to be collected inside the timing


def _checked(one: cells.Loaded, size: Size) -> Checked:
    found, _ = cells.checked(one, size)
    _process.note(error=found.error, tolerance=found.tolerance)
    return found


@functools.lru_cache(maxsize=1)
def _batch(one: cells.Loaded, size: Size) -> Any:
    """Return the batch of a checked kernel, once in a process: asv sets up before each sample."""
    found = _checked(one, size)
    if one.gate.mutates:
        return MutatingBatch(lambda: one.call(size), found.seconds)
    return _suite.Batch(one.call(size))
