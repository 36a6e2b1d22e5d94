import json
import shutil

import pytest

from analysis import results
from analysis.errors import BadCallError, NothingFoundError
from analysis.merging import merge_results

COLUMNS = (
    "result params version started_at duration stats_ci_99_a stats_ci_99_b stats_q_25 stats_q_75"
)
COLUMNS = [*COLUMNS.split(), "stats_number", "stats_repeat", "samples", "profile"]
GRID = [["10", "100"], ["'numpy'", "'numba'"]]


def content(rows, *, commit="a" * 40, machine="m"):
    """Return a result file as asv 0.6 writes it."""
    return {
        "version": 2,
        "commit_hash": commit,
        "env_name": "virtualenv-py3.11-numpy2.4.6",
        "date": 1_700_000_000_000,
        "params": {"machine": machine},
        "python": "3.11",
        "requirements": {"numpy": "2.4.6"},
        "env_vars": {},
        "result_columns": COLUMNS,
        "results": rows,
        "durations": {},
    }


def write(folder, name, text):
    (folder / "m").mkdir(parents=True, exist_ok=True)
    path = folder / "m" / name
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_every_value_stands_at_its_own_size_and_backend(tmp_path):
    row = [[1e-6, float("nan"), None, 4e-6], GRID, "1", 0, 1.0, [0.9e-6], [1.1e-6]]
    write(tmp_path, "aaaaaaaa-env.json", content({"elementwise.SteadyState.time_call": row}))
    cells = results.read(tmp_path)
    assert cells.select("n", "backend", "value", "state").rows() == [
        (10, "numpy", 1e-6, "value"),
        (10, "numba", None, "not_measured"),
        (100, "numpy", None, "failed"),
        (100, "numba", 4e-6, "value"),
    ]
    assert cells["ci_low"].to_list() == [0.9e-6, None, None, None]
    assert cells["workload"].unique().to_list() == ["elementwise"]
    assert cells["kind"].unique().to_list() == ["SteadyState"]
    assert str(cells["date"][0]) == "2023-11-14 22:13:20+00:00"


def test_a_broken_file_costs_only_itself(tmp_path, capsys):
    row = [[1e-6, 2e-6, 3e-6, 4e-6], GRID, "1"]
    write(tmp_path, "aaaaaaaa-env.json", content({"recursion.SteadyState.time_call": row}))
    broken = write(tmp_path, "bbbbbbbb-env.json", '{"version": 2, "commit_hash"')
    assert len(results.read(tmp_path)) == 4
    assert f"{broken} is left out" in capsys.readouterr().err


def test_an_unknown_format_is_an_error_that_names_the_file(tmp_path):
    path = write(tmp_path, "aaaaaaaa-env.json", content({}) | {"version": 3})
    with pytest.raises(BadCallError, match=f"{path} has asv's result format 3"):
        results.read(tmp_path)


def test_no_folder_and_no_results_are_told_apart(tmp_path):
    with pytest.raises(BadCallError, match="no results folder"):
        results.read(tmp_path / "absent")
    with pytest.raises(NothingFoundError, match="no results in"):
        results.read(tmp_path)


def merge(tmp_path, old, new):
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    for folder, rows in ((kept, old), (fresh, new)):
        if rows is not None:
            write(folder, "aaaaaaaa-env.json", content(rows))
    merge_results(fresh, kept, tmp_path / "replaced")
    assert not fresh.exists()
    return json.loads((kept / "m" / "aaaaaaaa-env.json").read_text())["results"]


def test_a_benchmark_that_was_run_again_is_replaced_as_a_whole(tmp_path):
    old = {"a.S.time_call": [[1.0, 2.0], [["1", "2"]]], "b.S.time_call": [[5.0], [["1"]]]}
    new = {"a.S.time_call": [[9.0, float("nan")], [["1", "2"]]]}
    merged = merge(tmp_path, old, new)
    assert repr(merged["a.S.time_call"][0]) == "[9.0, nan]"  # no old cell beside the new one
    assert merged["b.S.time_call"] == old["b.S.time_call"]
    (aside,) = (tmp_path / "replaced" / "m").iterdir()
    assert json.loads(aside.read_text())["results"] == old  # nothing is lost


def test_merging_keeps_both_where_nothing_is_replaced(tmp_path):
    old, new = {"a.S.time_call": [[1.0], [["1"]]]}, {"b.S.time_call": [[2.0], [["1"]]]}
    assert merge(tmp_path, old, new) == old | new
    assert not (tmp_path / "replaced").exists()
    shutil.rmtree(tmp_path / "kept")
    assert merge(tmp_path, None, new) == new
    assert merge(tmp_path, None, None) == new  # an interrupted run that had finished no step
