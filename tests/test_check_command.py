"""`jitcost check` and `jitcost bisect` in somebody's asv suite, without backends: real runs of asv."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from conftest import ROOT, git

CONFIGURATION = {
    "version": 1,
    "project": "tallies",
    "repo": "..",
    "branches": ["HEAD"],
    "environment_type": "virtualenv",
    "matrix": {},
    # There is nothing to build: the folder of the commit joins the path.
    "build_command": [],
    "install_command": [
        'in-dir={env_dir} python -c "import pathlib, sysconfig; '
        "pathlib.Path(sysconfig.get_path('purelib'), 'tallies.pth').write_text(r'{build_dir}')\""
    ],
    "uninstall_command": [],
    "env_dir": ".asv/env",
    "results_dir": ".asv/results",
    "html_dir": ".asv/html",
}

BENCHMARKS = """
import tallies


class Sums:
    params = [1_000, 5_000]
    param_names = ["length"]

    def setup(self, length):
        self.numbers = list(range(length))

    def time_total(self, length):
        tallies.total(self.numbers)


def time_untouched():
    sum(range(20_000))


def time_squares():
    tallies.squares(2_000)


def track_size():
    return 3
"""

PROJECT = """
def total(numbers):
    result = 0
    for _ in range({times}):
        for number in numbers:
            result += number
    return result
"""

SQUARES = """

def squares(count):
    return [number * number for number in range(count)]
"""


class Suite:
    """A repository with a suite in a folder of its own, and a home of its own."""

    def __init__(self, folder):
        self.root, self.home = folder / "tallies", folder / "home"
        self.suite = self.root / "asv"
        (self.suite / "benchmarks").mkdir(parents=True)
        self.home.mkdir()
        git(self.root, "init", "--quiet", "--initial-branch", "main")
        (self.root / ".gitignore").write_text(".asv/\n")
        (self.suite / "asv.conf.json").write_text(json.dumps(CONFIGURATION))
        (self.suite / "benchmarks" / "__init__.py").touch()
        (self.suite / "benchmarks" / "tallying.py").write_text(BENCHMARKS)

    def commit(self, text):
        (self.root / "tallies.py").write_text(text)
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--message", "a change")
        return git(self.root, "rev-parse", "HEAD")

    def begin(self, *args, cwd=None):
        return subprocess.Popen(
            [sys.executable, "-m", "jitcost.cli", *args],
            cwd=cwd or self.suite,
            env=os.environ | {"HOME": str(self.home), "PYTHONPATH": str(ROOT / ".import")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def asv(self, *args):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        command = [sys.executable, "-m", "asv", *args]
        env = os.environ | {"HOME": str(self.home), "PATH": path}
        subprocess.run(command, cwd=self.suite, env=env, check=True, capture_output=True)

    def jitcost(self, *args, cwd=None):
        process = self.begin(*args, cwd=cwd)
        out, err = process.communicate()
        return subprocess.CompletedProcess(args, process.returncode, out, err)


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """Make one of four commits: the second takes three times as long, the third has a comment more."""
    made = Suite(tmp_path_factory.mktemp("check"))
    made.fast = made.commit(PROJECT.format(times=1) + SQUARES)
    made.slow = made.commit(PROJECT.format(times=3) + SQUARES)
    made.same = made.commit("# Slow, but right." + PROJECT.format(times=3) + SQUARES)
    made.without = made.commit(PROJECT.format(times=3))
    return made


# Of a busy machine these are asked for a change of a factor of three, and no smaller one.
COARSE = ("--threshold", "60%", "--time", "2m")


@pytest.fixture(scope="module")
def slower(suite, tmp_path_factory):
    """Check the second commit against the first."""
    folder = tmp_path_factory.mktemp("files")
    files = "--markdown", folder / "comment.md", "--junit", folder / "junit.xml"
    done = suite.jitcost("check", suite.fast, suite.slow, "--json", *files, *COARSE)
    assert done.returncode == 1, done.stdout + done.stderr
    return json.loads(done.stdout), folder


def test_what_has_become_slower_is_named_and_nothing_else(slower, suite):
    found, _ = slower
    verdicts = {
        (cell["benchmark"], *cell["params"].values()): cell["verdict"] for cell in found["cells"]
    }
    assert {key for key, verdict in verdicts.items() if verdict == "slower"} == {
        ("tallying.Sums.time_total", "1000"),
        ("tallying.Sums.time_total", "5000"),
    }
    assert {("tallying.time_untouched",), ("tallying.time_squares",)} <= verdicts.keys()
    assert len(verdicts) == 4  # what is tracked is no time
    assert (found["earlier"]["commit"], found["later"]["commit"]) == (suite.fast, suite.slow)


def test_by_how_much_it_is_known_from_fresh_processes(slower):
    found, _ = slower
    slow = [cell for cell in found["cells"] if cell["verdict"] == "slower"]
    assert all(cell["fresh"] and cell["ratio_low"] < 3 * 1.5 for cell in slow)
    assert all(cell["ratio_high"] > 3 / 1.5 for cell in slow)


def test_a_comment_and_junit_are_written(slower):
    found, folder = slower
    heading, *_ = (folder / "comment.md").read_text().splitlines()
    assert heading == f"### ❌ jitcost check: {found['verdict']}"
    cases = ElementTree.parse(folder / "junit.xml").getroot()
    assert (cases.get("tests"), cases.get("failures")) == ("5", "2")


def test_a_comment_in_the_code_changes_nothing(suite):
    done = suite.jitcost("check", suite.slow, suite.same, *COARSE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing significantly slower by 60 % or more, of 4 cells" in done.stdout


def test_a_benchmark_that_fails_now_ends_with_1_and_one_that_could_not_run_before_is_new(suite):
    bench = ("--bench", "squares", *COARSE)
    gone = suite.jitcost("check", suite.same, suite.without, *bench)
    assert gone.returncode == 1
    assert "fails: AttributeError: module 'tallies' has no attribute 'squares'" in " ".join(
        gone.stdout.split()
    )
    new = suite.jitcost("check", suite.without, suite.same, *bench)
    assert new.returncode == 3  # there is nothing to compare
    assert "new: AttributeError" in " ".join(new.stdout.split())


def test_which_commit_it_was_is_found(suite):
    done = suite.jitcost(
        *("bisect", suite.fast, suite.without, "--bench", "Sums", "--time", "2m", "--json")
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert (found["before"], found["after"]) == (suite.fast[:8], suite.slow[:8])
    assert found["of_all"] == 4
    assert found["change"]["ratio"] == pytest.approx(3, rel=0.5)


def test_an_interrupted_search_goes_on_where_it_was(suite):
    args = ("bisect", suite.fast, suite.same, "--bench", "Sums", "--time", "2m", "--json")
    states = suite.suite / ".asv" / "check"
    search = suite.begin(*args)
    while search.poll() is None and not any(states.glob("bisect-*.json")):
        time.sleep(0.1)
    search.send_signal(signal.SIGINT)
    _, said = search.communicate()
    assert search.returncode == 130, said
    (state,) = states.glob("bisect-*.json")
    cell = json.loads(state.read_text())["cell"]
    done = suite.jitcost(*args)
    assert "Going on with the search" in done.stderr
    found = json.loads(done.stdout)
    assert (found["before"], found["after"]) == (suite.fast[:8], suite.slow[:8])
    assert [found["benchmark"], list(found["params"].values())] == cell
    assert not state.exists()


def test_a_version_that_the_suite_replaces_is_not_measured(suite):
    """The suite's environments hold no NumPy: whatever is wanted of it is not installed."""
    done = suite.jitcost("check", "--with", "tallies==1.0")
    assert "tallies is the project itself" in done.stderr
    assert done.returncode == 2


