"""The partitioned dataset of `jitcost results`, and the query that repeats `jitcost compare` on it."""

import ast
import json
import math
import re
from pathlib import Path

import duckdb
import polars as pl
import pytest

from conftest import ROOT
from jitcost import cli, files
from jitcost.backends import workloads
from jitcost.store import exporting, results
from jitcost.store.exporting import PARTITIONS

NAN = float("nan")
QUERY = (ROOT / "analysis" / "compare.sql").read_text(encoding="utf-8")
COLUMNS = ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b", "samples"]
VIEW = """
CREATE VIEW cells AS FROM read_parquet(
    '{}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)
"""
# What tells the rows of an answer apart.
KEY = ["machine", "environment", "commit", "workload", "benchmark", "version", "n", "backend"]
KEY += ["env_vars", "params"]


def write(folder, machine, rows, *, commit="a" * 40, date=1_700_000_000_000, **other):
    """Write a result file as asv does."""
    content = {
        "version": 2,
        "commit_hash": commit,
        "env_name": "virtualenv-py3.11-numpy2.4.6",
        "date": date,
        "params": {"machine": machine},
        "python": "3.11",
        "requirements": {"numpy": "2.4.6"},
        "env_vars": {},
        "result_columns": COLUMNS,
        "results": rows,
    } | other
    here = folder / machine.replace("/", "_")
    here.mkdir(parents=True, exist_ok=True)
    (here / f"{len(list(here.iterdir()))}.json").write_text(json.dumps(content))


def row(sizes, backends, times, *, half=0.01, version="1"):
    """Return a benchmark's row: times by size and backend, each with an interval of +- half."""
    low, high = ([t and t * (1 + side) for t in times] for side in (-half, half))
    grid = [list(map(repr, sizes)), list(map(repr, backends))]
    return [times, grid, version, low, high, [[t] for t in times]]


@pytest.fixture
def folder(tmp_path):
    """Return a results folder of two machines, with everything odd that an answer can meet."""
    here = tmp_path / "results"
    backends = ["python", "numpy", "numba"]
    ties = row([10, 100], backends, [1e-6, 1.015e-6, 3e-6, 4e-6, 2e-6, 1e-6])
    rows = {f"{name}.SteadyState.time_call": ties for name in workloads.WORKLOADS}
    rows |= {
        "elementwise.FirstCall.time_first_call": row([10], backends, [1.0, 2.0, 3.0]),
        "elementwise.Agreement.track_x": row([10], backends, [0.0, 0.0, 0.0]),
        "odd.SteadyState.time_failed": row([10, 20], ["numpy", "numba"], [1e-6, NAN, None, 2e-6]),
        "odd.SteadyState.time_zero": row([10], ["numpy", "numba"], [0.0, 1e-6]),
        "odd.SteadyState.time_infinite": row([10], ["numpy", "numba"], [math.inf, 1e-6]),
        # Equally fast, and the interval of the first one reaches the third's.
        "odd.SteadyState.time_equal": [
            [1.0, 1.0, 1.1],
            [["10"], ["'python'", "'numpy'", "'numba'"]],
            *("1", [0.9, 0.9, 1.05], [1.2, 1.01, 1.2]),
        ],
        "odd.SteadyState.time_no_interval": [[2e-6, 1e-6], [["5"], ["'numpy'", "'julia'"]], "1"],
        "odd.SteadyState.time_no_size": [[2e-6], [["'big'"], ["'numpy'"]], "1"],
    }
    write(here, "one", rows)
    write(here, "one", rows, commit="0" * 40, date=1)  # an older commit
    write(here, "one", rows, env_vars={"THREADS": "1"})
    newer = row([10], backends, [2e-6, 2e-6, 2e-6], version="2")
    write(here, "2024-01-01", {"elementwise.SteadyState.time_call": newer}, commit="b" * 40)
    write(here, "a/b c=d%ü", {"elementwise.SteadyState.time_call": ties, "other.time_x": [[1.0]]})
    known = {f"odd.SteadyState.time_{name}": ["n", "backend"] for name in ("no_size", "failed")}
    described = {name: {"param_names": names} for name, names in known.items()}
    (here / "benchmarks.json").write_text(json.dumps(described))
    return here


@pytest.fixture
def call(folder, capsys):
    """Call a command on the folder; return its exit status, what it printed and complained of."""

    def called(*args):
        status = cli.main([args[0], "--results", str(folder), *map(str, args[1:])])
        return status, *capsys.readouterr()

    return called


def database(path):
    connection = duckdb.connect()
    connection.execute(VIEW.format(path))
    return connection


def rows_of(connection, query):
    found = connection.execute(query)
    names = [column[0] for column in found.description]
    return [dict(zip(names, values, strict=True)) for values in found.fetchall()]


