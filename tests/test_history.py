"""The history: its environments, what is missing, what has changed, and what is kept."""

import datetime
import io
import json
import math
import re
import statistics
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from benchmarks import _environment, elementwise, kalman, recursion
from conftest import ROOT, git
from jitcost import backends, cli
from jitcost.commands import backfill
from jitcost.errors import AsvError
from jitcost.measuring import backfilling, missing, pip
from jitcost.measuring.configuration import settings_of
from jitcost.measuring.selection import Selection, chosen, pattern
from jitcost.measuring.targets import Target, targets_of_rows
from jitcost.questions.answers import Answer
from jitcost.questions.history import over_commits, over_releases, without_releases
from jitcost.show.answers import history
from jitcost.show.report import page
from jitcost.show.report.past import Past
from jitcost.store import releases, results
from jitcost.store.merging import merge_results
from jitcost.store.slimming import slim
from making_cells import cells, steady
from making_checkouts import make_checkout

NO_INDEX = r"pip finds no release of {} at all for Python 3\.\d+: can it reach an index\?"
DEFAULT = {"jax": "0.10.2", "numba": "0.68.1", "juliacall": "0.9.37", "numpy": "2.4.6"}


# the table


def test_each_row_varies_one_library_of_the_default_environment_and_says_what_that_forces():
    matrix = settings_of(ROOT / "asv.conf.json")["matrix"]["req"]
    assert matrix == {name: [version] for name, version in DEFAULT.items()}
    table = releases.load()
    assert {row.library for row in table.rows} == {"jax", "numpy", "numba"} == set(table.backends)
    for row in table.rows:
        assert row.versions.keys() <= DEFAULT.keys()  # jaxlib has no key of its own
        assert next(iter(row.versions)) == row.library
        pinned = [v for v in row.versions.values() if v != releases.LATEST]
        assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in pinned)
    assert len({str(row) for row in table.rows}) == len(table.rows)
    said = [str(row) for row in table.rows]
    for release in ("0.4.38", "0.5.3", "0.6.2", "0.7.2", "0.8.3", "0.9.2", "0.10.2", "0.11.2"):
        assert f"jax {release}" in said
    assert "jax 0.12.0.1" in said
    assert "jax latest" in said
    assert "numba 0.61.2 (numpy 2.2.6)" in said


def test_the_sizes_of_the_history_are_on_the_ladders():
    table = releases.load()
    modules = {"elementwise": elementwise, "recursion": recursion, "kalman": kalman}
    for sizes in (table.sizes, table.commit_sizes):
        for workload, by_class in sizes.items():
            for kind, ladder in by_class.items():
                assert set(ladder) <= set(getattr(modules[workload], kind).params[0])
            # asv's overview averages over a benchmark's cells
            assert by_class == table.sizes[workload]
            # a line and its error need three sizes; a break-even number both times at one size
            assert len(by_class["SteadyState"]) >= 3
            assert set(by_class.get("FirstCall", ())) <= set(by_class["SteadyState"])


def test_rows_that_come_to_one_environment_are_measured_once():
    rows = [
        releases.Row("jax", {"jax": "0.4.38"}),
        releases.Row("jax", {"jax": "0.10.2"}),  # the default environment
        releases.Row("jax", {"jax": "latest"}),
        releases.Row("jax", {"jax": "0.12.0.1"}),
        releases.Row("numba", {"numba": "0.61.2", "numpy": "2.2.6"}),
    ]
    versions = ["0.4.38", "0.10.2", "0.12.0.1", "0.12.0.1"]
    found = [
        (row, {**DEFAULT, "jax": version}) for row, version in zip(rows[:4], versions, strict=True)
    ]
    found.append((rows[4], {**DEFAULT, "numba": "0.61.2", "numpy": "2.2.6"}))
    backends = {"jax": ["jax_eager", "jax_jit"], "numba": ["numba"]}
    targets = targets_of_rows(found, backends, DEFAULT, "c" * 40)
    assert [(one.name, one.backends) for one in targets] == [
        ("default", ["jax_eager", "jax_jit", "numba"]),
        ("jax 0.4.38", ["jax_eager", "jax_jit"]),
        ("jax 0.12.0.1", ["jax_eager", "jax_jit"]),
        ("numba 0.61.2 (numpy 2.2.6)", ["numba"]),
    ]
    # asv installs in this order, and numpy has to come last
    assert all(list(one.requirements) == list(DEFAULT) for one in targets)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "ERROR: Ignored the following versions that require a different python version: "
            "0.11.0 Requires-Python >=3.12; 0.11.2 Requires-Python >=3.12\n"
            "ERROR: Could not find a version that satisfies the requirement jax==0.11.2 (from "
            "versions: 0.4.38)\nERROR: No matching distribution found for jax==0.11.2\n",
            r"jax 0\.11\.2 needs Python >=3\.12, and this is 3\.\d+",
        ),
        (
            "ERROR: Ignored the following versions that require a different python version: "
            "10.59.0 Requires-Python >=3.99\n"  # another version that ends in the same way
            "ERROR: Could not find a version that satisfies the requirement numba==0.59.0 (from "
            "versions: none)\nERROR: No matching distribution found for numba==0.59.0\n",
            r"pip finds no wheel of numba 0\.59\.0 for Python 3\.\d+",
        ),
        (
            "ERROR: Cannot install jax==0.10.2 and numpy==1.26.4 because these package versions "
            "have conflicting dependencies.\nERROR: ResolutionImpossible: for help visit\n",
            r"jax 0\.10\.2 and numpy 1\.26\.4 do not go together",
        ),
        (
            "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by "
            "'NewConnectionError': /simple/jax/\n"
            "ERROR: Could not find a version that satisfies the requirement jax==0.9.2 (from "
            "versions: none)\nERROR: No matching distribution found for jax==0.9.2\n",
            NO_INDEX.format("jax"),
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement jax (from versions: "
            "none)\nERROR: No matching distribution found for jax\n",
            NO_INDEX.format("jax"),
        ),
        ("/usr/bin/python3: No module named pip\n", "/usr/bin/python3: No module named pip"),
    ],
)
def test_a_row_that_cannot_be_installed_is_left_out_with_the_reason(said, reason):
    error = pip.why_impossible(said)
    assert re.fullmatch(reason, str(error))
    assert isinstance(error, pip.NoIndexError) is ("an index" in reason)


def without_an_index(monkeypatch, folder):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # nothing is looked up in a network
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


