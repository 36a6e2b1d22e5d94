"""Steps of series on record: which there are, how they are told, and where they are marked."""

import doctest
import json
import re

import numpy as np
import polars as pl
import pytest

from jitcost import cli
from jitcost.questions import changes, history
from jitcost.questions.changes import Options, ask
from jitcost.show.answers import changes as tables_of_changes
from jitcost.show.answers import history as tables_of_history
from jitcost.show.figures.history import history as drawing
from jitcost.show.figures.layout import encoded, figure
from jitcost.show.report import page
from jitcost.show.report.past import Past
from jitcost.stats import steps as steps_of_series
from jitcost.store import results
from making_cells import cells
from making_histories import COMMITS, RELEASES, moods, on, over_commits, over_releases, runs, told
from making_results import content, write

# which series there are


def test_c_is_looked_at_as_times():
    firsts = [
        {
            "kind": "FirstCall",
            "backend": "numba",
            "n": 1000.0,
            "value": value,
            **on(number),
        }
        for number, value in enumerate(runs(50e-3, (4, 2.0)))
    ]
    made = over_commits({"numpy": runs(1e-5), "numba": runs(1e-6)}).vstack(cells(*firsts))
    (row,) = ask(made)
    assert (row.quantity, row.backend, row.series, row.at) == ("C", "numba", "times", COMMITS[4])
    assert row.ratio == pytest.approx(2, rel=0.02)


def test_a_series_with_too_few_ratios_is_looked_at_as_times_and_short_ones_are_counted():
    made = over_commits(
        {"numpy": runs(1e-5)[:4], "numba": runs(1e-6, (6, 0.5)), "julia": [1e-6] * 2}
    )
    answer = ask(made)
    assert told(answer) == [("numba", "a1", 0.5, "times")]
    assert (answer.judged, answer.runs, answer.short) == (1, (12, 12), 2)


def test_a_series_is_looked_at_as_times_where_ratios_would_leave_out_more_than_two_of_its_runs():
    times = {"numba": runs(1e-6, (6, 2.0)), "numpy": runs(1e-5)}
    made = over_commits(times)
    for first, series in ((2, "ratio to numpy"), (3, "times")):
        early = pl.col("commit").is_in(COMMITS[:first]) & (pl.col("backend") == "numpy")
        assert told(ask(made.filter(~early))) == [("numba", "a1", 2.0, series)]


def test_another_version_of_a_benchmark_is_another_series():
    old, new = runs(1e-6, count=6), runs(2e-6, count=12)
    made = over_commits({"numba": old}, version="1").vstack(
        over_commits({"numba": new}, version="2").filter(commit=COMMITS[11])
    )
    answer = ask(made)
    assert told(answer) == []
    assert (answer.judged, answer.short) == (1, 1)


def test_what_is_not_asked_for_still_serves_as_baseline():
    mood = moods()
    times = {"numpy": runs(1e-5, moods=mood), "numba": runs(1e-6, (7, 1.2), moods=mood)}
    made = over_commits(times)
    assert told(ask(made, Options(backends=("numba",)))) == [("numba", "b1", 1.2, "ratio to numpy")]
    assert told(ask(made, Options(backends=("numpy",)))) == []
    assert told(ask(made, Options(least=0.25))) == []


# the command

THEIRS = [2e-3, 2.01e-3, 1.99e-3, 2e-3, 3e-3, 3.01e-3, 2.99e-3]


def others(folder, times=THEIRS):
    """Write somebody's results: a benchmark without parameters, and one of two that are no numbers."""
    for number, time in enumerate(times):
        grid = [["'a'", "'b'"], ["True", "False"]]
        rows = {
            "b.time_plain": [[time], [], "1"],
            "b.time_grid": [[1e-3, 1e-3, 1e-3 * time / 2e-3, 1e-3], grid, "1"],
        }
        date = 1_700_000_000_000 + number * 86_400_000
        write(folder, content(COMMITS[number], date, rows))
    return folder


