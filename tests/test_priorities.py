"""Which cells a check measures first, and which kernels two commits tell apart."""

import pytest

from jitcost.measuring.priorities import of_any_suite, of_backends, ordered
from jitcost.measuring.selection import Selection
from jitcost.measuring.touched import differing, of_versions

NAME = "recursion.SteadyState.time_call"
SUITE = {
    NAME: {
        "type": "time",
        "param_names": ["n", "backend"],
        "params": [["10", "100", "1000", "10000", "100000"], ["'numpy'", "'numba'"]],
    },
    "recursion.FirstCall.time_first_call": {
        "type": "time",
        "param_names": ["n", "backend"],
        "params": [["100"], ["'numba'"]],
    },
    "elementwise.SteadyState.time_call": {
        "type": "time",
        "param_names": ["n", "backend"],
        "params": [["10", "100", "1000"], ["'numba'"]],
    },
    "recursion.Agreement.track_max_relative_error": {
        "type": "track",
        "param_names": ["n", "backend"],
        "params": [["100"], ["'numba'"]],
    },
}

KERNELS = """
import math

def helper(x):
    return math.tanh(x)

def recursion(e):
    return helper(e)

def elementwise(x):
    return math.exp(x)

def make_call(kernel, inputs):
    return kernel
"""


def places(first=frozenset(), unavailable=()):
    return ordered(of_backends(SUITE, Selection(full=True), unavailable), first)


def test_every_series_gets_its_middle_before_any_gets_a_second_and_first_calls_come_last():
    found = places()
    assert found[:3] == [
        (NAME, ("1000", "'numpy'")),
        (NAME, ("1000", "'numba'")),
        ("elementwise.SteadyState.time_call", ("100", "'numba'")),
    ]
    assert [texts[0] for name, texts in found if name == NAME and "'numpy'" in texts] == [
        *("1000", "100000", "10", "10000", "100"),
    ]
    assert found[-1][0] == "recursion.FirstCall.time_first_call"
    assert len(found) == 10 + 1 + 3  # and nothing that is tracked


def test_what_has_changed_comes_first_with_all_of_its_sizes_and_first_calls():
    found = places({("recursion", "numba")})
    assert [texts[0] for _, texts in found[:6]] == ["1000", "100000", "10", "10000", "100", "100"]
    assert {name for name, texts in found[:6] if "'numba'" in texts} == {
        NAME,
        "recursion.FirstCall.time_first_call",
    }


def test_a_backend_of_which_everything_has_changed_comes_first():
    found = places({(None, "numba")})
    assert all("'numba'" in texts for _, texts in found[:9])
    assert all("'numpy'" in texts for _, texts in found[9:])


def test_a_backend_that_cannot_be_had_is_not_measured():
    assert not any("'numba'" in texts for _, texts in places(unavailable={"numba"}))


def test_of_any_suite_all_that_takes_a_time_is_measured_or_what_an_expression_matches():
    suite = {
        "bench.time_plain": {"type": "time", "param_names": [], "params": []},
        "bench.Suite.time_it": {
            "type": "time",
            "param_names": ["size", "kind"],
            "params": [["1", "2", "3"], ["'a'", "'b'"]],
        },
        "bench.mem_it": {"type": "memory", "param_names": [], "params": []},
    }
    everything = ordered(of_any_suite(suite, None))
    assert everything[0] == ("bench.time_plain", ())
    assert len(everything) == 1 + 6
    assert [texts for _, texts in everything[1:3]] == [("2", "'a'"), ("2", "'b'")]
    assert [place for _, place in of_any_suite(suite, r"time_it\(3, 'a'")] == [
        ("bench.Suite.time_it", ("3", "'a'"))
    ]


@pytest.mark.parametrize(
    ("old", "new", "workloads"),
    [
        ("return helper(e)", "return helper(e)  # faster than math", set()),
        ("def recursion(e):", 'def recursion(e):\n    """A path."""', set()),
        ("return helper(e)", "return helper(e) + 0.0", {"recursion"}),
        ("math.tanh(x)", "math.tanh(x + 0.0)", {"recursion"}),
        ("math.exp(x)", "math.exp(1 * x)", {"elementwise"}),
        ("return kernel\n", "return kernel.inner\n", {None}),
        ("import math", "import math, os", {None}),
    ],
)
def test_which_kernels_differ(old, new, workloads):
    assert differing(KERNELS, KERNELS.replace(old, new)) == workloads


def test_which_backends_a_version_concerns():
    earlier = {"python": "3.12.1", "jax": "0.9.2", "jaxlib": "0.9.2", "numpy": "2.3.0"}
    assert of_versions(earlier, earlier | {"jax": "0.10.2", "jaxlib": "0.10.2"}) == {
        (None, "jax_eager"),
        (None, "jax_jit"),
    }
    assert of_versions(earlier, earlier | {"numpy": "2.4.0"}) == {(None, "numpy")}
    assert of_versions(earlier, earlier) == set()
