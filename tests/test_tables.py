import doctest
import io

import polars as pl
import pytest
from rich.console import Console

from analysis import results, tables
from backends import workloads


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(tables).failed == 0
    assert doctest.testmod(tables).attempted >= 3


@pytest.fixture
def times():
    """Return times at n = 10 and 100: numba the best, numpy not to be told from it at 100."""
    cells = [
        (10, "numpy", 4e-6, 3.9e-6, 4.1e-6),
        (10, "numba", 1e-6, 0.9e-6, 1.1e-6),
        (100, "numpy", 5e-6, 4.5e-6, 5.5e-6),
        (100, "numba", 4.8e-6, 4.7e-6, 4.9e-6),
    ]
    names = ("n", "backend", "value", "ci_low", "ci_high")
    return pl.DataFrame(cells, schema={name: results.SCHEMA[name] for name in names}, orient="row")


def rendered(renderable):
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(renderable)
    return console.export_text()


def test_the_best_and_its_ties_are_marked_and_ratios_are_to_numpy(times):
    lines = rendered(tables.comparison(workloads.get("elementwise"), times)).splitlines()
    first = next(number for number, line in enumerate(lines) if "│  10 │" in line)
    row_10, ratio_10, row_100 = lines[first : first + 3]
    assert "4.00 µs" in row_10
    assert "*4.00" not in row_10
    assert "*1.00 µs" in row_10
    assert "0.25x" in ratio_10
    assert "*5.00 µs" in row_100
    assert "*4.80 µs" in row_100


def test_agreement_names_the_worst_cell():
    spec = workloads.get("recursion")
    eps = 2.0**-52
    errors = pl.DataFrame({"n": [10, 100], "backend": ["numpy", "numba"], "value": [eps, 32 * eps]})
    said = tables.agreement(spec, errors)
    assert said.startswith("agreement: all 2 results are within their tolerance")
    assert "0.5 (numba at n = 100, error 7.1e-15)" in said  # 32 of 64 eps
    beyond = errors.with_columns(value=pl.col("value") * 4)
    assert "numba at n = 100 is off by 2.8e-14, 2 tolerances" in tables.agreement(spec, beyond)


def test_too_few_sizes_give_a_reason_instead_of_costs(times):
    assert "no fit: a line and its error take times at three sizes" in rendered(
        tables.fits(workloads.get("elementwise"), times)
    )
