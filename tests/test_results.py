import doctest
import json
import math
import shutil
import sys

import polars as pl
import pytest

from benchmarks import reading
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.store import parameters, results
from jitcost.store.merging import merge_results

COLUMNS = (
    "result params version started_at duration stats_ci_99_a stats_ci_99_b stats_q_25 stats_q_75"
)
COLUMNS = [*COLUMNS.split(), "stats_number", "stats_repeat", "samples", "profile"]
GRID = [["10", "100"], ["'numpy'", "'numba'"]]
NAN = float("nan")


def content(rows, *, commit="a" * 40, machine="m", **other):
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
    } | other


def content_1(rows, **other):
    """Return a result file of format 1, as asv wrote it until 0.4."""
    made = content(rows, version=1) | other
    for key in ("result_columns", "env_vars", "durations"):
        del made[key]
    return made


def write(folder, name, text):
    path = folder / "m" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def read_one(tmp_path, made, benchmarks=None):
    """Read a folder of one file."""
    write(tmp_path, "aaaaaaaa-env.json", made)
    if benchmarks is not None:
        (tmp_path / "benchmarks.json").write_text(json.dumps(benchmarks))
    return results.read(tmp_path)


def row(result, params, *stats, version="1"):
    """Return a benchmark's row of format 2, ended where it ends."""
    return [result, params, version, 0, 1.0, *stats]


def test_every_value_stands_at_its_own_size_and_backend(tmp_path):
    rows = {"elementwise.SteadyState.time_call": row([1e-6, NAN, None, 4e-6], GRID, [0.9e-6])}
    cells = read_one(tmp_path, content(rows))
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


def test_a_cell_has_every_column_of_the_schema(tmp_path):
    stats = [[0.9], [1.2], [0.95], [1.1], [7], [3], [[1.0, 1.2, 0.9]]]
    made = content({"a.SteadyState.time_call": row([1.0], [["5"], ["'x'"]], *stats)})
    cells = read_one(tmp_path, made | {"env_vars": {"B": "2", "A": "1"}})
    assert cells.schema == pl.Schema(results.SCHEMA)
    (cell,) = cells.rows(named=True)
    assert str(cell.pop("date")) == "2023-11-14 22:13:20+00:00"
    assert cell == {
        "machine": "m",
        "environment": "virtualenv-py3.11-numpy2.4.6",
        "env_vars": '{"A": "1", "B": "2"}',
        "commit": "a" * 40,
        "python": "3.11",
        "versions": '{"numpy": "2.4.6"}',
        "benchmark": "a.SteadyState.time_call",
        "version": "1",
        "kind": "SteadyState",
        "workload": "a",
        "backend": "x",
        "params": "{}",
        "n": 5.0,
        "grows": None,
        "value": 1.0,
        "unit": "seconds",
        "state": "value",
        "ci_low": 0.9,
        "ci_high": 1.2,
        "q_25": 0.95,
        "q_75": 1.1,
        "number": 7,
        "repeat": 3,
        "samples": [1.0, 1.2, 0.9],
        "processes": None,  # nobody says how many
        "m": None,
    }


@pytest.mark.parametrize(
    ("said", "grows"),
    [
        (None, [None, None]),
        ("n**2", ["n**2", "n**2"]),
        ({"numpy": "n^2", "julia": "n"}, ["n^2", None]),
        ({"numpy": 2}, [None, None]),
        (["n^2"], [None, None]),
    ],
)
def test_what_is_said_to_grow_stands_beside_each_backend(tmp_path, said, grows):
    name = "own.rbf.SteadyState.time_call"
    made = content({name: row([1.0, 2.0], [["'numpy'", "'numba__parallel'"]])})
    about = {"param_names": ["backend"]} | ({} if said is None else {"grows": said})
    cells = read_one(tmp_path, made, {name: about})
    assert cells["backend"].to_list() == ["numpy", "numba__parallel"]
    assert cells["grows"].to_list() == grows


