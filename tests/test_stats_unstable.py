"""When processes have not measured one time."""

import doctest

import pytest

from jitcost.questions import fit
from jitcost.stats import unstable as module
from jitcost.stats.unstable import unstable
from making_cells import cells, steady

CALM = [1.0, 1.01, 1.0, 0.99]


def test_the_examples():
    assert doctest.testmod(module) == (0, 3)


@pytest.mark.parametrize(
    ("firsts", "found"),
    [
        ([1.0, 1.9, 1.5], None),
        ([1.0, 2.1, 1.5], (1.0, 2.1)),
        ([1.0, 2.1], (1.0, 2.1)),
        ([1.0], None),
        ([], None),
        ([1.0, 1.1, 1.2, 1.3, 99.0], None),
        ([0.1, 1.1, 1.2, 1.3, 99.0], None),
        ([0.1, 1.1, 1.2, 2.3, 99.0], (0.1, 99.0)),
        ([1.0, 1.1, 1.2, 9.0], (1.0, 9.0)),
    ],
)
def test_a_factor_of_two_between_processes(firsts, found):
    assert unstable([[first] * 4 for first in firsts]) == found


@pytest.mark.parametrize(
    ("processes", "found"),
    [
        ([[1.0, 1.2, 1.4, 1.51], [1.0, 1.2, 1.4, 1.51], CALM], (0.99, 1.51)),
        ([[1.0, 1.2, 1.4, 1.51], CALM, CALM], None),
        ([[1.0, 1.2, 1.4, 1.49], [1.0, 1.2, 1.4, 1.49], CALM], None),
        ([[1.0, 1.6, 1.4, 1.7], [1.0, 1.6, 1.4, 1.7], CALM], None),
        ([[1.0, 1.6], [1.0, 1.6]], None),
    ],
)
def test_samples_that_rise_within_a_process(processes, found):
    assert unstable(processes) == found


@pytest.mark.parametrize("own", [True, False])
def test_what_is_unstable_has_no_law(own):
    times = {n: (1e-6 * n,) * 3 for n in (10, 100, 1_000, 10_000)}
    times[1_000] = (0.58e-3, 1e-3, 472e-3)
    name = "own.rbf.SteadyState.time_call" if own else "elementwise.SteadyState.time_call"
    (row,) = fit.ask(cells(*steady("numpy", times, benchmark=name, workload=name.split(".")[own])))
    assert (row.reason == "unstable at n = 1,000") is own
    if own:
        assert (row.verdict, row.law, row.grows_like, row.exponent) == (
            "no model",
            None,
            None,
            None,
        )