def by_key(rows):
    """Return an answer's numbers by cell; JSON has objects for texts, and null for infinity."""
    keyed = {}
    for each in rows:
        texts = [json.dumps(v) if isinstance(v, dict) else v for v in map(each.get, KEY)]
        keyed[tuple(texts)] = {
            name: None
            if isinstance(each[name], float) and not math.isfinite(each[name])
            else each[name]
            for name in ("time", "ratio", "best", "baseline")
        }
    assert len(keyed) == len(rows)
    return keyed


# The dataset


def test_the_dataset_holds_every_cell_in_a_folder_for_each_machine_and_kind(call, folder, tmp_path):
    target = tmp_path / "cells"
    assert call("results", "--format", "parquet", "--all-commits", "-o", target) == (0, "", "")
    cells = results.read(folder)
    read = pl.read_parquet(target, hive_schema={"machine": pl.String, "kind": pl.String})
    order = ["machine", "env_vars", "commit", "benchmark", "version", "params", "n", "backend"]
    assert read.select(cells.columns).sort(order).equals(cells.sort(order))
    with database(target) as connection:
        counted = connection.execute("SELECT machine, kind, count(*) FROM cells GROUP BY ALL")
        ours = cells.group_by("machine", "kind").len().rows()
        assert sorted(counted.fetchall(), key=str) == sorted(ours, key=str)
    assert sorted(path.name for path in (target / "machine=one").iterdir()) == [
        "kind=Agreement",
        "kind=FirstCall",
        "kind=SteadyState",
    ]


def test_a_history_is_written_in_batches_that_make_one_dataset(call, folder, tmp_path, monkeypatch):
    whole = results.read(folder)
    sizes = [len(batch) for batch in results.batches(folder, 20)]
    assert sum(sizes) == len(whole)
    assert all(size >= 20 for size in sizes[:-1])
    assert len(sizes) == 3  # of five files, of which two are small and come first
    assert pl.concat(results.batches(folder, 20)).equals(whole)
    monkeypatch.setattr(exporting, "BATCH", 20)
    every = ("results", "--format", "parquet", "--all-commits")
    assert call(*every, "-o", tmp_path / "cells") == (0, "", "")
    assert call(*every, "-o", tmp_path / "cells.parquet") == (0, "", "")
    steady = tmp_path / "cells" / "machine=one" / "kind=SteadyState"
    assert len(list(steady.iterdir())) == 3
    read = pl.read_parquet(tmp_path / "cells", hive_schema=dict.fromkeys(PARTITIONS, pl.String))
    order = ["machine", "env_vars", "commit", "benchmark", "version", "params", "n", "backend"]
    assert read.select(whole.columns).sort(order).equals(whole.sort(order))
    assert pl.read_parquet(tmp_path / "cells.parquet").equals(whole)
    assert call(*every, "-o", tmp_path / "of-one", "--machine", "one") == (0, "", "")
    assert [path.name for path in (tmp_path / "of-one").iterdir()] == ["machine=one"]
    status, _, err = call(*every, "-o", tmp_path / "of-none", "--machine", "none")
    assert (status, err) == (
        2,
        "jitcost: no results of a machine 'none'; there are 2024-01-01, a/b c=d%ü, one\n",
    )
    assert not (tmp_path / "of-none").exists()


def test_a_single_file_is_written_where_the_name_says_so(call, tmp_path):
    file = tmp_path / "cells.parquet"
    assert call("results", "--format", "parquet", "-o", file)[0] == 0
    assert file.is_file()
    assert set(pl.read_parquet(file).columns) == set(results.SCHEMA)


def test_a_dataset_is_replaced_whole_or_not_at_all(call, tmp_path, monkeypatch):
    target = tmp_path / "cells"
    write_dataset = ("results", "--format", "parquet", "-o", target)
    call(*write_dataset)
    before = sorted(target.rglob("*"))
    assert call(*write_dataset, "--machine", "one") == (0, "", "")
    assert [path.name for path in target.iterdir()] == ["machine=one"]
    call(*write_dataset)
    assert sorted(target.rglob("*")) == before

    def half(cells, folder, **_):
        (Path(folder) / "machine=half").mkdir()
        raise OSError("the disk is full")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", half)
    status, _, err = call(*write_dataset)
    assert (status, err) == (2, f"jitcost: cannot write {target}: the disk is full\n")
    assert sorted(target.rglob("*")) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells", "results"]


def test_where_the_new_folder_cannot_take_its_place_the_old_one_stays(tmp_path):
    (tmp_path / "cells").mkdir()
    (tmp_path / "cells" / "old").write_text("")

    def replace():
        with files.replacing_folder(tmp_path / "cells") as fresh:
            fresh.rmdir()

    with pytest.raises(FileNotFoundError):
        replace()
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == [
        "cells",
        "cells/old",
    ]


