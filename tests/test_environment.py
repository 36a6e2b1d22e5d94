import ast
import importlib
import json
import pkgutil
from collections import Counter

import numpy
import pytest
from asv.config import Config
from asv.environment import get_environments
from asv_runner.discovery import disc_benchmarks

import benchmarks
from benchmarks import _environment, _suite, dispatch, elementwise, harness, recursion
from conftest import ROOT
from jitcost import backends
from jitcost.backends import workloads
from jitcost.measuring.planning import planned_steps, steps
from jitcost.measuring.progress import seconds_of
from jitcost.measuring.selection import PROBLEMS, Selection
from jitcost.store.catalogue import Catalogue

# A process takes 0.7 s, mostly imports: a workload whose classes start so many takes a quarter of an
# hour of a full run.
PROCESSES = 1_200

# Seconds that `seconds_of` leaves out: two environments and the pages, and Julia's start in a process.
ENVIRONMENT, STARTING_JULIA = 100, 2.0

# The modules of the workloads: those that time a steady state.
TIMED = [
    module
    for found in pkgutil.iter_modules(benchmarks.__path__)
    if hasattr(module := importlib.import_module(f"benchmarks.{found.name}"), "SteadyState")
    and not found.name.startswith("_")
]


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """Pretend to be in an environment that asv made; return a function that says for what."""
    monkeypatch.setenv("ASV_ENV_DIR", str(tmp_path))

    def made_for(**requirements):
        content = {"tool_name": "virtualenv", "python": "3.11", "requirements": requirements}
        (tmp_path / "asv-env-info.json").write_text(json.dumps(content))

    return made_for


def test_the_promised_version_is_measured(environment):
    environment(numpy=numpy.__version__, **{"pip+not-imported": "1.0", "numba": ""})
    _environment.refuse_other_versions()


@pytest.mark.parametrize("key", ["numpy", "pip+numpy"])
def test_another_version_is_refused(environment, key):
    environment(**{key: "1.0.0"})
    said = rf"numpy {numpy.__version__} is imported where the environment promises 1\.0\.0"
    with pytest.raises(_environment.OtherVersionError, match=said):
        elementwise.SteadyState().setup(10, "numpy")


def test_a_plain_asv_run_measures_one_environment(monkeypatch):
    monkeypatch.chdir(ROOT)
    (only,) = get_environments(Config.load("asv.conf.json"), None)
    assert only.tool_name == "virtualenv"
    assert only.requirements.keys() == {"jax", "numba", "juliacall", "numpy"}
    assert all(only.requirements.values())  # pinned


def test_outside_of_asv_nothing_is_promised(monkeypatch):
    monkeypatch.delenv("ASV_ENV_DIR", raising=False)
    assert _environment.promised() == {}


def test_what_asv_indexes_by_is_written_out_in_benchmarks():
    """An older commit's `backends` must not be able to change what asv's indices mean."""
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        tree = ast.parse(path.read_text())
        # what a module imports from backends may be called, but not stand in these assignments
        foreign = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom | ast.Import)
            and "backends" in (getattr(node, "module", None) or ast.unparse(node))
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {ast.unparse(target).split(".")[-1] for target in targets}
                if names & {"params", "param_names", "version", "SIZES", "BACKENDS"}:
                    used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
                    assert not used & foreign, f"{path.name}:{node.lineno}"


def test_the_written_out_backends_are_those_that_are_built_in():
    assert [backend.name for backend in backends.BUILT_IN] == _suite.BACKENDS[:6]
    assert list(backends.names()[:6]) == _suite.BACKENDS[:6]


def test_further_backends_are_named_by_whoever_measures_them(run_python):
    code = "from benchmarks import _suite; print(*_suite.BACKENDS)"
    six = "python numpy jax_eager jax_jit numba julia"
    assert run_python(code, env={"JITCOST_BACKENDS": " one numba  two"}).strip() == f"{six} one two"
    assert run_python(code, without=("JITCOST_BACKENDS",)).strip() == six


def test_every_workload_is_timed_in_a_module_of_its_name():
    timed = {module.__name__.removeprefix("benchmarks.") for module in TIMED}
    # the summands are compared and never timed; the branch of metropolis is in metropolis.Cond
    assert timed == workloads.WORKLOADS.keys() - {"summands", "metropolis_cond"}


