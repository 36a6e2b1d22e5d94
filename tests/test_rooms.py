"""The rooms of analysis/ and their one-way doors: kept by import-linter, and missed if they were not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, copy_working_tree, source_path

# An import that the design forbids, where it would stand, and the contract that it breaks.
FORBIDDEN = [
    ("store/merging.py", "from jitcost.questions import compare", "no import leads upward"),
    ("store/merging.py", "from jitcost.backends import workloads", "store reads results"),
    ("store/merging.py", "from jitcost.own import equality", "store reads results"),
    ("stats/fitting.py", "from jitcost import units", "stats takes numbers"),
    ("stats/fitting.py", "from jitcost.own import equality", "stats takes numbers"),
    ("own/equality.py", "from jitcost.stats import gate", "no import leads upward"),
    ("questions/compare.py", "from jitcost.show import table", "no import leads upward"),
    (
        "measuring/missing.py",
        "from jitcost.questions import compare",
        "measuring answers no question",
    ),
    ("show/table.py", "from jitcost.commands import compare", "no import leads upward"),
    ("show/table.py", "from jitcost.measuring import missing", "no import leads upward"),
    ("commands/fit.py", "from jitcost.commands import compare", "no command imports another"),
    ("commands/fit.py", "from jitcost import cli", "no import leads upward"),
    ("units.py", "from jitcost import errors", "no import leads upward"),
    ("show/table.py", "from jitcost.show import terminal", "no circle of imports"),
]


def lint_imports(root):
    """Run import-linter on a copy of the project; return its status and what it says."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=root,
        env={"PYTHONPATH": source_path(root), "PATH": "", "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    root = tmp_path_factory.mktemp("rooms")
    copy_working_tree(root)
    return root


def test_no_import_leads_upward_and_none_in_a_circle():
    status, said = lint_imports(ROOT)
    assert status == 0, said
    assert "0 broken" in said


@pytest.mark.parametrize(("where", "line", "contract"), FORBIDDEN)
def test_a_forbidden_import_is_seen(copy, where, line, contract):
    module = copy / "analysis" / where
    before = module.read_text()
    future = "from __future__ import annotations\n"
    module.write_text(before.replace(future, f"{future}\n{line}\n", 1))
    try:
        status, said = lint_imports(copy)
    finally:
        module.write_text(before)
    assert status == 1, said
    broken = [line for line in said.splitlines() if " BROKEN" in line]
    assert any(line.startswith(contract) for line in broken), said


def modules(folder):
    """Return the modules of a folder, without packages' faces that define nothing."""
    paths = folder.rglob("*.py")
    return [p for p in paths if p.name != "__init__.py" or len(p.read_text().splitlines()) > 3]


@pytest.mark.parametrize(
    "room",
    [
        *("backends", "benchmarks", "own", "measuring", "store", "stats"),
        *("questions", "show", "measured", "commands"),
    ],
)
def test_the_picture_counts_the_modules_of_each_room(room):
    folder = ROOT / room if room in ("backends", "benchmarks") else ROOT / "analysis" / room
    (said,) = re.findall(rf'{room}\["{room} \((\d+)\)<br>', (ROOT / "CONTRIBUTING.md").read_text())
    assert int(said) == len(modules(folder))


def test_no_module_is_long():
    for folder in ("analysis", "backends", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            assert len(path.read_text().splitlines()) <= 300, path