def test_pip_itself_refuses_what_does_not_exist(monkeypatch, tmp_path):
    without_an_index(monkeypatch, tmp_path)
    for name in DEFAULT:
        (tmp_path / f"{name}-0.0.2-py3-none-any.whl").write_text("")
    row = releases.Row("jax", {"jax": "0.0.1"})
    with pytest.raises(pip.ImpossibleError, match=r"pip finds no wheel of \w+ [\d.]+ for Pyth"):
        pip.installable(row, DEFAULT)


def test_without_an_index_the_default_environment_is_not_measured_alone(
    repository, monkeypatch, capsys
):
    without_an_index(monkeypatch, repository)
    assert cli.main(["backfill", "--library", "numpy", "--machine", "vm"]) == 2
    said = capsys.readouterr()
    assert re.fullmatch(f"jitcost: {NO_INDEX.format('.+')}\n", said.err)
    assert "left out" not in said.out
    assert not (repository / ".asv").exists()


# the guard


@pytest.mark.parametrize("row", releases.load().rows, ids=str)
def test_an_environment_of_the_history_that_imports_another_version_is_refused(
    row, monkeypatch, tmp_path
):
    """Of whichever library the row varies: `module` stands for what it imports."""
    module = type("module", (), {"__version__": "0.0.7"})
    monkeypatch.setitem(sys.modules, row.library, module)
    monkeypatch.setenv("ASV_ENV_DIR", str(tmp_path))
    info = {"tool_name": "virtualenv", "python": "3.12", "requirements": row.versions}
    (tmp_path / "asv-env-info.json").write_text(json.dumps(info))
    with pytest.raises(_environment.OtherVersionError, match=rf"{row.library} 0\.0\.7 is imported"):
        _environment.refuse_other_versions()


def test_an_environment_that_holds_another_version_is_refused_before_it_is_measured():
    described = {"distributions": {**DEFAULT, "jaxlib": "0.10.2"}}
    backfilling.holds_what_it_promises(described, DEFAULT)
    described["distributions"]["jax"] = "0.12.0.1"
    with pytest.raises(AsvError, match=r"holds jax 0\.12\.0\.1 where 0\.10\.2 is promised"):
        backfilling.holds_what_it_promises(described, DEFAULT)


# what is missing

DISCOVERED = {
    "version": 2,
    "recursion.SteadyState.time_call": {
        "param_names": ["n", "backend"],
        "params": [["10", "100", "1000", "10000"], ["'numpy'", "'jax_eager'", "'jax_jit'"]],
        "rounds": 2,
        "version": "1",
    },
    "recursion.FirstCall.time_first_call": {
        "param_names": ["n", "backend"],
        "params": [["10", "100", "1000", "10000"], ["'numpy'", "'jax_eager'", "'jax_jit'"]],
        "rounds": 2,
        "version": "1",
    },
    "recursion.Agreement.track_max_relative_error": {
        "param_names": ["n", "backend"],
        "params": [["10", "100"], ["'numpy'", "'jax_eager'", "'jax_jit'"]],
        "version": "1",
    },
}
LADDERS = {"recursion": {"SteadyState": [10, 1000, 10_000], "FirstCall": [1000]}}
COMMIT = "c" * 40
STEADY, FIRST = "recursion.SteadyState.time_call", "recursion.FirstCall.time_first_call"
COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a"]
COLUMNS += ["stats_ci_99_b", "samples"]


def result_file(by_cell, *, name=STEADY, version="1", machine="vm", requirements=DEFAULT, **other):
    """Return a result file's content with the times by cell; all other cells are not measured."""
    params = DISCOVERED[name]["params"]
    grid = [(n, backend) for n in params[0] for backend in params[1]]
    times = [by_cell.get((n, backend.strip("'")), math.nan) for n, backend in grid]
    known = [None if t is None or math.isnan(t) else t for t in times]
    samples = [None if t is None else [t, t] for t in known]
    row = [times, params, version, 1, 2.0, known, known, samples]
    return {
        "commit_hash": COMMIT,
        "env_name": "an environment",
        "date": 1_795_992_797_000,
        "params": {"machine": machine},
        "python": "3.12",
        "requirements": requirements,
        "env_vars": {},
        "result_columns": COLUMNS,
        "results": {name: row},
        "durations": {},
        "version": 2,
        **other,
    }


def lacking(folder, machine="vm", requirements=DEFAULT, backends=("numpy", "jax_eager", "jax_jit")):
    have = missing.measured(folder, machine)
    origin = missing.origin_of("3.12", requirements, COMMIT)
    selection = Selection(["recursion"], list(backends), ladders=LADDERS)
    return missing.missing(chosen(DISCOVERED, selection), have.get(origin, {}))


def write(folder, content, name="vm/cccccccc-an environment.json"):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(content) if isinstance(content, dict) else content)


ALL = {
    STEADY: [
        *(("10", f"'{name}'") for name in ("numpy", "jax_eager", "jax_jit")),
        *(("1000", f"'{name}'") for name in ("numpy", "jax_eager", "jax_jit")),
        # not jax_eager at n = 10000: the spec says why not
        *(("10000", f"'{name}'") for name in ("numpy", "jax_jit")),
    ],
    FIRST: [("1000", f"'{name}'") for name in ("numpy", "jax_eager", "jax_jit")],
}


def test_without_results_all_that_the_history_selects_is_missing(tmp_path):
    assert lacking(tmp_path / "nothing there") == ALL


def test_what_is_missing_is_told_cell_by_cell(tmp_path):
    # 100 is not asked for; what has failed (None) is tried again
    write(
        tmp_path, result_file({("10", "numpy"): 1e-6, ("10", "jax_jit"): None, ("100", "numpy"): 1})
    )
    expected = [cell for cell in ALL[STEADY] if cell != ("10", "'numpy'")]
    assert lacking(tmp_path) == {STEADY: expected, FIRST: ALL[FIRST]}
    assert lacking(tmp_path, backends=["jax_eager"]) == {
        STEADY: [("10", "'jax_eager'"), ("1000", "'jax_eager'")],
        FIRST: [("1000", "'jax_eager'")],
    }


def test_nothing_is_missing_where_all_is_there(tmp_path):
    write(tmp_path, result_file({(n, b.strip("'")): 1e-6 for n, b in ALL[STEADY]}), "a.json")
    firsts = {(n, b.strip("'")): 1e-1 for n, b in ALL[FIRST]}
    write(tmp_path, result_file(firsts, name=FIRST), "elsewhere/b.json")
    assert lacking(tmp_path) == {}


