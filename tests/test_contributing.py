"""CONTRIBUTING.md is true: its blocks, applied to a copy of the project, give what it says."""

import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT, copy_working_tree, source_path

BLOCK = re.compile(r"```\w+\n# (?P<path>\S+)\n(?P<code>.*?)```", re.DOTALL)


@pytest.fixture
def copy(tmp_path):
    copy_working_tree(tmp_path)
    return tmp_path


def apply(folder, heading):
    """Add the blocks under a heading to the files that they name."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    blocks = list(BLOCK.finditer(section))
    for block in blocks:
        path = folder / block["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text() if path.exists() else ""
        if path.name == "JitcostKernels.jl":
            path.write_text(re.sub(r"\nend\n$", f"\n{block['code']}end\n", before))
        else:
            path.write_text(f"{before}\n\n{block['code']}" if before else block["code"])
    return [block["path"] for block in blocks]


def passes(copy, *args):
    """Run a tool in the copy, in its own process and on the copy's sources; fail with what it said."""
    done = subprocess.run(
        [sys.executable, "-m", *args],
        cwd=copy,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": source_path(copy)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


DISCOVER = """
from asv_runner.discovery import disc_benchmarks
import os
from benchmarks import _suite
for benchmark in disc_benchmarks(os.path.dirname(_suite.__file__)):
    print(benchmark.name, len(benchmark._params[-1]) if benchmark._params else 0)
"""


def test_add_a_workload(copy, run_python):
    paths = apply(copy, "Add a workload")
    names = ["python", "numpy", "jax_eager", "jax_jit", "numba"]
    assert [f"backends/{name}.py" for name in names] == paths[2:7]
    assert 'include("dot_product.jl")' in (copy / "julia/src/JitcostKernels.jl").read_text()
    # Imports stand where a person would have put them.
    passes(copy, "ruff", "check", "--ignore", "E402,I001")
    passes(copy, "mypy")
    # What `make test` asks of every workload, and every list of workloads that a test might have.
    whole = ["test_environment", "test_workloads", "test_workloads_command", "test_check"]
    whole += ["test_dataset", "test_bench", "test_c_baseline"]
    passes(copy, "pytest", "-q", *(f"tests/{name}.py" for name in whole))
    of_each = ["test_backends", "test_hlo", "test_julia_kernels"]
    said = passes(copy, "pytest", "-q", "-k", "dot_product", *(f"tests/{n}.py" for n in of_each))
    assert int(re.search(r"(\d+) passed", said)[1]) >= len(names) * 4
    env = {"PYTHONPATH": source_path(copy)}
    assert "dot_product.SteadyState.time_call 6" in run_python(DISCOVER, env=env, cwd=copy)


def install_numexpr(folder):
    """Install the backend of CONTRIBUTING.md below a folder; return the path that it is on."""
    apply(folder, "Add a backend")
    target = folder / "site-packages"
    # Without dependencies: the project and NumExpr are here already.
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, str(folder / "jitcost-numexpr")], check=True, capture_output=True)
    return os.pathsep.join([str(target), source_path(ROOT)])


@pytest.fixture(scope="module")
def numexpr(tmp_path_factory):
    return install_numexpr(tmp_path_factory.mktemp("numexpr"))


def test_an_added_backend_is_the_last_and_right(run_python, numexpr):
    code = """
import sys
from jitcost import backends
from jitcost.backends import check, workloads
print(*backends.names())
print("numexpr" in sys.modules, backends.heading("numexpr"), "numexpr" in backends.compiled())
spec, module = workloads.get("elementwise"), backends.load("numexpr")
for n in (1, 1_000, 100_000):
    check.check_kernel(spec, module, module.fresh_kernel("elementwise"), n)
print(*module.details())
print(workloads.get("recursion").why_not("numexpr", 10))
"""
    assert run_python(code, env={"PYTHONPATH": numexpr}).splitlines() == [
        "python numpy jax_eager jax_jit numba julia numexpr",
        "False NumExpr True",
        "numexpr threads",
        "numexpr has no kernel: it brings those of elementwise alone",
    ]


def test_an_added_backend_is_timed_beside_the_others(run_python, numexpr):
    env = {"PYTHONPATH": numexpr, "JITCOST_BACKENDS": "numexpr"}
    assert "elementwise.SteadyState.time_call 7" in run_python(DISCOVER, env=env)
    code = """
from benchmarks import elementwise, recursion
benchmark = elementwise.SteadyState()
benchmark.setup(1_000, "numexpr")
start = benchmark.timer()
benchmark.time_call(1_000, "numexpr")
print(1e-7 < benchmark.timer() - start < 1e-2)
agreement = elementwise.Agreement()
agreement.setup(1_000, "numexpr")
print(agreement.track_max_relative_error(1_000, "numexpr") < 1e-13)
print(agreement.track_summand_difference(1_000, "numexpr"))
try:
    recursion.SteadyState().setup(10, "numexpr")
except NotImplementedError as reason:
    print(reason)
"""
    assert run_python(code, env=env).splitlines() == [
        *("True", "True", "nan"),
        "numexpr has no kernel: it brings those of elementwise alone",
    ]
    # Not named, it is not measured.
    assert "elementwise.SteadyState.time_call 6" in run_python(
        DISCOVER, env={"PYTHONPATH": numexpr}, without=("JITCOST_BACKENDS",)
    )


def test_an_added_backend_whose_library_is_missing_says_how_to_get_it(run_python, numexpr):
    code = """
import sys
sys.modules["numexpr"] = None
from jitcost import backends
try:
    backends.load("numexpr")
except backends.BackendUnavailable as error:
    print(error)
"""
    said = run_python(code, env={"PYTHONPATH": numexpr})
    assert said.startswith("numexpr: import of numexpr halted")
    assert said.strip().endswith("; get it by: python -m pip install numexpr")
