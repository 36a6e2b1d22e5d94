"""A kept set gives way to another: nothing is lost, whoever interrupts it and when."""

import gzip
import itertools
import json
import math
from pathlib import Path

import pytest

from conftest import git
from jitcost import cli
from jitcost.errors import BadCallError
from jitcost.measuring.lock import alone
from jitcost.store import records, replacement, results
from jitcost.store.finding import paths
from jitcost.store.keeping import keep
from making_checkouts import make_checkout
from making_results import content, put, write

COMMIT = "a" * 40


def number_of(path):
    """Return the number that all values of a result file are, and how many processes told of it."""
    file = json.loads(path.read_text())
    (number,) = {value for row in file["results"].values() for value in row[0]}
    lines = records.lines(records.beside(path))
    assert {line.m for line in lines} <= {int(number)}
    return int(number), len(lines)


class Sets:
    """A kept set of two machines, and another that is to replace what is kept of the first."""

    def __init__(self, folder):
        self.history, self.fresh = folder / "history", folder / "fresh"
        self.aside = folder / "aside"
        put(self.history, 1, "same", "b.time_x")
        put(self.history, 2, "gone", "b.time_old")
        put(self.history, 3, "older", "b.time_x", told=False)
        put(self.history, 4, "other", "b.time_theirs", machine="other")
        (self.history / "FINDINGS.md").write_text("what is found")
        put(self.fresh, 11, "same", "b.time_x")
        put(self.fresh, 12, "new", "b.time_new")

    def replace(self):
        return keep(self.fresh, self.history, self.aside, {COMMIT}, replace=True)

    def kept(self):
        """Return the numbers of the kept files by machine and environment; each has its own lines."""
        return {
            (path.parent.name, path.stem.partition("-")[2]): number_of(path)[0]
            for path in paths(self.history)
        }

    def described(self):
        return set(json.loads((self.history / "benchmarks.json").read_text())) - {"version"}


AFTER = {("m", "same"): 11, ("m", "new"): 12, ("other", "other"): 4}


@pytest.fixture
def sets(tmp_path):
    return Sets(tmp_path)