@pytest.mark.parametrize(
    "differing",
    [
        {"commit_hash": "d" * 40},
        {"requirements": {**DEFAULT, "jax": "0.4.38"}},
        {"python": "3.13"},
        {"env_vars": {"XLA_FLAGS": "-x"}},
        {"machine": "another"},
        {"version": "2"},
    ],
)
def test_results_of_something_else_do_not_count(tmp_path, differing):
    content = result_file({("10", "numpy"): 1e-6}, **differing)
    if "version" in differing:  # the benchmark's, not the file format's
        content |= {"version": 2}
        content["results"][STEADY][2] = "2"
    write(tmp_path, content)
    assert lacking(tmp_path) == ALL


def test_a_file_that_was_cut_short_is_named_and_its_cells_are_missing(tmp_path, capsys):
    text = json.dumps(result_file({("10", "numpy"): 1e-6}))
    write(tmp_path, text[: len(text) // 2])
    write(tmp_path, result_file({("10", "jax_jit"): 1e-6}), "vm/whole.json")
    expected = [cell for cell in ALL[STEADY] if cell != ("10", "'jax_jit'")]
    assert lacking(tmp_path) == {STEADY: expected, FIRST: ALL[FIRST]}
    assert "cccccccc-an environment.json is left out" in capsys.readouterr().err


def test_a_renamed_machine_goes_on_under_its_old_name(tmp_path):
    """What counts is the name inside: a folder is renamed easily."""
    write(tmp_path, result_file({("10", "numpy"): 1e-6}), "renamed/file.json")
    assert ("10", "'numpy'") not in lacking(tmp_path)[STEADY]
    assert lacking(tmp_path, machine="renamed") == ALL


def test_the_pattern_of_missing_cells_matches_them_and_no_others():
    cells_of = [("10", "'numpy'"), ("100", "'jax_jit'")]
    said = pattern(STEADY, cells_of)
    for n in ("1", "10", "100", "1000"):
        for backend in ("'numpy'", "'jax_jit'", "'jax_jit_sync'"):
            found = re.search(said, f"{STEADY}({n}, {backend})") is not None
            assert found == ((n, backend) in cells_of)
    assert not re.search(said, f"{FIRST}(10, 'numpy')")


def test_filling_keeps_the_cells_that_are_there_and_adds_the_others(tmp_path):
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    write(kept, result_file({("10", "numpy"): 1e-6, ("10", "jax_jit"): None}))
    write(fresh, result_file({("10", "jax_jit"): 2e-6, ("100", "numpy"): None}))
    assert merge_results(fresh, kept, tmp_path / "replaced", fill="fresh") == []
    write(fresh, result_file({("1000", "numpy"): 3e-6}, name=FIRST))
    assert merge_results(fresh, kept, tmp_path / "replaced", fill="fresh") == []
    found = results.read(kept)
    measured = found.filter(state="value").select("kind", "n", "backend", "value", "ci_low")
    assert sorted(measured.rows()) == [
        ("FirstCall", 1000, "numpy", 3e-6, 3e-6),
        ("SteadyState", 10, "jax_jit", 2e-6, 2e-6),
        ("SteadyState", 10, "numpy", 1e-6, 1e-6),
    ]
    assert found.filter(state="failed").select("n", "backend").rows() == [(100, "numpy")]
    assert found.filter(state="value")["samples"].list.len().to_list() == [2, 2, 2]


def test_the_kept_cells_can_fill_the_gaps_of_the_fresh_ones_instead(tmp_path):
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    write(kept, result_file({("10", "numpy"): 1e-6, ("10", "jax_jit"): 2e-6}))
    write(fresh, result_file({("10", "numpy"): 3e-6, ("100", "numpy"): None}))
    assert merge_results(fresh, kept, tmp_path / "replaced", fill="kept") == []
    measured = results.read(kept).filter(state="value").select("n", "backend", "value")
    assert sorted(measured.rows()) == [(10, "jax_jit", 2e-6), (10, "numpy", 3e-6)]


def test_filling_sets_aside_what_is_of_another_version(tmp_path):
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    write(kept, result_file({("10", "numpy"): 1e-6}))
    other = result_file({("10", "jax_jit"): 2e-6})
    other["results"][STEADY][2] = "2"
    write(fresh, other)
    (aside,) = merge_results(fresh, kept, tmp_path / "replaced", fill="fresh")
    assert json.loads(aside.read_text())["results"][STEADY][2] == "1"
    assert results.read(kept).filter(state="value")["backend"].to_list() == ["jax_jit"]


# the measurement


class FakeAsv:
    """Measures by writing result files: asv itself is called in test_real_run.py."""

    calls: list = []  # noqa: RUF012
    broken = full = gives_up = interrupt_at = None

    def __init__(self, conf_file, log):
        self.conf_file = conf_file
        self.processes = log.with_name("processes.jsonl")

    def errors(self):
        return ["WrongKernel: recursion is wrong"]

    def publish(self, console):
        pass

    def run(self, action, *args, on_line=len):
        assert action == "run"
        conf = json.loads(self.conf_file.read_text())
        requirements = {name: v for name, (v,) in conf["matrix"]["req"].items()}
        assert args[:3] == (f"{COMMIT}^!", "--machine", "vm")
        fresh, release = Path(conf["results_dir"]), requirements["jax"]
        if release == self.broken:
            raise AsvError("asv run ended with: pip has failed")
        write(fresh, DISCOVERED, "benchmarks.json")
        patterns = [arg.removeprefix("--bench=") for arg in args if arg.startswith("--bench=")]
        if not patterns:
            assert args[-1] == "just-discover"
            return 0
        if len(self.calls) == self.interrupt_at:
            raise KeyboardInterrupt
        if release == self.full:
            raise OSError(28, "No space left on device")
        measured = {}
        for name in (STEADY, FIRST):
            sizes, backends = DISCOVERED[name]["params"]
            measured[name] = [
                (n, backend)
                for n in sizes
                for backend in backends
                if any(re.search(said, f"{name}({n}, {backend})") for said in patterns)
            ]
        self.calls.append((release, measured))
        ((name, found),) = ((name, found) for name, found in measured.items() if found)
        assert args[3:8] == ("-v", "--show-stderr", "-a", "rounds=1", "--append-samples")
        times = {(n, backend.strip("'")): 1e-6 * int(n) for n, backend in found}
        lines = [json.dumps({"benchmark": name, "params": cell, "m": 1}) for cell in found]
        self.processes.write_text("".join(f"{line}\n" for line in lines))
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        content = result_file(
            times, name=name, requirements=requirements, python=python, env_name=release
        )
        path = fresh / "vm" / f"cccccccc-{release}.json"
        old = json.loads(path.read_text()) if path.exists() else content
        write(fresh, appended(old, content, name), f"vm/cccccccc-{release}.json")
        if release == self.gives_up:
            raise AsvError("asv run ended with: no summary")
        return 0


def appended(old, new, name):
    """Return the results with the samples of both, as asv appends them."""
    if name in old["results"] and old is not new:
        times, samples = new["results"][name][0], new["results"][name][-1]
        for i, (time, before) in enumerate(
            zip(old["results"][name][0], old["results"][name][-1], strict=True)
        ):
            if samples[i] is None:
                times[i], samples[i] = time, before
            elif before is not None:
                samples[i] = before + samples[i]
    return {**new, "results": {**old["results"], **new["results"]}}


@pytest.fixture
def backfilled(tmp_path, monkeypatch):
    """Return a function that measures JAX 0.4.38 and 0.10.2, and returns its status and output."""
    (tmp_path / "asv.conf.json").write_text((ROOT / "asv.conf.json").read_text())
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").write_text("")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "first")
    monkeypatch.setattr(backfilling, "Asv", FakeAsv)
    monkeypatch.setattr(backfilling, "introduce", lambda machine: None)
    described = {"backends": {name: {"available": True} for name in backends.names()}}
    described["backends"]["jax_eager"] = {"available": False, "reason": "jax_eager: no"}

    def describe(asv, sources):
        requirements = json.loads(asv.conf_file.read_text())["matrix"]["req"]
        return described | {"distributions": {name: v for name, (v,) in requirements.items()}}

    monkeypatch.setattr(backfilling, "describe", describe)

    def measure(**settings):
        troubles = ("broken", "full", "gives_up", "interrupt_at")
        fake = {"calls": [], **dict.fromkeys(troubles)} | settings
        for name, value in fake.items():
            monkeypatch.setattr(FakeAsv, name, value)
        console = Console(file=io.StringIO(), width=200)
        selection = Selection(["recursion"], ladders=LADDERS)
        targets = [
            Target(f"jax {v}", {**DEFAULT, "jax": v}, COMMIT, ["numpy", "jax_jit"])
            for v in ("0.4.38", "0.10.2")
        ]
        try:
            run = backfilling.Backfill(console, tmp_path, "HEAD", "vm", selection)
            status = 0 if run.run(targets, build_only=False) else 1
        except KeyboardInterrupt:
            status = 130
        return status, console.file.getvalue(), fake["calls"]

    return measure


# at n = 10, 1000 and 10000 on two backends, and the first call of the one that compiles
STEADY_CELLS = [(n, f"'{name}'") for n in ("10", "1000", "10000") for name in ("numpy", "jax_jit")]
EVERYTHING = [
    (release, {STEADY: STEADY_CELLS if name == STEADY else [], FIRST: first_calls})
    for name, first_calls in ((FIRST, [("1000", "'jax_jit'")]), (STEADY, []))
    for releases in (("0.4.38", "0.10.2"), ("0.10.2", "0.4.38"), ("0.4.38", "0.10.2"))
    for release in releases
]
OF_OLD, OF_NEW = (
    [call for call in EVERYTHING if call[0] == release] for release in ("0.4.38", "0.10.2")
)


def test_cells_are_measured_class_by_class_and_round_by_round(backfilled, tmp_path):
    status, said, calls = backfilled()
    assert (status, calls) == (0, EVERYTHING)
    found = results.read(tmp_path / ".asv" / "results").filter(state="value")
    assert found["samples"].list.len().unique().to_list() == [6]  # two of each process
    assert found["processes"].unique().to_list() == [3]
    # seven cells of three rounds each, twice
    assert "2 environments to make; 42 processes for what is missing in 2 of them" in said
    status, said, calls = backfilled()
    assert (status, calls) == (0, [])
    assert "0 processes for what is missing in 0 of them" in said


def test_the_history_is_shown_when_a_backfill_has_ended(backfilled, tmp_path):
    backfilled()
    console = Console(file=io.StringIO(), width=200)
    backfill._show_history(console, tmp_path / ".asv" / "results", "vm")
    said = console.file.getvalue()
    assert "recursion on jax_jit, over releases of jax" in said
    assert said.endswith("jitcost keep puts the results into analysis/history\n")


def test_an_interrupt_keeps_what_was_measured_and_the_next_call_goes_on(backfilled):
    status, said, calls = backfilled(interrupt_at=8)
    assert (status, calls) == (130, EVERYTHING[:8])  # two of six rounds of the steady state
    for release in ("0.4.38", "0.10.2"):  # of fewer processes than asked for
        assert f"missing jax {release}: 6 cells of recursion.SteadyState" in said
    status, _, calls = backfilled()
    assert (status, calls) == (0, EVERYTHING[8:])


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        ({"broken": "0.4.38"}, "asv run ended with: pip has failed"),
        ({"full": "0.4.38"}, "[Errno 28] No space left on device"),
    ],
)
def test_an_environment_in_trouble_is_named_and_the_others_go_on(backfilled, trouble, reason):
    status, said, calls = backfilled(**trouble)
    assert (status, calls) == (1, OF_NEW)
    lacking = "1 cells of recursion.FirstCall, 6 cells of recursion.SteadyState"
    assert f"missing jax 0.4.38: {lacking}\n  {reason}\n" in said
    assert "missing jax 0.10.2" not in said
    status, _, calls = backfilled()
    assert (status, calls) == (0, OF_OLD)


