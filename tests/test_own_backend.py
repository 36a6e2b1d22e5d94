"""A backend of another package is measured by asv, and is a column of every answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import copy_working_tree, git
from test_contributing import install_numexpr

MEASURED = (
    r"^elementwise\.SteadyState\.time_call\((10|1000|100000), '(numpy|numexpr)'\)",
    r"^elementwise\.FirstCall\.time_first_call\(1000, '(numpy|numexpr)'\)",
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Measure NumPy and NumExpr with asv; return how to ask for an answer."""
    folder = tmp_path_factory.mktemp("own backend")
    root, home = folder / "clone", folder / "home"
    root.mkdir()
    home.mkdir()
    copy_working_tree(root)
    for module in (root / "benchmarks").glob("[!_]*.py"):
        if module.stem not in ("elementwise", "floors"):
            module.unlink()
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "all of it")
    path = install_numexpr(folder)
    env = os.environ | {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": path,
        "ASV_PYTHONPATH": path,
        "JITCOST_BACKENDS": "numexpr",
    }

    def run(*args):
        done = subprocess.run(
            [sys.executable, "-m", *args], cwd=root, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("asv", "machine", "--yes", "--machine", "m")
    here = ("--environment", "existing:same", "--set-commit-hash", git(root, "rev-parse", "HEAD"))
    for pattern in MEASURED:
        run("asv", "run", "--machine", "m", *here, "--record-samples", "--bench", pattern)
    run.root = root
    return run


@pytest.mark.parametrize("command", ["compare", "fit", "breakeven"])
def test_it_is_in_the_answer_by_its_name_and_in_the_table_by_its_heading(results, command):
    rows = json.loads(results("jitcost.cli", command, "--json"))
    assert "numexpr" in {row["backend"] for row in rows}
    said = results("jitcost.cli", command)
    assert "NumExpr" in said
    assert "numexpr" not in said


def test_it_is_in_the_report(results):
    results("jitcost.cli", "report", "-o", "report.html")
    page = (results.root / "report.html").read_text()
    assert '<th scope="col">NumExpr</th>' in page
    assert '<th scope=row class="words">NumExpr</th>' in page


def test_its_first_call_compiles(results):
    (row,) = json.loads(results("jitcost.cli", "breakeven", "--json"))
    assert (row["backend"], row["baseline"], row["n"]) == ("numexpr", "numpy", 1_000)
    assert row["C"] > row["t_compiled"]
