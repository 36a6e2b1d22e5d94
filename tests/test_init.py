"""`jitcost init`: an asv suite in a person's repository, and what asv and jitcost do with it there."""

import json
import os
import shlex
import subprocess
import sys
from importlib.metadata import PathDistribution, version
from pathlib import Path

import json5
import pytest

from conftest import ROOT, git
from jitcost.errors import BadCallError
from jitcost.measuring import example, initialising
from jitcost.measuring.initialising import initialise
from jitcost.measuring.suite_files import configuration

RBF = """
import math
import time

import numpy as np

sizes = [8, 32]


def inputs(n, rng):
    return rng.normal(size=n), 1.5


def kernel_numpy(x, ell):
    time.sleep({seconds})
    return np.exp(-((x[:, None] - x[None]) ** 2) / (2 * ell**2))


def kernel_numba(x, ell):
    out = np.empty((x.size, x.size))
    for i in range(x.size):
        for j in range(x.size):
            out[i, j] = math.exp(-((x[i] - x[j]) ** 2) / (2 * ell**2))
    return out
"""


class Repository:
    """Somebody's repository, with a home of its own: asv and jitcost know nothing yet."""

    def __init__(self, folder):
        self.root, self.home = folder / "my functions", folder / "home"
        self.root.mkdir()
        self.home.mkdir()
        git(self.root, "init", "--quiet", "--initial-branch", "main")

    def write(self, seconds):
        """Write the file, whose NumPy kernel takes at least so long."""
        (self.root / "rbf.py").write_text(RBF.format(seconds=seconds))

    def commit(self, message):
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--message", message)
        return git(self.root, "rev-parse", "HEAD")

    def call(self, *args, cwd=None, **variables):
        package = str(ROOT / ".import")
        return subprocess.run(
            [sys.executable, "-m", *args],
            cwd=cwd or self.root,
            env=os.environ
            | {"HOME": str(self.home), "PYTHONPATH": package, "ASV_PYTHONPATH": package}
            | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
            | variables,
            capture_output=True,
            text=True,
        )

    def run(self, *args):
        done = self.call(*args)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Make a suite, and measure two commits with it: NumPy's kernel takes 4 ms, and then 12 ms."""
    made = Repository(tmp_path_factory.mktemp("init"))
    made.write(0.004)
    made.said = made.run("jitcost.cli", "init")
    (made.root / ".gitignore").write_text(".asv/\n.jitcost/\n")
    made.run("asv", "machine", "--yes", "--machine", "m")
    made.commits = []
    for seconds in (0.004, 0.012):
        made.write(seconds)
        made.commits.append(made.commit(f"{seconds} s"))
        here = ("--environment", "existing:same", "--set-commit-hash", made.commits[-1])
        run = ("asv", "run", "--machine", "m", *here, "--record-samples")
        made.run(*run, "--bench", r"SteadyState\.")
    made.run(*run, "--bench", r"FirstCall\.", "--attribute", "rounds=1")
    made.run("asv", "publish", "--no-pull")
    return made


def test_what_is_written_is_said_with_what_comes_next(repository):
    lines = repository.said.splitlines()
    written = ["benchmarks/__init__.py", "benchmarks/own/__init__.py", "benchmarks/own/rbf.py"]
    assert lines[:4] == [f"wrote {path}" for path in (*written, "asv.conf.json")]
    assert any("jitcost bench" in line for line in lines)


def test_the_configuration_is_of_a_repository_without_a_package(repository):
    conf = json5.loads((repository.root / "asv.conf.json").read_text())
    assert (conf["build_command"], conf["uninstall_command"]) == ([], [])
    assert (conf["branches"], conf["launch_method"]) == (["HEAD"], "spawn")
    assert conf["environment_type"] == "virtualenv"
    assert conf["pythons"] == [f"{sys.version_info.major}.{sys.version_info.minor}"]
    assert (conf["results_dir"], conf["html_dir"]) == (".asv/results", ".asv/html")
    # The file has kernels for these two, and the tests run from a checkout: pip gets it from there.
    assert conf["matrix"]["req"] == {name: [version(name)] for name in ("numba", "numpy")}
    (install,) = conf["install_command"]
    assert install == f"in-dir={{env_dir}} python -m pip install --no-deps {shlex.quote(str(ROOT))}"


def test_further_versions_are_there_to_be_uncommented(repository):
    text = (repository.root / "asv.conf.json").read_text()
    uncommented = json5.loads(text.replace("/*", "").replace("*/", ""))
    for name, versions in uncommented["matrix"]["req"].items():
        assert versions[0] == version(name)
        assert len(set(versions)) == 3


def test_asv_names_the_benchmarks_as_results_do(repository):
    index = json.loads((repository.root / ".asv" / "html" / "index.json").read_text())
    assert {name: one["params"] for name, one in index["benchmarks"].items()} == {
        name: [["8", "32"], ["'numpy'", "'numba'"]]
        for name in ("own.rbf.FirstCall.time_first_call", "own.rbf.SteadyState.time_call")
    }