def test_the_last_parameter_varies_fastest(tmp_path):
    made = content({"b.track_x": row([1, 2, 3, 4, 5, 6], [["1", "2"], ["'p'", "'q'", "None"]])})
    known = {"b.track_x": {"param_names": ["m", "how"]}}
    cells = read_one(tmp_path, made, known)
    assert list(map(json.loads, cells["params"])) == [
        {"m": m, "how": how} for m in ("1", "2") for how in ("'p'", "'q'", "None")
    ]
    assert cells["value"].to_list() == [1, 2, 3, 4, 5, 6]


# What format 2 may hold instead of a full list of results, for a grid of two by two.
@pytest.mark.parametrize(
    ("result", "states"),
    [
        (None, ["failed"] * 4),
        ([None], ["failed"] * 4),
        ([], ["failed"] * 4),
        ([1.0, NAN], ["value", "not_measured", "failed", "failed"]),
        ([NAN] * 4, ["not_measured"] * 4),
    ],
)
def test_a_short_list_stands_for_a_whole_grid(tmp_path, result, states):
    cells = read_one(tmp_path, content({"a.SteadyState.time_call": [result, GRID]}))
    assert cells["state"].to_list() == states
    assert cells["n"].to_list() == [10, 10, 100, 100]
    assert cells["version"].to_list() == [None] * 4
    assert cells["samples"].to_list() == [None] * 4


def test_rows_that_end_early_and_rows_that_do_not_are_kept_apart(tmp_path):
    rows = {
        "b.track_short": [[3.0]],
        "b.time_long": row([1.0, 2.0], [["1", "2"]], None, None, None, None, [4, 5]),
        "b.track_empty": [],
        "b.track_null": None,
    }
    cells = read_one(tmp_path, content(rows))
    assert cells.select("benchmark", "value", "number", "params").rows() == [
        ("b.track_short", 3.0, None, "{}"),
        ("b.time_long", 1.0, 4, '{"param1": "1"}'),
        ("b.time_long", 2.0, 5, '{"param1": "2"}'),
        ("b.track_empty", None, None, "{}"),
        ("b.track_null", None, None, "{}"),
    ]


def test_intervals_are_kept_as_they_are_but_infinite_ones(tmp_path):
    low, high = [-math.inf, -2.0, 1.0, NAN], [math.inf, -1.0, 1.0, 5.0]
    rows = {"a.S.time_call": row([1.0] * 4, GRID, low, high, [-math.inf] * 4, [2.0] * 4)}
    cells = read_one(tmp_path, content(rows))
    assert cells.select("ci_low", "ci_high", "q_25", "q_75").rows() == [
        (None, None, None, 2.0),  # asv's interval of too few samples
        (-2.0, -1.0, None, 2.0),
        (1.0, 1.0, None, 2.0),
        (None, 5.0, None, 2.0),
    ]


def test_samples_may_be_recorded_for_some_cells(tmp_path):
    samples = [[1.0, 3.0], None, [], [4]]
    rows = {"a.S.time_call": row([2.0, 1.0, 1.0, 4.0], GRID, *[None] * 6, samples)}
    rows |= {"a.S.time_other": row([9.0], [], *[None] * 6, [[9.0, 8.0, 7.0]])}
    cells = read_one(tmp_path, content(rows))
    assert cells["samples"].to_list() == [[1.0, 3.0], None, None, [4.0], [9.0, 8.0, 7.0]]