def test_a_folder_of_other_things_is_not_replaced(call, tmp_path):
    precious = tmp_path / "home"
    precious.mkdir()
    (precious / "thesis.tex").write_text("")
    (precious / "machine=a").mkdir()
    status, _, err = call("results", "--format", "parquet", "-o", precious)
    said = f"jitcost: {precious} would be replaced, and holds thesis.tex; name another\n"
    assert (status, err) == (2, said)
    status, _, err = call("results", "--format", "parquet", "-o", precious / "thesis.tex")
    assert (status, err.count("\n")) == (2, 1)
    assert "is a file; a dataset is a folder, a single file *.parquet" in err
    (tmp_path / "link").symlink_to(tmp_path / "new", target_is_directory=True)
    assert call("results", "--format", "parquet", "-o", tmp_path / "link")[0] == 0
    assert (tmp_path / "link").is_symlink()
    assert list((tmp_path / "new").glob("machine=*"))


# The query


def test_the_query_knows_the_workloads_that_are_compared_with_python():
    named = re.search(r"workload IN \((.*)\)", QUERY)[1]
    with_python = [spec.name for spec in workloads.WORKLOADS.values() if spec.baseline == "python"]
    assert ast.literal_eval(f"[{named}]") == with_python


@pytest.mark.parametrize("options", [[], ["--baseline", "numba"]])
@pytest.mark.parametrize("written", [["-o", "cells"], ["-o", "cells", "--all-commits"]])
def test_the_query_finds_what_compare_finds(call, tmp_path, monkeypatch, options, written):
    monkeypatch.chdir(tmp_path)
    assert call("results", "--format", "parquet", *written)[0] == 0
    status, out, _ = call("compare", "--json", "--all-origins", *options)
    assert status == 0
    ours = by_key(json.loads(out))
    with database("cells") as connection:
        if options:
            connection.execute(f"SET VARIABLE baseline = '{options[1]}'")
        found = by_key(rows_of(connection, QUERY))
    assert found.keys() == ours.keys()
    for key, numbers in ours.items():
        assert found[key] == pytest.approx(numbers), key


def test_winners_ties_and_ratios_are_those_worked_out_by_hand(call, tmp_path):
    call("results", "--format", "parquet", "-o", tmp_path / "cells")
    with database(tmp_path / "cells") as connection:
        rows = rows_of(connection, QUERY)
    one = [r for r in rows if (r["machine"], r["env_vars"]) == ("one", "{}")]
    found = {
        (r["workload"], r["n"], r["backend"]): (r["ratio"], r["best"])
        for r in one
        if r["workload"] in ("elementwise", "recursion")
    }
    # 1.00 +- 1 % overlaps 1.015 +- 1 %: a tie. The ratios are to numpy, of recursions to python.
    expected = {
        ("elementwise", 10): [(1 / 1.015, True), (1, True), (3 / 1.015, False)],
        ("elementwise", 100): [(2, False), (1, False), (0.5, True)],
        ("recursion", 10): [(1, True), (1.015, True), (3, False)],
        ("recursion", 100): [(1, False), (0.5, False), (0.25, True)],
    }
    for (workload, n), cells in expected.items():
        for backend, (ratio, best) in zip(("python", "numpy", "numba"), cells, strict=True):
            assert found[workload, n, backend] == (pytest.approx(ratio), best)
    assert {r["commit"] for r in one} == {"a" * 40}
    equal = [(r["ratio"], r["best"]) for r in one if r["benchmark"].endswith(".time_equal")]
    assert equal == [(1.1, False), (1, True), (1, True)]  # numba, numpy, python
    # A slower machine is no worse for it: its backends are compared with one another only.
    slower = [(r["ratio"], r["best"]) for r in rows if r["machine"] == "2024-01-01"]
    assert slower == [(1, True)] * 3


def test_only_the_files_that_a_query_needs_are_read(call, tmp_path):
    call("results", "--format", "parquet", "-o", tmp_path / "cells")
    there = len(list((tmp_path / "cells").rglob("*.parquet")))
    query = "SELECT sum(value) FROM cells WHERE machine = 'one' AND kind = 'SteadyState'"
    with database(tmp_path / "cells") as connection:
        plan = connection.execute(f"EXPLAIN {query}").fetchall()[0][1]
    assert there > 4
    assert f"1/{there}" in plan  # "Scanning Files: 1/6"


def test_the_documented_view_is_the_one_that_is_tested():
    text = (ROOT / "analysis" / "RESULTS.md").read_text(encoding="utf-8")
    for documented in (text, QUERY.replace("--", "")):
        assert " ".join(VIEW.format("cells").split()) in " ".join(documented.split())