@pytest.mark.parametrize("module", TIMED, ids=lambda module: module.__name__)
def test_every_timed_class_has_its_version_and_parameters_in_order(module):
    spec = workloads.get(module.__name__.removeprefix("benchmarks."))
    for name in ("SteadyState", "FirstCall", "Agreement"):
        if not hasattr(module, name) and name == "FirstCall" and spec.options:
            continue  # what an option adds to compiling is not asked
        kind = getattr(module, name)
        assert kind.version == vars(kind)["version"]
        assert kind.workload == spec.name
        # asv stores by index: the last parameter varies fastest, and backends stand side by side
        assert kind.param_names == [*spec.options, "n", "backend"]
        *options, sizes, names = kind.params
        assert options == list(map(list, spec.options.values()))
        assert names == _suite.BACKENDS
        assert sizes == sorted(set(sizes))
        # a break-even number needs the time of both calls at the same n
        assert set(sizes) <= set(module.SIZES)
    assert module.SteadyState.params[-2] == module.SIZES


def test_the_floor_has_its_version():
    assert harness.Floor.version


def test_the_ladders_of_the_article_go_by_half_decades():
    for module, decades in ((elementwise, 7), (recursion, 6)):
        ladder = [round(10 ** (i / 2)) for i in range(2 * decades + 1)]
        assert ladder == module.SIZES
        for kind in (module.SteadyState, module.FirstCall, module.Agreement):
            assert kind.params[0] == ladder


@pytest.fixture(scope="module")
def discovered():
    """Return what asv discovers, as its benchmarks.json has it."""
    return {
        benchmark.name: {
            "param_names": benchmark.param_names,
            "params": [list(map(repr, values)) for values in benchmark._params],
            **{
                name: getattr(benchmark, name)
                for name in ("rounds", "repeat")
                if hasattr(benchmark, name)
            },
        }
        for benchmark in disc_benchmarks(str(ROOT / "benchmarks"))
    }


def test_no_workload_takes_more_than_its_share_of_processes(discovered):
    """A process for each cell and round."""
    counts = {step.name: step.processes for step in steps(discovered, Selection(full=True))}
    of_all = len(_suite.BACKENDS)
    # Python, and jax_eager operation by operation, stop early.
    assert 5 * 14 * of_all < counts["elementwise.SteadyState"] < 5 * 15 * of_all
    assert counts["operations.SteadyState"] <= 3 * 8 * 4 * of_all
    assert counts["metropolis_chains.Agreement"] <= 4 * of_all
    by_module = Counter()
    for name, processes in counts.items():
        by_module[name.split(".")[0]] += processes
    assert max(by_module.values()) <= PROCESSES * of_all / 6, by_module


@pytest.mark.parametrize(("without", "minutes"), [(["julia"], 10), ([], 13)])
def test_a_quick_run_is_done_within_its_minutes(discovered, without, minutes):
    """On two cores, from a fresh clone: making its environment is in, and Julia is slow to start."""
    planned = planned_steps(discovered, Selection(), None, without)
    of_julia = sum(step.processes for step in planned) - sum(
        step.processes for step in planned_steps(discovered, Selection(), None, ["julia"])
    )
    seconds = ENVIRONMENT + seconds_of(planned) + of_julia * STARTING_JULIA
    assert seconds <= 60 * minutes, {step.name: step.processes for step in planned}


def test_the_processes_of_every_timing_can_be_told_apart(discovered):
    """Samples come in one flat list: each process has to take the same number."""
    for name, about in discovered.items():
        if ".time" in name:
            assert type(about["repeat"]) is int, name
            problem = name.split(".")[0] in PROBLEMS
            main = problem and name.split(".")[1] in ("SteadyState", "FirstCall")
            assert about["rounds"] >= (5 if main else 2 if name.startswith("reading.") else 3), name


def classes():
    """Yield each class that asv would find, and its module."""
    for found in pkgutil.iter_modules(benchmarks.__path__):
        module = importlib.import_module(f"benchmarks.{found.name}")
        for name, value in vars(module).items():
            own = isinstance(value, type) and value.__module__ == module.__name__
            if own and not found.name.startswith("_"):
                yield found.name, name, value


def test_a_result_is_of_the_workload_that_its_class_measures():
    for module, name, kind in classes():
        workload = getattr(kind, "workload", None)
        if workload in workloads.PROTOCOLS:
            workload = workloads.get(workload).times
        if workload in workloads.STAND_INS:  # its parts, or itself on other inputs
            workload = module
        if (
            kind is dispatch.MatrixProduct
        ):  # whose protocol is that of elementwise, and not its work
            workload = None
        ((_, kind_column, found),) = described(f"{module}.{name}.time_call")
        assert (kind_column, found) == (name, workload)


def test_only_workloads_are_timed_in_steady_state_by_that_name():
    steady = {module for module, name, _ in classes() if name in ("SteadyState", "FirstCall")}
    assert steady <= workloads.WORKLOADS.keys()


def described(benchmark):
    """Return benchmark, kind and workload of a benchmark's cells."""
    catalogue = Catalogue()
    catalogue.positions_of(benchmark, "1", [], {})
    columns = catalogue.columns
    return list(zip(columns["benchmark"], columns["kind"], columns["workload"], strict=True))
