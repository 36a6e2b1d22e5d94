"""People's files measured by real processes: a table, or one clear line, whatever their kernels do."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from asv.results import Results

import jitcost
from conftest import ROOT, source_path
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.store import asv_files, records
from own_files import measured, scout, write


def counts(found):
    """Return how many processes each kernel and size has."""
    cells = found.outcome.cells.items()
    return {(entry.kernel.name, size): len(processes) for (entry, size), processes in cells}


def test_a_file_with_everything_that_may_go_wrong_at_one_kernel_or_size(tmp_path):
    folder = tmp_path / "mit Leerzeichen und Ü"
    folder.mkdir()
    path = write(
        folder,
        """
        import os, signal, sys, time

        def kernel(x):
            print("of a kernel")
            return x
        def kernel_numpy__aborts(x): return x if x.size < 100 else os.abort()
        def kernel_numpy__exits(x): return sys.exit(3)
        def kernel_numpy__hangs(x): return x if x.size < 100 else time.sleep(60)
        def kernel_numpy__killed(x): os.kill(os.getpid(), signal.SIGKILL)
        kernel_numpy__array = np.asarray([1.0])
        def kernel_jit(x): return x
        """,
        name="größe.py",
    )
    found, said = measured(path, timeout=2.0)
    assert counts(found) == {
        ("numpy", 10): 1,
        ("numpy", 100): 1,
        ("numpy__aborts", 10): 1,
        ("numpy__hangs", 10): 1,
    }
    assert set(said) == {
        "kernel_jit: no backend jit; jax_jit?",
        "kernel_numpy__array is no function but ndarray: left out",
        "größe numpy: prints: what that takes is in its times",
        "größe numpy__aborts at n = 100: its process was ended by SIGABRT",
        "größe numpy__exits at every size: SystemExit: 3 (größe.py, line 13)",
        "größe numpy__hangs at n = 100: no result within 2 s (--timeout); it was stopped",
        "größe numpy__killed at n = 10: its process was ended by SIGKILL (out of memory?)",
    }
    assert len(said) == 7
    assert sorted(found.cells["n"].unique()) == [10, 100]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_module", "mine.py imports no_such_module, which is missing: python -m"),
        ("raise SystemExit('enough')", "mine.py cannot be loaded: SystemExit: enough (mine.py, l"),
        ("import os; os.abort()", "mine.py cannot be loaded: its process was ended by SIGABRT"),
        ("sizes = []", "sizes = [] is no list of numbers, or of tuples of them"),
        ("sizes = [0, 10]", "sizes: 0 is n = 0, and n is a number above zero"),
        ("sizes = [(2, 3), (3, 2)]", "sizes: (2, 3) and (3, 2) are both n = 6; say what n is by"),
        ("sizes = [1]\nn_of = lambda size: size[0]", "n_of(1) fails: TypeError: 'int' object is"),
    ],
)
def test_a_file_that_cannot_be_measured_is_one_line(tmp_path, text, said):
    path = write(tmp_path, f"{text}\ndef kernel(x): return x\n")
    with pytest.raises(BadCallError) as raised:
        measured(path, sizes=None)
    assert str(raised.value).startswith(said)
    assert "\n" not in str(raised.value)


def test_a_file_without_a_time_says_why(tmp_path):
    path = write(tmp_path, "def kernel(x): return x.no_such_thing")
    with pytest.raises(NothingFoundError, match=r"mine numpy at every size: AttributeError: .*"):
        measured(path)


def test_a_file_may_be_called_as_a_library_is(tmp_path):
    path = write(tmp_path, "def kernel(x, xp): return xp.sum(x)", name="jax.py")
    found, said = measured(path, sizes=(10,), backends=("jax_jit",))
    assert counts(found) == {("jax_jit", 10): 1}
    assert said == []


def test_a_slow_kernel_gets_fewer_sizes_and_processes_and_says_so(tmp_path):
    path = write(tmp_path, "import time\ndef kernel(x):\n    time.sleep(0.3)\n    return x")
    start = time.perf_counter()
    found, said = measured(path, processes=5, budget=4.0)
    assert counts(found) == {("numpy", 10): 3}
    # A call's share is 4 s / (8 x 5 x 2) = 50 ms. A process takes its start and four calls of 0.3 s:
    # five of them would take twice the 3 s that are left.
    assert any("is left out from n = 100 on" in line for line in said)
    assert any("3 processes of each kernel instead of 5" in line for line in said)
    assert time.perf_counter() - start < 4 * 4.0


def test_each_process_compiles_anew_and_only_a_kernel_that_can_has_first_calls(tmp_path):
    path = write(
        tmp_path,
        """
        import numba
        @numba.njit(cache=True)
        def kernel_numba(x): return x + 1
        @numba.njit("float64[:](float64[:])")
        def kernel_numba__signature(x): return x + 1
        """,
    )
    found, _ = measured(path, sizes=(10,), processes=2, budget=60.0)
    firsts = {
        entry.kernel.name: [process.first for process in processes]
        for (entry, _), processes in found.outcome.cells.items()
    }
    assert firsts["numba__signature"] == [None, None]
    assert min(firsts["numba"]) > 0.02  # what is cached would be there in 3 ms


def test_what_changes_its_inputs_is_timed_on_fresh_copies(tmp_path):
    path = write(
        tmp_path,
        """
        mutates = True
        def kernel(x):
            assert x[0] < 1.5, "not a fresh copy"
            x += 1.0
        """,
        head="import numpy as np\ndef inputs(n, rng): return (rng.uniform(size=n),)\n",
    )
    found, said = measured(path)
    assert counts(found) == {("numpy", 10): 1, ("numpy", 100): 1}
    assert said == []


def test_a_folder_that_cannot_be_written_to_keeps_no_results(tmp_path, monkeypatch):
    path = write(tmp_path, "def kernel(x): return x")
    monkeypatch.setattr(os, "access", lambda *about: False)
    found, said = measured(path, sizes=(10,))
    assert said == [f"{tmp_path} cannot be written to: the results are not kept"]
    assert len(found.cells.filter(kind="SteadyState")) == 1
    assert not (tmp_path / ".jitcost").exists()


def test_results_are_asvs_and_the_same_state_adds_processes(tmp_path):
    path = write(tmp_path, "def kernel(x): return x.sum()\ndef kernel_python(x): return sum(x)")
    first, _ = measured(path, processes=2)
    again, _ = measured(path)
    path.write_text(path.read_text() + "# another state\n")
    other, _ = measured(path, sizes=(10,))
    folder = tmp_path / ".jitcost" / "results"
    files = sorted((folder / "m").glob("*-*.json"))
    assert len(files) == 2
    states = {Results.load(str(file)).commit_hash for file in files}
    assert states == set(first.cells["commit"]) | set(other.cells["commit"])
    assert set(first.cells["commit"]) == set(again.cells["commit"]) != set(other.cells["commit"])

    def processes(found):
        return set(found.cells.filter(kind="SteadyState")["processes"].to_list())

    assert (processes(first), processes(again), processes(other)) == ({2}, {3}, {1})
    (file,) = (
        one for one in files if Results.load(str(one)).commit_hash in set(again.cells["commit"])
    )
    results = Results.load(str(file))
    name = "mine.SteadyState.time_call"
    assert f"own.{name}" in results.get_all_result_keys()
    params = results.get_result_params(f"own.{name}")
    assert params == [["10", "100"], ["'numpy'", "'python'"]]
    samples = results.get_result_samples(f"own.{name}", params)
    assert [len(its) for its in samples] == [12] * 4  # four of each of three processes
    told = [record.cell for record in records.lines(records.beside(file))]
    assert len([cell for cell in told if cell[0] == f"own.{name}"]) == 12
    assert results.get_result_value(f"own.{name}", params) == [
        pytest.approx(sorted(its)[5] / 2 + sorted(its)[6] / 2) for its in samples
    ]


def command(path, *options):
    """Start `jitcost measure`."""
    return subprocess.Popen(
        [sys.executable, "-m", "jitcost.cli", "measure", str(path), *options],
        env=os.environ | {"PYTHONPATH": source_path(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def processes_that_name(text):
    """Return the processes that have a text in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells which processes there are")
