"""What is kept of a machine's noise is taken for results by nobody."""

import json
import math
from pathlib import Path

import pytest
from asv.results import iter_results_paths

from jitcost import cli
from jitcost.errors import BadCallError
from jitcost.store import results
from jitcost.store.finding import paths
from jitcost.store.keeping import keep
from jitcost.store.machines import unpublished
from jitcost.store.noise import place, read_noise
from jitcost.store.processes import processes
from making_checkouts import make_checkout
from making_results import content, put

COMMIT = "a" * 40


def said(**changed):
    """Return what a check of an unchanged pair prints as JSON, in short."""
    versions = {"numpy": "2.4.6", "jax": "0.10.2"}
    sides = {
        side: {"name": side, "commit": letter * 40, "versions": versions}
        for side, letter in (("earlier", "a"), ("later", "b"))
    }
    return {**sides, "status": 0, "cells": [cell()], "finished": True} | changed


def cell(**changed):
    """Return what a check says of one cell, in short."""
    return {
        "benchmark": "b.time_x",
        "workload": None,
        "params": {},
        "backend": None,
        "n": None,
        "ratio": 1.004,
        "verdict": "not significantly different",
        "processes": 5,
    } | changed


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Return a checkout with kept results of one machine, the current folder."""
    monkeypatch.chdir(make_checkout(tmp_path))
    put(tmp_path / "analysis" / "history", 1, "e")
    return tmp_path


def test_noise_is_kept_and_taken_for_results_by_nobody(checkout, capsys):
    history = checkout / "analysis" / "history"
    (checkout / "aa.json").write_text(json.dumps(said(), indent=4))
    before = results.read(history)
    assert cli.main(["keep", "--noise", "aa.json"]) == 0
    assert capsys.readouterr().out == "the noise is in analysis/history/noise/m.check\n"
    assert json.loads(place(history, "m").read_text()) == said()
    assert results.read(history).equals(before, null_equal=True)
    assert processes(before, history)["m"].to_list() == [1, 1]
    assert list(unpublished(history)) == []
    read_by_asv = [str(Path(folder, name)) for folder, name, _ in iter_results_paths(str(history))]
    assert read_by_asv == [str(history / "m" / "aaaaaaaa-e.json")]
    # Nor is it replaced with the results, or by looking at them.
    put(checkout / "fresh", 2, "e")
    keep(checkout / "fresh", history, checkout / "aside", {COMMIT}, replace=True)
    assert json.loads(place(history, "m").read_text()) == said()
    assert cli.main(["results", "--results", str(history)]) == 0
    assert "noise" not in capsys.readouterr().err


def test_a_machine_may_have_any_name(checkout):
    """`noise` is a machine's folder, too, and no kept check is taken for a machine's description."""
    history = checkout / "analysis" / "history"
    (checkout / "aa.json").write_text(json.dumps(said()))
    for number, name in ((2, "noise"), (3, "machine"), (4, "benchmarks")):
        put(history, number, "e", machine=name)
    before = results.read(history)
    for name in ("m", "noise", "machine", "benchmarks"):
        assert cli.main(["keep", "--noise", "aa.json", "--machine", name]) == 0
        assert [one.ratio for one in read_noise(history, name)] == [1.004]
    assert set(before["machine"]) == {"m", "noise", "machine", "benchmarks"}
    assert results.read(history).equals(before, null_equal=True)
    assert list(unpublished(history)) == []
    assert len(list(iter_results_paths(str(history)))) == 4
    described = {path.parent.name for path in history.rglob("machine.json")}
    assert described == {"m", "noise", "machine", "benchmarks"}
    assert json.loads((history / "noise" / "machine.json").read_text())["machine"] == "noise"


BROKEN_CELLS = [
    [],
    "text",
    {key: value for key, value in cell().items() if key != "verdict"},
    *(cell(**{name: []}) for name in cell()),
    cell(ratio=-1.0),
    cell(ratio=math.nan),
    cell(n=math.inf),
]


@pytest.mark.parametrize("broken", BROKEN_CELLS, ids=str)
def test_what_is_kept_can_be_told(checkout, capsys, broken):
    history = checkout / "analysis" / "history"
    text = json.dumps(said(cells=[cell(), broken]))
    (checkout / "aa.json").write_text(text)
    assert cli.main(["keep", "--noise", "aa.json"]) == 2
    assert capsys.readouterr().err == (
        "jitcost: aa.json is no answer of a gate; make one with `jitcost check --json`\n"
    )
    assert read_noise(history, "m") == ()
    place(history, "m").parent.mkdir()
    place(history, "m").write_text(text)
    with pytest.raises(BadCallError, match=r"m\.check is no answer of a gate"):
        read_noise(history, "m")


def test_of_what_was_compared_there_is_a_ratio(checkout):
    (checkout / "aa.json").write_text(json.dumps(said(cells=[cell(ratio=None), cell(ratio=0.9)])))
    assert cli.main(["keep", "--noise", "aa.json"]) == 0
    assert [one.ratio for one in read_noise(checkout / "analysis" / "history", "m")] == [0.9]


DIFFERENT = {"name": "later", "commit": "b" * 40, "versions": {"numpy": "2.4.7", "jax": "0.10.2"}}


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("{", [], "aa.json cannot be read: "),
        ("[]", [], "aa.json is no answer of a gate; make one with `jitcost check --json`"),
        (json.dumps(content(COMMIT, 1)), [], "aa.json is no answer of a gate; make one with "),
        (
            json.dumps(said(later=DIFFERENT)),
            [],
            "the sides of aa.json differ in numpy; noise is of",
        ),
        (json.dumps(said(finished=False)), [], "aa.json was interrupted, or compared nothing; "),
        (json.dumps(said(cells=[])), [], "aa.json was interrupted, or compared nothing; "),
        (
            json.dumps(said(cells=[cell(ratio=None, verdict="broken", processes=0)])),
            [],
            "aa.json was interrupted, or compared nothing; ",
        ),
        (json.dumps(said()), ["--machine", "x"], "no results of a machine 'x'; there are m"),
        (json.dumps(said()), ["--replace"], "--noise keeps no results; of the other options, "),
    ],
)
def test_what_is_no_noise_is_refused_in_a_line(checkout, capsys, text, options, words):
    (checkout / "aa.json").write_text(text)
    assert cli.main(["keep", "--noise", "aa.json", *options]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"jitcost: {words}")
    assert (captured.err.count("\n"), captured.out) == (1, "")
    (checkout / "aa.json").unlink()
    assert cli.main(["keep", "--noise", "aa.json"]) == 2
    assert capsys.readouterr().err == "jitcost: aa.json cannot be read: No such file or directory\n"
    assert not (checkout / "analysis" / "history" / "noise").exists()


def test_of_two_machines_it_is_said_which(checkout, capsys):
    history = checkout / "analysis" / "history"
    (checkout / "aa.json").write_text(json.dumps(said()))
    put(history, 2, "e", machine="other")
    assert cli.main(["keep", "--noise", "aa.json"]) == 2
    assert capsys.readouterr().err == (
        "jitcost: say where it was measured with --machine; there are m, other\n"
    )
    assert cli.main(["keep", "--noise", "aa.json", "--machine", "other"]) == 0
    assert place(history, "other").is_file()
    for path in paths(history):
        path.unlink()
    assert cli.main(["keep", "--noise", "aa.json", "--machine", "other"]) == 2
    assert capsys.readouterr().err.endswith("keep those of the machine first\n")
