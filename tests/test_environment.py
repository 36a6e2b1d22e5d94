import ast
import json

import numpy
import pytest
from asv.config import Config
from asv.environment import get_environments
from asv_runner.discovery import disc_benchmarks

from benchmarks import (
    _environment,
    _suite,
    elementwise,
    harness,
    kalman,
    logistic_gradient,
    metropolis,
    metropolis_chains,
    normals,
    op_chain,
    operations,
    recursion,
)
from conftest import ROOT
from jitcost import backends
from jitcost.backends import workloads
from jitcost.measuring.selection import Selection, steps

LATER = (kalman, logistic_gradient, metropolis, metropolis_chains, normals)


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


def test_the_written_out_backends_are_those_that_there_are():
    assert list(backends.NAMES) == _suite.BACKENDS


def test_every_timed_class_has_its_version_and_parameters_in_order():
    for module in (elementwise, recursion, *LATER):
        for kind in (module.SteadyState, module.FirstCall, module.Agreement):
            assert kind.version == vars(kind)["version"]
            assert kind.param_names == ["n", "backend"]
            sizes, names = kind.params
            assert names == _suite.BACKENDS
            if kind is not module.SteadyState and module in LATER:
                # a break-even number needs the time of both calls at the same n
                assert set(sizes) <= set(module.SIZES)
            else:
                assert sizes == module.SIZES
            assert kind.workload == module.__name__.removeprefix("benchmarks.")
    assert harness.Floor.version


@pytest.mark.parametrize("module", [op_chain, operations])
def test_the_options_of_a_timed_class_are_those_of_the_spec(module):
    spec = workloads.get(module.__name__.removeprefix("benchmarks."))
    for kind in (module.SteadyState, module.Agreement):
        assert kind.version == vars(kind)["version"]
        assert kind.workload == spec.name
        # asv stores by index: the last parameter varies fastest, and backends stand side by side
        assert kind.param_names == [*spec.options, "n", "backend"]
        *options, sizes, names = kind.params
        assert options == list(map(list, spec.options.values()))
        assert set(sizes) <= set(module.SIZES)
        assert names == _suite.BACKENDS


def test_the_ladders_go_by_half_decades():
    for sizes, decades in ((elementwise.SIZES, 7), (recursion.SIZES, 6)):
        assert sizes == [round(10 ** (i / 2)) for i in range(2 * decades + 1)]
    for module in LATER:
        assert [module.SIZES[0] * 10**i for i in range(len(module.SIZES))] == module.SIZES


def test_a_full_run_stays_within_its_budget_of_processes():
    """A process for each cell and round; at 1.4 s each, 2,500 are an hour."""
    discovered = {
        benchmark.name: {
            "param_names": benchmark.param_names,
            "params": [list(map(repr, values)) for values in benchmark._params],
            "rounds": getattr(benchmark, "rounds", 1),
        }
        for benchmark in disc_benchmarks(str(ROOT / "benchmarks"))
    }
    counts = {step.name: step.processes for step in steps(discovered, Selection(full=True))}
    assert counts["elementwise.SteadyState"] == 2 * 15 * 6
    assert counts["operations.SteadyState"] == 2 * 8 * 4 * 6
    assert counts["metropolis_chains.Agreement"] == 4 * 6
    assert sum(counts.values()) <= 2_500, counts