def test_results_of_others_without_backends(tmp_path, capsys):
    asked = ["changes", "--results", str(others(tmp_path))]
    assert cli.main([*asked, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["benchmark"], row["params"]) for row in rows] == [
        ("b.time_plain", {}),
        ("b.time_grid", {"param1": "'b'", "param2": "True"}),
    ]
    for row in rows:
        assert row["ratio"] == pytest.approx(1.5, rel=0.01)
        assert row["low"] < 1.5 < row["high"]
        assert (row["workload"], row["backend"], row["n"]) == (None, "", None)
        assert (row["over"], row["at"]) == ("commits", COMMITS[4])
        assert (row["runs_before"], row["runs_after"], row["series"]) == (4, 3, "times")
        assert (row["machine"], row["environment"], row["commit"]) == ("m", "e", None)
    assert cli.main(asked) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "What has changed over commits (e on m)" in said
    assert "b.time_plain slower by 50 % [4" in said
    assert "5 series of 7 runs were looked at" in said
    assert cli.main([*asked, "--benchmark", "plain", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "table,commit,of,change,runs"
    assert len(lines) == 2
    assert lines[1].startswith(
        f'What has changed over commits (e on m),{COMMITS[4]},b.time_plain,"slower by 50 % ['
    )


def test_a_parameter_can_tell_backends_apart(tmp_path, capsys):
    asked = ["changes", "--results", str(others(tmp_path)), "--benchmark", "grid", "--json"]
    assert cli.main([*asked, "--backend", "param1"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["backend"], row["params"], row["series"]) == ("b", {"param2": "True"}, "times")


def test_nothing_changed_and_too_little_known_are_said(tmp_path, capsys):
    asked = ["changes", "--results", str(others(tmp_path, [2e-3] * 6))]
    assert cli.main(asked) == 0
    assert capsys.readouterr().out == (
        "no step or drift of 5 % or more: 5 series of 6 runs were looked at\n"
    )
    for form, printed in (("json", "[]\n"), ("csv", "")):
        assert cli.main([*asked, "--format", form]) == 0
        assert capsys.readouterr() == (
            printed,
            "jitcost: no step or drift of 5 % or more: 5 series of 6 runs were looked at\n",
        )
    few = others(tmp_path / "few", THEIRS[2:6])
    assert cli.main(["changes", "--results", str(few)]) == 0
    assert capsys.readouterr().out == (
        "whether anything has changed cannot be told: 5 series are too short (fewer than five runs)\n"
    )
    one = others(tmp_path / "one", THEIRS[:1])
    assert cli.main(["changes", "--results", str(one)]) == 1
    assert capsys.readouterr().err.startswith(
        "jitcost: these results hold no two releases or commits to compare; "
    )


def test_the_least_change_is_a_share_however_it_is_written(tmp_path, capsys):
    asked = ["changes", "--results", str(others(tmp_path)), "--json", "--least"]
    counts = []
    for least in ("40%", "0.4", "60%", "0.6", "0"):
        assert cli.main([*asked, least]) == 0
        counts.append(len(json.loads(capsys.readouterr().out)))
    assert counts == [2, 2, 0, 0, 2]
    for least in ("x", "-1%", "100%", "nan", "5 percent"):
        assert cli.main([*asked[:-1], f"--least={least}"]) == 2
        assert capsys.readouterr().err == (
            f"jitcost: --least {least}: give a share from 0% to below 100%, like 5% or 0.05\n"
        )
    assert cli.main([*asked[:-1], "--over", "jax"]) == 2
    assert capsys.readouterr().err == "jitcost: nothing over 'jax'; there is commits\n"


def doubtful():
    """Return times that step by as much as they scatter."""
    scattered = [1.0, 1.1, 0.95, 1.05, 0.9, 1.08, 1.25, 1.4, 1.3, 1.2, 1.45, 1.28]
    return [1e-6 * time for time in scattered]


def changed_history():
    """Return cells whose Numba kernel takes half as long again from the eighth commit on."""
    return over_commits(
        {"numpy": runs(1e-5), "numba": runs(1e-6, (7, 1.5))}, sizes=(100, 1000, 10_000)
    )


def test_the_backend_option_leaves_the_baseline(tmp_path, monkeypatch, capsys):
    made = changed_history()
    monkeypatch.setattr(results, "read", lambda folder: made)
    asked = ["changes", "--results", str(tmp_path), "--json"]
    assert cli.main(asked) == 0
    everything = json.loads(capsys.readouterr().out)
    assert {row["series"] for row in everything} == {"ratio to numpy"}
    assert cli.main([*asked, "--backend", "numba"]) == 0
    assert json.loads(capsys.readouterr().out) == everything
    assert cli.main([*asked, "--backend", "nmba"]) == 2


def test_sizes_that_step_together_are_one_line_of_the_table():
    (table,) = tables_of_changes.tables(ask(changed_history()))
    ((commit, of, backend, sizes, change, counts),) = table.rows
    assert (commit.text, commit.value) == (COMMITS[7][:8], COMMITS[7])
    assert [of.text, backend.text] == ["elementwise", "numba / numpy"]
    assert sizes.text == "100, 1,000, 10,000"
    assert re.fullmatch(r"slower by \d+ % \[\d+, \d+\]( to \d+ % \[\d+, \d+\])?", change.text)
    assert change.mark == "warn"
    assert counts.text == "7 | 5"
    assert table.remarks == ("6 series of 12 runs were looked at",)


def test_a_step_after_releases_that_were_not_measured_says_since_when_it_is_known():
    times = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)}
    missing = pl.col("environment").str.contains("jax0.(6.2|7.2)") & (
        pl.col("backend") == "jax_jit"
    )
    answer = ask(over_releases(times).filter(~missing))
    (row,) = answer
    assert (row.at, row.before, row.unmeasured) == ("0.8.3", "0.5.3", 2)
    (table,) = tables_of_changes.tables(answer)
    assert table.rows[0][0].text == "0.8.3 (after 0.5.3)"
    (row,) = ask(over_releases(times))
    assert (row.at, row.before, row.unmeasured) == ("0.8.3", "0.7.2", 0)


def test_drifts_and_releases_that_stand_alone_are_called_so():
    slower = 1.03 ** np.arange(12)
    (table,) = tables_of_changes.tables(
        ask(over_commits({"numpy": runs(1e-5), "numba": runs(1e-6, moods=slower)}))
    )
    ((commits, *_, change, counts),) = table.rows
    assert commits.text == f"{COMMITS[0][:8]} to {COMMITS[11][:8]}"
    assert change.text.startswith("drift: slower by 2")
    assert counts.text == "4 | 4"
    assert tables_of_changes.DRIFT in table.remarks
    times = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (3, 50.0), (4, 0.02), count=8)}
    (table,) = tables_of_changes.tables(ask(over_releases(times)))
    assert table.rows[0][4].text.startswith("alone: slower by ")
    assert tables_of_changes.OUTLIER in table.remarks


