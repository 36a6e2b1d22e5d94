"""Functions of a script or a notebook, handed to processes that know nothing of either."""

import functools
import textwrap
import threading

import numpy as np
import pytest

from jitcost.errors import BadCallError
from jitcost.measured.functions import measure
from own_files import Watch


def inputs(n, rng):
    return (rng.normal(size=n),)


def measured(functions, **options):
    """Measure; return what was measured, and what was said."""
    watch = Watch()
    asked = {"sizes": [10], "processes": 1, "time": 20.0, **options}
    found = measure(functions, inputs=inputs, watch=watch, **asked)
    return found, [*watch.said, *found.outcome.remarks]


def test_lambdas_closures_methods_and_partial_functions(tmp_path):
    factor = 3.0

    class Model:
        def fit(self, x):
            return factor * x

    found, said = measured(
        {
            "numpy": lambda x: factor * x,
            "numpy__method": Model().fit,
            "numpy__partial": functools.partial(np.multiply, factor),
            "python": lambda x: [factor * value for value in x],
        }
    )
    names = {entry.kernel.name for entry, _ in found.outcome.cells}
    assert names == {"numpy", "numpy__method", "numpy__partial", "python"}
    assert (said, found.outcome.failures) == ([], [])


def test_compiled_ones_and_xp():
    import jax
    import numba

    found, said = measured(
        {
            "numpy": lambda x, xp: xp.sum(x),
            "jax_jit": jax.jit(lambda x: x.sum()),
            "numba": numba.njit(lambda x: x.sum()),
        }
    )
    assert {entry.kernel.name for entry, _ in found.outcome.cells} == {"numpy", "jax_jit", "numba"}
    assert (said, found.outcome.failures) == ([], [])


def test_what_cannot_travel_is_named():
    lock = threading.Lock()
    with pytest.raises(BadCallError) as raised:
        measured({"numpy": lambda x: x, "numpy__locked": lambda x: (lock, x)[1]})
    assert str(raised.value).startswith("numpy__locked cannot be handed to another process: ")
    assert "lock" in str(raised.value)


def test_a_compiled_executable_cannot_travel():
    import jax

    compiled = jax.jit(lambda x: x + 1).lower(np.zeros(10)).compile()
    with pytest.raises(BadCallError, match="jax_jit cannot be handed to another process: "):
        measured({"jax_jit": compiled})


def test_a_large_global_is_told():
    table = np.zeros(1_300_000)  # 10.4 MB
    _, said = measured({"numpy": lambda x: x + table[0]})
    assert "numpy takes 10 MB of globals along to each process: hand arrays over by inputs" in said


@pytest.mark.parametrize("names", [["nympy"], ["numpy", "jax_gpu"]])
def test_a_name_that_is_no_backends(names):
    with pytest.raises(BadCallError, match=f"no backend '{names[-1]}'; there are python, numpy"):
        measured(dict.fromkeys(names, np.sum))


def test_what_is_no_function():
    with pytest.raises(BadCallError, match="numpy is no function but ndarray"):
        measured({"numpy": np.zeros(3)})


def test_a_script_without_a_main_guard_runs_once_and_its_path_goes_along(tmp_path, run_python):
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "own_helper.py").write_text("def double(x):\n    return 2 * x\n")
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import pathlib, sys
            sys.path.append({str(beside)!r})
            import own_helper
            from jitcost.measured.functions import measure

            with open({str(tmp_path / "runs")!r}, "a") as file:
                file.write("once\\n")

            def inputs(n, rng): return (rng.normal(size=n),)
            def kernel(x): return own_helper.double(x)

            found = measure({{"numpy": kernel}}, inputs=inputs, sizes=[10], processes=2, time=10)
            print(found.outcome.failures, found.cells.filter(kind="SteadyState")["processes"][0])
            """
        )
    )
    run = f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')"
    assert run_python(run, cwd=tmp_path).split() == ["[]", "2"]
    assert (tmp_path / "runs").read_text() == "once\n"
