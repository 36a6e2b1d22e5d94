"""`jitcost workloads`: the workload x backend table, from the specs."""

import json

import pytest

from jitcost import backends, cli
from jitcost.backends import workloads
from jitcost.measuring.matrix import rows


def said(capsys, *args):
    assert cli.main(["workloads", *args]) == 0
    return capsys.readouterr().out


def test_every_cell_is_there_with_its_status_and_reason(capsys):
    rows = json.loads(said(capsys, "--json"))
    assert [set(row) for row in rows] == [
        {"workload", "backend", "status", "limit", "reason"}
    ] * len(rows)
    cells = {(row.pop("workload"), row.pop("backend")): row for row in rows}
    assert set(cells) == {(w, b) for w in workloads.WORKLOADS for b in backends.names()}
    assert cells["elementwise", "numba"] == {"status": "implemented", "limit": None, "reason": None}
    assert cells["recursion", "jax_eager"] == {
        "status": "limited",
        "limit": 1_000,
        "reason": "each step dispatches its operations anew: 20 to 130 µs",
    }
    assert cells["metropolis_cond", "numba"] == {
        "status": "excused",
        "limit": None,
        "reason": "a variant of the compiled kernel alone",
    }


def test_the_table_names_the_workloads_of_the_article(capsys):
    table = said(capsys)
    for name in workloads.WORKLOADS:
        assert f"\n{name} " in f"\n{table}"
    line = next(li for li in table.splitlines() if li.startswith("recursion") and "steps" in li)
    assert line.split()[2:4] == ["yes", "yes"]  # python, numpy
    assert "≤1,000 " in line
    assert "a variant of the compiled kernel alone" in table
    listed, in_other_ways = table.split("And their kernels, timed in other ways:")
    for name in workloads.PROTOCOLS:
        assert f"\n{name} " not in listed
        assert f"\n{name} " in in_other_ways


def test_a_status_is_what_the_suite_does(capsys):
    """`limited` and `excused` cells are skipped beyond their limit; the others never are."""
    for row in rows():
        why_not = workloads.get(row["workload"]).why_not
        at_most = row["limit"] or 10**9
        if row["status"] == "excused":
            assert "has no kernel" in why_not(row["backend"], 1)
        else:
            assert why_not(row["backend"], at_most) is None
        if row["status"] == "limited":
            assert row["reason"] in why_not(row["backend"], at_most + 1)


def test_no_backend_is_imported_for_it(run_python):
    code = """
import sys
from jitcost import cli
cli.main(["workloads", "--json"])
print(sorted({"jax", "numba", "juliacall"} & set(sys.modules)))
"""
    assert run_python(code).strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize("args", [["workloads", "--help"]])
def test_it_explains_itself(capsys, args):
    with pytest.raises(SystemExit) as ended:
        cli.main(args)
    assert ended.value.code == 0
    assert "no backend has to be installed" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("csv", 'On which backends,recursion,steps,yes,yes,"≤1,000 b",yes,yes,yes'),
        ("markdown", "| recursion | steps | yes | yes | ≤1,000 b | yes | yes | yes |"),
    ],
)
def test_it_is_printed_as_every_answer_is(capsys, form, line):
    assert line in said(capsys, "--format", form).splitlines()


@pytest.mark.parametrize("width", [60, 80])
def test_a_narrow_terminal_cuts_nothing(capsys, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    table = said(capsys)
    assert max(map(len, table.splitlines())) <= width
    words = table.split()
    for name in (*workloads.WORKLOADS, *backends.names()):
        assert name in words
    assert "…" not in table
