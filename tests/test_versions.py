"""Versions sort as versions, wherever names that hold them are listed."""

import doctest
import itertools
import json

import polars as pl
import pytest

import making_results
from jitcost.errors import BadCallError
from jitcost.questions.filters import Filters, filtered
from jitcost.questions.history import ask, over_releases
from jitcost.show.figures.history import history
from jitcost.store import results, versions
from jitcost.store.finding import paths
from jitcost.store.versions import in_order, version_key
from making_cells import cells, steady

# As they were released: a development version before the release, a local version after it.
RELEASED = ["0.4.38", "0.9.2", "0.10.2", "0.12.0.dev1", "0.12.0rc1", "0.12.0", "0.12.0+1a2b"]


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(versions) == (0, 2)


@pytest.mark.parametrize("order", [sorted(RELEASED), RELEASED[::-1]])
def test_versions_alone_and_in_environments(order):
    assert in_order(order) == RELEASED
    named = "virtualenv-py3.12-jax{}-numba0.68.1-numpy2.4.6"
    assert in_order(map(named.format, order)) == list(map(named.format, RELEASED))


def test_the_python_counts_before_the_libraries_and_names_before_versions():
    names = ["virtualenv-py3.13-jax0.4.1", "virtualenv-py3.9-jax0.12.0", "conda-py3.13", "existing"]
    assert in_order(names) == [names[2], names[3], names[1], names[0]]
    assert in_order(["m10", "m2", "m"]) == ["m", "m2", "m10"]


def test_any_two_texts_can_be_sorted():
    odd = ["", "-", "1", "1.", "x86_64", "py", "f2py1.0", "a8cc3130", "2.4.6", "²", "pip+x1.0 y"]
    for one, other in itertools.permutations(odd, 2):
        assert (version_key(one) < version_key(other)) != (version_key(other) < version_key(one))


def environments():
    """Return cells of three releases of JAX, in the order of their text."""
    return cells(
        *(
            {**row, "environment": f"virtualenv-py3.12-jax{v}", "versions": json.dumps({"jax": v})}
            for v in ("0.10.2", "0.12.0.dev1", "0.9.2")
            for row in steady("numpy", {n: 1e-6 * n for n in (10, 100, 1000)})
        ),
        python="3.12",
    )


def test_a_message_lists_environments_by_version():
    with pytest.raises(BadCallError) as raised:
        filtered(environments(), Filters("jax7"))
    assert str(raised.value) == (
        "no environment matches 'jax7'; there are virtualenv-py3.12-jax0.9.2, "
        "virtualenv-py3.12-jax0.10.2, virtualenv-py3.12-jax0.12.0.dev1"
    )


def test_releases_follow_each_other_by_version():
    row = over_releases(environments())[0]
    assert [point.release for point in row.points] == ["0.9.2", "0.10.2", "0.12.0.dev1"]


def test_files_are_read_by_commit_and_then_by_version(tmp_path):
    for commit, version in itertools.product("ba", ["0.10.2", "0.9.2"]):
        made = making_results.content(commit * 40, 1, environment=f"py3.12-jax{version}")
        making_results.write(tmp_path, made)
    found = [path.name for path in paths(tmp_path)]
    assert found == [f"{c * 8}-py3.12-jax{v}.json" for c in "ab" for v in ("0.9.2", "0.10.2")]
    read = results.read(tmp_path)["environment"].unique(maintain_order=True)
    assert read.to_list() == ["py3.12-jax0.9.2", "py3.12-jax0.10.2"]


def test_panels_of_pythons_follow_each_other_by_version():
    both = [environments().with_columns(python=pl.lit(python)) for python in ("3.12", "3.9")]
    panels = history(ask(pl.concat(both))).panels
    pythons = list(dict.fromkeys(panel.subtitle.split(" on ")[0] for panel in panels))
    assert pythons == ["Python 3.9", "Python 3.12"]
