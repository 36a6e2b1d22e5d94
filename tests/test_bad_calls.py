"""Calls that cannot be carried out: one line on standard error, exit status 2, and no traceback."""

import pytest

from conftest import copy_working_tree, git
from jitcost import cli
from making_results import OLD_RESULTS

AT = ["--results", str(OLD_RESULTS)]

# Each with a part of what is said.
BAD = {
    # words that there are not
    "": "the following arguments are required: COMMAND",
    "compar": "argument COMMAND: invalid choice: 'compar'",
    "compare --basline numpy": "unrecognized arguments: --basline",
    "compare surplus": "unrecognized arguments: surplus",
    "compare --format yaml": "argument --format: invalid choice: 'yaml'",
    "compare --baseline": "argument --baseline: expected one argument",
    # names of which there are no results
    "compare --machine nowhere": "no results of a machine 'nowhere'; there are vm",
    "compare --commit zzz": "no measured commit begins with 'zzz'; there are ",
    "compare --baseline torch": "no times of 'torch'; there are ",
    "crossover --baseline torch": "no times of 'torch'; there are ",
    "breakeven --baseline torch": "no times of 'torch'; there are ",
    "compare --workload elemntwise": "no results of a workload 'elemntwise'; there are ",
    "compare --backend torch": "no results of a backend 'torch'; there are ",
    "compare --environment jax7": "no environment matches 'jax7'; there are ",
    "fit --size sise": "no parameter 'sise'; there are ",
    "report --environment jax7": "no environment matches 'jax7'; there are ",
    "history --over torch": "nothing over 'torch'; there is ",
    "figure pie": "no figure 'pie'; there are article, ",
    "figure --format gif": "no format 'gif'; there are png, svg",
    "plan nothing --n 10 --calls 1": "no workload 'nothing'; there are elementwise, ",
    "account nothing": "no account of 'nothing'; there are those of elementwise, ",
    # numbers, dates and patterns that are none
    "plan elementwise --n many --calls 1": "n = 'many' is not a whole number",
    "plan elementwise --n 10 --calls 0": "calls = 0 is too small",
    "plan elementwise --n -5 --calls 1": "n = -5 is too small",
    "plan elementwise --n 1e400 --calls 1": "n = '1e400' is not a whole number",
    "plan elementwise --n 10": "the following arguments are required: --calls",
    "compare --since yesterday": "--since 'yesterday' is no date; write it like 2026-05-31",
    "compare --since 2999-01-01": "no commit since 2999-01-01; the newest is of ",
    "compare --benchmark (": "--benchmark '(' is no regular expression: missing ), ",
    "fit --benchmark [": "--benchmark '[' is no regular expression: unterminated character set",
    "compare --benchmark nothing_like_it": "--benchmark 'nothing_like_it' matches none of ",
    # places that cannot be read or written
    "report -o /nowhere/page.html": "cannot write /nowhere/page.html: No such file or directory",
    "history --figure /nowhere/jax.svg": "cannot write /nowhere/jax.svg: No such file or directory",
    "history --figure jax.gif": "jax.gif ends in none of .png, .svg",
    "results -o /nowhere/cells.csv --format csv": "cannot write /nowhere/cells.csv: ",
    # what contradicts itself
    "results --all-commits --commit abc": "--commit and --all-commits contradict each other",
    "results --format parquet": "Parquet is no text for a terminal; say where to with -o PATH",
    "results --processes": "--processes goes with --format csv, json or parquet",
    "compare --backend numpy --backend operation": "--backend operation is a parameter; give it alone",
}

# Of commands that take no --results.
BAD_WITHOUT = {
    "hlo nothing --n 10": "no workload 'nothing'; there are elementwise, ",
    "hlo elementwise --n ten": "n = 'ten' is not a whole number",
    "hlo elementwise --n 0": "n = 0 is too small",
    "hlo operations --n 10": "operations",
    "workloads --backend numpy": "unrecognized arguments: --backend numpy",
}


def refused(capsys, words):
    """Return what a call says, which is one line, with status 2."""
    try:
        status = cli.main(words)
    except SystemExit as left:
        status = left.code
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, ""), printed
    line, end = printed.err.split("\n", 1)
    assert (line[:9], end) == ("jitcost: ", "")
    return line