def test_format_1_numbers_nulls_and_dicts(tmp_path):
    rows = {
        "b.time_bare": 0.5,
        "b.time_null": None,
        "b.mem_nan": NAN,
        "b.time_alone": {
            "result": 0.25,
            "stats": {
                "ci_99": [0.2, math.inf],
                "q_25": 0.22,
                "q_75": 0.27,
                "number": 3,
                "repeat": 9,
            },
            "samples": [0.2, 0.3],
        },
        "b.time_grid": {
            "result": [1.0, None, 3.0],
            "params": [["1", "2", "3"]],
            "stats": [{"ci_99": [0.9, 1.1]}, None, {"ci_99": [2, 4], "repeat": 5}],
        },
        "b.time_whole": {"result": [None], "params": [["1", "2"]], "stats": [None]},
        "b.time_whole_null": {"result": None, "params": [["1", "2"]]},
    }
    made = content_1(rows, benchmark_version={"b.time_bare": "7"})
    cells = read_one(tmp_path, made)
    seen = ("benchmark", "value", "state", "ci_low", "ci_high", "q_25", "q_75", "number", "repeat")
    nothing = (None,) * 6
    assert cells.select(seen).rows() == [
        ("b.time_bare", 0.5, "value", *nothing),
        ("b.time_null", None, "failed", *nothing),
        ("b.mem_nan", None, "not_measured", *nothing),
        ("b.time_alone", 0.25, "value", 0.2, None, 0.22, 0.27, 3, 9),
        ("b.time_grid", 1.0, "value", 0.9, 1.1, None, None, None, None),
        ("b.time_grid", None, "failed", *nothing),
        ("b.time_grid", 3.0, "value", 2.0, 4.0, None, None, None, 5),
        *[("b.time_whole", None, "failed", *nothing)] * 2,
        *[("b.time_whole_null", None, "failed", *nothing)] * 2,
    ]
    assert cells["samples"].to_list() == [*[None] * 3, [0.2, 0.3], *[None] * 7]
    assert cells["version"].to_list() == ["7", *[None] * 10]
    assert cells["unit"].unique(maintain_order=True).to_list() == ["seconds", "bytes"]
    assert cells["env_vars"].unique().to_list() == ["{}"]


def test_the_oldest_files_do_not_name_their_environment(tmp_path):
    made = content_1({"b.time_x": 1.0}, requirements={"six": "", "numpy": "1.9"}, python="2.7")
    del made["env_name"]
    assert read_one(tmp_path, made)["environment"].to_list() == ["py2.7-numpy1.9-six"]


def test_identity_stands_inside_the_file(tmp_path):
    one = content({"b.time_x": [[1.0]]}, env_vars={"THREADS": "1"}, machine="inside")
    two = one | {"env_vars": {"THREADS": "2"}, "results": {"b.time_x": [[2.0]]}}
    write(tmp_path, "bbbbbbbb-another-name.json", one)
    write(tmp_path / "deeper", "copy of it.json", two)
    write(tmp_path, "machine.json", {"inside": {"ram": "1"}, "m": {"ram": "2"}, "version": 1})
    write(tmp_path, "aaaaaaaa-env.provenance", "{}")
    cells = results.read(tmp_path)
    assert cells.select("machine", "environment", "commit", "env_vars", "value").rows() == [
        ("inside", "virtualenv-py3.11-numpy2.4.6", "a" * 40, f'{{"THREADS": "{v}"}}', float(v))
        for v in (2, 1)  # in the order of the paths
    ]


@pytest.mark.parametrize("params", [{}, None, {"machine": ""}])
def test_without_a_machine_inside_it_is_the_folder(tmp_path, params):
    cells = read_one(tmp_path, content({"b.time_x": [[1.0]]}) | {"params": params})
    assert cells["machine"].to_list() == ["m"]


def test_two_versions_of_a_benchmark_stay_apart(tmp_path):
    for version, commit, date in (("1", "a", 1), ("2", "b", 2)):
        made = content({"b.time_x": row([1.0], [], version=version)}, commit=commit * 40, date=date)
        write(tmp_path, f"{commit}-env.json", made)
    cells = results.read(tmp_path)
    assert cells.select("commit", "version").rows() == [("a" * 40, "1"), ("b" * 40, "2")]


OTHER = {"b.time_x": {"param_names": ["a", "c"]}}
KNOWN = {
    "version": 2,
    "b.time_x": {"param_names": ["n", "backend"], "unit": "s", "type": "time", "version": "old"},
}


