"""`jitcost results`: what it prints and writes."""

import csv
import io
import json
import math

import polars as pl
import pytest

from jitcost import cli
from jitcost.show import cells_table
from jitcost.store import results

NAN = float("nan")
COLUMNS = ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b", "stats_number"]
COLUMNS += ["stats_repeat", "samples"]


@pytest.fixture
def folder(tmp_path):
    """Return a folder with an old and a new commit."""
    here = tmp_path / "results" / "m"
    here.mkdir(parents=True)
    grid = [["10", "2.5"], ["'numpy'", "'numba'"], ["3"]]
    row = [[4e-6, 1e-6, NAN, None], grid, "1", [3.9e-6, -math.inf], [4.1e-6, math.inf], [7], [2]]
    row += [[[3.9e-6, 4.1e-6]]]
    for commit, date in (("a", 1_600_000_000_000), ("b", 1_700_000_000_000)):
        content = {
            "version": 2,
            "commit_hash": commit * 40,
            "env_name": "virtualenv-py3.10",
            "date": date,
            "params": {"machine": "m"},
            "python": "3.10",
            "requirements": {"numpy": "2.4.6"},
            "env_vars": {"T": "1"},
            "result_columns": COLUMNS,
            "results": {"elementwise.SteadyState.time_call": row, "b.track_x": [[math.inf], []]},
        }
        (here / f"{commit * 8}-env.json").write_text(json.dumps(content))
    names = {"param_names": ["n", "backend", "depth"]}
    known = {"elementwise.SteadyState.time_call": names, "b.track_x": {"unit": "[red]"}}
    (tmp_path / "results" / "benchmarks.json").write_text(json.dumps(known))
    return tmp_path / "results"


@pytest.fixture
def call(folder, capsys):
    """Call the command; return its exit status, what it printed, and what it complained of."""

    def called(*args):
        try:
            status = cli.main(["results", "--results", str(folder), *args])
        except SystemExit as left:
            status = left.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return called


def strict(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("how", [["--json"], ["--format", "json"]])
def test_json_is_strict_and_has_objects_in_it(call, how):
    status, out, err = call(*how)
    assert (status, err) == (0, "")
    rows = strict(out)
    assert [list(row) for row in rows] == [list(results.SCHEMA)] * 5
    first = rows[0]
    assert first["date"] == "2023-11-14T22:13:20+00:00"
    assert (first["n"], first["backend"], first["params"]) == (10, "numpy", {"depth": "3"})
    assert isinstance(first["n"], int)
    assert rows[2]["n"] == 2.5
    assert (first["env_vars"], first["versions"]) == ({"T": "1"}, {"numpy": "2.4.6"})
    assert first["samples"] == [3.9e-6, 4.1e-6]
    assert [row["value"] for row in rows] == [4e-6, 1e-6, None, None, None]
    assert [row["state"] for row in rows] == ["value"] * 2 + ["not_measured", "failed", "value"]
    assert [row["ci_low"] for row in rows] == [3.9e-6, None, None, None, None]


def test_csv_is_what_other_languages_read(call):
    status, out, err = call("--format", "csv")
    assert (status, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == list(results.SCHEMA)
    assert [row["n"] for row in rows] == ["10", "10", "2.5", "2.5", ""]
    assert [float(row["value"]) for row in rows[:2]] == [4e-6, 1e-6]
    assert [row["value"] for row in rows[2:]] == ["", "", "inf"]
    assert list(map(float, rows[0]["samples"].split(";"))) == [3.9e-6, 4.1e-6]
    assert rows[1]["samples"] == rows[1]["ci_low"] == ""
    assert rows[0]["date"] == "2023-11-14T22:13:20Z"
    assert rows[0]["python"] == "3.10"
    assert json.loads(rows[0]["params"]) == {"depth": "3"}


def test_parquet_holds_the_same_cells(call, folder, tmp_path):
    status, out, err = call("--format", "parquet", "-o", str(tmp_path / "cells.parquet"))
    assert (status, out, err) == (0, "", "")
    assert pl.read_parquet(tmp_path / "cells.parquet").equals(results.select(results.read(folder)))


def test_parquet_is_not_printed(call):
    assert call("--format", "parquet") == (
        2,
        "",
        "jitcost: Parquet is no text for a terminal; say where to with -o PATH\n",
    )


def test_the_table_shows_what_was_measured_and_counts_the_rest(call, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    status, out, err = call()
    assert (status, err) == (0, "")
    assert "m, virtualenv-py3.10, T=1, commit bbbbbbbb" in out
    assert "aaaaaaaa" not in out
    lines = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if "│" in line
    ]
    name = "elementwise.SteadyState.time_call"
    assert lines == [
        [name, "10", "numpy", "depth=3", "4.00 µs", "3.90 µs to 4.10 µs", "value"],
        [name, "10", "numba", "depth=3", "1.00 µs", "", "value"],
        [name, "2.5", "numba", "depth=3", "", "", "failed"],
        ["b.track_x", "", "", "", "inf [red]", "", "value"],
    ]
    assert "not measured (skipped, or not selected), and not shown: 1 of 5" in out
    assert "\x1b" not in out


def test_a_long_table_says_how_much_it_leaves_out(call, monkeypatch):
    monkeypatch.setattr(cells_table, "ROWS_SHOWN", 3)
    _, out, _ = call("--all-commits")
    assert "b.track_x" not in out.split("commit bbbbbbbb")[0].split("commit aaaaaaaa")[1]
    assert "not shown: 5 more; --format csv -o FILE writes all" in out
    assert "and not shown: 2 of 10" in out


def test_commits_and_machines_are_selected(call):
    def commits(*args):
        return {row["commit"][:1] for row in strict(call("--json", *args)[1])}

    assert commits() == {"b"}
    assert commits("--commit", "aaa") == {"a"}
    assert commits("--all-commits", "--machine", "m") == {"a", "b"}
    status, _, err = call("--all-commits", "--machine", "x")
    assert (status, err) == (2, "jitcost: no results of a machine 'x'; there are m\n")
    status, _, err = call("--all-commits", "--commit", "a")
    assert (status, err.count("\n")) == (2, 1)


def test_versions_are_shown_where_a_benchmark_has_two(call, folder):
    path = folder / "m" / "bbbbbbbb-env.json"
    content = json.loads(path.read_text())
    content["results"] = {"b.track_x": [[1.0], [], "1"]}
    path.write_text(json.dumps(content))
    assert "version" not in call()[1]
    content["results"]["b.track_x"][2] = "2" * 64
    (folder / "m" / "other.json").write_text(json.dumps(content))
    assert "22222222 " in call()[1]


def test_a_file_is_written_whole_or_not_at_all(call, tmp_path, monkeypatch):
    target = tmp_path / "cells.csv"
    target.write_text("old")
    monkeypatch.setattr("jitcost.store.exporting.as_csv", lambda cells: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        call("--format", "csv", "-o", str(target))
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["cells.csv"]
    monkeypatch.undo()
    assert call("--format", "csv", "-o", str(target))[0] == 0
    assert target.read_text().startswith("machine,")


def test_what_cannot_be_written_is_said_in_one_line(call, tmp_path):
    status, out, err = call("--json", "-o", str(tmp_path / "absent" / "cells.json"))
    assert (status, out) == (2, "")
    assert "cannot write" in err
    assert err.count("\n") == 1
    assert call("--json", "-o", str(tmp_path))[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results"]
