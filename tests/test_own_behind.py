"""What the inputs of a problem come from: the version of its benchmarks in asv's history."""

import doctest
import sys

import pytest

from jitcost.own.behind import behind

FILE = """
import numpy as np
from helpers import other
SCALE = 2.0
TABLE = [1, 2]
TABLE[0] = 3
UNUSED = 1
if SCALE > 1:
    OFFSET = 1
def spread(n): return SCALE * n + len(TABLE)
def inputs(n, rng): return (np.full(n, spread(n) + OFFSET),)
def kernel(x): return x + UNUSED
if __name__ == "__main__":
    for n in (1, 2): print(kernel(n))
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SCALE = 2.0", "SCALE = 3.0"),
        ("TABLE[0] = 3", "TABLE[0] = 4"),
        ("OFFSET = 1", "OFFSET = 2"),
        ("import numpy as np", "import jax.numpy as np"),
        ("SCALE * n", "SCALE + n"),
        ("np.full(n", "np.full(2 * n"),
    ],
)
def test_other_inputs_come_from_other_code(old, new):
    assert behind(FILE.replace(old, new, 1), "inputs") != behind(FILE, "inputs")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("UNUSED = 1", "UNUSED = 2"),
        ("return x + UNUSED", "return x - UNUSED"),
        ("import other", "import another"),
        ("SCALE = 2.0", "SCALE  =  2.0  # a comment"),
        ("(1, 2)", "(3, 4)"),
    ],
)
def test_what_inputs_does_not_read_is_no_part_of_it(old, new):
    assert behind(FILE.replace(old, new, 1), "inputs") == behind(FILE, "inputs")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("inputs = lambda n, rng: n", "inputs = lambda n, rng: n"),
        ("def make(n): return n\ninputs = make", "def make(n):\n    return n\ninputs = make"),
        ("from made import inputs", "from made import inputs"),
        ("a, inputs = 1, print", "a, inputs = (1, print)"),
        ("from made import *", ""),
    ],
)
def test_inputs_of_any_form(text, expected):
    assert behind(text, "inputs") == expected


def test_functions_that_call_each_other_end():
    text = "def inputs(n): return f(n)\ndef f(n): return inputs(n)"
    assert behind(text, "inputs").count("def ") == 2


def test_the_example_of_its_documentation_is_true():
    found = doctest.testmod(sys.modules[behind.__module__])
    assert (found.failed, found.attempted) == (0, 2)
