"""Real asv runs of a copy of the working tree, in a folder with a space in its name."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks import elementwise, recursion
from conftest import copy_working_tree, git
from jitcost import backends
from jitcost.questions import compare
from jitcost.store import processes, results
from test_dataset import QUERY, by_key, database, rows_of

PINNED = {"jax": "0.10.2", "numba": "0.68.1", "juliacall": "0.9.37", "numpy": "2.4.6"}


class Clone:
    """A clone of the project with a home of its own, so that asv knows nothing yet."""

    def __init__(self, folder):
        self.root = folder / "my clone"
        self.home = folder / "home"
        self.home.mkdir()
        self.root.mkdir()
        self.results = self.root / ".asv" / "results"
        copy_working_tree(self.root)
        git(self.root, "init", "--quiet", "--initial-branch", "a-feature")
        self.commit("as it stands")

    def commit(self, message):
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--message", message)

    def command(self, *args):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        cache = os.environ.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
        return {
            "args": [sys.executable, "-m", *args],
            "cwd": self.root,
            "env": {**os.environ, "HOME": str(self.home), "PATH": path, "PIP_CACHE_DIR": cache},
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
        }

    def run(self, *args):
        done = subprocess.run(**self.command(*args))
        log = self.root / ".asv" / "asv.log"
        told = done.stdout + done.stderr + (log.read_text()[-5000:] if log.exists() else "")
        assert done.returncode == 0, told
        return done.stdout

    def processes(self):
        """Return what still runs of this clone's benchmarks."""
        told = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        return [line for line in told.splitlines() if str(self.root) in line]

    def cells(self, benchmark):
        cells = results.read(self.results)
        return cells.filter(cells["benchmark"] == benchmark)


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return Clone(tmp_path_factory.mktemp("real run"))


@pytest.fixture(scope="module")
def said(clone):
    """Measure one size of one workload on every backend."""
    return clone.run("jitcost.cli", "bench", "elementwise", "--n", "10")


@pytest.fixture(scope="module")
def available(clone, said):
    """Return which backends asv's environment has, by what was recorded beside the results."""
    (recorded,) = clone.results.glob("*/*.provenance")
    described = json.loads(recorded.read_text())
    for package, version in PINNED.items():
        assert described["distributions"][package] == version
    assert described["backends"]["numpy"]["numpy"] == PINNED["numpy"]
    assert described["backends"]["jax_jit"]["jax"] == PINNED["jax"]
    assert described["backends"]["numba"]["numba"] == PINNED["numba"]
    return {name for name, about in described["backends"].items() if about["available"]}


def test_every_available_backend_has_its_values(clone, available):
    assert available >= {"python", "numpy", "jax_eager", "jax_jit", "numba"}
    for benchmark in (
        "elementwise.SteadyState.time_call",
        "elementwise.FirstCall.time_first_call",
        "elementwise.Agreement.track_summand_difference",
    ):
        cells = clone.cells(benchmark)
        assert len(cells) == len(elementwise.SIZES) * len(backends.names())
        measured = cells.filter(cells["state"] == "value")
        assert set(measured["n"]) == {10}
        assert set(measured["backend"]) == available
        assert not (cells["state"] == "failed").any()


def test_each_process_has_told_of_itself(clone, said, available):
    cells = results.read(clone.results)
    timed = cells.filter(pl.col("kind").is_in(["SteadyState", "FirstCall"]), state="value")
    assert timed["processes"].unique().to_list() == [5]
    assert timed.filter(kind="SteadyState")["samples"].list.len().unique().to_list() == [20]
    assert (timed.filter(kind="SteadyState")["m"] >= 1).all()
    assert timed.filter(kind="FirstCall")["m"].unique().to_list() == [1]
    found = processes.processes(cells, clone.results).filter(
        pl.col("benchmark").str.contains("time_")
    )
    assert not found["started"].has_nulls()
    assert (found["error"] <= found["tolerance"]).all()
    in_turns = found.filter(pl.col("benchmark").str.contains("SteadyState")).sort("started")
    assert in_turns["process"].is_sorted()  # one of every cell, then the next
    of_results = processes.agreement(cells, clone.results)
    assert set(of_results["backend"]) == available
    (provenance,) = clone.results.glob("*/*.provenance")
    assert json.loads(provenance.read_text())["state"]["cores"] >= 1