@pytest.mark.parametrize(
    ("params", "benchmarks", "expected"),
    [
        ([["1"], ["'x'"]], KNOWN, (1.0, "x", "{}")),
        ([["1"]], KNOWN, (None, None, '{"param1": "1"}')),  # of another commit
        ([["1"], ["2"], ["3"]], KNOWN, (None, None, '{"param1": "1", "param2": "2", "param3": "3"}')),
        ([["1"], ["2"]], OTHER, (None, None, '{"a": "1", "c": "2"}')),
        ([["1"], ["'x'"]], {"b.time_x": {"param_names": ["a", "a"]}}, (1.0, "x", "{}")),
        ([["1"], ["'x'"]], {}, (1.0, "x", "{}")),  # as in this suite
        ([["1"], ["'x'"]], ["a list"], (1.0, "x", "{}")),
        ([["1.5"], ["'x'"]], {}, (None, None, '{"param1": "1.5", "param2": "\'x\'"}')),
        ([["1"], ["None"]], {}, (None, None, '{"param1": "1", "param2": "None"}')),
        ([["None"], ["<class 'a.B'>"]], KNOWN, (None, "<class 'a.B'>", '{"n": "None"}')),
    ],
)  # fmt: skip
def test_names_of_parameters_are_believed_where_their_number_is_right(
    tmp_path, params, benchmarks, expected
):
    cells = read_one(tmp_path, content({"b.time_x": row([1.0], params)}), benchmarks)
    assert cells.select("n", "backend", "params").row(0) == expected


def test_a_broken_benchmarks_json_is_named_and_done_without(tmp_path, capsys):
    (tmp_path / "benchmarks.json").write_text('{"b.time_x": {"unit"')
    cells = read_one(tmp_path, content({"b.time_x": row([1.0], [["3"]])}))
    assert cells.select("unit", "params").row(0) == ("seconds", '{"param1": "3"}')
    assert f"{tmp_path / 'benchmarks.json'} is left out" in capsys.readouterr().err


def test_each_of_several_results_folders_has_its_own_benchmarks(tmp_path):
    for name in ("one", "two"):
        made = content({"b.time_x": row([1.0], [["3"]])}, commit=name * 10)
        write(tmp_path / name, "a-env.json", made)
        known = {"b.time_x": {"param_names": [name]}}
        (tmp_path / name / "benchmarks.json").write_text(json.dumps(known))
    assert results.read(tmp_path)["params"].to_list() == ['{"one": "3"}', '{"two": "3"}']


@pytest.mark.parametrize(
    ("name", "about", "kind", "workload", "unit"),
    [
        ("recursion.FirstCall.time_first_call", {"type": "time"}, "FirstCall", "recursion", "seconds"),
        ("recursion.Agreement.track_x", {"unit": "ratio"}, "Agreement", "recursion", "ratio"),
        ("own.rbf.SteadyState.time_call", {"type": "time"}, "SteadyState", "rbf", "seconds"),
        ("own.rbf.FirstCall.time_first_call", {}, "FirstCall", "rbf", "seconds"),
        ("own.metropolis.Cond.time_call", {}, "Cond", "metropolis", "seconds"),
        ("metropolis.Cond.time_call", {}, "Cond", "metropolis_cond", "seconds"),
        ("package.module.time_x", {"type": "time"}, "time", None, "seconds"),
        ("module.timeraw_import", {}, "timeraw", None, "seconds"),
        ("package.module.Class.peakmem_x", {}, "peakmem", None, "bytes"),
        ("package.module.Class.MemX", {}, "mem", None, "bytes"),
        ("module.track_x", {}, "track", None, None),
        ("module.track_x", {"type": "track", "unit": "unit"}, "track", None, "unit"),
        ("module.other", {}, None, None, None),
    ],
)  # fmt: skip
def test_kind_workload_and_unit(tmp_path, name, about, kind, workload, unit):
    cells = read_one(tmp_path, content({name: [[1.0]]}), {name: about})
    assert cells.select("kind", "workload", "unit").row(0) == (kind, workload, unit)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("10", 10.0), ("-3", -3.0), ("1e3", 1000.0), ("2.5", 2.5), ("np.int64(1000)", 1000.0),
        ("np.float64(2.5)", 2.5), ("'10'", None), ("(3, 100)", None), ("None", None), ("inf", None),
        ("nan", None), ("1e999", None), ("<class 'int'>", None), ("'a' (0)", None), ("True", None),
        ("1_000", 1000.0), ("10**3", 1000.0), ("2 * 10**3", 2000.0), ("2**10*3", 3072.0),
        ("-2**2", -4.0), ("10**-1", 0.1), ("10**400", None), ("0**-1", None), ("1 + 1", None),
        ("9**9**9", None), ("2 ** n", None), ("1__0", None), ("_1", None), ("10*", None),
        ("np.int64(10**3)", 1000.0), ("np.int64(10", None), ("10)", None), ("", None),
        ("np.float64(inf)", None),
    ],
)  # fmt: skip
def test_sizes_are_read_and_not_evaluated(text, size):
    assert results.parse_size(text) == size


