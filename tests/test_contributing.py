"""CONTRIBUTING.md is true: its blocks, applied to a copy of the project, give what it says."""

import re
import subprocess
import sys

import pytest

from conftest import ROOT, copy_working_tree, source_path
from jitcost.backends import workloads

BLOCK = re.compile(r"```\w+\n# (?P<path>\S+)\n(?P<code>.*?)```", re.DOTALL)


@pytest.fixture
def copy(tmp_path):
    copy_working_tree(tmp_path)
    return tmp_path


def apply(copy, heading):
    """Add the blocks under a heading to the files that they name."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    blocks = list(BLOCK.finditer(section))
    for block in blocks:
        path = copy / block["path"]
        before = path.read_text() if path.exists() else ""
        if path.name == "JitcostKernels.jl":
            path.write_text(re.sub(r"\nend\n$", f"\n{block['code']}end\n", before))
        else:
            path.write_text(f"{before}\n\n{block['code']}")
    return [block["path"] for block in blocks]


def run_in(copy, run_python, code):
    return run_python(code, env={"PYTHONPATH": source_path(copy)}, cwd=copy).strip().splitlines()


CHECK_ALL = """
from jitcost import backends
from jitcost.backends import check, workloads
spec = workloads.get({workload!r})
for name in {names}:
    module = backends.load(name)
    for options in spec.settings():
        kernel = module.fresh_kernel(spec.name, **options)
        check.check_kernel(spec, module, kernel, 1, **options)
        check.check_kernel(spec, module, kernel, 1_000, **options)
    print(name)
"""

DISCOVER = """
from asv_runner.discovery import disc_benchmarks
import os
from benchmarks import _suite
for benchmark in disc_benchmarks(os.path.dirname(_suite.__file__)):
    print(benchmark.name, len(benchmark._params[1]) if benchmark._params else 0)
"""


def lint(copy):
    """Run what `make test` begins with; imports stand where a person would have put them."""
    ruff = [sys.executable, "-m", "ruff", "check", "--ignore", "E402,I001", "."]
    done = subprocess.run(ruff, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_add_a_workload(copy, run_python):
    paths = apply(copy, "Add a workload")
    names = ["python", "numpy", "jax_eager", "jax_jit", "numba"]
    assert [f"backends/{name}.py" for name in names] == paths[1:6]
    assert 'include("running_sum.jl")' in (copy / "julia/src/JitcostKernels.jl").read_text()
    code = CHECK_ALL.format(workload="running_sum", names=names)
    assert run_in(copy, run_python, code) == names
    assert "running_sum.SteadyState.time_call 6" in run_in(copy, run_python, DISCOVER)
    lint(copy)


def test_add_a_backend(copy, run_python):
    assert apply(copy, "Add a backend") == ["backends/python_fsum.py"]
    for path in ("backends/__init__.py", "benchmarks/_suite.py"):
        text = (copy / path).read_text()
        added = re.sub(
            r'^((?:NAMES|BACKENDS) = .*"julia")', r'\1, "python_fsum"', text, flags=re.MULTILINE
        )
        assert added != text
        (copy / path).write_text(added)
    # unrolled, dispatch and metropolis_cond are JAX's own
    shared = [w for w, spec in workloads.WORKLOADS.items() if spec.why_not("python", 1) is None]
    assert len(shared) == len(workloads.WORKLOADS) - 3
    for workload in shared:
        code = CHECK_ALL.format(workload=workload, names=["python_fsum"])
        assert run_in(copy, run_python, code) == ["python_fsum"]
    assert "recursion.SteadyState.time_call 7" in run_in(copy, run_python, DISCOVER)
    lint(copy)
