"""Functions in C, compiled for this machine when they are timed, and kernels held against them."""

import abc
import ctypes
import functools
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import numpy as np

from . import _environment, _process, _suite
from ._backends import backends, workloads

OPTIONS = ["-O3", "-march=native"]


@functools.cache
def library(source, *options):
    """Compile a C file, once in a process, and load it."""
    with tempfile.TemporaryDirectory() as folder:
        return ctypes.CDLL(str(compiled(source, pathlib.Path(folder), *options)))


def compiled(source, folder, *options):
    """Compile a C file into a shared library in this folder; return its path."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise NotImplementedError("no C compiler: there is no cc on the PATH, and CC names none")
    made, object_file = folder / f"{source.stem}.so", folder / f"{source.stem}.o"
    # In two steps: linking with -ffast-math, gcc < 13 adds code that makes the whole process, all of
    # its backends, flush subnormal numbers to zero.
    for command in (
        [compiler, *OPTIONS, *options, "-fPIC", "-c", "-o", object_file, source],
        [compiler, "-shared", "-o", made, object_file, "-lm"],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NotImplementedError(f"{compiler} does not compile: {done.stderr.strip()[:200]}")
    return made


def call_of(function, inputs, shape, n):
    """Return a call of a C function that makes a new result each time, as the kernels do."""
    function.argtypes = [ctypes.c_void_p] * (len(inputs) + 1) + [ctypes.c_long]
    function.restype = None
    addresses = tuple(array.ctypes.data for array in inputs)
    address_of, from_buffer = ctypes.addressof, ctypes.c_char.from_buffer

    def call():
        result = np.empty(shape)
        # result.ctypes.data takes 1.7 us, this 0.2: reading 10^5 numbers takes 5.
        function(*addresses, address_of(from_buffer(result)), n)
        return result

    call.inputs = inputs  # C has only their addresses: the call keeps the arrays
    return call


class Ratio(abc.ABC):
    """A kernel's time over that of a C function, by the function's name."""

    param_names = ["function", "backend"]
    unit = "ratio"
    timeout = 300

    options = ()

    @property
    @abc.abstractmethod
    def source(self):
        """The C file."""

    @property
    @abc.abstractmethod
    def cases(self):
        """Workload, options and n of each function."""

    @abc.abstractmethod
    def checked_call(self, function):
        """Return a call of the C function, its result checked."""

    def setup(self, function, backend):
        """Skip what cannot be had, before anything is imported."""
        try:
            workload, _, n = self.cases[function]
            reason = workloads.get(workload).why_not(backend, n)
            if reason is None:
                library(self.source, *self.options)
                backends.load(backend)
        except (backends.UnknownNameError, backends.BackendUnavailable) as error:
            reason = str(error)
        if reason is not None:
            raise NotImplementedError(reason)
        _environment.refuse_other_versions()
        _process.note(params=[repr(function), repr(backend)], backend=backend, n=n)

    def ratio(self, function, backend):
        """Return the median ratio of two calls, in turns: the clock drifts for both."""
        workload, options, n = self.cases[function]
        by_backend = _suite.steady_state(workload, backend, n, **options)
        by_c = _suite.Batch(self.checked_call(function))
        return statistics.median(seconds(by_backend) / seconds(by_c) for _ in range(21))


def seconds(batch):
    """Return the time of one call of a batch."""
    start = batch.timer()
    batch.run()
    return batch.timer() - start