def test_nothing_is_left_half_written_or_running_wherever_it_is_killed(tmp_path, monkeypatch):
    path = write(tmp_path, "def kernel(x):\n    for _ in range(100): x = x + 1\n    return x")
    mark = f"measured in {tmp_path}"
    monkeypatch.setenv("WHICH_TEST", mark)
    moments = random.Random(20)
    folder = tmp_path / ".jitcost" / "results"
    finished = 0
    for _ in range(20):
        started = command(path, "--sizes", "10", "--processes", "1", "--time", "1")
        try:
            started.wait(timeout=moments.uniform(0.2, 2.0))
        except subprocess.TimeoutExpired:
            started.kill()
        started.communicate(timeout=30)
        finished += started.returncode == 0
        if folder.exists():
            cells = jitcost.read(folder)
            assert set(cells["state"]) <= {"value"}
            for file in folder.glob("*/*-*.json"):
                asv_files.load(file)
                Results.load(str(file))
    deadline = time.monotonic() + 5
    while (left := processes_that_name(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
    found, said = measured(path, sizes=(10,), machine=None)
    assert said == []
    (count,) = found.cells.filter(kind="SteadyState")["processes"]
    assert count >= 1 + finished


def test_what_had_finished_is_shown_when_a_person_interrupts(tmp_path):
    path = write(tmp_path, "import time\ndef kernel(x):\n    time.sleep(0.05)\n    return x")
    started = command(path, "--sizes", "10", "--processes", "50", "--time", "60")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if "First look" in started.stderr.readline():
            break
    time.sleep(3)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert started.returncode in (0, 130)
    assert "Traceback" not in out + err
    assert "interrupted: what had finished is shown" in " ".join(out.split())
    cells = jitcost.read(tmp_path / ".jitcost" / "results").filter(pl.col("kind") == "SteadyState")
    assert 1 <= cells["processes"][0] < 50


def test_sizes_are_tried_from_the_smallest_up_in_whatever_order_they_are_given(tmp_path):
    path = write(
        tmp_path,
        """
        seen = []

        def kernel_numpy(x):
            seen.append(x.size)
            assert seen == sorted(seen), seen
            return x + 1
        """,
    )
    (found,) = scout(path, sizes=(1000, 10, 100)).values()
    assert list(found.ok) == [10, 100, 1000]