def test_the_published_pages_have_the_report(repository):
    html = repository.root / ".asv" / "html"
    assert ">jitcost report</a>" in (html / "history.html").read_text()
    assert "rbf: time per call" in (html / "workload-rbf.html").read_text()
    first = (html / "index.html").read_text()
    assert '<a href="workload-rbf.html">rbf</a>' in first


def test_the_history_finds_the_commit_that_made_a_kernel_slower(repository):
    rows = json.loads(repository.run("jitcost.cli", "history", "--json"))
    (row,) = [
        row for row in rows if (row["backend"], row["quantity"], row["n"]) == ("numpy", "time", 32)
    ]
    assert (row["over"], row["workload"]) == ("commits", "rbf")
    before, after = row["points"]
    assert [before["release"], after["release"]] == [one[:8] for one in repository.commits]
    assert 0.004 <= before["value"] < 0.006
    assert 0.012 <= after["value"] < 0.016
    assert 2.4 < after["ratio"] < 3.6
    assert after["changed"] is True


def test_every_cell_is_compared_from_five_processes(repository):
    rows = json.loads(repository.run("jitcost.cli", "compare", "--json"))
    assert {(row["n"], row["backend"]) for row in rows} == {
        (n, backend) for n in (8, 32) for backend in ("numpy", "numba")
    }
    for row in rows:
        assert (row["workload"], row["commit"]) == ("rbf", repository.commits[-1])
        assert (row["processes"], row["interval"]) == (5, "of processes")
        assert row["best"] is (row["backend"] == "numba")


def test_the_first_call_compiles(repository):
    rows = json.loads(repository.run("jitcost.cli", "breakeven", "--json"))
    assert [(row["backend"], row["n"]) for row in rows] == [("numba", 8), ("numba", 32)]
    assert all(row["C"] > 0.01 for row in rows)


def test_nothing_is_overwritten(repository):
    files = ("asv.conf.json", "benchmarks/__init__.py", "benchmarks/own/rbf.py")
    before = {name: (repository.root / name).read_bytes() for name in files}
    done = repository.call("jitcost.cli", "init")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "jitcost: all of it is there already, and is left as it is: benchmarks/"
    )
    assert done.stderr.count("\n") == 1
    (repository.root / "asv.conf.json").unlink()
    said = repository.run("jitcost.cli", "init").splitlines()
    assert [line for line in said if line.startswith("wrote")] == ["wrote asv.conf.json"]
    assert "there already, left as it is: benchmarks/own/rbf.py" in said
    assert {name: (repository.root / name).read_bytes() for name in files} == before