@pytest.mark.parametrize(
    ("text", "string"),
    [
        ("'numpy'", "numpy"), ('"it\'s"', "it's"), (r"'a\'b\n'", "a'b\n"), ("u'old'", "old"),
        ("np.str_('x')", "x"), ("'a' (0)", "'a' (0)"), ("'a' + 'b'", "'a' + 'b'"), ("10", "10"),
        ("<class 'int'>", "<class 'int'>"), ("f'{1+1}'", "f'{1+1}'"), (r"'\d'", r"'\d'"),
        (r"'\U0011ffff'", r"'\U0011ffff'"), ("'", "'"), ("''", ""),
    ],
)  # fmt: skip
def test_quotes_are_taken_off_strings_only(text, string):
    assert results.unquote(text) == string


def test_the_examples_in_the_docstrings():
    done = doctest.testmod(parameters)
    assert done.failed == 0
    assert done.attempted >= 2


@pytest.mark.parametrize(
    "broken",
    [
        '{"version": 2, "commit_hash"',
        "",
        "[]",
        "\x00",
        {key: value for key, value in content({}).items() if key != "requirements"},
        {key: value for key, value in content({}).items() if key != "result_columns"},
        {key: value for key, value in content({}).items() if key != "version"},
        content({"b.time_x": [[1.0, 2.0]]}),  # two results, and no parameters to tell them apart
        content({"b.time_x": [[1.0], [[1]]]}),
        content({"b.time_x": [[1.0], 3]}),
        content({"b.time_x": 3}),
        content([]),
        content({"b.time_x": [[1.0]]}, commit=None),
        content({"b.time_x": [[1.0]]}, date=-1),
        content({"b.time_x": [[1.0]]}, date="today"),
        content({"b.time_x": [[1.0]]}, env_name=["a"]),
        content_1({"b.time_x": {"samples": []}}),
        "[" * 100_000,
    ],
)
def test_a_broken_file_costs_only_itself(tmp_path, capsys, broken):
    good = {"recursion.SteadyState.time_call": row([1e-6, 2e-6, 3e-6, 4e-6], GRID)}
    write(tmp_path, "aaaaaaaa-env.json", content(good))
    path = write(tmp_path, "bbbbbbbb-env.json", broken)
    write(tmp_path, "cccccccc-env.json", content(good, commit="c" * 40))
    cells = results.read(tmp_path)
    assert cells["value"].to_list() == [1e-6, 2e-6, 3e-6, 4e-6] * 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"jitcost: {path} is left out: ")


@pytest.mark.parametrize("odd", ["fast", {"a": 1}, [1.0], 10**400])
def test_a_value_that_is_no_number_costs_its_cell_by_name(tmp_path, capsys, odd):
    made = {
        "b.track_x": row([1.0, odd, 3.0, None], [["1", "2"], ["'a'", "'b'"]]),
        "b.track_y": [[odd]],
        "b.track_z": [[5.0]],
    }
    path = write(tmp_path, "aaaaaaaa-env.json", content(made))
    cells = results.read(tmp_path)
    assert cells.select("benchmark", "n", "backend", "value", "state").rows() == [
        ("b.track_x", 1.0, "a", 1.0, "value"),
        ("b.track_x", 2.0, "a", 3.0, "value"),
        ("b.track_x", 2.0, "b", None, "failed"),
        ("b.track_z", None, None, 5.0, "value"),
    ]
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"jitcost: {path}: b.track_x(1, 'b') is left out: no number as its val")
    assert second.startswith(f"jitcost: {path}: b.track_y is left out: no number as its value: ")