def files_in(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_kept_set_is_replaced_by_another(sets):
    before = files_in(sets.history)
    done = sets.replace()
    assert sets.kept() == AFTER
    assert sets.described() == {"b.time_x", "b.time_new", "b.time_theirs"}
    after = files_in(sets.history)
    untouched = {name for name in before if name.startswith("other/") or name == "FINDINGS.md"} | {
        "m/machine.json"
    }
    assert all(after[name] == before[name] for name in untouched)
    new = {
        f"m/aaaaaaaa-{name}.{ending}"
        for name in ("same", "new")
        for ending in ("json", "processes", "provenance")
    }
    assert after.keys() == untouched | new | {"benchmarks.json"}
    # What is gone is aside, with what belonged to it.
    aside = files_in(sets.aside)
    assert aside == {
        name.replace(".", ".1.", 1): before[name]
        for name in before
        if name.startswith("m/aaaaaaaa-")
    } | {"benchmarks.json.1": before["benchmarks.json"]}
    assert sorted(path.name for path in done.set_aside) == [
        f"aaaaaaaa-{name}.1.json" for name in ("gone", "older", "same")
    ]


def test_the_same_once_more_replaces_nothing(sets):
    sets.replace()
    before = files_in(sets.history)
    assert sets.replace().set_aside == []
    assert files_in(sets.history) == before
    assert len(files_in(sets.aside)) == 9


def test_what_told_nothing_leaves_no_lines_of_others(sets):
    put(sets.fresh, 13, "same", "b.time_x", told=False)
    (sets.fresh / "m" / "aaaaaaaa-same.processes").unlink()
    (sets.fresh / "m" / "aaaaaaaa-same.provenance").unlink()
    sets.replace()
    assert sorted(path.name for path in sets.history.glob("m/*same*")) == ["aaaaaaaa-same.json"]
    assert number_of(sets.history / "m" / "aaaaaaaa-same.json") == (13, 0)


def test_without_the_option_what_is_kept_stays(sets):
    keep(sets.fresh, sets.history, sets.aside, {COMMIT})
    assert sets.kept() == AFTER | {("m", "gone"): 2, ("m", "older"): 3}
    assert sets.described() == {"b.time_x", "b.time_new", "b.time_old", "b.time_theirs"}


def test_nothing_is_replaced_by_nothing(sets):
    before = files_in(sets.history)
    done = keep(sets.fresh, sets.history, sets.aside, {"b" * 40}, replace=True)
    assert (done.files, len(done.left_out)) == (0, 2)
    assert files_in(sets.history) == before
    assert not sets.aside.exists()


def test_a_kept_file_that_nobody_can_read_and_a_compressed_one_go_too(sets, capsys):
    (sets.history / "m" / "broken.json").write_text("{")
    unknown = content(COMMIT, 1_000, version=3)
    write(sets.history, unknown, name="unknown.json")
    write(sets.history, unknown, name="theirs.json", machine="other")
    compressed = put(sets.history, 5, "packed").with_suffix(".json.gz")
    write(sets.history, compressed.with_suffix("").read_text(), name=compressed.name)
    compressed.with_suffix("").unlink()
    sets.replace()
    assert "theirs.json is left out" in capsys.readouterr().err
    # What it says of benchmarks may be of the one that nobody can read.
    assert sets.described() == {"b.time_x", "b.time_old", "b.time_theirs", "b.time_new"}
    (sets.history / "other" / "theirs.json").unlink()
    assert sets.kept() == AFTER
    assert (sets.aside / "m" / "unknown.1.json").is_file()
    assert not list(sets.history.glob("m/*packed*"))
    assert (sets.aside / "m" / "broken.1.json").read_text() == "{"
    packed = sets.aside / "m" / "aaaaaaaa-packed.1.json.gz"
    assert results.read(packed)["value"].to_list() == [5.0, 5.0]
    assert results.read(packed)["m"].to_list() == [5, 5]


def pack(path):
    """Compress a file in place, as a person may."""
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    return packed


def test_a_compressed_file_goes_with_its_own_lines_and_provenance(sets):
    kept = sets.history / "m" / "aaaaaaaa-same.json"
    lines = kept.with_suffix(".processes").read_bytes()
    pack(kept)
    sets.replace()
    assert sets.kept() == AFTER
    aside = sets.aside / "m" / "aaaaaaaa-same.1.json.gz"
    assert results.read(aside)["value"].to_list() == [1.0, 1.0]
    assert aside.with_name("aaaaaaaa-same.1.processes").read_bytes() == lines
    provenance = aside.with_name("aaaaaaaa-same.1.provenance")
    assert json.loads(provenance.read_text()) == {"number": 1}


def test_a_compressed_file_of_another_machine_goes_too_where_its_lines_would(sets):
    path = sets.history / "m" / "aaaaaaaa-same.json"
    path.write_text(path.read_text().replace('"machine": "m"', '"machine": "renamed"'))
    pack(path)
    sets.replace()
    assert sets.kept() == AFTER
    aside = sets.aside / "m" / "aaaaaaaa-same.1.json.gz"
    assert results.read(aside).select("machine", "value", "m").rows() == [("renamed", 1, 1)] * 2


def test_old_values_are_never_beside_new_lines(sets, monkeypatch):
    class KilledError(Exception):
        pass

    def killed(*_):
        raise KilledError

    pack(sets.history / "m" / "aaaaaaaa-same.json")
    (sets.fresh / "m" / "aaaaaaaa-new.json").unlink()
    monkeypatch.setattr(replacement, "copy_provenance", killed)
    with pytest.raises(KilledError):
        sets.replace()
    assert number_of(sets.history / "m" / "aaaaaaaa-same.json") == (11, 2)
    assert not list(sets.history.rglob("*.gz"))


def test_what_is_set_aside_stays_described(sets):
    sets.replace()
    before = (sets.history / "benchmarks.json").read_bytes()
    (sets.fresh / "m" / "aaaaaaaa-new.json").unlink()
    sets.replace()
    assert sets.described() == {"b.time_x", "b.time_theirs"}
    assert (sets.aside / "m" / "aaaaaaaa-new.1.json").is_file()
    assert (sets.aside / "benchmarks.json.2").read_bytes() == before


def test_what_is_written_is_plain(sets):
    kept = sets.history / "m" / "aaaaaaaa-same.json"
    packed = [pack(kept.with_suffix(ending)) for ending in (".processes", ".provenance")]
    before = [path.read_bytes() for path in packed]
    sets.replace()
    assert number_of(kept) == (11, 2)
    assert json.loads(kept.with_suffix(".provenance").read_text()) == {"number": 11}
    assert sorted(path.name for path in sets.history.glob("m/*same*")) == [
        f"aaaaaaaa-same.{ending}" for ending in ("json", "processes", "provenance")
    ]
    aside = [sets.aside / "m" / path.name.replace(".", ".1.", 1) for path in packed]
    assert [path.read_bytes() for path in aside] == before


def test_two_spellings_of_one_folder_are_one(sets):
    """As where the file system makes no difference between `M` and `m`."""
    (sets.history / "m").rename(sets.history / "M")
    (sets.history / "m").symlink_to("M")
    sets.replace()
    there = {path.name: number_of(path)[0] for path in paths(sets.history / "M")}
    assert there == {"aaaaaaaa-same.json": 11, "aaaaaaaa-new.json": 12}
    once_more = files_in(sets.history / "M")
    assert sets.replace().set_aside == []
    assert files_in(sets.history / "M") == once_more
    assert len(list(paths(sets.aside))) == 3


def test_what_is_beside_nothing_and_what_describes_is_set_aside_too(sets):
    machine = sets.history / "m" / "machine.json"
    machine.write_text(json.dumps({"machine": "m", "cpu": "an older one", "version": 1}))
    (sets.history / "m" / "aaaaaaaa-gone.json").unlink()
    (sets.history / "m" / "aaaaaaaa-half.json.processes").write_text("lines")
    before = files_in(sets.history)
    done = sets.replace()
    assert sets.kept() == AFTER
    left = {path.name.partition(".")[0] for path in (sets.history / "m").iterdir()}
    assert left == {"aaaaaaaa-same", "aaaaaaaa-new", "machine"}
    aside = files_in(sets.aside)
    for name in (
        "benchmarks.json",
        "m/machine.json",
        "m/aaaaaaaa-gone.processes",
        "m/aaaaaaaa-gone.provenance",
        "m/aaaaaaaa-half.json.processes",
    ):
        assert aside[f"{name}.1"] == before[name]
    # None of these is taken for a result file where it is.
    assert sorted(path.name for path in paths(sets.aside)) == [
        "aaaaaaaa-older.1.json",
        "aaaaaaaa-same.1.json",
    ]
    assert sorted(done.set_aside) == sorted(paths(sets.aside))


@pytest.mark.parametrize("kind", ["broken", "old", "undrawn"])
def test_nothing_is_replaced_while_something_would_be_left_out(sets, capsys, kind):
    made = {
        "broken": "{",
        "old": content(COMMIT, 1_000, version=1, results={"b.time_x": 1.0}),
        "undrawn": content("b" * 40, 1_000),
    }[kind]
    left_out = write(sets.fresh, made, name="bbbbbbbb-e.json")
    before = files_in(sets.history)
    with pytest.raises(
        BadCallError, match=r"nothing is replaced: 1 of .*bbbbbbbb-e\.json the first"
    ):
        sets.replace()
    assert capsys.readouterr() == ("", "")
    assert files_in(sets.history) == before
    assert not sets.aside.exists()
    # Of another machine it keeps nobody.
    if kind != "broken":
        made["params"] = {"machine": "other"}
    write(sets.fresh, made, name=left_out.name, machine="other")
    left_out.unlink()
    sets.replace()
    assert sets.kept() == AFTER
    # Nor does one that is not asked for.
    if kind == "undrawn":
        made["params"] = {"machine": "m"}
        write(sets.fresh, made)
        keep(sets.fresh, sets.history, sets.aside, {COMMIT}, commits=["aaaaaaaa"], replace=True)
        assert sets.kept() == AFTER


def test_whoever_interrupts_it_loses_nothing(tmp_path, monkeypatch):
    """At every step: what is kept is whole, what is gone is aside, and the next call completes it."""

    class KilledError(Exception):
        pass

    left = [math.inf]  # how many steps

    def stepping(method):
        def step(self, *args, **options):
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            return method(self, *args, **options)

        return step

    for name in ("replace", "unlink"):
        monkeypatch.setattr(Path, name, stepping(getattr(Path, name)))
    halfway = 0
    for steps in itertools.count():
        sets = Sets(tmp_path / str(steps))
        left[0] = steps
        try:
            sets.replace()
        except KilledError:
            left[0] = math.inf
        else:
            break
        now = sets.kept()
        assert now[("other", "other")] == 4
        there = set(now.values()) | {number_of(path)[0] for path in paths(sets.aside)}
        assert there >= {1, 2, 3, 4}, steps
        lines = {
            number_of(path)[0]: number_of(path)[1]
            for folder in (sets.aside, sets.history)
            for path in paths(folder)
        }
        assert lines == {number: 0 if number == 3 else 2 for number in there}, steps
        known = sets.described()
        assert all(
            set(json.loads(path.read_text())["results"]) <= known for path in paths(sets.history)
        ), steps
        halfway += now not in (AFTER, {**now, ("m", "same"): 1})
        sets.replace()
        assert sets.kept() == AFTER, steps
        assert sets.described() == {"b.time_x", "b.time_new", "b.time_theirs"}
        names = {name.partition(".")[2] for name in files_in(sets.history)}
        assert names == {"json", "processes", "provenance", "md"}, steps
    left[0] = math.inf
    assert steps > 20
    assert halfway > 5  # or nothing was interrupted in the middle


def test_the_command_says_where_what_it_replaced_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(make_checkout(tmp_path))
    head = git(tmp_path, "rev-parse", "HEAD")
    folder = tmp_path / ".asv" / "results"
    for number, environment in ((1, "old"), (2, "new")):
        made = content(head, 1_000, environment=environment)
        path = write(folder, made)
        assert cli.main(["keep", *(["--replace"] if number == 2 else [])]) == 0
        path.unlink()
    assert capsys.readouterr().out.splitlines() == [
        "1 result files are in analysis/history, 0.0 MB in all",
        "1 that were kept are now in .asv/replaced",
        "1 result files are in analysis/history, 0.0 MB in all",
    ]
    (aside,) = paths(tmp_path / ".asv" / "replaced")
    assert aside.name == f"{head[:8]}-old.1.json"
    (kept,) = paths(tmp_path / "analysis" / "history")
    assert kept.name == f"{head[:8]}-new.json"


def test_the_command_waits_for_nobody_who_is_at_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(make_checkout(tmp_path))
    write(tmp_path / ".asv" / "results", content(git(tmp_path, "rev-parse", "HEAD"), 1_000))
    with alone(tmp_path / ".asv" / "lock"):
        for options in ([], ["--replace"], ["--noise", "aa.json"]):
            assert cli.main(["keep", *options]) == 2
            assert capsys.readouterr().err == (
                "jitcost: another measurement is at work here; wait for its end\n"
            )
    assert not (tmp_path / "analysis").exists()
    assert cli.main(["keep"]) == 0