@pytest.mark.parametrize(("call", "said"), BAD.items(), ids=BAD)
def test_a_bad_call_is_answered_in_one_line(call, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = call.split()
    asked = words and words[0] in cli.COMMANDS
    assert said in refused(capsys, [*words, *(AT if asked else [])])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("call", "said"), BAD_WITHOUT.items(), ids=BAD_WITHOUT)
def test_and_so_is_one_that_reads_no_results(call, said, capsys):
    assert said in refused(capsys, call.split())


@pytest.mark.parametrize("command", ["compare", "fit", "report", "figure", "results", "history"])
def test_a_folder_that_is_none(command, capsys, tmp_path):
    assert "no results folder" in refused(capsys, [command, "--results", str(tmp_path / "absent")])
    (tmp_path / "file").write_text("")
    said = refused(capsys, [command, "--results", str(tmp_path / "file")])
    assert "file is no result file; name a folder, or .json or .json.gz" in said


def test_without_a_configuration_results_have_to_be_named(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(capsys, ["compare"]) == (
        "jitcost: no results here or above: neither an asv.conf.json, which names asv's, nor "
        ".jitcost/results, where jitcost measure keeps its own; say which results with --results DIR"
    )
    (tmp_path / "asv.conf.json").write_text("{")
    assert "asv.conf.json cannot be read" in refused(capsys, ["compare"])


# What is to be measured


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a clone of the project as it stands, with one commit and nothing measured."""
    root = tmp_path_factory.mktemp("checkout")
    copy_working_tree(root)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    return root


BAD_MEASUREMENTS = {
    "bench elemntwise": "no workload 'elemntwise'; there are elementwise, ",
    "bench --backend torch": "no backend 'torch'; there are python, numpy, ",
    "bench --n ten": "n = 'ten' is not a whole number",
    "bench --n 0": "n = 0 is too small",
    "bench --processes 0": "--processes = 0 is too small",
    "bench --processes 1.5": "--processes = '1.5' is not a whole number",
    "bench --with torch=2.0": "torch=2.0: give NAME==VERSION, ",
    "bench --with jax=git+https://github.com/jax-ml/jax": "jax-ml/jax: give NAME==VERSION, ",
    "bench --with jax=new": "jax=new: give NAME==VERSION, ",
    "bench --with ./absent.whl": "./absent.whl: no such file or folder",
    "bench --with jax=99.9": "no release 99.9 of jax for this Python; there are, the newest first, 0.9",
    "bench --with jax=0.9": "no release 0.9 of jax for this Python; there are 0.9.2, 0.9.1, 0.9.0",
    "backfill --commits 3 --library jax": "--commits are measured in the default environment",
    "backfill --commits 3 --with jax": "--commits are measured in the default environment",
    "backfill --with torch=2.0": "torch=2.0: give NAME==VERSION, ",
    "backfill --library torch": "no releases of 'torch' in history.toml; there are ",
    "backfill --commits no..where": "no commits 'no..where'; say how many, or a range",
    "backfill --at nowhere": "no commit 'nowhere'; --at takes a hash, a tag or a branch",
    "site --results absent": "no results in ",
    "keep --results absent": "no results folder absent",
}


@pytest.mark.parametrize(("call", "said"), BAD_MEASUREMENTS.items(), ids=BAD_MEASUREMENTS)
def test_nothing_is_built_for_a_bad_call(call, said, capsys, checkout, monkeypatch):
    monkeypatch.chdir(checkout)
    there = ["0.9.2", "0.9.1", "0.9.0", "0.8.2"]
    monkeypatch.setattr("jitcost.measuring.pip._releases", lambda *_: there)
    monkeypatch.setattr("jitcost.measuring.asv.Asv.run", pytest.fail)
    assert said in refused(capsys, call.split())
    assert not (checkout / ".asv" / "env").exists()


def test_outside_of_a_checkout_nothing_is_measured(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in ("bench", "backfill", "site", "keep"):
        assert "not in a checkout of jitcost" in refused(capsys, [command])
