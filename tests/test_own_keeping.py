"""What is kept of a measurement: the state that was measured, whole, or nothing."""

import json

import pytest

from jitcost.errors import BadCallError
from jitcost.measuring import lock
from jitcost.measuring.states import state_of
from own_files import measured, write


def states(folder):
    """Return the names of the files of each state that is kept."""
    return [
        sorted(file.name for file in state.iterdir())
        for state in (folder / ".jitcost" / "states").iterdir()
    ]


def test_what_a_kernel_imports_late_is_part_of_the_state(tmp_path):
    path = write(tmp_path, "def kernel(x):\n    import late\n    return x + late.ONE")
    (tmp_path / "late.py").write_text("ONE = 1\n")
    first, _ = measured(path, sizes=(10,))
    assert states(tmp_path) == [["about.json", "late.py", "mine.py"]]
    (tmp_path / "late.py").write_text("ONE = 2\n")
    second, _ = measured(path, sizes=(10,))
    assert set(first.cells["commit"]) != set(second.cells["commit"])
    assert len(states(tmp_path)) == 2


@pytest.mark.parametrize("name", ["beside.py", "mine.py"])
def test_what_is_edited_while_it_is_measured_is_not_kept(tmp_path, name):
    path = write(
        tmp_path,
        f"""
        import pathlib, beside
        def kernel(x):
            with pathlib.Path(__file__).with_name({name!r}).open("a") as file:
                file.write("#")
            return x
        """,
    )
    (tmp_path / "beside.py").write_text("# ")
    found, said = measured(path, sizes=(10,))
    assert said == [f"{name} was changed while it was measured: the results are not kept"]
    assert len(found.cells.filter(kind="SteadyState")) == 1
    assert not (tmp_path / ".jitcost" / "results").exists()
    assert not (tmp_path / ".jitcost" / "states").exists()


def test_what_is_gone_at_the_end_is_not_kept(tmp_path):
    path = write(
        tmp_path,
        """
        import pathlib
        try:
            import beside
        except ModuleNotFoundError:
            pass
        def kernel(x):
            pathlib.Path(__file__).with_name("beside.py").unlink(missing_ok=True)
            return x
        """,
    )
    (tmp_path / "beside.py").touch()
    _, said = measured(path, sizes=(10,))
    assert said == ["beside.py was changed while it was measured: the results are not kept"]


def test_a_state_is_the_same_in_whatever_order_its_files_are_told(tmp_path):
    path = tmp_path / "mine.py"
    texts = {str(path): b"a = 1", str(tmp_path / "b.py"): b"", str(tmp_path / "a.py"): b"1"}
    backwards = dict(reversed(texts.items()))
    swapped = texts | {str(tmp_path / "b.py"): b"1", str(tmp_path / "a.py"): b""}
    commit = state_of(path, texts, {}).commit
    assert state_of(path, backwards, {}).commit == commit
    assert state_of(path, swapped, {}).commit != commit


def test_other_inputs_are_another_version_of_the_benchmark(tmp_path):
    path = tmp_path / "mine.py"
    text = "import numpy as np\nSIZE = 1\nmake = lambda n: np.ones(SIZE * n)\ninputs = make\n"

    def measure(text):
        path.write_text(f"{text}def kernel(x): return x + 1\n")
        measured(path, sizes=(10,))
        told = json.loads((tmp_path / ".jitcost" / "results" / "benchmarks.json").read_text())
        return told["own.mine.SteadyState.time_call"]["version"]

    version = measure(text)
    assert measure(f"{text}UNUSED = 1\n") == version
    assert measure(text.replace("SIZE = 1", "SIZE = 2")) != version


def test_two_measurements_at_once_in_one_folder_are_refused(tmp_path):
    path = write(tmp_path, "def kernel(x): return x")
    (tmp_path / ".jitcost").mkdir()
    with (
        lock.alone(tmp_path / ".jitcost" / "lock"),
        pytest.raises(
            BadCallError, match=r"^another measurement is at work here; wait for its end$"
        ),
    ):
        measured(path, sizes=(10,))
    found, _ = measured(path, sizes=(10,))  # now it is free
    assert len(found.cells.filter(kind="SteadyState")) == 1
