import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import making_histories
from jitcost import backends

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(
    0, str(ROOT)
)  # asv, too, puts the benchmarks' parent on the path; only tests do here

# pytest-xdist tells its workers a width, and tables would be made for it.
for _size in ("COLUMNS", "LINES"):
    os.environ.pop(_size, None)


@pytest.fixture(autouse=True)
def histories_of_its_own():
    """What a test draws does not depend on which tests have run before it."""
    making_histories.restart()


def pytest_report_header():
    described = {name: _availability(name) for name in backends.names()}
    return [f"backend {name}: {text}" for name, text in described.items()]


def _availability(name):
    if name == "julia":
        return "looked for in a process of its own"
    try:
        return " ".join(f"{k} {v}" for k, v in backends.load(name).details().items())
    except backends.BackendUnavailable as error:
        return f"unavailable: {error}"


def pytest_terminal_summary(terminalreporter):
    """Print how far the results of each workload have been from its reference, at the worst."""
    worst = {}
    for report in terminalreporter.stats.get("passed", ()):
        said = dict(report.user_properties)
        if "workload" in said:
            found = (said["of the tolerance"], said["error"], report.nodeid)
            worst[said["workload"]] = max(found, worst.get(said["workload"], found))
    if worst:
        terminalreporter.section("largest deviations from the references")
    for workload, (share, error, nodeid) in worst.items():
        where = nodeid.partition("[")[2].rstrip("]")
        terminalreporter.line(f"{workload:18} {error:.1e}, {share:.2g} of the tolerance: {where}")


def source_path(root):
    """Return the PYTHONPATH for a copy of the project: its package, and the folder above benchmarks."""
    return os.pathsep.join([str(root / ".import"), str(root)])


@pytest.fixture(scope="session")
def run_python():
    """Run code in a new process; return what it prints."""

    def run(code, *, env=None, without=(), cwd=None):
        inherited = {key: value for key, value in os.environ.items() if key not in without}
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=cwd,
            capture_output=True,
            text=True,
            env={**inherited, "PYTHONPATH": source_path(ROOT), **(env or {})},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def copy_working_tree(to):
    """Copy what git would commit: tracked and new files as they are, ignored ones not."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name, follow_symlinks=False)


def git(where, *args):
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    return subprocess.run(
        ["git", *who, *args], cwd=where, capture_output=True, text=True, check=True
    ).stdout.strip()
