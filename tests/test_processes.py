"""What processes tell of themselves: written, merged, kept and read with the cells that they are of."""

import io
import json
import os
import shutil

import polars as pl
import pytest

from conftest import ROOT
from jitcost import cli
from jitcost.measuring import machine, provenance
from jitcost.measuring.planning import planned_steps
from jitcost.measuring.selection import Selection
from jitcost.store import processes, records, results
from jitcost.store.merging import merge_results

NAME = "elementwise.SteadyState.time_call"
GRID = [["10", "100"], ["'numpy'", "'numba'"]]
COLUMNS = ["result", "params", "version", "started_at", "duration", "samples"]


def content(samples, name=NAME, params=GRID):
    """Return a result file's content: the samples of each cell, None where it has not been measured."""
    values = [float("nan") if one is None else sorted(one)[len(one) // 2] for one in samples]
    return {
        "commit_hash": "a" * 40,
        "env_name": "an environment",
        "date": 1_700_000_000_000,
        "params": {"machine": "m"},
        "python": "3.11",
        "requirements": {},
        "env_vars": {},
        "result_columns": COLUMNS,
        "results": {name: [values, params, "1", 0, 1.0, samples]},
        "durations": {},
        "version": 2,
    }


def told(n, backend, m, name=NAME, **facts):
    return json.dumps({"benchmark": name, "params": [str(n), repr(backend)], "m": m, **facts})


def write(folder, made, *lines, benchmarks=None):
    (folder / "m").mkdir(parents=True, exist_ok=True)
    (folder / "m" / "aaaaaaaa-e.json").write_text(json.dumps(made))
    if lines:
        (folder / "m" / "aaaaaaaa-e.processes").write_text("\n".join(lines) + "\n")
    if benchmarks:
        (folder / "benchmarks.json").write_text(json.dumps(benchmarks))
    return folder


def told_in(folder):
    found = records.lines(folder / "m" / "aaaaaaaa-e.processes")
    return sorted((*one.cell[1], one.m) for one in found)


# written


PROCESS = """
import sys
sys.argv = ["benchmark.py", "run", "folder", "recursion.{kind}-7", "null", "None", {result!r}]
from benchmarks import recursion
benchmark = recursion.{class_}()
for _ in range(3):
    benchmark.setup(100, "numpy")
{then}
"""


@pytest.fixture
def line_of(tmp_path, run_python):
    """Return a function that has a process measure a cell, and returns the lines in the file."""

    def line(kind, then="open(sys.argv[-1], 'w').write('1')", **env):
        file, result = tmp_path / "processes.jsonl", tmp_path / "result"
        result.write_text("")
        code = PROCESS.format(kind=kind, class_=kind.split(".")[0], result=str(result), then=then)
        env = {"JITCOST_PROCESSES": str(file)} | env
        run_python(code, env=env, without=("JITCOST_PROCESSES",))
        return [json.loads(text) for text in file.read_text().splitlines()] if file.exists() else []

    return line


def test_a_process_tells_what_it_was_of_and_how_it_fared(line_of):
    (said,) = line_of("SteadyState.time_call")
    assert said["benchmark"] == "recursion.SteadyState.time_call"
    assert said["params"] == ["100", "'numpy'"]
    assert (said["backend"], said["n"]) == ("numpy", 100)
    assert said["m"] > 1
    assert 0 <= said["error"] <= said["tolerance"]
    assert said["seconds"] > 0.01
    assert said["started"].endswith("+00:00")
    assert said["load_start"] >= 0
    assert said["switches"] >= 0
    assert said["steal"] is None or 0 <= said["steal"] <= 1
    # and the next process adds its own
    first, second = line_of("FirstCall.time_first_call")
    assert first == said
    assert second["m"] == 1
    assert 0 <= second["error"] <= second["tolerance"]


def test_a_process_without_a_result_tells_nothing(line_of):
    assert line_of("SteadyState.time_call", then="") == []  # asv has got no result of it


def test_nothing_is_written_where_nobody_has_asked(line_of):
    assert line_of("SteadyState.time_call", JITCOST_PROCESSES="") == []


def test_what_is_computed_takes_no_samples(line_of):
    (said,) = line_of("Agreement.track_max_relative_error")
    assert (said["m"], said["error"]) == (None, None)


def test_the_state_of_a_machine_that_says_nothing_is_unknown(monkeypatch, tmp_path):
    found = machine.state()
    assert found["cores"] >= 1
    monkeypatch.setattr(machine, "_GOVERNOR", tmp_path / "none")
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "none")
    assert machine.state() == {"governor": None, "swap_used": None, "cores": found["cores"]}
    (tmp_path / "memory").write_text("SwapTotal:  100 kB\nSwapFree:  40 kB\n")
    monkeypatch.setattr(machine, "_MEMORY", tmp_path / "memory")
    assert machine.state()["swap_used"] == 60 * 1024


# read


def counts(folder):
    cells = results.read(folder).filter(state="value")
    return cells.select("n", "backend", "processes", "m").rows()


def test_the_processes_of_a_cell_are_those_that_told(tmp_path):
    made = content([[1.0] * 6, [2.0] * 6, None, [3.0] * 5])
    lines = [told(10, "numpy", m) for m in (7, 9, 8)] + [told(100, "numba", 3)] * 2
    assert counts(write(tmp_path, made, *lines)) == [
        (10, "numpy", 3, 8),
        (10, "numba", None, None),
        (100, "numba", None, 3),  # five samples are not of two processes
    ]


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ({"rounds": 3, "repeat": 2}, 3),
        ({"rounds": 2, "repeat": 2}, None),  # of other options: six samples were not planned
        ({"rounds": 3, "repeat": [1, 10, 20.0]}, None),
        ({"rounds": 3, "repeat": 0}, None),  # asv's default
        ({"rounds": True, "repeat": "2"}, None),
        ({}, None),
    ],
)
def test_without_them_the_benchmark_says_how_many_it_plans(tmp_path, about, expected):
    made = content([[1.0] * 6, None, None, None])
    folder = write(tmp_path, made, benchmarks={NAME: {"param_names": ["n", "backend"], **about}})
    assert counts(folder) == [(10, "numpy", expected, None)]