def test_commits_that_the_next_will_tell_of_are_a_remark_and_rows_for_programs(
    tmp_path, monkeypatch, capsys
):
    made = over_commits({"numpy": runs(1e-5), "numba": runs(1e-6, (11, 3.0))}, sizes=(100, 1000))
    monkeypatch.setattr(results, "read", lambda folder: made)
    asked = ["changes", "--results", str(tmp_path)]
    assert cli.main(asked) == 0
    out = capsys.readouterr().out
    # Three times as long, and what runs differ by.
    assert re.fullmatch(
        "no step or drift of 5 % or more: 4 series of 12 runs were looked at; 2 series end in a lone "
        r"run that differs, at most slower by (19|20)\d %: the next run will tell\n",
        out,
    )
    assert cli.main([*asked, "--json"]) == 0
    assert [row["kind"] for row in json.loads(capsys.readouterr().out)] == ["outlier", "outlier"]
    assert cli.main(["history", "--results", str(tmp_path), "--format", "markdown"]) == 0
    assert "a step" not in capsys.readouterr().out


def test_what_is_told_of_a_backend_is_told_among_all():
    """A step that is significant by itself, beside forty series in which there is none."""
    times = {"numpy": runs(1e-5), "numba": runs(1e-6)}
    alone = over_commits({"julia": doubtful(), "numpy": times["numpy"]}, sizes=(10,))
    (row,) = ask(alone)
    assert 0.01 < row.p < 0.05
    beside = over_commits(times, sizes=range(100, 120))
    assert told(ask(alone.vstack(beside))) == []
    assert told(ask(alone.vstack(beside), Options(backends=("julia",)))) == []
    releases = over_releases({"jax_jit": runs(1e-6, count=8)}, sizes=range(100, 140))
    assert told(ask(alone.vstack(releases), Options(over="commits"))) == []


# marks in a history