def test_what_asv_has_saved_before_it_gave_up_is_filed_with_its_own_environment(
    backfilled, tmp_path
):
    status, said, calls = backfilled(gives_up="0.4.38")
    assert (status, calls) == (0, EVERYTHING)
    assert "asv run ended with: no summary" in said
    for release in ("0.4.38", "0.10.2"):
        beside = tmp_path / ".asv" / "results" / "vm" / f"cccccccc-{release}.provenance"
        assert json.loads(beside.read_text())["distributions"]["jax"] == release


# what has changed

SIZES = (10, 100, 1000)


def environment(**changed):
    versions = DEFAULT | changed
    text = "-".join(f"{name}{version}" for name, version in sorted(versions.items()))
    return {"environment": f"virtualenv-py3.12-{text}", "versions": json.dumps(versions)}


def line(backend, call, element, **place):
    """Return times that lie on a line; elementwise has k = 10, which costs k c0 leave out again."""
    return steady(backend, {n: call + element * n for n in SIZES}, python="3.12", **place)


def first(backend, value, half, **place):
    bounds = {"ci_low": value - half, "ci_high": value + half}
    return {"kind": "FirstCall", "backend": backend, "n": 100.0, "value": value, **bounds, **place}


def of_rows():
    """Return cells of JAX 0.4.38, 0.9.2 and 0.10.2, and of a Numba that forces a NumPy."""
    old, middle, base = (environment(jax=v) for v in ("0.4.38", "0.9.2", "0.10.2"))
    numba = environment(numba="0.61.2", numpy="2.2.6")
    return cells(
        *line("jax_jit", 4e-6, 10e-9, **old),
        *line("jax_jit", 4e-6, 10e-9, **middle),
        *line("jax_jit", 6e-6, 5e-9, **base),
        *line("numpy", 4e-6, 100e-9, **old),
        *line("numpy", 4e-6, 100e-9, **middle),
        *line("numpy", 4e-6, 100e-9, **base),
        first("jax_jit", 50e-3, 5e-3, python="3.12", **old),
        first("jax_jit", 58e-3, 5e-3, python="3.12", **middle),
        first("jax_jit", 90e-3, 5e-3, python="3.12", **base),
        *line("numba", 1e-6, 20e-9, **base),
        *line("numba", 2e-6, 20e-9, **numba),
        *line("numpy", 5e-6, 100e-9, **numba),
        date=datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    )