def test_on_real_results_the_query_finds_what_compare_finds(clone, said):
    cells = clone.home / "cells"
    clone.run("jitcost.cli", "results", "--format", "parquet", "-o", str(cells))
    measured = results.select(results.read(clone.root / ".asv" / "results"))
    # Processes are tested, which no query can: it goes by asv's interval of samples.
    unknown = measured.with_columns(processes=pl.lit(None, pl.Int64))
    compared = by_key(compare.ask(unknown).objects())
    assert compared.keys() == by_key(compare.ask(measured).objects()).keys()
    with database(cells) as connection:
        found = by_key(rows_of(connection, QUERY))
    assert len(found) >= 3  # elementwise at one size, on numpy and what else there is
    assert found == {key: pytest.approx(numbers) for key, numbers in compared.items()}


def test_a_site_of_kept_results_has_the_report(clone, said):
    clone.run("jitcost.cli", "site", "--results", ".asv/results", "-o", "public")
    public = clone.root / "public"
    asvs = (public / "history.html").read_text()
    assert '<a href="jitcost.html">jitcost report</a>' in asvs
    assert "Planner" in (public / "jitcost.html").read_text()
    assert "elementwise: time per call" in (public / "workload-elementwise.html").read_text()
    first = (public / "index.html").read_text()
    assert '<a href="workload-elementwise.html">elementwise</a>' in first
    assert "<dt>Measured</dt>" in first  # when, as the processes told


def test_the_summands_differ_by_less_than_the_article_says(clone, available):
    cells = clone.cells("elementwise.Agreement.track_summand_difference")
    assert cells["value"].drop_nulls().max() < 2e-15


def test_the_terminal_shows_both_tables_and_what_is_unavailable(said, available):
    assert "elementwise: time per call, and its ratio to numpy's" in said
    assert "t = k (c0 + c1 n)" not in said  # one size was measured
    assert "results are within their tolerance" in said
    for package in ("jax", "numba", "numpy"):
        assert f"{package} {PINNED[package]}" in said
    assert "http.server --bind 127.0.0.1 --directory .asv/html" in said
    for name in set(backends.names()) - available:
        assert f"unavailable {name}: " in said


def test_the_site_lists_the_benchmarks_and_loads_nothing_from_a_network(clone, said):
    html = clone.root / ".asv" / "html"
    index = json.loads((html / "index.json").read_text())
    graphs = {path.stem for path in html.glob("graphs/**/*.json")}
    for benchmark in ("elementwise.SteadyState.time_call", "elementwise.FirstCall.time_first_call"):
        assert index["benchmarks"][benchmark]["params"][0] == list(map(repr, elementwise.SIZES))
        assert benchmark in graphs
    assert not re.search(
        r'(?:src|rel="stylesheet" href)="https?:', (html / "history.html").read_text()
    )


def test_a_rerun_leaves_no_old_cells_beside_new_ones(clone, said):
    git(clone.root, "checkout", "--quiet", "--detach")  # and on a detached head
    selection = ("elementwise", "--n", "100", "--backend", "python")
    clone.run("jitcost.cli", "bench", *selection)
    cells = clone.cells("elementwise.SteadyState.time_call")
    measured = cells.filter(cells["state"] == "value")
    assert measured.select("n", "backend").rows() == [(100, "python")]
    (aside,) = (clone.root / ".asv" / "replaced").glob("*/*.json")
    old = json.loads(aside.read_text())["results"]["elementwise.SteadyState.time_call"]
    assert sum(isinstance(value, float) and value > 0 for value in old[0]) >= 5


def test_an_interrupt_keeps_the_steps_that_had_finished(clone, said):
    selection = ("recursion", "--n", "100", "--backend", "python")
    with subprocess.Popen(**clone.command("jitcost.cli", "bench", *selection)) as process:
        for line in process.stdout:
            if line.startswith("2/2 recursion.SteadyState"):
                process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "jitcost: interrupted; what had finished is kept"
    assert "Traceback" not in errors
    assert not clone.processes()  # a benchmark left behind would disturb the next measurement
    assert clone.cells("recursion.FirstCall.time_first_call")["value"].drop_nulls().len() == 1
    assert clone.cells("recursion.SteadyState.time_call").is_empty()
    assert not clone.cells("elementwise.SteadyState.time_call").is_empty()
    clone.run("jitcost.cli", "bench", *selection)
    assert clone.cells("recursion.SteadyState.time_call")["value"].drop_nulls().len() == 1


