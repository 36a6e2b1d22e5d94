"""Today's benchmarks time a commit from before the project's packages had one name."""

import shutil

import pytest

from conftest import ROOT


@pytest.fixture
def older(tmp_path):
    """Lay the kernels out as they were: `backends` by itself, no package of the project's name."""
    there = tmp_path / "backends"
    shutil.copytree(ROOT / "backends", there, ignore=shutil.ignore_patterns("__pycache__"))
    for path in there.rglob("*.py"):
        text = path.read_text().replace("jitcost.backends", "backends")
        path.write_text(text.replace("from jitcost import", "import"))
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    return tmp_path


def test_a_cell_of_an_older_commit_is_timed(run_python, older):
    code = """
import sys
sys.modules["jitcost"] = None  # not installed
from benchmarks import elementwise, recursion
benchmark = recursion.SteadyState()
benchmark.setup(10, "numba")
start = benchmark.timer()
benchmark.time_call(10, "numba")
print(1e-8 < benchmark.timer() - start < 1e-3)
first = recursion.FirstCall()
first.setup(100, "jax_jit")
first.time_first_call(100, "jax_jit")
exec(elementwise.ColdStart().timeraw_first_call(1_000, "numpy"))
from benchmarks import _suite
print(_suite.backends.__name__)
"""
    said = run_python(code, env={"PYTHONPATH": str(older)}, cwd=older)
    assert said == "True\nbackends\n"


def test_a_broken_commit_is_not_taken_for_an_older_one(run_python, tmp_path):
    (tmp_path / "jitcost").mkdir()
    (tmp_path / "jitcost" / "__init__.py").write_text("")
    (tmp_path / "jitcost" / "backends.py").write_text("import no_such_library")
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    code = """
try:
    from benchmarks import _suite
except ModuleNotFoundError as error:
    print(error.name)
"""
    said = run_python(code, env={"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert said == "no_such_library\n"