def test_bench_measures_the_commit_in_an_environment_of_its_own(repository):
    repository.write(0.05)
    bench = ("jitcost.cli", "bench", "rbf", "--n", "8", "--backend", "numpy", "--machine", "bench")
    done = repository.call(*bench)
    assert done.returncode == 2
    assert "uncommitted changes would not be measured, HEAD would: rbf.py; commit" in done.stderr
    done = repository.call(*bench, "--processes", "1", "--ignore-changes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "who wins where" in done.stdout
    assert "rbf.html" in (repository.root / ".asv" / "html" / "index.html").read_text()
    repository.write(0.012)
    arguments = ("--machine", "bench", "--json")
    (row,) = json.loads(repository.run("jitcost.cli", "compare", *arguments))
    assert (row["workload"], row["backend"], row["n"]) == ("rbf", "numpy", 8)
    assert row["commit"] == repository.commits[-1]
    assert 0.012 <= row["time"] < 0.03  # the commit's, and not the working tree's 50 ms


def test_bench_knows_the_problems_that_there_are(repository):
    done = repository.call("jitcost.cli", "bench", "kalman")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "jitcost: no problem 'kalman'; there are rbf\n"


def test_outside_of_a_repository_there_is_nothing_to_begin(tmp_path):
    (tmp_path / "rbf.py").write_text(RBF.format(seconds=0))
    done = called(tmp_path, "init", "rbf.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "jitcost: not in a git repository, and asv measures commits; git init"
    )
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["rbf.py"]


def called(where, *args):
    return subprocess.run(
        [sys.executable, "-m", "jitcost.cli", *args],
        cwd=where,
        env=os.environ | {"PYTHONPATH": str(ROOT / ".import"), "GIT_CEILING_DIRECTORIES": "/"},
        capture_output=True,
        text=True,
    )


class Nobody:
    """Is told of everything, and keeps what is said."""

    def __init__(self):
        self.lines = []

    def say(self, line):
        self.lines.append(line)

    def begin(self, entries): ...
    def looked(self): ...
    def scouted(self, entry, n, seconds): ...
    def doing(self, what, left): ...


@pytest.fixture
def here(tmp_path, monkeypatch):
    git(tmp_path, "init", "--quiet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


ONE = "def inputs(n, rng): return rng.normal(size=n)\ndef kernel(x): return x + 1\nsizes = [4]\n"


def test_of_several_files_one_has_to_be_named(here):
    for name in ("fit", "path"):
        (here / f"{name}.py").write_text(ONE)
    (here / "helpers.py").write_text("def add(x): return x\n")
    with pytest.raises(
        BadCallError, match=r"^fit.py, path.py have kernels; say which: jitcost init"
    ):
        initialise(None, Nobody())
    assert not (here / "benchmarks").exists()


def test_without_any_the_example_is_written(here, monkeypatch):
    monkeypatch.setattr(example, "example", lambda: ONE)
    (here / "helpers.py").write_text("def add(x): return x\n")
    watch = Nobody()
    done = initialise(None, watch)
    assert watch.lines == ["no file here has kernels: wrote rbf.py, an example"]
    assert (here / "rbf.py").read_text() == ONE
    assert done.problems == ("rbf",)


def test_a_file_elsewhere_is_none_of_the_commits(here, tmp_path_factory):
    other = tmp_path_factory.mktemp("elsewhere") / "rbf.py"
    other.write_text(ONE)
    with pytest.raises(BadCallError, match="is not in this repository"):
        initialise(other, Nobody())


def test_of_a_file_in_a_folder_the_path_is_written(here):
    (here / "src").mkdir()
    (here / "src" / "fit.py").write_text(ONE)
    (here / "pyproject.toml").write_text("")
    initialise(Path("src/fit.py"), Nobody())
    assert 'file = "src/fit.py"\n' in (here / "benchmarks" / "own" / "fit.py").read_text()
    conf = json5.loads((here / "asv.conf.json").read_text())
    # There is a package: asv builds and installs it, without moving what the matrix has pinned.
    assert conf["build_command"] == [
        "python -m pip wheel --no-deps -w {build_cache_dir} {build_dir}"
    ]
    assert "--no-deps --force-reinstall {wheel_file}" in conf["install_command"][0]
    assert "uninstall_command" not in conf


def test_asvs_benchmarks_may_be_elsewhere_already(here):
    (here / "fit.py").write_text(ONE)
    (here / "asv.conf.json").write_text('{"version": 1, "benchmark_dir": "perf"} // ours')
    with pytest.raises(
        BadCallError, match=r"^asv\.conf\.json has its benchmarks in perf; jitcost init"
    ):
        initialise(None, Nobody())
    (here / "asv.conf.json").write_text('{"benchmark_dir": ')
    with pytest.raises(BadCallError, match=r"asv\.conf\.json cannot be read: .*[^\n]$"):
        initialise(None, Nobody())
    assert not (here / "benchmarks").exists()


def test_from_an_index_jitcost_is_pinned_as_the_first_of_the_environment():
    text = configuration("x", ["numba", "numpy"], jitcost=None, packaged=False)
    conf = json5.loads(text)
    assert list(conf["matrix"]["req"]) == ["jitcost", "numba", "numpy"]
    assert conf["matrix"]["req"]["jitcost"] == [version("jitcost")]
    assert conf["install_command"] == []


@pytest.mark.parametrize(
    ("told", "source"),
    [
        (None, None),
        ({"url": "file:///a/jitcost", "dir_info": {}}, "file:///a/jitcost"),
        (
            {"url": "https://b/jitcost", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
            "jitcost @ git+https://b/jitcost@c0ffee",
        ),
    ],
)
def test_an_installed_jitcost_says_where_it_comes_from(tmp_path, monkeypatch, told, source):
    installed = tmp_path / "jitcost" / "measuring" / "initialising.py"
    monkeypatch.setattr(initialising, "__file__", str(installed))
    about = tmp_path / "jitcost-0.1.0.dist-info"
    about.mkdir()
    if told is not None:
        (about / "direct_url.json").write_text(json.dumps(told))
    monkeypatch.setattr(
        initialising.importlib.metadata, "distribution", lambda _: PathDistribution(about)
    )
    assert initialising._source() == source


LADDER = """
import time
def inputs(size, rng): return rng.normal(size=size)
sizes = [(1, 2), (2, 10), (2, 100)]
def fit_numpy(x): return x + 1
def fit_python(x):
    time.sleep(0.001 if len(x) == 1 else 3)
    return [[one + 1 for one in row] for row in x]
"""


def test_a_kernel_has_the_sizes_that_asv_has_time_for(here):
    (here / "fit.py").write_text(LADDER)
    watch = Nobody()
    initialise(None, watch)
    namespace = {}
    exec((here / "benchmarks" / "own" / "fit.py").read_text(), namespace)
    own, first = namespace["_Own"], namespace["FirstCall"]
    assert namespace["SteadyState"].params == [[2, 20, 200], ["numpy", "python"]]
    assert first.params == [[2, 200], ["numpy", "python"]]
    assert own.sizes == {2: (1, 2), 20: (2, 10), 200: (2, 100)}
    assert own.limits == {"python": 20}
    assert any("fit python is left out from n = (2, 100) on" in line for line in watch.lines)