def by_quantity(rows, **wanted):
    """Return the series by quantity, times by quantity and size."""
    return {
        f"time {row.n:g}" if row.quantity == "time" else row.quantity: row
        for row in rows
        if all(getattr(row, name) == value for name, value in wanted.items())
    }


def test_the_numbers_over_the_releases_of_a_library():
    rows = over_releases(of_rows())
    assert {row.over for row in rows} == {"jax", "numba"}
    jit = by_quantity(rows, over="jax", backend="jax_jit")
    assert list(jit) == ["time 10", "time 100", "time 1000", "call cost", "element cost", "C", "m*"]
    for row in jit.values():
        # 0.10.2 after 0.9.2: by the parts of the version, not by its letters
        assert [point.release for point in row.points] == ["0.4.38", "0.9.2", "0.10.2"]
    call, element = (
        [point.value for point in jit[name].points] for name in ("call cost", "element cost")
    )
    assert call == pytest.approx([4e-6, 4e-6, 6e-6])
    assert element == pytest.approx([10e-9, 10e-9, 5e-9])
    changes = [point.change for point in jit["call cost"].points]
    assert changes[0] is None
    assert changes[1:] == pytest.approx([0, 0.5], abs=1e-6)
    # What is made of several times is not judged: the times are.
    for name in ("call cost", "element cost", "m*"):
        for point in jit[name].points:
            assert (point.changed, point.verdict, point.ratio) == (None, None, None)
    # 4.1 to 6.05 us, 5 to 6.5, and 14 to 11
    last = [jit[f"time {n}"].points[-1] for n in SIZES]
    assert [point.ratio for point in last] == pytest.approx([6.05 / 4.1, 1.3, 11 / 14])
    assert [point.verdict for point in last] == ["slower", "slower", "faster"]
    assert [point.change for point in last] == pytest.approx([6.05 / 4.1 - 1, 0.3, 11 / 14 - 1])
    assert [point.changed for point in jit["time 10"].points] == [None, False, True]
    assert {point.interval for point in last} == {"of samples"}


def test_lines_are_compared_that_go_through_the_same_sizes():
    """A run of all sizes beside the history's: above the bend an element costs five times as much."""
    everything = of_rows()
    further = cells(
        *steady("jax_jit", {1e5: 6e-3, 1e6: 60e-3}, python="3.12", **environment()),
        *steady("jax_jit", {1e5: 6e-3}, python="3.12", **environment(jax="0.8.3")),  # no line yet
    )
    before = by_quantity(over_releases(everything), over="jax", backend="jax_jit")
    jit = by_quantity(over_releases(everything.vstack(further)), over="jax", backend="jax_jit")
    for name in ("call cost", "element cost"):
        assert jit[name] == before[name]
    element = [point.value for point in jit["element cost"].points]
    assert element == pytest.approx([10e-9, 10e-9, 5e-9])


def test_c_is_judged_and_m_is_made_of_it():
    jit = by_quantity(over_releases(of_rows()), over="jax", backend="jax_jit")
    # at n = 100 a call takes 5, 5 and 6.5 us: C is 5 us less than the first call
    old, middle, new = jit["C"].points
    assert old.value == pytest.approx(50e-3 - 5e-6)
    assert (old.low, old.high) == (pytest.approx(45e-3 - 5e-6), pytest.approx(55e-3 - 5e-6))
    # 58 / 50 may be anything from 53 / 55 to 63 / 45; 90 / 58 is not less than 85 / 63
    assert [point.changed for point in (old, middle, new)] == [None, False, True]
    assert new.change == pytest.approx(90 / 58 - 1, rel=1e-3)
    # upwards to 95 / 53 = 1.792, a factor of 1.155, and as far downwards
    assert [history.change_text(point) for point in (old, new)] == ["", "slower by 55 % [34, 79]"]
    # 63 / 45 is 1.4 = 1.16 x 1.207: the square of that, and the margin
    share = math.ceil(100 * (1.03 * (1.4 / 1.16) ** 2 - 1))
    assert (
        history.change_text(middle) == f"not significantly different ({share} % would have shown)"
    )
    # NumPy takes 14 us: 49.995 ms / 9 us, 57.995 ms / 9 us, 89.9935 ms / 7.5 us
    calls = [point.value for point in jit["m*"].points]
    assert calls == pytest.approx([5555, 6444, 12_000], abs=1)  # rounded up


def test_a_release_that_forces_another_library_is_labelled_so():
    rows = over_releases(of_rows())
    numba = by_quantity(rows, over="numba", backend="numba")["call cost"]
    assert [point.release for point in numba.points] == ["0.61.2 (numpy 2.2.6)", "0.68.1"]
    assert [point.value for point in numba.points] == pytest.approx([2e-6, 1e-6])
    assert numba.points[1].change == pytest.approx(-0.5)
    assert not by_quantity(rows, over="numpy")  # that environment is no release of NumPy


def test_compiling_that_never_pays_is_drawn_nowhere_and_said():
    old, new = environment(jax="0.9.2"), environment()
    made = cells(
        *line("numpy", 4e-6, 100e-9, **old),
        *line("jax_jit", 4e-5, 100e-9, **old),
        *line("numpy", 4e-6, 100e-9, **new),
        *line("jax_jit", 4e-6, 10e-9, **new),
        first("jax_jit", 50e-3, 5e-3, python="3.12", **old),
        first("jax_jit", 50e-3, 5e-3, python="3.12", **new),
    )
    calls = by_quantity(over_releases(made), backend="jax_jit")["m*"]
    never, paid = calls.points
    assert never.value == math.inf
    assert history.value_text(calls, never) == ("never", "[never, never]")
    assert (paid.changed, paid.change) == (None, None)
    assert history.change_text(paid) == ""


