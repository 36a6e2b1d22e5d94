"""`jitcost demo`: an example in an empty folder, measured as a person's own file is."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT
from jitcost import backends
from jitcost.errors import BadCallError
from jitcost.measuring import libraries
from jitcost.measuring.example import example, write_example
from jitcost.own.names import read


def called(where, *args):
    return subprocess.run(
        [sys.executable, "-m", "jitcost.cli", *args],
        cwd=where,
        env=os.environ | {"PYTHONPATH": str(ROOT / ".import")},
        capture_output=True,
        text=True,
    )


def test_it_is_written_and_measured_and_answers_from_there(tmp_path):
    done = called(tmp_path, "demo", "--time", "10")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rbf.py").read_text() == example()
    assert "wrote rbf.py" in done.stderr
    assert "rbf: time per call, and its ratio to numpy's" in done.stdout
    compared = called(tmp_path, "compare", "--json")
    rows = json.loads(compared.stdout)
    assert {row["workload"] for row in rows} == {"rbf"}
    measured = {row["backend"] for row in rows}
    wanted = ["numpy", "jax_eager", "jax_jit", "numba", "numba__parallel"]
    assert measured <= set(libraries.installed(wanted, print))
    assert {"numpy", "numba"} <= measured


@pytest.mark.parametrize("time", ["0", "-3", "soon", "nan"])
def test_a_time_that_is_none_is_answered_in_one_line(tmp_path, time):
    done = called(tmp_path, "demo", f"--time={time}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"jitcost: --time {time}: give a time, such as 60, 90s, 10m or 2h\n"
    assert not list(tmp_path.iterdir())


def test_another_file_is_never_written_over(tmp_path):
    path, written = write_example(tmp_path)
    assert (path, written) == (tmp_path / "rbf.py", True)
    assert write_example(tmp_path) == (path, False)
    path.write_text("mine")
    with pytest.raises(BadCallError, match=r"rbf\.py is there already, and is another file"):
        write_example(tmp_path)
    path.write_bytes(b"\xff")
    with pytest.raises(BadCallError, match="is no text"):
        write_example(tmp_path)
    assert path.read_bytes() == b"\xff"


def test_its_kernels_are_those_of_a_persons_file():
    names = read(example(), "rbf", backends.names())
    kernels = ["numpy", "jax_eager", "jax_jit", "numba", "numba__parallel"]
    assert [kernel.name for kernel in names.kernels] == kernels
    assert names.near_misses == ()


def test_without_numba_the_others_run(run_python):
    code = f"""
import sys; sys.modules["numba"] = None
space = {{}}
exec({example()!r}, space)
import numpy as np
x, ell = space["inputs"](3, np.random.default_rng(0))
print(space["kernel"](x, ell).tolist() == space["kernel"](x, ell, np).tolist())
print("kernel_numba__parallel" in space)
"""
    assert run_python(code) == "True\nFalse\n"


def test_its_numbers_are_the_formulas():
    space = {}
    exec(example(), space)
    x = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 4.0]])  # 5 apart
    expected = [[1.0, np.exp(-25 / 8)], [np.exp(-25 / 8), 1.0]]
    for name in ("kernel", "kernel_numba"):
        np.testing.assert_allclose(space[name](x, 2.0), expected, rtol=1e-14)


def test_what_is_not_installed_is_said_in_one_line_each(monkeypatch):
    monkeypatch.setattr(libraries, "here", {"numpy": "2.4.6", "numba": "0.68.1"}.get)
    said = []
    wanted = ["python", "numpy", "jax_eager", "jax_jit", "numba", "numba__parallel"]
    found = libraries.installed(wanted, said.append)
    assert found == ("python", "numpy", "numba", "numba__parallel")
    assert said == ["without jax_eager, jax_jit: jax is not installed; python -m pip install jax"]


def test_what_backends_need_is_listed_once_with_numpy_at_last():
    found = libraries.libraries(["numpy", "jax_jit", "jax_eager", "python", "julia", "numba"])
    assert list(found) == ["jax", "juliacall", "numba", "numpy"]
    assert list(libraries.libraries(["python"])) == ["numpy"]
