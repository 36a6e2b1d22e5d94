"""The code of the kernels, as a page shows it: each workload's, by backend, without importing any."""

import ast
import re
import sys

import pytest

from jitcost import backends
from jitcost.backends import registry, workloads
from jitcost.show.kernel_sources import kernel_sources
from jitcost.show.report.past import Past
from jitcost.show.report.workload import workload_draft
from jitcost.show.subjects import Subject
from making_cells import cells, steady


@pytest.mark.parametrize("name", [*workloads.WORKLOADS])
def test_every_kernel_that_the_spec_promises_is_found(name):
    spec = workloads.get(name)
    promised = {one for one in backends.names() if spec.why_not(one, 1) is None}
    found = {source.backend: source for source in kernel_sources(name)}
    assert found.keys() >= promised
    for source in found.values():
        if source.same_as:
            assert found[source.same_as].code
        elif source.file.endswith(".jl"):
            assert re.search(rf"^(function )?{name}\(", source.code, re.MULTILINE)
        else:
            # What is shown is whole: Python can read it, and the kernel stands at its end.
            assert ast.parse(source.code).body[-1].name == name


def test_jits_vectorised_kernel_is_the_eager_one():
    (jit,) = [one for one in kernel_sources("elementwise") if one.backend == "jax_jit"]
    assert (jit.same_as, jit.code, jit.compiled) == ("jax_eager", "", True)


@pytest.fixture
def registered(tmp_path, monkeypatch):
    """Return what registers a stranger's package of these files, and returns its elementwise kernel."""

    def register(files, **about):
        sys.modules.pop("stranger", None)
        for name, text in {"__init__.py": "", **files}.items():
            path = tmp_path / "stranger" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.syspath_prepend(tmp_path)
        stranger = backends.Backend("stranger", "stranger.kernels", ("elementwise",), **about)
        monkeypatch.setattr(registry, "_backends", known | {"stranger": stranger})
        return [one for one in kernel_sources("elementwise") if one.backend == "stranger"]

    known = {name: backends.get(name) for name in backends.names()}
    yield register
    sys.modules.pop("stranger", None)


KERNEL = "def elementwise(x):\n    return x.sum()"


@pytest.mark.parametrize(
    "files",
    [
        {"kernels.py": "def elementwise(x) return x"},
        {"kernels.py": b"# \xe9 in Latin 1, which it does not say\n" + KERNEL.encode()},
        {"kernels.py": f"# coding: no-such-coding\n{KERNEL}"},
        {"kernels.py": f"{KERNEL}\n\0"},
        {"kernels.py": KERNEL, "__init__.py": "raise RuntimeError('no licence')"},
        {"kernels.py": KERNEL, "__init__.py": "1 +"},
        {},
    ],
    ids=["syntax", "letters", "coding", "null", "package raises", "package's syntax", "no module"],
)
def test_of_a_module_that_cannot_be_read_there_is_no_source(registered, files):
    assert registered(files) == []
    assert {one.backend for one in kernel_sources("elementwise")} >= {"numpy", "julia"}


def test_a_page_stands_beside_a_stranger_whose_kernels_cannot_be_read(registered):
    assert registered({"kernels.py": "def elementwise(x) return x"}) == []
    made = cells(*steady("numpy", {10: 1e-6, 100: 2e-6}))
    text = workload_draft(Subject(own=False, name="elementwise"), made, Past.of(made)).page()
    assert "<summary>numpy</summary>" in text
    assert "<summary>stranger</summary>" not in text


def test_lines_are_those_of_python_and_letters_those_that_the_file_declares(registered):
    windows = f"# coding: latin-1\r\nA = '\N{LATIN SMALL LETTER E WITH ACUTE}'\r\n\f\r\n{KERNEL}\n"
    (found,) = registered({"kernels.py": windows.encode("latin-1")})
    assert found.code == KERNEL.replace("\r", "")
    table = "A = 'a\N{LINE SEPARATOR}b'\n"
    kernel = f"\f@print\n{KERNEL}(A)"
    (found,) = registered({"kernels.py": f"{table}{kernel}\nB = 1\n"})
    assert found.code == f"{table}\n\n{kernel}"


@pytest.mark.parametrize("compiled", [True, False])
def test_another_backends_kernel_is_compiled_only_where_the_backend_compiles(registered, compiled):
    again = "from jitcost.backends.numpy import elementwise"
    (found,) = registered({"kernels.py": again}, compiled=compiled)
    assert (found.same_as, found.code, found.compiled) == ("numpy", "", compiled)
    other = "from jitcost.backends.numpy import recursion as elementwise"
    assert registered({"kernels.py": other}) == []


def test_what_a_kernel_calls_stands_above_it():
    (eager,) = [one for one in kernel_sources("kalman") if one.backend == "jax_eager"]
    start, step, kalman = ast.parse(eager.code).body
    assert (start.targets[0].id, step.name, kalman.name) == (
        "KALMAN_START",
        "kalman_step",
        "kalman",
    )


def test_a_kernel_that_is_chosen_from_a_table_has_the_table_above_it():
    (numpy,) = [one for one in kernel_sources("operations") if one.backend == "numpy"]
    assert '"tanh": np.tanh' in numpy.code


def test_no_backends_library_is_imported(run_python):
    code = """
import sys
from jitcost.show.kernel_sources import kernel_sources
kernel_sources("recursion")
print(sorted({"jax", "numba", "juliacall"} & set(sys.modules)))
"""
    assert run_python(code) == "[]\n"


def test_a_name_that_is_no_workload_has_no_kernels():
    assert kernel_sources("no_such_workload") == []