def test_broken_lines_are_named_and_the_others_read(tmp_path, capsys):
    good = told(10, "numpy", 7, started="2026-01-02T03:04:05Z", steal=0.25, switches="many")
    write(tmp_path, content([[1.0] * 2, None, None, None]), good, "{", "[]", good)
    assert counts(tmp_path) == [(10, "numpy", 2, 7)]
    assert "aaaaaaaa-e.processes is left out: 2 of its lines are broken" in capsys.readouterr().err
    found = records.read_processes(tmp_path / "m" / "aaaaaaaa-e.processes")
    assert found.schema == pl.Schema(records.SCHEMA)
    assert found["steal"].to_list() == [0.25] * 2
    assert found["switches"].to_list() == [None] * 2
    assert str(found["started"][0]) == "2026-01-02 03:04:05+00:00"
    assert records.read_processes(tmp_path / "none").is_empty()


@pytest.fixture
def measured(tmp_path):
    made = content([[3.0, 1.0, 2.0, 4.0], None, None, [5.0, 6.0]])
    facts = {"load_start": 1.5, "load_end": 0.5, "error": 1e-16, "tolerance": 1e-14}
    lines = [
        told(10, "numpy", 7, **facts),
        told(10, "numpy", 8, **facts | {"load_end": 2.5, "error": 3e-16}),
    ]
    return write(tmp_path, made, *lines)


def test_each_process_is_a_row(measured):
    found = processes.processes(results.read(measured), measured)
    assert found.schema == pl.Schema(processes.SCHEMA)
    rows = found.select("n", "backend", "process", "value", "samples", "m", "load", "error").rows()
    assert rows == [
        (10, "numpy", 1, 1.0, [3.0, 1.0], 7, 1.5, 1e-16),
        (10, "numpy", 2, 2.0, [2.0, 4.0], 8, 2.5, 3e-16),
    ]


def test_the_errors_are_cells_of_agreement_unless_they_were_measured(measured):
    cells = results.read(measured)
    found = processes.agreement(cells, measured)
    assert found.schema == cells.schema
    assert found.select("kind", "workload", "backend", "n", "value", "state").rows() == [
        ("Agreement", "elementwise", "numpy", 10, 3e-16, "value")
    ]
    assert processes.agreement(pl.concat([cells, found]), measured).is_empty()


def test_the_errors_of_a_persons_own_are_none_of_the_workload_of_this_name(tmp_path):
    made = content([[3.0], None, None, None])
    own = f"own.{NAME}"
    made["results"][own] = made["results"][NAME]
    lines = [
        told(10, "numpy", 1, error=1e-16, tolerance=1e-14),
        told(10, "numpy", 1, own, error=1e-3, tolerance=1e-9),
    ]
    write(tmp_path, made, *lines)
    found = processes.agreement(results.read(tmp_path), tmp_path)
    assert found.select("benchmark", "workload", "value").rows() == [
        ("elementwise.Agreement.track_max_relative_error", "elementwise", 1e-16),
        ("own.elementwise.Agreement.track_max_relative_error", "elementwise", 1e-3),
    ]


def test_the_command_writes_the_processes(measured, capsys, monkeypatch):
    asked = ["results", "--results", str(measured), "--processes"]
    assert cli.main([*asked, "--format", "csv"]) == 0
    text = capsys.readouterr().out
    assert pl.read_csv(io.StringIO(text))["samples"].to_list() == ["3.0;1.0", "2.0;4.0"]
    assert cli.main([*asked, "--json"]) == 0
    first, _ = json.loads(capsys.readouterr().out)
    assert (first["n"], first["started"], first["samples"]) == (10, None, [3.0, 1.0])
    file = measured / "p.parquet"
    assert cli.main([*asked, "--format", "parquet", "-o", str(file)]) == 0
    assert pl.read_parquet(file)["process"].to_list() == [1, 2]
    assert cli.main(asked) == 2
    assert "--processes goes with --format csv, json or parquet" in capsys.readouterr().err
    assert cli.main([*asked, "--format", "parquet", "-o", str(measured / "p")]) == 2


