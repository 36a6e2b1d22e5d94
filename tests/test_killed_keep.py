"""`jitcost keep` is killed at any moment: what is kept is whole, and nothing that was kept is lost."""

import contextlib
import itertools
import json
import os
import random
import subprocess
import sys
import time

import pytest

from conftest import ROOT, git, source_path
from jitcost import files
from jitcost.store import records, results
from jitcost.store.abandoned import remove_abandoned
from making_checkouts import make_checkout
from making_results import content, write

NAME = "recursion.SteadyState.time_call"
GRID = [["10", "100"], ["'numpy'", "'numba'"]]
FILES = 20
KILLS = 20


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Return a checkout of one commit, the current folder."""
    monkeypatch.chdir(tmp_path)
    return make_checkout(tmp_path)


def measure(repository, number):
    """Write results, all of them this number, by as many calls in a sample."""
    commit = git(repository, "rev-parse", "HEAD")
    cells = [
        {"benchmark": NAME, "params": texts, "m": number} for texts in itertools.product(*GRID)
    ]
    for environment in map(str, range(FILES)):
        row = [[float(number)] * 4, GRID, "1", None, [[float(number)] * 6] * 4]
        made = content(commit, 1_000, {NAME: row}, environment=environment)
        path = write(repository / ".asv" / "results", made)
        # Two processes at even numbers, three at odd ones
        lines = [json.dumps(cell) for cell in cells for _ in range(2 + number % 2)]
        path.with_suffix(".processes").write_text("\n".join(lines) + "\n")


def keep(repository):
    return subprocess.Popen(
        [sys.executable, "-m", "jitcost.cli", "keep"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": source_path(ROOT)},
        stdout=subprocess.DEVNULL,
    )


def kept(repository, capsys):
    """Return the number that each environment's results are, and see that all in them agrees."""
    cells = results.read(repository / "analysis" / "history")
    assert capsys.readouterr().err == ""
    numbers = {}
    for of_one in cells.partition_by("environment"):
        (number,) = set(of_one["value"])
        assert len(of_one) == 4
        assert set(of_one["m"]) == {number}
        assert set(of_one["processes"]) == {2 + number % 2}
        assert {sample for samples in of_one["samples"] for sample in samples} == {number}
        numbers[of_one["environment"][0]] = number
    return numbers


def test_what_is_kept_survives_a_keep_that_is_killed(repository, capsys):
    rng = random.Random(0)
    history = repository / "analysis" / "history"
    measure(repository, 1)
    started = time.monotonic()
    assert keep(repository).wait() == 0
    whole = time.monotonic() - started
    before = kept(repository, capsys)
    assert before == dict.fromkeys(map(str, range(FILES)), 1)
    partly = 0
    for number in range(2, 2 + KILLS):
        measure(repository, number)
        process = keep(repository)
        if number % 4:  # most die while they write, and not while they import
            stamps = {path: path.stat().st_mtime_ns for path in history.rglob("*.json")}
            while process.poll() is None and all(
                path.stat().st_mtime_ns == stamp for path, stamp in stamps.items()
            ):
                pass
            time.sleep(rng.uniform(0, 0.03))
        else:
            time.sleep(rng.uniform(0, whole))
        process.kill()
        process.wait()
        now = kept(repository, capsys)
        assert now.keys() == before.keys()
        assert all(now[name] in (before[name], number) for name in now)
        partly += len(set(now.values())) > len(set(before.values()))
        before = now
    assert partly > 0  # or nothing was killed in the middle
    assert keep(repository).wait() == 0
    assert set(kept(repository, capsys).values()) == {number}
    endings = {path.name.partition(".")[2] for path in history.rglob("*") if path.is_file()}
    assert endings == {"json", "processes"}  # and nothing of what was begun and not completed


def test_at_every_step_the_lines_that_are_read_belong_to_the_values_that_are_read(
    tmp_path, monkeypatch
):
    class KilledError(Exception):
        pass

    left = [0]  # how many steps

    def one_step_less(path, text):
        if not left[0]:
            raise KilledError
        left[0] -= 1
        files.write_atomically(path, text)

    monkeypatch.setattr(records, "write_atomically", one_step_less)
    path = tmp_path / "aaaaaaaa-e.json"
    path.write_text("old")
    path.with_suffix(".processes").write_text("old")
    # Each call is killed after another number of steps, and finds what the one before has left.
    for number, left[0] in enumerate([0, 1, 2, 1, 0, 2, 0, 1, 1, 2, 2, 3, 1, 0]):
        with contextlib.suppress(KilledError):
            records.write_both(path, f"file {number}", f"lines {number}\n")
        told = records.beside(path).read_text().splitlines()[-1]
        assert told.removeprefix("lines ") == path.read_text().removeprefix("file "), number
    left[0] = 9
    records.write_both(path, "file", "lines")
    assert records.beside(path) == records.place(path)
    assert sorted(tmp_path.iterdir()) == [path, path.with_suffix(".processes")]


def test_what_a_living_process_writes_is_not_taken_for_abandoned(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    folder = tmp_path / "m"
    folder.mkdir()
    for process in (ended.pid, os.getpid(), 10**30):
        (folder / f".a.json.{process}.tmp").write_text("{")
    remove_abandoned(tmp_path)
    assert [path.name for path in folder.iterdir()] == [f".a.json.{os.getpid()}.tmp"]