# what runs have in common


def processes_of(value, rng=None, sd=0.0, count=5):
    """Return a cell's value and samples: two of each process, of which the second is the slower."""
    scatter = [1.0] * count if rng is None else rng.normal(1, sd, count)
    samples = [value * own * twice for own in scatter for twice in (1.0, 1.1)]
    return {"value": statistics.median(samples), "samples": samples, "processes": count}


def two_runs(axis, times, changed=None):
    """Return the cells of two releases of JAX, or of two commits.

    `times` gives (backend, n, run) the keys of its cell.
    """
    places = {
        "jax": (environment(jax="0.9.2"), environment()),
        "numpy": (environment(numpy="2.2.6"), environment()),
        "commits": tuple(
            environment()
            | {"commit": name * 40, "date": datetime.datetime(2026, 1, day, tzinfo=datetime.UTC)}
            for day, name in ((1, "b"), (2, "a"))
        ),
    }[axis]
    return cells(
        *(
            {"backend": backend, "n": float(n), "python": "3.12", **places[run], **cell}
            for (backend, n, run), cell in times.items()
        )
    )


def last_points(rows, backend):
    return [row.points[-1] for row in rows if (row.quantity, row.backend) == ("time", backend)]


def runs_of(backends, factors):
    """Return cells that take 10 us n, in the second run times a backend's factor."""
    return {
        (backend, n, run): processes_of(1e-5 * n * (factors[backend] if run else 1))
        for backend in backends
        for n in SIZES
        for run in (0, 1)
    }


def test_what_all_cells_of_a_run_take_is_divided_by():
    """The second run is 8 % slower in everything, and jit takes 1.2 times as long besides."""
    factors = {"python": 1.08, "numpy": 1.08, "jax_jit": 1.08 * 1.2}
    rows = over_releases(two_runs("jax", runs_of(factors, factors)))
    for point in last_points(rows, "jax_jit"):
        assert point.common == pytest.approx(1.08)
        assert (point.ratio, point.verdict) == (pytest.approx(1.2), "slower")
        # Five equal processes a side, each known to 0.25 %: t of four degrees of freedom (2.776, twice
        # (3 - 1) of the trimmed five) times 0.25 % x sqrt(2)
        half = 2.776 * 0.0025 * math.sqrt(2)
        assert point.ratio_low == pytest.approx(1.2 * math.exp(-half), rel=1e-5)
        assert point.ratio_high == pytest.approx(1.2 * math.exp(half), rel=1e-5)
        assert history.change_text(point) == "slower by 20 % [19, 21]"
        assert point.interval == "of processes"
    for point in last_points(rows, "numpy"):
        assert (point.ratio, point.verdict) == (pytest.approx(1), "not significantly different")
        # The margin, and twice the half-width of 0.98 %: 1.03 exp(0.01963) is 1.0504
        assert history.change_text(point) == "not significantly different (6 % would have shown)"


def test_over_releases_only_what_uses_none_of_them_is_common():
    """NumPy's own cells, and those of what may call it, say nothing of NumPy's releases."""
    factors = {"python": 1.0, "numpy": 1.3, "numba": 1.3, "jax_jit": 1.3}
    rows = over_releases(two_runs("numpy", runs_of(factors, factors)))
    assert [point.common for point in last_points(rows, "numpy")] == pytest.approx([1] * 3)
    assert {point.verdict for point in last_points(rows, "numpy")} == {"slower"}
    del factors["python"]
    answer = Answer(tuple(over_releases(two_runs("numpy", runs_of(factors, factors)))))
    assert {point.common for point in last_points(answer, "numpy")} == {None}
    assert [point.ratio for point in last_points(answer, "numpy")] == pytest.approx([1.3] * 3)
    said = [table for table in history.tables(answer) if "numpy, over" in table.caption]
    assert history.NO_FACTOR in said[0].remarks


def test_over_commits_the_backend_in_the_middle_of_the_others_is_common():
    factors = {"python": 1.05, "numpy": 1.05, "numba": 1.05, "jax_jit": 1.05 * 3}
    rows = over_commits(two_runs("commits", runs_of(factors, factors)))
    assert [point.ratio for point in last_points(rows, "jax_jit")] == pytest.approx([3] * 3)
    for backend in ("python", "numpy", "numba"):
        assert [point.ratio for point in last_points(rows, backend)] == pytest.approx([1] * 3)
    # With one other backend alone nobody knows which of the two has changed
    two = over_commits(two_runs("commits", runs_of(("numpy", "jax_jit"), factors)))
    assert {point.common for point in last_points(two, "numpy")} == {None}


def test_fewer_than_three_processes_have_no_interval_and_no_verdict():
    few = {
        (backend, n, run): processes_of(1e-5 * n, count=2)
        for backend in ("python", "jax_jit")
        for n in SIZES
        for run in (0, 1)
    }
    rows = over_releases(two_runs("jax", few))
    for point in last_points(rows, "jax_jit"):
        assert (point.verdict, point.changed, point.would_show) == ("no interval", None, None)
        assert (point.low, point.high, point.ratio_low) == (None, None, None)
        assert history.change_text(point) == "no interval"


SIMULATED = ("python", "numpy", "numba", "jax_jit")


def called(axis, sets, factor, sizes=(10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623)):
    """Return the shares of cells called changed: jit's, which take `factor` times as long, and others.

    A run's cells have a factor in common (sd 2 %), each has one of its own (1 %), and so have its
    processes (1 %). Of a backend there are eight, and not the nine that `make history` measures.
    """
    rng = np.random.default_rng(20260101)
    counts = {True: [0, 0], False: [0, 0]}
    over = over_commits if axis == "commits" else over_releases
    for _ in range(sets):
        common = rng.normal(1, 0.02, 2)
        times = {}
        for backend in SIMULATED:
            for n in sizes:
                for run in (0, 1):
                    true = 1e-5 * n * (factor if run and backend == "jax_jit" else 1)
                    time = true * common[run] * rng.normal(1, 0.01)
                    times[backend, n, run] = processes_of(time, rng, 0.01)
        rows = over(two_runs(axis, times))
        for backend in SIMULATED:
            for point in last_points(rows, backend):
                counts[backend == "jax_jit"][0] += bool(point.changed)
                counts[backend == "jax_jit"][1] += 1
    return [hits / all_ for hits, all_ in (counts[True], counts[False])]


