"""The workflows on GitHub and the script for a cluster: commands, options, paths and names in them."""

import fnmatch
import itertools
import os
import re
import shlex
import subprocess

import pytest
import yaml
from asv.config import Config

from conftest import ROOT, git
from documented_commands import check, parser_of

ACTIONS = {"checkout@v4", "setup-python@v5", "upload-artifact@v4", "download-artifact@v4"}
WORKFLOWS = sorted((ROOT / ".github" / "workflows").iterdir())


def load(name):
    return yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())


def jobs(name):
    return load(name)["jobs"]


def combinations(job):
    """Return every combination of the job's matrix; one empty one where it has none."""
    matrix = job.get("strategy", {}).get("matrix", {})
    return [
        dict(zip(matrix, values, strict=True)) for values in itertools.product(*matrix.values())
    ]


def filled(text, combination):
    """Return a text with its expressions of the matrix replaced."""
    return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda match: combination[match[1]], text)


def commands():
    """Return every command of every workflow, for each combination of its matrix."""
    return {
        filled(step["run"], combination)
        for path in WORKFLOWS
        for job in jobs(path.stem).values()
        for step in job["steps"]
        if "run" in step
        for combination in combinations(job)
    }


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_is_one_that_there_is(command):
    check(shlex.split(command))


@pytest.mark.parametrize(
    "command", ["make tset", "make bench BENCH=--mahcine", "jitcost results --x"]
)
def test_a_command_that_there_is_not_is_found(command, capsys):
    with pytest.raises((AssertionError, SystemExit)):
        check(shlex.split(command))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_the_workflows_may_do_little_and_not_forever(path):
    workflow = load(path.stem)
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["group"]
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        assert 0 < job["timeout-minutes"] <= 120
        used = [step["uses"] for step in job["steps"] if "uses" in step]
        assert {name.removeprefix("actions/") for name in used} <= ACTIONS


def test_every_kind_of_runner_is_a_machine_of_its_own_and_runs_what_a_person_would():
    job = jobs("bench")["bench"]
    runners = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15"]
    matrix = job["strategy"]["matrix"]
    assert matrix == {"runner": runners, "python": ["3.11", "3.13"]}
    assert job["runs-on"] == "${{ matrix.runner }}"
    (run,) = [step["run"] for step in job["steps"] if "make bench" in step.get("run", "")]
    words = [shlex.split(filled(run, combination)) for combination in combinations(job)]
    named = [
        parser_of("bench").parse_args(shlex.split(each[2].removeprefix("BENCH="))).machine
        for each in words
    ]
    assert named == [f"github-{runner}" for runner in runners for _ in range(2)]
    assert "make test" in [step.get("run") for step in jobs("test")["test"]["steps"]]


def steps(job, action):
    return [step["with"] for step in job["steps"] if f"/{action}@" in step.get("uses", "")]


def test_what_is_uploaded_is_what_is_collected_and_published():
    conf = Config.load(str(ROOT / "asv.conf.json"))
    bench, pages = jobs("bench")["bench"], jobs("bench")["pages"]
    assert pages["needs"] == "bench"
    (upload,), (download,) = steps(bench, "upload-artifact"), steps(pages, "download-artifact")
    assert upload["path"] == download["path"] == conf.results_dir
    assert download["merge-multiple"] is True
    names = [filled(upload["name"], combination) for combination in combinations(bench)]
    assert len(set(names)) == 6  # an artifact of the same name would be refused
    assert fnmatch.filter(names, download["pattern"]) == names
    collected = {each["name"]: each["path"] for each in steps(pages, "upload-artifact")}
    assert not fnmatch.filter(collected, download["pattern"])
    assert conf.html_dir in collected.values()
    assert conf.results_dir in collected.values()
    # Everything lies below .asv, and what is hidden is left out unless it is asked for.
    for each in (upload, *steps(pages, "upload-artifact")):
        assert each["include-hidden-files"] is True
    assert steps(pages, "checkout")[0]["fetch-depth"] == 0  # asv publishes no commit that it lacks


# On a cluster: the script in analysis/MACHINES.md

MAKE = """#!/bin/sh
echo "$PYTHON $HOME $*" > "$SLURM_SUBMIT_DIR/called"
mkdir -p ".asv/results/genoa"
echo {} > .asv/results/genoa/aaaaaaaa-env.json
exit 1
"""


def test_the_batch_script_measures_in_a_clone_and_collects_what_there_is(tmp_path):
    text = (ROOT / "analysis" / "MACHINES.md").read_text()
    (script,) = re.findall(r"```bash\n(.*?)```", text, re.DOTALL)
    shared, bin_ = tmp_path / "shared clone", tmp_path / "bin"
    shared.mkdir()
    bin_.mkdir()
    git(shared, "init", "--quiet")
    (shared / "bench.sbatch").write_text(script)
    git(shared, "add", "--all")
    git(shared, "commit", "--quiet", "--message", "first")
    (bin_ / "make").write_text(MAKE)
    (bin_ / "make").chmod(0o755)
    (tmp_path / "disk").mkdir()
    set_by_slurm = {"SLURM_SUBMIT_DIR": str(shared), "SLURM_ARRAY_TASK_ID": "1"}
    set_by_slurm |= {"TMPDIR": str(tmp_path / "disk"), "PATH": f"{bin_}:{os.environ['PATH']}"}
    call = ["bash", "bench.sbatch", "genoa"]
    done = subprocess.run(call, cwd=shared, env={**os.environ, **set_by_slurm})
    assert done.returncode == 1  # as make's: a cell had failed
    python, home, *words = shlex.split((shared / "called").read_text().replace("BENCH=", "BENCH= "))
    assert python == "python3.13"
    assert home.startswith(str(tmp_path / "disk"))
    assert words[:2] == ["bench", "BENCH="]
    assert parser_of("bench").parse_args(words[2:]).machine == "genoa"
    assert [str(path.relative_to(shared)) for path in shared.glob("collected/**/*.json")] == [
        "collected/genoa-python3.13/genoa/aaaaaaaa-env.json"
    ]
    assert list((tmp_path / "disk").iterdir()) == []