def test_many_odd_cells_of_a_benchmark_are_one_line(tmp_path, capsys):
    made = {"b.track_x": row(["slow", "fast", 3.0], [["1", "2", "3"]])}
    assert read_one(tmp_path, content(made))["value"].to_list() == [3.0]
    (line,) = capsys.readouterr().err.splitlines()
    assert "b.track_x(1) is left out, and 1 other cells of it: no number as its value: 's" in line


def test_odd_statistics_and_samples_cost_their_cell(tmp_path, capsys):
    made = {"b.time_x": row([1.0, 2.0], [["1", "2"]], ["wide", 0.5], *[None] * 5, [[1.0], [2.0]])}
    write(tmp_path, "aaaaaaaa-env.json", content(made))
    made = {"b.time_x": row([1.0, 2.0], [["1", "2"]], *[None] * 6, [[1.0, "x"], [2.0]])}
    write(tmp_path, "bbbbbbbb-env.json", content(made, commit="b" * 40))
    assert results.read(tmp_path)["samples"].to_list() == [[2.0]] * 2
    said = capsys.readouterr().err
    assert "b.time_x(1) is left out: no number as its ci_low: 'wide'" in said
    assert "b.time_x(1) is left out: no number as its samples: [1.0, 'x']" in said


@pytest.mark.parametrize("foreign", [{"version": "2.1", "name": "an editor"}, {"version": 1}])
def test_another_programs_json_is_one_line_and_the_rest_is_read(tmp_path, capsys, foreign):
    path = write(tmp_path, "settings.json", foreign)
    assert read_one(tmp_path, content({"b.time_x": [[1.0]]}))["value"].to_list() == [1.0]
    assert capsys.readouterr().err == (
        f"jitcost: {path} is left out: another program's file: it names no commit, or has no "
        "results\n"
    )


def test_an_unknown_format_is_an_error_that_names_the_file(tmp_path):
    path = write(tmp_path, "aaaaaaaa-env.json", content({}) | {"version": 3})
    with pytest.raises(BadCallError, match=f"{path} has asv's result format 3"):
        results.read(tmp_path)


def test_no_folder_and_no_results_are_told_apart(tmp_path):
    with pytest.raises(BadCallError, match="no results folder"):
        results.read(tmp_path / "absent")
    with pytest.raises(NothingFoundError, match="no results in"):
        results.read(tmp_path)
    with pytest.raises(NothingFoundError, match="no results in"):
        read_one(tmp_path, content({}))


def of_others(tmp_path):
    """Return cells whose parameters have other names; one benchmark has other ones again."""
    rows = {
        "b.time_x": row([1.0, 2.0, 3.0, 4.0], [["4", "'all'"], ["'x'", "'y'"], ["7"]]),
        "b.time_y": row([5.0], [["6"], ["'z'"]]),
    }
    known = {
        "b.time_x": {"param_names": ["length", "library", "n"]},
        "b.time_y": {"param_names": ["n", "backend"]},
    }
    return read_one(tmp_path, content(rows), known)


def test_parameters_are_taken_as_size_and_backend(tmp_path):
    cells = results.with_parameters(of_others(tmp_path), "length", "library")
    assert cells.columns == list(results.SCHEMA)
    assert cells.select("n", "backend", "value").rows() == [
        (4.0, "x", 1.0),
        (4.0, "y", 2.0),
        (None, "x", 3.0),
        (None, "y", 4.0),
        (6.0, "z", 5.0),  # has no such parameters
    ]
    assert list(map(json.loads, cells["params"])) == [
        *[{"n": "7"}] * 2,
        *[{"length": "'all'", "n": "7"}] * 2,  # no number: it stays
        {},
    ]