def test_the_columns_are_explained():
    text = (ROOT / "analysis" / "RESULTS.md").read_text()
    for name in processes.SCHEMA:
        assert f"`{name}`" in text.partition("## Processes")[2].partition("## R\n")[0]


# merged


def folders(tmp_path):
    """Return kept results of three cells, and fresh ones of one of these again and one that failed."""
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    old = [told(n, b, 1) for n, b in ((10, "numpy"), (10, "numpy"), (10, "numba"), (100, "numpy"))]
    write(kept, content([[1.0] * 2, [1.0], [1.0], None]), *old)
    new = [told(n, b, 2) for n, b in ((10, "numpy"), (100, "numpy"))]
    write(fresh, content([[2.0], None, None, None]), *new)
    return fresh, kept, tmp_path / "replaced"


def test_a_benchmark_that_is_measured_again_has_only_its_own_lines(tmp_path):
    fresh, kept, replaced = folders(tmp_path)
    other = told(10, "numpy", 5, name="elementwise.FirstCall.time_first_call")
    with (kept / "m" / "aaaaaaaa-e.processes").open("a") as file:
        file.write(f"{other}\n")
    (aside,) = merge_results(fresh, kept, replaced)
    assert told_in(kept) == [("10", "'numpy'", 2), ("10", "'numpy'", 5)]
    assert records.beside(aside).read_text().count("\n") == 5


@pytest.mark.parametrize(("fill", "m"), [("kept", [2]), ("fresh", [1, 1])])
def test_a_cell_has_the_lines_of_the_value_that_stays(tmp_path, fill, m):
    fresh, kept, replaced = folders(tmp_path)
    assert merge_results(fresh, kept, replaced, fill=fill) == []
    others = [("10", "'numba'", 1), ("100", "'numpy'", 1)]
    assert told_in(kept) == sorted([*others, *(("10", "'numpy'", one) for one in m)])


def test_lines_come_with_a_new_file_and_stay_where_there_are_no_new_ones(tmp_path):
    fresh, kept, replaced = folders(tmp_path)
    shutil.rmtree(kept)
    merge_results(fresh, kept, replaced)
    assert ("10", "'numpy'", 2) in told_in(kept)
    first = "elementwise.FirstCall.time_first_call"
    write(fresh, content([None, [1.0], None, None], name=first))
    merge_results(fresh, kept, replaced)
    assert ("10", "'numpy'", 2) in told_in(kept)


def test_what_asv_has_not_saved_is_of_no_process(tmp_path):
    fresh, _, _ = folders(tmp_path)
    told_of = tmp_path / "processes.jsonl"
    told_of.write_text(told(10, "numba", 3) + "\n")
    file = fresh / "m" / "aaaaaaaa-e.json"
    ended = told_of.stat().st_mtime_ns
    before = told_in(fresh)
    os.utime(file, ns=(ended - 1, ended - 1))  # an interrupt: the file is the last run's
    provenance.record({}, fresh, told_of)
    assert told_in(fresh) == before
    assert not told_of.exists()
    told_of.write_text(told(10, "numba", 3) + "\n")
    file.touch()
    provenance.record({}, fresh, told_of)
    assert told_in(fresh) == sorted([*before, ("10", "'numba'", 3)])


# planned

TIMED = {"param_names": ["n", "backend"], "params": [["1", "10", "100"], ["'numpy'", "'numba'"]]}
DISCOVERED = {
    "version": 2,
    NAME: TIMED | {"rounds": 30, "repeat": 4},
    "elementwise.Replay.track_calls_until_paid": {"param_names": ["backend"], "params": [["'x'"]]},
    "kalman.SteadyState.time_call": TIMED | {"rounds": 3, "repeat": 4},
}


def planned(*args):
    return [
        (step.name, step.processes, step.arguments)
        for step in planned_steps(DISCOVERED, Selection(full=True), *args)
    ]


def test_a_long_run_begins_with_a_first_look():
    assert planned() == [
        ("elementwise.SteadyState, first process", 6, ("-a", "rounds=1")),
        ("elementwise.Replay", 1, ()),
        ("elementwise.SteadyState", 6 * 29, ("-a", "rounds=29", "--append-samples")),
        ("kalman.SteadyState", 6 * 3, ()),
    ]


def test_a_person_says_how_many_processes():
    assert planned(2) == [
        ("elementwise.Replay", 1, ()),  # measured once, it is not timed
        ("elementwise.SteadyState", 6 * 2, ("-a", "rounds=2")),
        ("kalman.SteadyState", 6 * 2, ("-a", "rounds=2")),
    ]


def test_backends_that_cannot_be_had_are_not_tried():
    assert planned(2, ["numba", "x"]) == [
        ("elementwise.SteadyState", 3 * 2, ("-a", "rounds=2")),
        ("kalman.SteadyState", 3 * 2, ("-a", "rounds=2")),
    ]
