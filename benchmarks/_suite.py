"""How time is measured here.

A workload's benchmarks are subclasses of the classes below, in a module of the workload's name.
Their parameters are the workload's options where it has any, the size `n`, and the `backend` last:
clocks drift, and asv then measures the backends next to one another at each n. It hands parameters
to another commit's code by index; so whatever asv stores or indexes by is written out in
`benchmarks/`, never taken from `backends`.

    class SteadyState(_suite.SteadyState):      # time of one call, compiled and warm
        workload = "elementwise"
        params = [SIZES, _suite.BACKENDS]
        version = "1"                           # changes when *what is measured* changes, only then

What is inside the timing of a call: the kernel on inputs that the backend already holds in its own
form, until the whole result is ready. What is outside: making and converting inputs, compiling,
converting results, and the check of every kernel against its reference (`backends.check`).

One asv sample is a *batch* of m calls in a tight loop, and the sample's timer counts in m-ths of a
second. asv's own batching (`number`) cannot do this: asv_runner >= 0.3 runs `setup` before every
call and times each call by itself, which adds its own 0.15 us and the cache misses after a pause.
"""

import abc
import functools
import gc
import itertools
import math
import time

from . import _environment, _process
from ._backends import BACKENDS, backends, check, workloads  # noqa: F401 (for all workloads)

# Seconds that a batch takes at least: 10^5 times the clock's resolution and the cost of reading it.
BATCH_SECONDS = 0.01


def run_batch(call, m):
    """Call m times. This loop is all that is timed besides the call."""
    for _ in itertools.repeat(None, m):
        call()


def batch_size(call):
    """Return an m for which a batch takes `BATCH_SECONDS` or a little more."""
    m = 1
    while True:
        start = time.perf_counter()
        run_batch(call, m)
        seconds = time.perf_counter() - start
        if seconds >= BATCH_SECONDS:
            return m
        # Aim a tenth beyond, but a first call can be a hundred times a warm one: in steps.
        m = math.ceil(m * min(10, 1.1 * BATCH_SECONDS / max(seconds, 1e-9)))


class Batch:
    """A call and its m, found once: asv keeps the first timer, and would divide by an older m."""

    def __init__(self, call):
        self.call = call
        self.m = batch_size(call)
        _process.note(m=self.m)

    def run(self):
        """Take one sample."""
        run_batch(self.call, self.m)

    def timer(self):
        """Return the time in m-ths of a second: the difference of two is seconds per call."""
        return time.perf_counter() / self.m


def check_kernel(spec, module, kernel, n, **options):
    """Refuse a wrong kernel, and note how far this one is from the reference."""
    error = check.check_kernel(spec, module, kernel, n, **options)
    _process.note(error=error, tolerance=spec.tolerance(n))


@functools.lru_cache(maxsize=1)
def steady_state(workload, backend, n, **options):
    """Check and warm a kernel, once in a process: asv sets up before each sample."""
    spec, module = workloads.get(workload), backends.load(backend)
    kernel = module.fresh_kernel(workload, **options)
    check_kernel(spec, module, kernel, n, **options)
    return Batch(module.make_call(kernel, native_inputs(workload, backend, n, **options)))


@functools.lru_cache(maxsize=1)
def native_inputs(workload, backend, n, **options):
    """Return the inputs in the backend's own form."""
    arrays = workloads.get(workload).inputs(n, **options)
    return tuple(map(backends.load(backend).to_native, arrays))


class Suite(abc.ABC):
    """A benchmark of one workload over sizes and backends. Abstract: asv passes the bases over."""

    param_names = ["n", "backend"]
    timeout = 300  # the slowest cells are checked, warmed and sampled in a minute

    @property
    @abc.abstractmethod
    def workload(self):
        """The workload's name."""

    def setup(self, *values):
        """Skip a cell that cannot be had, before anything is imported for it; guard the others."""
        cell = self.cell(*values)
        if (reason := self.why_not(**cell)) is not None:
            raise NotImplementedError(reason)  # asv's way to say "not measured"
        _environment.refuse_other_versions()
        self.prepare(**cell)
        _process.note(params=[*map(repr, values)], backend=cell["backend"], n=cell["n"])

    def why_not(self, n, backend, **options):
        """Return why a cell cannot be had; None where it can, and its backend is then loaded."""
        try:
            if (reason := workloads.get(self.workload).why_not(backend, n)) is None:
                backends.load(backend)
        except (backends.UnknownNameError, backends.BackendUnavailable) as error:
            return str(error)  # unknown: the commit that is measured is older than the benchmark
        return reason

    def cell(self, *values):
        """Return a cell's parameters by name: n, backend and the workload's options."""
        return dict(zip(self.param_names, values, strict=True))

    def prepare(self, n, backend, **options):  # noqa: B027 (a track_ needs nothing)
        """Do what comes before a sample and is not timed."""

    def fresh_call(self, n, backend, **options):
        """Return a call of a kernel that no compiler has seen."""
        module = backends.load(backend)
        inputs = native_inputs(self.workload, backend, n, **options)
        return module.make_call(module.fresh_kernel(self.workload, **options), inputs)


class SteadyState(Suite):
    """Time of one call after the kernel is compiled and warm."""

    number = 1
    rounds = 3  # processes, the unit of every interval; five for the article's two problems
    repeat = 4  # samples of each: a whole number, or where a process ends would not be known
    warmup_time = 0.0  # checking and finding m have warmed the call

    def prepare(self, n, backend, **options):
        """Find the batch, and with it the timer."""
        self.batch = steady_state(self.workload, backend, n, **options)
        self.timer = self.batch.timer

    def time_call(self, *cell):
        self.batch.run()


class FirstCall(Suite):
    """Time of the first call of a freshly made kernel: tracing, compiling and one run.

    The process has checked another fresh kernel of the workload before, and with it paid what is
    due once in a process (Numba's first compile takes three times the next one's; JAX traces its own
    functions once): that belongs to the cold start. What the backend compiles, it compiles anew.
    """

    number = 1
    rounds = 3
    repeat = 2
    warmup_time = 0.0

    def prepare(self, n, backend, **options):
        """Make the kernel."""
        checked_once(self.workload, backend, n, **options)
        self.call = self.fresh_call(n, backend, **options)
        gc.collect()  # the kernel before this one is not to be collected inside the timing

    def time_first_call(self, *cell):
        self.call()


@functools.lru_cache(maxsize=1)
def checked_once(workload, backend, n, **options):
    """Check a kernel like those whose first call is timed."""
    spec, module = workloads.get(workload), backends.load(backend)
    check_kernel(spec, module, module.fresh_kernel(workload, **options), n, **options)


class Agreement(Suite):
    """How far the backend's result is from the reference: max|x - reference| / max|reference|.

    Unless the workload's spec measures the error otherwise.
    """

    unit = "relative error"

    def track_max_relative_error(self, *values):
        return self.error(**self.cell(*values))

    def error(self, n, backend, **options):
        spec, result = workloads.get(self.workload), self.fresh_call(n, backend, **options)()
        value = backends.load(backend).to_numpy(result)
        error = getattr(spec, "error", workloads.relative_error)  # older specs have none
        return error(value, spec.reference(*spec.inputs(n, **options), **options))
