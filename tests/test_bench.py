"""How `jitcost bench` chooses what to run, and how it answers a bad call."""

import importlib.metadata
import io
import json
import subprocess
import sys

import pytest
from rich.console import Console

from benchmarks import elementwise, recursion
from conftest import git
from jitcost import backends
from jitcost.errors import BadCallError
from jitcost.measuring.asv import Asv
from jitcost.measuring.lock import alone
from jitcost.measuring.planning import steps
from jitcost.measuring.selection import Selection
from jitcost.show.summary import summary
from jitcost.show.terminal import print_all
from making_cells import cells

DISCOVERED = {
    "version": 2,
    "elementwise.SteadyState.time_call": {
        "param_names": ["n", "backend"],
        "params": [list(map(repr, elementwise.SIZES)), ["'numpy'", "'jax_jit'"]],
        "rounds": 2,
    },
    "elementwise.FirstCall.time_first_call": {
        "param_names": ["n", "backend"],
        "params": [list(map(repr, elementwise.SIZES)), ["'numpy'", "'jax_jit'"]],
        "rounds": 2,
    },
    "recursion.Agreement.track_max_relative_error": {
        "param_names": ["n", "backend"],
        "params": [list(map(repr, recursion.SIZES)), ["'numpy'", "'jax_jit'"]],
    },
    "harness.Floor.time_null_call": {"param_names": [], "params": [], "rounds": 2},
    "kalman.SteadyState.time_call": {
        "param_names": ["n", "backend"],
        "params": [["10", "1000", "100000"], ["'numpy'", "'jax_jit'"]],
        "rounds": 2,
    },
    "kalman.FirstCall.time_first_call": {
        "param_names": ["n", "backend"],
        "params": [["100", "100000"], ["'numpy'", "'jax_jit'"]],
        "rounds": 2,
    },
    "elementwise.Variants.time_call": {
        "param_names": ["n", "variant"],
        "params": [["1", "1000"], ["'numpy'", "'numpy_out'", "'jax_jit_sync'", "'floor_memory'"]],
        "rounds": 5,
    },
    "elementwise.Operations.time_call": {
        "param_names": ["n", "operation"],
        "params": [["1", "1000"], ["'exp'"]],
        "rounds": 5,
    },
    "c_baseline.Baseline.track_ratio_to_c": {
        "param_names": ["function", "backend"],
        "params": [["'exp'"], ["'numba'"]],
    },
    "floors.Floors.track_ratio_to_floor": {
        "param_names": ["function", "backend"],
        "params": [["'recursion'", "'kalman'"], ["'numpy'", "'numba'"]],
    },
}


def processes(selection):
    return {step.name: step.processes for step in steps(DISCOVERED, selection)}


def test_a_quick_run_has_few_sizes_and_a_full_one_all():
    assert processes(Selection()) == {
        "elementwise.FirstCall": 2 * 2 * 2,
        "elementwise.SteadyState": 6 * 2 * 2,
        "harness.Floor": 2,
        "kalman.SteadyState": 1 * 2 * 2,
        # no Agreement: each process that times a cell has checked it before
    }
    assert processes(Selection(full=True)) == {
        "c_baseline.Baseline": 1,
        "elementwise.FirstCall": 15 * 2 * 2,
        "elementwise.SteadyState": 15 * 2 * 2,
        "harness.Floor": 2,
        "kalman.FirstCall": 2 * 2 * 2,
        "kalman.SteadyState": 3 * 2 * 2,
        "recursion.Agreement": 13 * 2,
    }
    # asked for by name, a workload gets the quick sizes of its classes
    assert processes(Selection(workloads=["kalman"])) == {
        "kalman.FirstCall": 2 * 2 * 2,
        "kalman.SteadyState": 3 * 2 * 2,
    }


