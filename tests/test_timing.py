"""The protocol of benchmarks/_suite.py, under the newest asv_runner and under an old one."""

import inspect
import json
import math
import os
import statistics
import subprocess
import sys
import time
import timeit

import pytest

from benchmarks import _suite
from benchmarks import elementwise as elementwise_benchmarks
from conftest import ROOT, source_path
from jitcost import backends
from jitcost.backends import workloads

# A clock that only calls move, by a known amount each: what asv then stores has one right value.
FAKE_CLOCK = """
import json, sys
from asv_runner.discovery import get_benchmark_from_name
from benchmarks import _suite, harness

now = 100.0
def call():
    global now
    now += {seconds}
harness.null_call = call
_suite.time.perf_counter = lambda: now

benchmark = get_benchmark_from_name({root!r}, "harness.Floor.time_null_call", {attributes})
assert not benchmark.do_setup()
setups = 0
for _ in range({setups}):
    benchmark.do_setup()
result = benchmark.do_run()
print(json.dumps(result | {{"m": benchmark.func.__self__.batch.m}}))
"""

QUICK = {"number": 1, "repeat": 1, "warmup_time": 0, "rounds": 1}


@pytest.fixture(scope="session", params=["installed", "0.2.5"])
def runner(request, tmp_path_factory):
    """Return the PYTHONPATH for one version of asv_runner."""
    if request.param == "installed":
        return source_path(ROOT)
    folder = tmp_path_factory.mktemp("asv_runner")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
    subprocess.run([*pip, f"asv_runner=={request.param}"], check=True, capture_output=True)
    return os.pathsep.join([str(folder), source_path(ROOT)])


@pytest.mark.parametrize("seconds", [2e-8, 3.7e-6, 0.5])
@pytest.mark.parametrize("attributes", [{}, QUICK], ids=["full", "quick"])
@pytest.mark.parametrize("setups", [0, 50])
def test_a_sample_is_the_time_of_one_call(run_python, runner, seconds, attributes, setups):
    code = FAKE_CLOCK.format(root=str(ROOT / "benchmarks"), **locals())
    result = json.loads(run_python(code, env={"PYTHONPATH": runner}))
    assert result["number"] == 1
    assert len(result["samples"]) == (1 if attributes else 4)
    # no drift either: every sample, after any number of setups, has the same right value
    assert result["samples"] == pytest.approx([seconds] * len(result["samples"]), rel=1e-4)
    assert result["m"] * seconds >= _suite.BATCH_SECONDS


def test_setting_up_again_prepares_nothing_again():
    benchmark = elementwise_benchmarks.SteadyState()
    benchmark.setup(10, "numpy")
    batch = benchmark.batch
    for _ in range(100):
        benchmark.setup(10, "numpy")
    assert benchmark.batch is batch
    assert benchmark.timer == batch.timer


def test_every_first_call_is_the_first_of_its_kernel():
    benchmark = elementwise_benchmarks.FirstCall()
    calls = []
    for _ in range(3):
        benchmark.setup(10, "jax_jit")
        kernel = inspect.getclosurevars(benchmark.call).nonlocals["kernel"]
        assert kernel._cache_size() == 0
        benchmark.time_first_call(10, "jax_jit")
        assert kernel._cache_size() == 1
        calls.append(kernel)
    assert len(set(map(id, calls))) == 3


def test_a_cell_beyond_a_limit_is_skipped_before_its_backend_is_imported(run_python):
    code = """
import sys
from benchmarks.recursion import SteadyState
try:
    SteadyState().setup(1_000_000, "jax_eager")
except NotImplementedError as error:
    print(error, "jax" in sys.modules)
"""
    said = run_python(code)
    assert said.strip() == (
        "jax_eager runs to n = 1000 only: each step dispatches its operations anew: 20 to 130 µs False"
    )


def test_an_unavailable_backend_is_skipped_with_its_reason(monkeypatch):
    def load(name):
        raise backends.BackendUnavailable("numba: gone")

    monkeypatch.setattr(backends, "load", load)
    with pytest.raises(NotImplementedError, match="numba: gone"):
        elementwise_benchmarks.SteadyState().setup(10, "numba")


def test_a_wrong_kernel_is_an_error_and_not_a_time(monkeypatch):
    python = backends.load("python")
    monkeypatch.setattr(python, "fresh_kernel", lambda workload: lambda x: 0.0)
    with pytest.raises(Exception, match=r"is wrong by 1\.0e\+00") as caught:
        elementwise_benchmarks.SteadyState().setup(11, "python")
    assert not isinstance(caught.value, NotImplementedError)  # asv would read it as "not measured"


def test_a_replay_finds_the_call_at_which_compiling_has_paid(monkeypatch):
    now = [100.0]
    costs = {"jax_jit": [10.0] + [1.0] * 299, "numpy": [2.5] * 300}
    # after m calls: 10 + (m - 1) against 2.5 m, which is more from m = 6 on

    def fresh_call(self, n, backend):
        remaining = iter(costs[backend])

        def call():
            now[0] += next(remaining)

        return call

    monkeypatch.setattr(elementwise_benchmarks.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(elementwise_benchmarks.Replay, "fresh_call", fresh_call)
    monkeypatch.setattr(_suite, "checked_once", lambda *_: None)
    replay = elementwise_benchmarks.Replay()
    assert replay.track_calls_until_paid(100_000, "jax_jit") == 6
    costs["jax_jit"] = [10.0] + [2.5] * 299
    assert math.isnan(replay.track_calls_until_paid(100_000, "jax_jit"))


@pytest.mark.timing
def test_the_first_call_of_eager_jax_compiles_its_operations():
    benchmark = elementwise_benchmarks.FirstCall()
    benchmark.setup(17, "jax_eager")
    first, second = (timeit.timeit(benchmark.call, number=1) for _ in range(2))
    assert first > 10 * second


def alternating_ratio(one, other, repetitions):
    """Return the median of one's time over the other's, in turns: the clock drifts for both."""
    return statistics.median(one() / other() for _ in range(repetitions))


def worked_by_suite(batch):
    """Return the seconds that this thread works for a call, by the loop that samples are taken with.

    Not the seconds that pass: what is asked is what the loop adds to a call, and on a machine that is
    busy with other things a batch waits for its turn as long as it works.
    """
    start = time.thread_time()
    batch.run()
    return (time.thread_time() - start) / batch.m


def worked_by_timeit(statement, names, m):
    return timeit.timeit(statement, globals=names, number=m, timer=time.thread_time) / m


def null_call():
    pass


@pytest.mark.timing
def test_the_floor_is_a_bare_loop():
    batch = _suite.Batch(null_call)
    names = {"m": batch.m, "call": null_call}
    bare = "for _ in range(m): call()"
    ratio = alternating_ratio(
        lambda: worked_by_suite(batch), lambda: worked_by_timeit(bare, names, 1) / batch.m, 15
    )
    assert ratio <= 1.5


@pytest.mark.timing
def test_the_suite_and_timeit_agree_on_a_numba_call():
    numba = backends.load("numba")
    batch = _suite.steady_state("elementwise", "numba", 100)
    kernel = numba.fresh_kernel("elementwise")
    (x,) = workloads.get("elementwise").inputs(100)
    kernel(x)
    names = {"kernel": kernel, "x": x}
    ratio = alternating_ratio(
        lambda: worked_by_suite(batch), lambda: worked_by_timeit("kernel(x)", names, batch.m), 25
    )
    assert ratio == pytest.approx(1, abs=0.1)
