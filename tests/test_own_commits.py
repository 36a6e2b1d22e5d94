"""A commit's file runs with its own modules, wherever they are in the repository, or not at all."""

import pytest

from conftest import git
from jitcost.errors import BadCallError
from jitcost.measured.files import Options, compare_states
from own_files import Watch, write

KERNEL = """
import time
from package import core

def kernel(x):
    time.sleep(core.SECONDS)
    return x
"""

LATE = """
def kernel(x):
    from package import core
    return x
"""


def commit(top, message="a state"):
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message", message)
    return git(top, "rev-parse", "HEAD")[:8]


def package(folder, seconds):
    """Write a package whose module says how long a kernel takes."""
    (folder / "package").mkdir(parents=True, exist_ok=True)
    (folder / "package" / "__init__.py").touch()
    (folder / "package" / "core.py").write_text(f"SECONDS = {seconds}\n")


@pytest.fixture
def top(tmp_path):
    """A repository with nothing in it but a folder for a file of kernels."""
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    (tmp_path / "bench").mkdir()
    return tmp_path


def compared(path, what="git:HEAD"):
    watch = Watch()
    options = Options(sizes=(10,), processes=3, budget=6.0, machine="m")
    found = compare_states(path, what, options, watch)
    (row,) = found.answer
    return row, watch.said


@pytest.mark.parametrize(("where", "before"), [("", ""), ("src", "src/"), ("lib/py", "lib/py/")])
def test_a_package_anywhere_in_the_repository_is_the_commits(top, monkeypatch, where, before):
    # At the top, in src, and where only today's path says that it is.
    path = write(top / "bench", KERNEL)
    package(top / where, 0.01)
    old = commit(top)
    package(top / where, 0.02)
    monkeypatch.syspath_prepend(top / where)
    row, said = compared(path)
    assert row.old == pytest.approx(0.01, rel=0.2)
    assert row.new == pytest.approx(0.02, rel=0.2)
    core, init = f"{before}package/core.py", f"{before}package/__init__.py"
    assert f"old: bench/mine.py, {init}, {core} of HEAD ({old})" in said


@pytest.mark.parametrize("text", [KERNEL, LATE])
def test_a_commit_that_would_run_a_module_of_today_is_refused(top, monkeypatch, text):
    path = write(top / "bench", text)
    commit(top)
    package(top / "src", 0.01)  # the commit has none
    monkeypatch.syspath_prepend(top / "src")
    with pytest.raises(BadCallError, match=r"^src/package/__init__\.py would be today's on both"):
        compared(path)


def test_a_tree_with_a_link_to_the_outside_is_one_line(top):
    path = write(top / "bench", "def kernel(x): return x")
    (top / "data").symlink_to("/nowhere/at/all")
    old = commit(top)
    with pytest.raises(
        BadCallError, match=rf"^{old} cannot be unpacked: .*absolute path"
    ) as raised:
        compared(path)
    assert "\n" not in str(raised.value)


def test_a_repository_that_git_cannot_read_is_one_line(top):
    path = write(top / "bench", "def kernel(x): return x")
    commit(top)
    blob = git(top, "rev-parse", "HEAD:bench/mine.py")
    (top / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(BadCallError, match=r"^git: ") as raised:
        compared(path)
    assert "\n" not in str(raised.value)
