"""The example from Python, word for word, and the public names that it rests on."""

import re

import pytest

import jitcost
from conftest import ROOT


def test_the_example_of_the_questions_runs(run_python):
    text = (ROOT / "analysis" / "READING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(import jitcost\n.*?)```", text, re.DOTALL)
    said = run_python(
        f"{code}\nimport sys; print('jitcost.cli' in sys.modules)", cwd=ROOT
    ).splitlines()
    assert any(line.startswith("elementwise 100000.0 ") for line in said)
    assert [line.split("(")[1] for line in said if line.startswith("(Row")] == ["Row"] * 3
    assert said[-1] == "False"  # no command line is involved


def test_every_public_name_is_there():
    for name in jitcost.__all__:
        assert getattr(jitcost, name)
    with pytest.raises(AttributeError, match="module 'jitcost' has no attribute 'nothing'"):
        jitcost.nothing  # noqa: B018
