"""Functions of a notebook, in real kernels of Jupyter: cells, closures, and the magic."""

import json
import sys

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

FUNCTIONS = """
import numpy as np, numba, jitcost
scale = 2.0

def doubled(x):
    return x * scale

def f(x):
    return np.exp(-doubled(x)).sum()

def make(offset):
    def g(x):
        return sum(np.exp(-v * scale) for v in x) + offset
    return g

@numba.njit
def h(x):
    total = 0.0
    for v in x:
        total += np.exp(-v * 2.0)
    return total
"""

MEASURE = """
found = jitcost.measure(
    {"numpy": f, "python": make(0.0), "numba": h},
    inputs=lambda n, rng: rng.normal(size=n), sizes=[10, 300], name="sum_exp",
    processes=1, time=60,
)
found
"""

LATER = """
rows = found.compare().rows
print(sorted({(row.backend, row.n) for row in rows}))
print([one["total"] > 0 for one in found.plan(10, 1000).objects()])
print(found.cells["workload"].unique().to_list(), len(found.to_polars()))
"""

MAGIC = """%%jitcost --sizes 10,100 --processes 1 --backends-are-not-asked
def inputs(n, rng): return rng.normal(size=n)
"""

CELL = """%%jitcost --sizes 10,100 --processes 1
def inputs(n, rng):
    return rng.normal(size=n)

def kernel_numpy(x):
    return doubled(x)

def kernel_python(x):
    return [doubled(v) for v in x]
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What each cell of the notebook printed and displayed."""
    notebook = nbformat.v4.new_notebook()
    sources = [FUNCTIONS, MEASURE, LATER, "found.plot()", "%load_ext jitcost", MAGIC, CELL]
    notebook.cells = [nbformat.v4.new_code_cell(source.lstrip("\n")) for source in sources]
    notebook.metadata["kernelspec"] = {"name": "this", "display_name": "this", "language": "python"}
    here = tmp_path_factory.mktemp("notebook")
    spec = here / "kernels" / "this"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "this", "language": "python"})
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(here))
        nbclient.NotebookClient(
            notebook, timeout=300, resources={"metadata": {"path": str(here)}}
        ).execute()
    return [cell.outputs for cell in notebook.cells]


def shown(outputs, kind):
    return [one["data"][kind] for one in outputs if kind in one.get("data", {})]


def printed(outputs):
    return "".join(one["text"] for one in outputs if one.get("name") == "stdout")


def test_the_result_draws_itself_as_tables(outputs):
    (page,) = shown(outputs[1], "text/html")
    assert "sum_exp: time per call" in page
    assert page.count("<table>") >= 2
    (text,) = shown(outputs[1], "text/plain")
    assert text.startswith("sum_exp: time per call, and its ratio to numpy's\n")
    assert "\x1b" not in text


def test_functions_and_closures_of_cells_are_measured_and_answer(outputs):
    rows, plan, cells = printed(outputs[2]).splitlines()
    names = ["numba", "numpy", "python"]
    assert rows == str([(name, n) for name in names for n in (10.0, 300.0)])
    assert plan == "[True, True, True]"
    # two sizes of three kernels, in steady state and at first calls
    assert cells == "['sum_exp'] 12"


def test_it_is_plotted(outputs):
    assert shown(outputs[3], "image/png")


def test_a_cell_is_measured_by_the_magic(outputs):
    assert "unrecognized arguments: --backends-are-not-asked" in printed(outputs[5])
    (text,) = shown(outputs[6], "text/plain")
    assert text.startswith("cell: time per call, and its ratio to numpy's\n")
