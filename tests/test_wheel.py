"""What is installed: one name, all of its files, and nothing that people's own folders could hide."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT, copy_working_tree
from making_results import OLD_RESULTS

# Folders that people have of their own, beside what they run.
OWN = ("analysis", "backends", "benchmarks", "julia", "tests")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel of the working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    copy_working_tree(source)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    done = subprocess.run(
        [*pip, "--wheel-dir", str(folder), str(source)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_only_name_at_the_top_is_the_projects(wheel):
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    (metadata,) = (name for name in names if name.endswith(".dist-info"))
    assert names == {"jitcost", metadata}


def test_every_module_is_in_it(wheel):
    # A checkout without links would hold a text file in the place of each, and the wheel little else.
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    expected = set()
    for folder, name in (
        ("analysis", "jitcost"),
        ("backends", "jitcost/backends"),
        ("benchmarks", "jitcost/benchmarks"),
        ("julia/src", "jitcost/julia/src"),
    ):
        for path in (ROOT / folder).rglob("*"):
            kept = path.suffix in (".py", ".c", ".jl", ".html", ".css", ".js", ".jinja", ".toml")
            if kept and "history" not in path.relative_to(ROOT / folder).parts[:-1]:
                expected.add(f"{name}/{path.relative_to(ROOT / folder)}")
    expected.add("jitcost/own/rbf.py.txt")  # the example that `jitcost demo` writes
    assert expected <= inside
    assert len(expected) > 100
    assert not [name for name in inside if "/history/" in name or "/test/" in name]
    assert not [name for name in inside if name.startswith("jitcost/") and name.endswith(".md")]


@pytest.fixture(scope="module")
def run_installed(wheel, tmp_path_factory):
    """Run the installed wheel in a folder of modules that raise an error when they are imported."""
    site = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    here = tmp_path_factory.mktemp("a folder of somebody's")
    for name in OWN:
        (here / name).mkdir()
        (here / name / "__init__.py").write_text(f"raise RuntimeError('this is my own {name}')")
    shutil.copytree(OLD_RESULTS, here / "results")

    def run(*args):
        done = subprocess.run(
            [sys.executable, *args],
            cwd=here,
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.site, run.here = site, here
    return run


def test_it_is_imported_beside_folders_of_its_old_names(run_installed):
    said = run_installed("-c", "import jitcost; print(jitcost.__file__, jitcost.__version__)")
    path, version = said.split()
    assert Path(path).is_relative_to(run_installed.site)
    assert version.count(".") == 2


@pytest.mark.parametrize("command", ["compare", "fit", "breakeven"])
def test_its_commands_answer_there(run_installed, command):
    script = run_installed.site / "bin" / "jitcost"
    rows = json.loads(run_installed(str(script), command, "--results", "results", "--json"))
    assert {row["backend"] for row in rows} >= {"jax_jit"}


def test_its_report_is_written_there(run_installed):
    script = run_installed.site / "bin" / "jitcost"
    run_installed(str(script), "report", "--results", "results", "-o", "report.html")
    assert "<table>" in (run_installed.here / "report.html").read_text()


def test_its_version_is_said(run_installed):
    script = run_installed.site / "bin" / "jitcost"
    version = run_installed("-c", "import jitcost; print(jitcost.__version__)").strip()
    assert run_installed(str(script), "--version").strip() == f"jitcost {version}"


def test_importing_it_is_cheap(run_python):
    """The libraries that it uses come with the first function that needs them."""
    code = """
import sys
before = set(sys.modules)
import jitcost
new = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(new - {"jitcost"} - set(sys.stdlib_module_names)))
print(all(name in dir(jitcost) for name in jitcost.__all__))
"""
    assert run_python(code) == "[]\nTrue\n"


def test_no_public_function_hides_a_module():
    import jitcost

    inside = {path.stem for path in (ROOT / "analysis").iterdir() if path.suffix in ("", ".py")}
    assert "history" in inside
    assert not inside & set(jitcost.__all__)
