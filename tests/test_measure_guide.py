"""The guide to one's own functions: its example, word for word, measured as it says."""

import json
import re
import subprocess
import sys

from conftest import ROOT, source_path

GUIDE = (ROOT / "analysis" / "MEASURE.md").read_text(encoding="utf-8")


def test_the_example_is_short_and_is_measured_on_four_backends(tmp_path, monkeypatch):
    (text,) = re.findall(r"```python\n(# garch\.py.*?)```", GUIDE, re.DOTALL)
    assert len(text.splitlines()) < 40
    (tmp_path / "garch.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(source_path(ROOT)))
    options = ["--sizes", "10,100", "--processes", "1", "--time", "60", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "jitcost.cli", "measure", "garch.py", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["failures"] == []
    assert {(row["backend"], row["n"]) for row in found["compare"]} == {
        (name, n) for name in ("python", "numpy", "numba", "jax_jit") for n in (10, 100)
    }


def test_every_option_in_its_table_is_one_that_there_is():
    help_text = subprocess.run(
        [sys.executable, "-m", "jitcost.cli", "measure", "--help"],
        env={"PYTHONPATH": str(source_path(ROOT)), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    table = GUIDE[GUIDE.index("| option |") : GUIDE.index("## From Python")]
    named = set(re.findall(r"--[a-z]+", table))
    assert len(named) >= 10
    assert named <= set(re.findall(r"--[a-z]+", help_text))