def test_experiments_are_measured_when_asked_for():
    assert processes(Selection(variants=True)) == {
        "elementwise.Variants": 2 * 4 * 5,
        "elementwise.Operations": 2 * 5,
    }
    assert processes(Selection(variants=True, backends=["numpy"])) == {
        "elementwise.Variants": 2 * 3 * 5,  # numpy_out comes from numpy, and a floor is for all
        "elementwise.Operations": 2 * 5,  # NumPy's
    }
    for workloads in (None, ["elementwise"]):
        assert processes(Selection(variants=True, workloads=workloads, backends=["jax_jit"])) == {
            "elementwise.Variants": 2 * 2 * 5  # jax_jit_sync, and the floor
        }
    by_size = Selection(variants=True, backends=["numpy", "jax_jit"], sizes=[1000])
    assert processes(by_size) == {"elementwise.Variants": 4 * 5, "elementwise.Operations": 5}
    assert processes(Selection(variants=True, workloads=["recursion"])) == {}


def test_floors_are_measured_when_asked_for_by_name():
    assert processes(Selection(workloads=["floors"])) == {"floors.Floors": 2 * 2}
    assert processes(Selection(workloads=["floors"], backends=["numba"])) == {"floors.Floors": 2}
    for selection in (Selection(full=True), Selection(backends=["numba"])):
        assert "c_baseline.Baseline" in processes(selection)
        assert "floors.Floors" not in processes(selection)


def test_a_selection_narrows_every_benchmark():
    selection = Selection(workloads=["elementwise"], backends=["jax_jit"], sizes=[1, 10])
    assert processes(selection) == {"elementwise.FirstCall": 4, "elementwise.SteadyState": 4}
    by_size = processes(Selection(sizes=[1]))  # and what has no sizes is not asked for
    assert by_size == {
        "elementwise.FirstCall": 4,
        "elementwise.SteadyState": 4,
    }


def test_a_size_that_is_on_no_ladder_is_refused_with_those_that_are():
    with pytest.raises(BadCallError, match="n = 7 is not measured; there are recursion: 1, 3, 10,"):
        steps(DISCOVERED, Selection(workloads=["recursion"], sizes=[10, 7]))
    # the nearest by its factor: 18 is nearer to 32 than to 10, which is 8 away and not 14
    with pytest.raises(BadCallError, match=r"; the nearest is 32$"):
        steps(DISCOVERED, Selection(workloads=["recursion"], sizes=[18]))
    with pytest.raises(BadCallError, match="n = 7 is not measured; there are 1, 3, 10, "):
        steps(DISCOVERED, Selection(sizes=[7]))
    # on one ladder is enough: the others end before
    assert processes(Selection(sizes=[10_000_000])) == {
        "elementwise.FirstCall": 4,
        "elementwise.SteadyState": 4,
    }


def test_sizes_of_what_has_none_are_refused():
    with pytest.raises(BadCallError, match="floors has no sizes to choose from"):
        steps(DISCOVERED, Selection(workloads=["floors"], sizes=[1000]))


def of_ratios(benchmark, ratios, **common):
    """Return the cells of ratios by function and backend."""
    kind = benchmark.split(".")[1]
    return cells(
        *(
            {"params": json.dumps({"function": repr(function)}), "backend": backend, "value": ratio}
            for function, row in ratios.items()
            for backend, ratio in row.items()
        ),
        benchmark=benchmark,
        kind=kind,
        workload=benchmark.split(".")[0],
        **common,
    )


def printed(made):
    console = Console(file=io.StringIO(), width=100)
    print_all(summary(made), console)
    return console.file.getvalue()


