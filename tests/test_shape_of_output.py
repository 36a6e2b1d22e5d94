"""That comparing two outputs sees what is different in them, and not what noise decides."""

import re

import pytest

from shape_of_output import shape

PRINTED = """\
f: time per call, and its ratio to numpy's
      n     numpy             jax_jit
─────────────────────────────────────
  1,000  *6.74 µs             39.1 µs
                      5.5x [4.0, 7.7]
100,000    804 µs             *147 µs
                   0.19x [0.15, 0.24]
* not significantly slower than the fastest (95 %, five processes a cell)
  the first process is slower than all others in 2 of 4 cells

f: calls until compiling has paid, against numpy
                  compile cost         saving per
backend        n             C               call  calls m*  interval
─────────────────────────────────────────────────────────────────────
jax_jit    1,000        137 ms           -32.1 µs     never
                                [-34.1, -30.1] µs
jax_jit  100,000       52.2 ms             653 µs        80  75 to 86
                                    [624, 683] µs
C: time of the first call minus that of a call in steady state; never: a call is significantly
slower once compiled; cannot tell: no significant difference; intervals: 95 %, five processes a cell
"""
SIZES = ("1,000", "100,000")


def test_a_table_is_its_heads_its_rows_and_its_footnote():
    found = shape(PRINTED, SIZES)
    heads, rows, note = found.pop("f: time per call, and its ratio to numpy's")
    assert heads == ["jax_jit", "n", "numpy"]
    rest = ["INTERVAL", "RATIO", "TIME", "TIME"]
    assert rows == [["1,000", *rest], ["100,000", *rest]]
    assert note == (
        "* not significantly slower than the fastest (NUMBER %, NUMBER processes a cell)"
    )
    heads, rows, note = found.pop("f: calls until compiling has paid, against numpy")
    assert " ".join(heads) == "C backend call calls compile cost interval m* n per saving"
    assert rows[1] == ["100,000", "INTERVAL", "NUMBER", "TIME", "TIME", "jax_jit"]
    assert note.startswith("C: time of the first call")
    assert note.endswith("NUMBER processes a cell")
    assert found == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("per call, and its ratio", "per call, without its ratio"),  # a title
        ("numpy             jax_jit", "numpy               numba"),  # a column
        ("compile cost", "compiling"),
        ("39.1 µs", "39.1 ps"),  # a unit
        ("39.1 µs", "-      "),  # a value
        (" 5.5x", "     "),
        (r" \[4.0, 7.7\]", ""),  # an interval
        (r"100,000    804.*\n.*\n", ""),  # a row
        (r"jax_jit    1,000.*\n.*\n", ""),
        ("100,000    804", " 10,000    804"),  # a size
        (r"\* not significantly.*\n", ""),  # a footnote
        ("once\ncompiled|once compiled", "once it is compiled"),
        (r"(?s)\n\nf: calls.*", "\n"),  # a table
    ],
)
def test_a_difference_is_seen(old, new):
    changed, count = re.subn(old, new, PRINTED)
    assert count
    assert shape(changed, SIZES) != shape(PRINTED, SIZES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\*(?=\d)", ""),  # another star
        (r"\b39.1 µs", "1.39 ms"),  # another time
        (r"\b0.19x \[0.15, 0.24\]", "1.2x [1.1, 1.3]"),
        (r" never\n", " 1,234  1,100 to 1,400\n"),  # another verdict
        (r"  80  75 to 86", "  cannot tell  17 to never"),
        ("five", "three"),
        ("  the first process.*\n", ""),  # another remark
        (
            r"4 cells\n",
            "4 cells\n  jax_jit at n = 100,000: one took 1.5 times as long, and 1\n    other\n",
        ),
        (r"\Z", "\n40 of 40 processes ran while the machine was busy (load 4.5 on 2 cores).\n"),
        (r"n     numpy             jax_jit", r"n        numpy          jax_jit"),  # another width
    ],
)
def test_and_what_noise_decides_is_not(old, new):
    changed, count = re.subn(old, new, PRINTED)
    assert count
    assert shape(changed, SIZES) == shape(PRINTED, SIZES)