def test_of_a_history_that_asv_has_measured_the_step_is_told(tmp_path, monkeypatch):
    """Seven commits, a day each, of which the fourth and all after it take three times as long."""
    made = Suite(tmp_path)
    commits = []
    for day, times in enumerate((1, 1, 1, 3, 3, 3, 3), 1):
        monkeypatch.setenv("GIT_AUTHOR_DATE", f"2026-01-0{day}T12:00:00Z")
        commits.append(made.commit(f"# {day}" + PROJECT.format(times=times) + SQUARES))
    made.asv("machine", "--yes", "--machine", "m")
    run = ("run", "--machine", "m", "--bench", "Sums", "-a", "rounds=2", "-a", "repeat=3")
    made.asv(*run, "--record-samples", f"{commits[0]}^!")
    made.asv(*run, "--record-samples", f"{commits[0]}..{commits[-1]}")
    done = made.jitcost("changes", "--results", ".asv/results", "--least", "60%", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [
        (row["benchmark"], row["at"], row["runs_before"], row["runs_after"]) for row in rows
    ] == [("tallying.Sums.time_total", commits[3], 3, 4)] * 2
    assert all(row["ratio"] == pytest.approx(3, rel=0.4) for row in rows)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check",), "give a commit, or --with"),
        (("check", "nowhere"), "no commit 'nowhere'; give a hash, a tag or a branch"),
        (("check", "HEAD"), "HEAD and HEAD are the same commit"),
        (("check", "HEAD~1", "--against", "numpy==2.0.2"), "--against goes with --with or --env"),
        (("check", "HEAD~1", "--time", "soon"), "--time soon: give a time, such as 60, 90s"),
        (("check", "HEAD~1", "--backend", "numpy"), "this suite has no workloads and backends"),
        (("check", "HEAD~1", "--junit", "no/where.xml"), "cannot write no/where.xml"),
        (("check", "HEAD~1", "--threshold", "much"), "--threshold much: give a share"),
        (("check", "HEAD~1", "--bench", "nothing"), "there are tallying.Sums.time_total"),
        (("check", "HEAD~1", "--bench", "("), "no regular expression"),
        (("check", "HEAD~1", "--config", "none.json"), "--config takes asv's configuration"),
        (("check", "--env", "a", "--against", "b"), "no environment on record matches 'b'"),
        (("bisect", "HEAD", "HEAD~2"), "give the earlier commit first"),
        (("bisect", "jax==0.5.3", "numpy==2.0.2"), "give two releases of one library"),
    ],
)
def test_a_bad_call_ends_with_2_and_one_line(suite, args, said):
    done = suite.jitcost(*args)
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("jitcost:")]
    assert said in line


def test_what_is_not_committed_is_not_passed_over(suite):
    path = suite.root / "tallies.py"
    text = path.read_text()
    try:
        path.write_text("# changed\n" + text)
        done = suite.jitcost("check", "HEAD~1")
    finally:
        path.write_text(text)
    assert done.returncode == 2
    assert "uncommitted changes would not be measured: tallies.py" in done.stderr


def test_outside_of_a_suite_it_says_what_is_missing(suite, tmp_path):
    assert "not in a git repository" in suite.jitcost("check", "HEAD~1", cwd=tmp_path).stderr
    assert (
        "name asv's configuration with --config"
        in suite.jitcost("check", "HEAD~1", cwd=suite.root).stderr
    )
