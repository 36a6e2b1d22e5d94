"""The code of the kernels, as a page shows it: each workload's, by backend, without importing any."""

import ast
import re

import pytest

from jitcost import backends
from jitcost.backends import workloads
from jitcost.show.kernel_sources import kernel_sources


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
    assert (jit.same_as, jit.code) == ("jax_eager", "")


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
