"""Pipes that close, terminals that know few letters, and disks that are full: no command minds."""

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, source_path
from jitcost import cli, streams
from making_results import OLD_RESULTS

# Of every command that prints from results, or from what is installed.
COMMANDS = [
    ["--help"],
    ["compare"],
    ["compare", "--help"],
    ["compare", "--json"],
    ["compare", "--format", "html"],
    ["fit"],
    ["breakeven"],
    ["crossover"],
    ["account"],
    ["plan", "recursion", "--n", "1e5", "--calls", "1e4"],
    ["predict"],
    ["claims"],
    ["history"],
    ["results"],
    ["results", "--format", "csv"],
    ["workloads"],
]


def call(words, *, env=None, folder=OLD_RESULTS, **settings):
    """Return the process of a call, its output in pipes unless it is said otherwise."""
    named = (
        []
        if words[0].startswith("-") or words[0] in ("workloads", "hlo")
        else ["--results", folder]
    )
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
    return subprocess.Popen(
        [sys.executable, "-m", "jitcost.cli", *words, *named],
        env={**os.environ, "PYTHONPATH": source_path(ROOT), **(env or {})},
        **settings,
    )


def complaints(said):
    """Return the lines on standard error but the one that names older results, which is none."""
    return [
        line for line in said.splitlines() if not line.startswith(b"jitcost: shown is the newest")
    ]


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(streams) == (0, 1)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_pipe_that_closes_is_no_error(words):
    process = call(words)
    process.stdout.close()
    assert complaints(process.stderr.read()) == []
    process.stderr.close()
    assert process.wait() == 0


def test_neither_is_one_that_closes_in_the_middle():
    process = call(["results", "--format", "csv"])
    assert process.stdout.readline().startswith(b"machine,")
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_complaints_into_a_closed_pipe_are_none():
    process = call(["compare", "--machine", "nowhere"], stderr=subprocess.STDOUT)
    process.stdout.close()
    assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("words", [["compare", "--json"], ["fit"]], ids=" ".join)
def test_a_full_disk_is_one_line(words):
    with open("/dev/full", "wb") as full:
        process = call(words, stdout=full)
        said = complaints(process.communicate()[1])
    assert said == [b"jitcost: cannot write: No space left on device"]
    assert process.returncode == 1


# Letters


@pytest.fixture
def foreign(tmp_path):
    """Return a folder of somebody's results, with letters of all kinds in every name."""
    here = tmp_path / "results" / "Müller\N{EN DASH}日本"
    here.mkdir(parents=True)
    content = {
        "version": 2,
        "commit_hash": "a" * 40,
        "env_name": "py\N{EN DASH}µ",
        "date": 1_700_000_000_000,
        "params": {"machine": "Müller\N{EN DASH}日本"},
        "python": "3.12",
        "requirements": {"numpy": "2.4.6"},
        "env_vars": {"Größe": "n²"},
        "result_columns": ["result", "params", "version"],
        "results": {
            "m.time_µ²": [
                [1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 7e-6],
                [["10", "100", "1000"], ["'ein\N{EN DASH}fach'", "'dop²elt'"]],
                "1",
            ]
        },
    }
    (here / "aaaaaaaa-env.json").write_text(json.dumps(content), encoding="utf-8")
    known = {"m.time_µ²": {"param_names": ["länge", "art"], "unit": "seconds"}}
    (here.parent / "benchmarks.json").write_text(json.dumps(known), encoding="utf-8")
    return here.parent


ASCII_ONLY = {
    "ascii": {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    "no utf-8": {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.parametrize("env", ASCII_ONLY.values(), ids=ASCII_ONLY)
@pytest.mark.parametrize(
    "words",
    [
        ["compare", "--backend", "art"],
        ["compare", "--backend", "art", "--format", "markdown"],
        ["compare", "--machine", "Mül\N{EN DASH}ler"],
        ["fit", "--backend", "art"],
        ["predict", "--backend", "art"],
        ["plan", "time_µ²", "--n", "50", "--calls", "1e3"],
        ["results"],
        ["results", "--format", "csv"],
    ],
    ids=" ".join,
)
def test_a_terminal_that_knows_ascii_alone_shows_what_reads_like_it(words, env, foreign):
    process = call(words, env=env, folder=foreign)
    out, err = (text.decode("ascii") for text in process.communicate())
    assert "Traceback" not in err
    assert process.returncode in ((2,) if "--machine" in words else (0, 1)), err
    shown = out + err
    assert "?" not in shown.replace("Muller-??", "").replace("laenge", "")


def test_units_and_lines_have_their_stand_ins(foreign):
    env = ASCII_ONLY["ascii"]
    process = call(["compare", "--backend", "art"], env=env, folder=foreign)
    out, _ = (text.decode("ascii") for text in process.communicate())
    lines = out.splitlines()
    assert lines[0] == "m.time_u^2: time per call"
    assert lines[1].split() == ["n", "dop^2elt", "ein-fach"]
    assert set(lines[2]) <= set("-+ ")
    assert "2.00 us" in out


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_minds_an_ascii_terminal(words):
    process = call(words, env=ASCII_ONLY["ascii"])
    out, err = process.communicate()
    assert (process.returncode, complaints(err)) == (0, [])
    out.decode("ascii")


def test_main_may_be_called_where_there_is_no_standard_output(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["workloads", "--json"]) == 0