def test_ratios_to_c_are_shown_a_row_for_each_function():
    floors = {"recursion": {"numba": 8.04, "numpy": 86.7}, "kalman": {"numpy": 120.0}}
    made = of_ratios("floors.Floors.track_ratio_to_floor", floors)
    baseline = {"recursion": {"julia": 1.02, "jax_jit": 0.75}}
    said = printed(made.vstack(of_ratios("c_baseline.Baseline.track_ratio_to_c", baseline)))
    rows = [line.split() for line in said.splitlines()]
    assert ["function", "numpy", "numba"] in rows
    assert ["recursion", "87x", "*8.0x"] in rows
    assert ["kalman", "*120x", "-"] in rows
    assert ["function", "jax_jit", "julia"] in rows
    assert ["recursion", "*0.75x", "1.0x"] in rows
    assert "Agreement" not in said  # nothing was held against a reference


def test_ratios_of_two_environments_are_two_tables():
    name = "floors.Floors.track_ratio_to_floor"
    made = [
        of_ratios(name, {"kalman": {"jax_jit": ratio}}, environment=f"virtualenv-py3.12-jax{jax}")
        for jax, ratio in (("0.9.2", 3.0), ("0.10.2", 2.0))
    ]
    said = printed(made[0].vstack(made[1]))
    assert said.index("in jax0.9.2") < said.index("*3.0x") < said.index("in jax0.10.2")
    assert said.index("in jax0.10.2") < said.index("*2.0x")


def test_agreement_is_said_where_there_is_some():
    made = cells({"kind": "Agreement", "backend": "numba", "n": 10.0, "value": 0.0})
    said = "\nAgreement with the references\nelementwise: all 1 results are within their tolerance"
    assert said in printed(made)


def test_a_gpu_is_a_machine_of_its_own(repository, monkeypatch):
    monkeypatch.setenv("JAX_PLATFORMS", "cuda")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "first")
    status, errors, _ = jitcost(repository, "bench")
    assert status == 2
    assert errors.startswith("jitcost: JAX_PLATFORMS=cuda is another machine than the CPU; name it")


def test_without_git_there_is_nothing_to_measure(repository, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert jitcost(repository, "bench")[1] == (
        "jitcost: git is missing, and asv measures commits; install git\n"
    )


def test_the_patterns_match_the_chosen_cells_and_no_others():
    import re

    selection = Selection(workloads=["elementwise"], backends=["numpy"], sizes=[1, 10])
    (pattern,) = (s.patterns[0] for s in steps(DISCOVERED, selection) if "Steady" in s.name)
    name = "elementwise.SteadyState.time_call"
    # asv matches against name(parameter, parameter), by re.search
    matched = [
        (n, backend)
        for n in elementwise.SIZES
        for backend in ("'numpy'", "'jax_jit'")
        if re.search(pattern, f"{name}({n!r}, {backend})")
    ]
    assert matched == [(1, "'numpy'"), (10, "'numpy'")]


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        ({"workloads": ["elemntwise"]}, "no workload 'elemntwise'; there are elementwise, "),
        ({"backends": ["numpy", "torch"]}, "no backend 'torch'; there are python, numpy, "),
        ({"sizes": [0]}, "n = 0 is too small; give a whole number of at least 1"),
    ],
)
def test_an_unknown_name_is_a_bad_call(selection, said):
    with pytest.raises(BadCallError, match=said):
        Selection(**selection)