def test_a_history_marks_the_steps_in_tables_and_figures():
    made = changed_history()
    answer, steps = history.ask(made), changes.ask(made)
    stepped = [
        (table.caption.partition(",")[0], row[1].text)
        for table in tables_of_history.tables(answer, steps)
        for row in table.rows
        if "a step" in row[-1].text
    ]
    assert stepped == [("elementwise on numba", COMMITS[7][:8])] * 3
    assert not any("a step" in table.note for table in tables_of_history.tables(answer))
    drawn = drawing(answer, steps)
    rings = [
        line
        for axes in figure(drawn.panels, drawn.caption).axes
        for line in axes.get_lines()
        if line.get_label() == "_step"
    ]
    assert len(rings) == 3
    assert encoded(figure(drawn.panels, drawn.caption), "svg")


def test_a_history_of_one_backend_has_what_needs_its_baseline(tmp_path, monkeypatch, capsys):
    firsts = [
        {"kind": "FirstCall", "backend": "numba", "n": 1000.0, "value": value, **on(number)}
        for number, value in enumerate(runs(50e-3, (4, 2.0)))
    ]
    made = changed_history().vstack(cells(*firsts))
    monkeypatch.setattr(results, "read", lambda folder: made)
    asked = ["history", "--results", str(tmp_path), "--backend", "numba"]
    assert cli.main([*asked, "--json", "--all-origins"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["backend"] for row in rows} == {"numba"}
    assert {row["quantity"] for row in rows} >= {"time", "C", "m*"}
    # three sizes that step at the eighth commit, and C that does at the fifth
    assert cli.main([*asked, "--format", "markdown", "--all-origins"]) == 0
    assert capsys.readouterr().out.count("; a step |") == 4


def test_changes_has_no_option_that_does_nothing(capsys):
    with pytest.raises(SystemExit):
        cli.main(["changes", "--all-origins"])
    assert "--all-origins" in capsys.readouterr().err


def test_the_report_and_the_command_mark_them(tmp_path, monkeypatch, capsys):
    made = changed_history()
    text = page(results.select(made), past=Past.of(made))
    assert text.count("; a step<") == 3
    monkeypatch.setattr(results, "read", lambda folder: made)
    asked = ["history", "--results", str(tmp_path), "--format", "markdown"]
    for options in ([], ["--backend", "numba"]):
        assert cli.main([*asked, *options]) == 0
        assert capsys.readouterr().out.count("; a step |") == 3


@pytest.mark.parametrize("module", [steps_of_series, tables_of_changes])
def test_the_examples_in_the_docstrings(module):
    done = doctest.testmod(module)
    assert done.failed == 0
    assert done.attempted >= 1


# what is said beside the answer


def test_a_few_releases_at_a_newer_commit_do_not_hide_those_that_can_be_judged(
    tmp_path, monkeypatch, capsys
):
    times = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)}
    newer = over_releases({name: its[-2:] for name, its in times.items()}, RELEASES[-2:], number=1)
    made = over_releases(times).vstack(newer)
    assert [(row.backend, row.at, row.where.commit) for row in ask(made)] == [
        ("jax_jit", "0.8.3", COMMITS[0])
    ]
    monkeypatch.setattr(results, "read", lambda folder: made)
    asked = ["changes", "--results", str(tmp_path), "--over", "jax", "--json"]
    assert cli.main(asked) == 0
    assert capsys.readouterr().err == (
        f"jitcost: looked at are the releases at commit {COMMITS[0][:8]}; the newer {COMMITS[1][:8]} "
        "has fewer than five (Python 3.12 on m)\n"
    )
    assert ask(made, Options(commit=COMMITS[1])).judged == 0
    assert not ask(made, Options(commit=COMMITS[1])).passed_over


def test_what_pins_no_version_is_no_release(tmp_path, monkeypatch, capsys):
    releases = ("", *RELEASES[:5])
    made = over_releases({"jax_jit": runs(1e-6, (3, 2.0), count=6)}, releases)
    (row,) = ask(made)
    assert (row.at, row.runs_before, row.runs_after) == ("0.6.2", 2, 3)
    monkeypatch.setattr(results, "read", lambda folder: made)
    for command in ("changes", "history"):
        assert cli.main([command, "--results", str(tmp_path), "--format", "csv"]) == 0
        printed = capsys.readouterr()
        assert printed.err == (
            "jitcost: no releases of jax, for they leave its version open: virtualenv-py3.12-jax\n"
        )
        assert "0.6.2" in printed.out