@pytest.mark.parametrize("axis", ["jax", "commits"])
def test_without_a_change_few_cells_are_called_changed_and_true_ones_are_found(axis):
    jit, others = called(axis, 100, 1.0)
    assert max(jit, others) <= 0.05
    jit, others = called(axis, 100, 1.1)
    assert jit >= 0.9
    assert others <= 0.05


def test_only_the_newest_commit_with_two_releases_is_compared():
    newest = cells(
        *line("jax_jit", 1e-6, 1e-9, **environment()),
        commit="b" * 40,
        date=datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
    )
    everything = newest.vstack(of_rows())
    assert {row.where.commit for row in over_releases(everything)} == {"a" * 40}
    # the other environments are releases, though there is a newer commit
    rest = without_releases(results.select(everything), everything)
    assert rest.select("environment", "commit").unique().rows() == [
        (environment()["environment"], "b" * 40)
    ]
    later = pl.lit(datetime.datetime(2026, 1, 3, tzinfo=datetime.UTC))
    again = of_rows().with_columns(commit=pl.lit("c" * 40), date=later.cast(results.SCHEMA["date"]))
    assert {row.where.commit for row in over_releases(everything.vstack(again))} == {"c" * 40}


def test_an_environment_with_experiments_alone_is_no_release():
    """A full run under one release and variants under another, at a newer commit than the releases."""
    newer = {"commit": "b" * 40, "date": datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)}
    run = cells(*line("jax_jit", 1e-6, 1e-9, **environment()), **newer)
    other = run.filter(n=run["n"][0]).with_columns(
        kind=pl.lit("Variants"),
        environment=pl.lit(environment(jax="0.12.0.1")["environment"]),
        versions=pl.lit(environment(jax="0.12.0.1")["versions"]),
    )
    everything = pl.concat([run, other, of_rows()])
    assert {row.where.commit for row in over_releases(everything)} == {"a" * 40}


def test_the_numbers_over_commits_by_their_dates():
    made = cells(
        *(
            row
            for day, name, call in ((2, "b", 6e-6), (1, "f", 4e-6), (3, "a", 6e-6))
            for row in line(
                "numba",
                call,
                10e-9,
                commit=name * 40,
                date=datetime.datetime(2026, 1, day, tzinfo=datetime.UTC),
                **environment(),
            )
        )
    )
    call = by_quantity(over_commits(made), backend="numba")["time 10"]
    assert call.where.commit is None
    assert [point.release for point in call.points] == ["f" * 8, "b" * 8, "a" * 8]
    assert [point.verdict for point in call.points] == [
        None,
        "slower",
        "not significantly different",
    ]
    assert over_releases(made) == []