def test_what_is_measured_is_the_commit_whatever_the_working_tree_holds(clone, said):
    module = clone.root / "benchmarks" / "recursion.py"
    right = module.read_text()
    module.write_text(f"{right}\nSteadyState.params = [[32, 64], ['python']]\n")
    selection = ("recursion", "--n", "32", "--backend", "python")
    try:
        clone.run("jitcost.cli", "bench", *selection, "--ignore-changes")
    finally:
        module.write_text(right)
    cells = clone.cells("recursion.SteadyState.time_call")
    assert set(cells["n"]) == set(recursion.SIZES)
    measured = cells.filter(cells["state"] == "value")
    assert measured.select("n", "backend").rows() == [(32, "python")]


def test_a_wrong_kernel_fails_by_name_and_gets_no_time(clone, said):
    path = clone.root / "backends" / "python.py"
    right = path.read_text()
    wrong = right.replace("math.tanh(0.9 * x)", "math.tanh(0.8 * x)")
    assert wrong != right
    path.write_text(wrong)
    clone.commit("another constant")
    selection = ("bench", "recursion", "--n", "100", "--backend", "python", "--backend", "numpy")
    done = subprocess.run(**clone.command("jitcost.cli", *selection))
    path.write_text(right)
    clone.commit("the right one again")
    assert done.returncode == 1
    assert "failed in recursion.SteadyState" in done.stdout
    assert "WrongKernel: recursion at n = 100: the kernel is wrong by" in done.stdout
    cells = clone.cells("recursion.SteadyState.time_call")
    wrong_commit = cells.filter(cells["commit"] == git(clone.root, "rev-parse", "HEAD~1"))
    states = dict(wrong_commit.filter(wrong_commit["n"] == 100).select("backend", "state").rows())
    assert states["python"] == "failed"
    assert states["numpy"] == "value"


PROBE = """
from jitcost.backends import workloads
from . import _suite

class Probe(_suite.Suite):
    workload = "recursion"
    params = [[1, 10, 1000], _suite.BACKENDS]
    version = "1"
    timeout = 60

    def track_size(self, n, backend):
        return workloads.get(self.workload).inputs(n)[0].size
"""


def test_two_commits_whose_specs_differ_keep_every_value_at_its_true_size(clone, said):
    (clone.root / "benchmarks" / "probe.py").write_text(PROBE)
    clone.commit("probe")
    specs = clone.root / "backends" / "workloads" / "recursions.py"
    text = specs.read_text()
    changed = text.replace(
        '"jax_eager": Limit(1_000, ', '"python": Limit(10, "x"), "numpy": Limit(1, '
    )
    assert changed != text
    specs.write_text(changed)
    names = clone.root / "backends" / "__init__.py"
    in_order = names.read_text()
    reversed_names = in_order.replace(" in BUILT_IN:", " in BUILT_IN[::-1]:")
    assert reversed_names != in_order
    names.write_text(reversed_names)
    clone.commit("other limits, another order of the backends")
    clone.run("asv", "run", "--bench", r"Probe.*'(python|numpy)'", "HEAD~2..HEAD")
    newest, older = (git(clone.root, "rev-parse", f"HEAD{tilde}") for tilde in ("", "~1"))
    cells = clone.cells("probe.Probe.track_size")
    measured = cells.filter(cells["state"] == "value")
    assert (measured["value"] == measured["n"]).all()
    by_commit = {
        commit: measured.filter(measured["commit"] == commit).select("n", "backend").rows()
        for commit in (older, newest)
    }
    sizes = (1, 10, 1000)
    assert by_commit[older] == [(n, name) for n in sizes for name in ("python", "numpy")]
    assert by_commit[newest] == [(1, "python"), (1, "numpy"), (10, "python")]
    assert cells["environment"].n_unique() == 1  # a plain `asv run` measures the default one
    shown = clone.run("asv", "show", newest)
    assert "probe.Probe.track_size" in shown
    compared = clone.run("asv", "compare", older, newest)
    assert re.search(r"\| 1 +\| 1 +\| 1.00 +\| probe.Probe.track_size\(1, 'numpy'\)", compared)