def test_one_parameter_may_be_taken_and_ones_taken_before_stay(tmp_path):
    cells = results.with_parameters(of_others(tmp_path), backend="library")
    assert cells["n"].to_list() == [7.0, 7.0, 7.0, 7.0, 6.0]
    assert cells["backend"].to_list() == ["x", "y", "x", "y", "z"]
    assert results.with_parameters(cells, "n", "backend").equals(cells)
    assert results.with_parameters(cells).equals(cells)


def test_an_unknown_parameter_is_an_error_that_names_the_known_ones(tmp_path):
    cells = of_others(tmp_path)
    with pytest.raises(
        BadCallError, match="no parameter 'size'; there are backend, length, library, n"
    ):
        results.with_parameters(cells, "size")
    with pytest.raises(BadCallError, match="'n' cannot be both"):
        results.with_parameters(cells, "n", "n")


def history(tmp_path):
    """Return cells of two machines; the first has two environments, measured at other commits."""
    made = [
        ("m1", {}, "a1", 1),
        ("m1", {}, "a2", 3),
        ("m1", {}, "b0", 2),
        ("m1", {"T": "1"}, "b0", 2),
        ("m2", {}, "a1", 1),
    ]
    for number, (machine, env_vars, commit, date) in enumerate(made):
        one = content({"b.time_x": [[float(number)]]}, machine=machine, commit=commit * 20)
        write(tmp_path, f"{number}.json", one | {"env_vars": env_vars, "date": date})
    return results.read(tmp_path)


def test_the_newest_commit_of_each_machine_and_environment_is_selected(tmp_path):
    cells = history(tmp_path)
    assert results.select(cells)["value"].to_list() == [1.0, 3.0, 4.0]
    assert results.select(cells, machine="m2")["value"].to_list() == [4.0]


def test_a_commit_is_selected_by_its_beginning(tmp_path):
    cells = history(tmp_path)
    assert results.select(cells, commit="a1")["value"].to_list() == [0.0, 4.0]
    assert results.select(cells, commit="B0", machine="m1")["value"].to_list() == [2.0, 3.0]
    with pytest.raises(
        BadCallError, match="several commits begin with 'a'; there are a1a1a1a1a1a1"
    ):
        results.select(cells, commit="a")
    with pytest.raises(BadCallError, match="no measured commit begins with 'c'"):
        results.select(cells, commit="c")
    assert results.select(cells, commit="a", machine="m2")["value"].to_list() == [4.0]


def test_an_unknown_machine_is_an_error_that_names_the_known_ones(tmp_path):
    with pytest.raises(BadCallError, match="no results of a machine 'm'; there are m1, m2"):
        results.select(history(tmp_path), machine="m")


@pytest.mark.parametrize(
    ("conf", "named"),
    [
        ('{"version": 1}', "results"),
        ('{"results_dir": ".asv/results"}', ".asv/results"),
        ('{\n// a comment, "results_dir": "no"\n"repo": "https://x//y", /* , } */\n'
         '"results_dir": "kept, }",\n// last\n}', "kept, }"),
        ('{"matrix": {"req": ["a", ], },}', "results"),
        ("{results_dir: 'unquoted'}", "unquoted"),
    ],
)  # fmt: skip
def test_the_default_folder_is_what_the_nearest_asv_conf_names(tmp_path, monkeypatch, conf, named):
    (tmp_path / "asv.conf.json").write_text(conf)
    inside = tmp_path / "some" / "folder"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    assert results.default_folder() == tmp_path / named


def test_the_configuration_may_have_asvs_other_name(tmp_path, monkeypatch):
    (tmp_path / "asv.conf.jsonc").write_text('{"results_dir": "there"} // a comment')
    monkeypatch.chdir(tmp_path)
    assert results.default_folder() == tmp_path / "there"