def test_the_command_prints_and_draws_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(results, "read", lambda folder: of_rows())
    asked = ["history", "--results", str(tmp_path)]
    for form in ("svg", "png"):
        assert cli.main([*asked, "--figure", str(tmp_path / f"h.{form}")]) == 0
    said = capsys.readouterr().out
    title = "elementwise on jax_jit, over releases of jax (Python 3.12 on m, commit aaaaaaaa)"
    assert title in " ".join(said.split())
    assert "slower by 55 % [34, 79]" in " ".join(said.split())
    assert "not significantly different" in " ".join(said.split())
    assert not re.search(r"(never|=)\n", said)
    words = " ".join(said.split())
    assert "some intervals are of samples: how much processes differ is not known there" in words
    drawn = (tmp_path / "h.svg").read_text()
    for text in ("0.4.38", "0.61.2 (numpy 2.2.6)", "call cost, over releases of jax", "C, over"):
        assert text in drawn
    assert "time, n = 1,000, over releases of jax" in drawn
    assert "by its samples, whose processes are not known" in " ".join(drawn.split())
    assert (tmp_path / "h.png").stat().st_size > 10_000
    assert cli.main([*asked, "--over", "jax", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["over"] for row in rows} == {"jax"}
    (time,) = (
        row
        for row in rows
        if (row["quantity"], row["n"], row["backend"]) == ("time", 100, "jax_jit")
    )
    last = time["points"][-1]
    assert last["ratio"] == pytest.approx(1.3)
    assert last["verdict"] == "slower"
    # Times known to half a per mille each: up to 6.50325 / 4.9975
    assert last["ratio_high"] == pytest.approx(6.50325 / 4.9975)
    assert last["would_show"] == pytest.approx(1.03 * (6.50325 / 4.9975 / 1.3) ** 2 - 1)
    assert cli.main([*asked, "--over", "julia"]) == 2
    assert cli.main([*asked, "--figure", "x.gif"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "jitcost: nothing over 'julia'; there is jax, numba",
        "jitcost: x.gif ends in none of .png, .svg",
    ]


def test_without_two_releases_there_is_no_history(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(results, "read", lambda folder: cells(*line("numpy", 1e-6, 1e-9)))
    assert cli.main(["history", "--results", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        "jitcost: these results hold no two releases or commits to compare\n"
    )


def test_the_report_shows_the_history_once_and_no_section_for_each_release():
    everything = of_rows()
    shown = without_releases(results.select(everything), everything)
    text = page(shown, past=Past.of(everything))
    assert text.count("<h2") == 3  # the machine, the history, what to mind
    assert 'id="history-heading"' in text
    assert "0.61.2 (numpy 2.2.6)" in text
    assert "slower by 55 % [34, 79]" in text
    # three sizes, call cost, element cost, C and m* over JAX, all but the last two over Numba
    assert len(re.findall(r'<svg[^>]*aria-labelledby="history-\d', text)) == 12
    rest = without_releases(everything, everything)
    assert rest["environment"].unique().to_list() == [environment()["environment"]]
    alone = everything.filter(environment=environment()["environment"])
    assert "history-heading" not in page(alone, past=Past.of(alone))


# what is kept


def test_keeping_rounds_the_samples_and_drops_nothing_that_is_read(tmp_path):
    content = result_file({("10", "numpy"): 1.23456789e-6, ("10", "jax_jit"): None})
    write(tmp_path / "full", content)
    write(tmp_path / "slim", slim(content))
    whole, small = (results.read(tmp_path / name) for name in ("full", "slim"))
    assert whole["samples"].drop_nulls().to_list() == [[1.23456789e-6] * 2]
    assert small["samples"].drop_nulls().to_list() == [[1.2346e-6] * 2]
    assert small.drop("samples").equals(whole.drop("samples"))
    assert slim(content)["results"][STEADY][3:5] == [None, None]


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Return a checkout of one commit, the current folder."""
    monkeypatch.chdir(tmp_path)
    return make_checkout(tmp_path)


def test_keeping_puts_results_of_this_history_into_the_folder(repository, capsys):
    head = git(repository, "rev-parse", "HEAD")
    folder = repository / ".asv" / "results"
    write(folder, result_file({("10", "numpy"): 1e-6}, commit_hash=head), "vm/one.json")
    write(folder, result_file({("10", "numpy"): 1e-6}), "vm/other.json")
    write(folder, "{", "vm/broken.json")
    write(folder, {"machine": "vm", "version": 1}, "vm/machine.json")
    write(folder, DISCOVERED, "benchmarks.json")
    (folder / "vm" / "one.provenance").write_text("{}")
    assert cli.main(["keep"]) == 0
    said = capsys.readouterr()
    assert "left out: other.json: HEAD does not lead back to cccccccc" in said.out
    assert "1 result files are in analysis/history" in said.out
    assert "broken.json is left out" in said.err
    there = sorted(
        str(p.relative_to(repository)) for p in repository.glob("analysis/history/**/*.*")
    )
    assert there == [
        "analysis/history/benchmarks.json",
        "analysis/history/vm/machine.json",
        "analysis/history/vm/one.json",
        "analysis/history/vm/one.provenance",
    ]
    # of what was measured, and of nothing else: asv draws a frame for each
    described = json.loads((repository / "analysis" / "history" / "benchmarks.json").read_text())
    assert described == {"version": 2, STEADY: DISCOVERED[STEADY]}
    write(folder, result_file({("10", "numpy"): 1e-1}, name=FIRST, commit_hash=head), "vm/one.json")
    assert cli.main(["keep"]) == 0
    described = json.loads((repository / "analysis" / "history" / "benchmarks.json").read_text())
    assert described.keys() == {"version", STEADY, FIRST}
    kept = results.read(repository / "analysis" / "history").filter(state="value")
    assert set(kept["benchmark"]) == {STEADY, FIRST}
    capsys.readouterr()
    (folder / "vm" / "broken.json").unlink()
    for option, name in (("--machine", "nowhere"), ("--commit", "abcdefabcdef")):
        assert cli.main(["keep", option, name]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "jitcost: no results of a machine 'nowhere'; there are vm",
        "jitcost: no measured commit begins with 'abcdefabcdef'; there are "
        + ", ".join(sorted([head[:12], "c" * 12])),
    ]
    assert cli.main(["keep", "--machine", "vm", "--commit", head[:8].upper()]) == 0
    assert "left out" not in capsys.readouterr().out
    assert cli.main(["keep", "--results", "backends", "--machine", "vm"]) == 1
    assert capsys.readouterr().err == "jitcost: no results in backends\n"


def test_keeping_names_a_file_of_the_old_format(repository, capsys):
    head = git(repository, "rev-parse", "HEAD")
    folder = repository / ".asv" / "results"
    old = result_file({}, commit_hash=head, results={"b.time_x": 1.0})
    old["version"] = 1
    del old["result_columns"]
    write(folder, old, "vm/old.json")
    assert cli.main(["keep"]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert errors[0].endswith(
        "old.json is left out: it has asv's format 1; `asv update` brings it to 2"
    )
    assert len(errors) == 2
    write(folder, result_file({("10", "numpy"): 1e-6}, commit_hash=head), "vm/one.json")
    assert cli.main(["keep"]) == 0


def test_a_site_needs_results(repository, capsys):
    assert cli.main(["site"]) == 2
    assert "measure with `make history`, then jitcost keep" in capsys.readouterr().err


def test_a_site_replaces_no_folder_that_is_none(repository, capsys):
    write(repository / "analysis" / "history", DISCOVERED, "benchmarks.json")
    theirs = repository / "theirs"
    write(theirs, "a year's work", "thesis.txt")
    assert cli.main(["site", "-o", "theirs"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"jitcost: {theirs} holds something else than asv's pages")
    assert said.count("\n") == 1
    assert (theirs / "thesis.txt").read_text() == "a year's work"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--commits", "5", "--library", "jax"], "--commits are measured in the default environ"),
        (["--commits", "5", "--at", "HEAD"], "--commits are measured in the default environment"),
        (["--backend", "nmpy"], "no backend 'nmpy'; there are python, numpy, "),
        (["--at", "typo"], "no commit 'typo'; --at takes a hash, a tag or a branch"),
        (["--commits", "typo"], "no commits 'typo'; say how many, or a range like HEAD~3..HEAD"),
    ],
)
def test_a_backfill_that_contradicts_is_refused_before_anything_is_made(
    repository, capsys, args, said
):
    assert cli.main(["backfill", *args]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"jitcost: {said}")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert not (repository / ".asv").exists()


def test_the_last_commits_of_the_kernels_are_found_from_any_folder(repository, monkeypatch):
    first = git(repository, "rev-parse", "HEAD")
    (repository / "README.md").write_text("no kernel")
    (repository / "julia").mkdir(exist_ok=True)
    (repository / "julia" / "README.md").write_text("nor this")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "second")
    (repository / "backends" / "kernel.py").write_text("# faster")
    git(repository, "commit", "--quiet", "--all", "--message", "third")
    third = git(repository, "rev-parse", "HEAD")
    measured = []

    def run(self, targets, build_only):
        measured.extend((one.commit, one.requirements) for one in targets)
        return build_only

    monkeypatch.setattr(backfilling.Backfill, "run", run)
    for folder in (repository, repository / "backends"):
        monkeypatch.chdir(folder)
        assert cli.main(["backfill", "--commits", "5", "--machine", "vm", "--build-only"]) == 0
    assert measured == [(third, DEFAULT), (first, DEFAULT)] * 2


def test_what_compiles_needs_its_first_call_and_the_baseline():
    steady_state = [("10", f"'{name}'") for name in ("python", "numpy", "jax_eager", "jax_jit")]
    first_call = [("1000", backend) for _, backend in steady_state]

    def asked(name, cells, *backends):
        return [backend.strip("'") for _, backend in backfilling.needed(name, cells, backends)]

    assert asked(FIRST, first_call, "jax_eager", "jax_jit") == ["jax_jit"]
    assert asked(FIRST, first_call, "numpy") == []
    # plain Python is the baseline of the recursion, and NumPy that of elementwise
    assert asked(STEADY, steady_state, "jax_jit") == ["python", "jax_jit"]
    assert asked("elementwise.SteadyState.time_call", steady_state, "jax_jit") == [
        "numpy",
        "jax_jit",
    ]
    assert asked(STEADY, steady_state, "numpy") == ["numpy"]
    assert asked(STEADY, steady_state, "jax_eager") == ["jax_eager"]
    assert asked("floors.Floors.track_x", steady_state, "jax_jit") == ["numpy", "jax_jit"]
