"""Two states of a file in turns: where the old one comes from, and what is said of a change."""

import shutil
from pathlib import Path

import pytest

from conftest import git
from jitcost.errors import BadCallError
from jitcost.measured.files import Options, compare_states, measure_file
from own_files import Watch, write

KERNEL = """
import time, helper

def kernel(x):
    time.sleep(helper.SECONDS)
    return x + helper.FACTOR * 0
"""


def against(path, what, **options):
    """Compare; return the rows by n, and what was said."""
    watch = Watch()
    asked = {"sizes": (10, 20), "processes": 3, "budget": 30.0, **options}
    found = compare_states(path, what, Options(machine="m", **asked), watch)
    return {row.n: row for row in found.answer}, [*watch.said, *found.outcome.remarks]


def set_helper(folder, seconds, factor=1):
    """Write the module that a kernel takes its time from."""
    (folder / "helper.py").write_text(f"SECONDS, FACTOR = {seconds}, {factor}\n")


@pytest.fixture
def repository(tmp_path):
    """A repository with a file and a helper beside it, below its top."""
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    folder = tmp_path / "below"
    folder.mkdir()
    path = write(folder, KERNEL)
    set_helper(folder, 0.02)
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "the old state")
    return path


def test_a_commit_is_measured_with_its_own_helper(repository):
    set_helper(repository.parent, 0.026)  # 30 % more
    rows, said = against(repository, "git:HEAD", budget=12.0)
    assert rows[10].old == pytest.approx(0.02, rel=0.12)
    assert rows[10].new == pytest.approx(0.026, rel=0.12)
    assert {row.verdict for row in rows.values()} == {"slower"}
    commit = git(repository.parent, "rev-parse", "HEAD")[:8]
    assert f"old: HEAD ({commit}); new: {repository}" in said
    assert f"old: below/mine.py, below/helper.py of HEAD ({commit})" in said


def test_the_state_before_is_measured_with_its_own_helper(tmp_path):
    path = write(tmp_path, KERNEL)
    set_helper(tmp_path, 0.03)
    measure_file(path, Options(sizes=(10,), processes=1, budget=5.0, machine="m"), Watch())
    with pytest.raises(BadCallError, match=r"no earlier state of mine\.py was measured"):
        against(path, "last")
    set_helper(tmp_path, 0.02)
    rows, _ = against(path, "last", budget=12.0)
    assert rows[10].old == pytest.approx(0.03, rel=0.3)
    assert {row.verdict for row in rows.values()} == {"faster"}


def test_another_file_and_kernels_that_only_one_of_them_has(tmp_path):
    path = write(tmp_path, "def kernel(x): return x\ndef kernel_python(x): return x")
    other = write(tmp_path, "def kernel(x): return x", name="before.py")
    rows, said = against(path, str(other), budget=8.0)
    assert set(rows) == {10, 20, None}
    assert "mine python (new) is not in before.py: left out" in said


def test_an_unchanged_file_has_not_changed(tmp_path):
    text = "import time\ndef kernel(x):\n    time.sleep(0.01)\n    return x"
    path = write(tmp_path, text)
    rows, _ = against(path, str(write(tmp_path, text, name="same.py")), budget=10.0)
    assert {row.verdict for row in rows.values()} == {"neither"}


def test_results_that_differ_are_told(tmp_path):
    path = write(tmp_path, "def kernel(x): return x + 1")
    other = write(tmp_path, "def kernel(x): return x", name="before.py")
    with pytest.raises(Exception, match=r"mine numpy \(old\) at every size: differs from numpy's"):
        against(path, str(other), budget=4.0)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("git:no_such_branch", "git: there is no commit no_such_branch"),
        ("nothing.py", "no file nothing.py; --against takes last, git:REF or a file"),
        ("last", "no earlier state of mine.py was measured; measure it before you change it"),
    ],
)
def test_a_state_that_is_not_there(repository, what, said):
    with pytest.raises(BadCallError) as raised:
        against(repository, what)
    assert str(raised.value).startswith(said)


def test_a_file_that_the_commit_has_not(repository):
    path = write(repository.parent, KERNEL, name="fresh.py")
    with pytest.raises(BadCallError, match=r"HEAD has no fresh\.py"):
        against(path, "git:HEAD")


def test_a_folder_without_a_repository(tmp_path):
    path = write(tmp_path, "def kernel(x): return x")
    with pytest.raises(BadCallError, match="git: not a git repository"):
        against(path, "git:HEAD")


def test_what_is_compiled_is_refused(repository):
    import numpy.linalg._umath_linalg as compiled

    shutil.copy(compiled.__file__, repository.parent / Path(compiled.__file__).name)
    repository.write_text(repository.read_text() + "\nimport _umath_linalg\n")
    git(repository.parent, "add", "--all")
    git(repository.parent, "commit", "--quiet", "--message", "with an extension")
    watch = Watch()
    with pytest.raises(BadCallError, match=r"_umath_linalg.* is a compiled extension, and both"):
        compare_states(repository, "git:HEAD", Options(sizes=(10,), machine="m"), watch)
    assert "checking mine numpy (old)" in watch.done
    assert not [line for line in watch.done if line.startswith("process")]  # at once