def test_the_nearest_folder_is_asvs_or_that_of_ones_own_functions(tmp_path, monkeypatch):
    inside = tmp_path / "some" / "folder"
    (inside / ".jitcost" / "results").mkdir(parents=True)
    (tmp_path / "asv.conf.json").write_text('{"results_dir": "asvs"}')
    monkeypatch.chdir(inside)
    assert results.default_folder() == inside / ".jitcost" / "results"
    monkeypatch.chdir(inside.parent)
    assert results.default_folder() == tmp_path / "asvs"
    # In one folder asv's comes first; one without results is none.
    (tmp_path / ".jitcost" / "results").mkdir(parents=True)
    assert results.default_folder() == tmp_path / "asvs"
    (inside.parent / ".jitcost").mkdir()
    assert results.default_folder() == tmp_path / "asvs"
    (tmp_path / "asv.conf.json").unlink()
    assert results.default_folder() == tmp_path / ".jitcost" / "results"


def test_without_a_readable_asv_conf_a_folder_has_to_be_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = (
        r"^no results here or above: neither an asv\.conf\.json, which names asv's, nor "
        r"\.jitcost/results, where .*; say which results with --results DIR$"
    )
    with pytest.raises(BadCallError, match=said):
        results.default_folder()
    (tmp_path / "asv.conf.json").write_text('{"results_dir": ')
    with pytest.raises(BadCallError, match=r"cannot be read .*; say which results with"):
        results.default_folder()


def test_the_benchmark_of_reading_reads_what_asv_reads(tmp_path):
    reading.write_results(tmp_path / "made", files=2)
    cells = results.read(tmp_path / "made")
    assert len(cells) == 2 * reading.CELLS == 1000
    assert cells["commit"].unique().sort().to_list() == [f"{number:040x}" for number in (0, 1)]
    asv_results = pytest.importorskip("asv.results")
    assert reading.read_by_asv(asv_results, str(tmp_path / "made")) == 1000
    (first,) = (
        result
        for result in asv_results.iter_results(str(tmp_path / "made"))
        if result.commit_hash == "0" * 40
    )
    name = "made.SteadyState3.time_call"
    ours = cells.filter(benchmark=name, commit="0" * 40)
    params = first.get_result_params(name)
    assert ours["value"].to_list() == first.get_result_value(name, params)
    stats = first.get_result_stats(name, params)
    assert ours["q_75"].to_list() == [cell["q_75"] for cell in stats]


def test_the_benchmark_of_reading_is_skipped_where_there_is_no_asv(monkeypatch):
    monkeypatch.setitem(sys.modules, "asv.results", None)
    with pytest.raises(NotImplementedError, match=r"nothing to read with: .*asv\.results"):
        reading.Reading().setup()


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


def test_nothing_is_lost_where_files_cannot_be_joined(tmp_path):
    kept, fresh, replaced = (tmp_path / name for name in ("kept", "fresh", "replaced"))
    old, new = {"a.S.time_call": [[1.0], [["1"]]]}, {"b.S.time_call": [[2.0], [["1"]]]}
    name = "aaaaaaaa-env.json"
    other_columns = content(old) | {"result_columns": ["result", "params"]}
    write(kept, name, other_columns)
    write(fresh, name, content(new))
    (aside,) = merge_results(fresh, kept, replaced)
    assert json.loads(aside.read_text()) == other_columns
    assert json.loads((kept / "m" / name).read_text())["results"] == new

    write(kept, name, '{"version": 2, "res')  # cut short: kept files as well as new ones
    write(fresh, name, content(new))
    write(fresh, "bbbbbbbb-env.json", '{"version": 2, "res')
    write(fresh, "aaaaaaaa-env.provenance", "{}")
    cut_short = merge_results(fresh, kept, replaced)
    assert [path.read_text() for path in cut_short] == ['{"version": 2, "res'] * 2
    assert json.loads((kept / "m" / name).read_text())["results"] == new
    assert not (kept / "m" / "bbbbbbbb-env.json").exists()
    assert (kept / "m" / "aaaaaaaa-env.provenance").read_text() == "{}"