def test_a_second_measurement_does_not_start_beside_the_first(tmp_path):
    code = """
import sys
from pathlib import Path
from jitcost.measuring.lock import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    input()
"""
    command = [sys.executable, "-c", code, str(tmp_path / "lock")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as first:
        assert first.stdout.readline() == "held\n"
        with pytest.raises(BadCallError, match="another measurement is at work here; wait for"):
            alone(tmp_path / "lock").__enter__()
        first.kill()  # outright: what it held is free again
    with alone(tmp_path / "lock"):
        pass
    with alone(tmp_path / "lock"):
        pass


SIX = ("python", "numpy", "jax_eager", "jax_jit", "numba", "julia")


@pytest.mark.parametrize(
    ("names", "told"),
    [(SIX, ""), ((*SIX, "torch", "cupy"), "torch cupy")],
)
def test_asvs_processes_are_told_of_registered_backends(tmp_path, monkeypatch, names, told):
    monkeypatch.setattr(backends, "names", lambda: names)
    monkeypatch.setenv("JITCOST_BACKENDS", "left over")
    (tmp_path / "asv.py").write_text(
        "import os, sys; print(repr(os.environ['JITCOST_BACKENDS']), sys.argv[1:])"
    )
    (tmp_path / "asv.conf.json").write_text("{}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    asv = Asv(tmp_path / "asv.conf.json", tmp_path / "log")
    assert asv.run("run", "HEAD^!") == 0
    assert asv.output == [f"{told!r} ['run', '--config', '{tmp_path}/asv.conf.json', 'HEAD^!']\n"]


def test_the_version_is_said():
    status, errors, output = jitcost(None, "--version")
    assert (status, errors) == (0, "")
    assert output == f"jitcost {importlib.metadata.version('jitcost')}\n"


def jitcost(where, *args):
    command = [sys.executable, "-m", "jitcost.cli", *args]
    done = subprocess.run(command, cwd=where, capture_output=True, text=True)
    return done.returncode, done.stderr, done.stdout


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "--quiet")
    (tmp_path / "asv.conf.json").write_text("{}")
    (tmp_path / "backends").mkdir()
    (tmp_path / "backends" / "numpy.py").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["bench", "--backend", "torch"], "jitcost: no backend 'torch'; there are python, "),
        (
            ["bench", "--n", "1e-3"],
            "jitcost: n = '1e-3' is not a whole number; give one of at least 1",
        ),
        (["bench", "--n", "0"], "jitcost: n = 0 is too small; give a whole number of at least 1"),
        (["bench", "nothing"], "jitcost: no workload 'nothing'; there are elementwise, "),
        (["bench"], "jitcost: there is no commit yet, and asv measures commits; commit first"),
        (["bunch"], "jitcost: argument COMMAND: invalid choice: 'bunch'"),
        ([], "jitcost: the following arguments are required: COMMAND; see jitcost --help"),
    ],
)
def test_a_bad_call_is_answered_in_one_line(repository, args, said):
    status, errors, output = jitcost(repository, *args)
    assert status == 2
    assert errors.startswith(said)
    assert errors.count("\n") == 1
    assert output == ""
    assert not (repository / ".asv").exists()


def test_outside_of_a_checkout_there_is_nothing_to_measure(tmp_path):
    status, errors, _ = jitcost(tmp_path, "bench")
    assert status == 2
    assert errors.startswith("jitcost: not in a checkout of jitcost")


@pytest.mark.parametrize("path", ["backends/numpy.py", "julia/new.jl", "pyproject.toml"])
def test_changes_that_asv_would_not_measure_stop_it(repository, path):
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "first")
    (repository / path).parent.mkdir(exist_ok=True)
    (repository / path).write_text("# changed\n")
    status, errors, _ = jitcost(repository, "bench")
    assert status == 2
    assert "uncommitted changes would not be measured, HEAD would: " in errors
    assert path.split("/")[0] in errors
    assert "--ignore-changes" in errors
    assert errors.count("\n") == 1
    assert not (repository / ".asv").exists()


@pytest.mark.parametrize("version", ["jax=", "torch", "torch=2.0"])
def test_another_release_is_one_of_a_library_that_the_environment_has(repository, version):
    conf = {"version": 1, "matrix": {"req": {"jax": ["0.10.2"], "numpy": ["2.4.6"]}}}
    (repository / "asv.conf.json").write_text(json.dumps(conf))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "first")
    status, errors, _ = jitcost(repository, "bench", "--with", version)
    assert status == 2
    assert errors.startswith(f"jitcost: {version}: give NAME==VERSION, ")
    assert errors.endswith("; the names are jax, numpy\n")
    assert not (repository / ".asv").exists()
