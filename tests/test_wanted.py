"""Reading what is wanted is reading everything and selecting, in a fraction of the time."""

import gzip
import itertools
import json
import os
from pathlib import Path

import polars as pl
import pytest

from jitcost.errors import BadCallError, JitcostError, NothingFoundError
from jitcost.store import heads, results
from jitcost.store.asv_files import Head, load, paths
from jitcost.store.keeping import keep
from jitcost.store.origins import provenances
from jitcost.store.processes import processes
from making_results import KEPT, OLD_RESULTS, content, write

OLD, NEW, NEWEST = "a" * 40, "ab" * 20, "c" * 40


def row(*values, **columns):
    """Return a row of results for as many sizes, in the columns' order."""
    grid = [str(10**k) for k in range(len(values))]
    return [list(values), [grid], "1", columns.get("low"), columns.get("samples")]


@pytest.fixture
def folder(tmp_path):
    """Two machines, two environments, three commits; a broken file of each kind among them."""
    write(tmp_path, content(OLD, 1_000))
    write(tmp_path, content(NEW, 2_000, {"b.time_x": row(3.0), "c.time_y": row(4.0, 5.0)}))
    write(tmp_path, content(OLD, 1_000, environment="f"))
    write(tmp_path, content(NEWEST, 3_000, machine="other"), machine="other")
    # The newest of the environment f holds nothing that is a number, and the next one nothing at all.
    write(tmp_path, content(NEWEST, 3_000, {"b.time_x": row("text")}, environment="f"))
    write(tmp_path, content(NEW, 2_000, {}, environment="f"))
    write(tmp_path, json.dumps(content("d" * 40, 9_000))[:300], name="dddddddd-e.json")
    write(tmp_path, {"settings": 1}, name="settings.json")
    write(tmp_path, content(NEW, 2_000), name="copy.json")  # what it repeats is read from there
    return tmp_path


def by_selecting(where, *, machine=None, commit=None, environment=None, benchmark=None):
    """Read everything, and select: what `read` with the same arguments has to return."""
    cells = results.read(where)
    if environment is not None:
        cells = cells.filter(environment=environment)
    if benchmark is not None:
        cells = cells.filter(pl.col("benchmark").str.contains(benchmark))
    if commit is None:
        return results.of_machine(cells, machine)
    return results.select(
        cells, machine=machine, commit=None if commit == results.NEWEST else commit
    )


WANTED = [
    {},
    {"commit": "newest"},
    {"commit": "newest", "machine": "m"},
    {"commit": "ab"},
    {"commit": "cccc", "machine": "other"},
    {"environment": "f"},
    {"environment": "f", "commit": "newest"},
    {"benchmark": "time_[xy]$"},
    {"benchmark": r"^c\."},
    {"benchmark": r"^c\.", "commit": "newest"},  # others are newer, and have none of it
    {"machine": "m", "environment": "e", "commit": "AB", "benchmark": "time_y"},
]


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_what_is_wanted_is_what_would_be_selected(folder, wanted):
    cells = results.read(folder, **wanted)
    assert len(cells)
    assert cells.equals(by_selecting(folder, **wanted), null_equal=True)


def test_the_wanted_cells_are_those_worked_out_by_hand(folder):
    def values(**wanted):
        return results.read(folder, **wanted).select("environment", "commit", "value").rows()

    of_e, of_f = ("e", NEW), ("f", OLD)
    assert values(commit="newest") == [
        *((*of_f, 1.0), (*of_f, 2.0), (*of_e, 3.0), (*of_e, 4.0), (*of_e, 5.0)),
        *(("e", NEWEST, 1.0), ("e", NEWEST, 2.0)),
    ]
    assert values(commit="newest", benchmark="time_x", machine="m", environment="e") == [(*of_e, 3)]


@pytest.mark.parametrize("where", [KEPT, OLD_RESULTS], ids=["kept", "old"])
def test_real_results_are_the_same_by_both_ways(where):
    one = results.read(where).row(0, named=True)
    for wanted in [
        {"commit": "newest"},
        {"commit": "newest", "machine": one["machine"]},
        {"benchmark": rf"^{one['workload']}\.{one['kind']}"},
        {"commit": one["commit"][:8], "benchmark": one["kind"]},
        {"environment": one["environment"]},
    ]:
        cells = results.read(where, **wanted)
        assert len(cells), wanted
        assert cells.equals(by_selecting(where, **wanted), null_equal=True), wanted


@pytest.mark.parametrize(
    "wanted",
    [
        {"machine": "nobody's"},
        {"machine": "nobody's", "commit": "newest"},
        {"commit": "f"},
        {"commit": "a"},  # two begin so
        {"commit": "c", "machine": "m"},
    ],
    ids=str,
)
def test_what_is_not_there_is_said_as_by_selecting(folder, wanted):
    # A commit without a single cell is there by its file's head.
    (folder / "m" / f"{NEWEST[:8]}-f.json").unlink()
    said = []
    for ask in (results.read, by_selecting):
        with pytest.raises(BadCallError) as raised:
            ask(folder, **wanted)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_what_is_not_there_is_said_in_words(folder):
    for wanted, message in [
        ({"environment": "g"}, "no results of an environment 'g'; there are e, f"),
        ({"benchmark": "none"}, "no results of benchmarks like 'none' in "),
        ({"benchmark": "(x"}, "'(x' is no regular expression of benchmarks: missing )"),
    ]:
        with pytest.raises(JitcostError) as raised:
            results.read(folder, **wanted)
        assert message in str(raised.value)
        assert "\n" not in str(raised.value)


def test_files_that_are_not_wanted_are_not_read(folder, monkeypatch):
    read = []
    monkeypatch.setattr(
        "jitcost.store.asv_files.load", lambda path: read.append(path.name) or load(path)
    )
    results.read(folder, machine="m", environment="e", commit="newest")
    assert read == [f"{NEW[:8]}-e.json", "copy.json"]


def test_a_files_head_is_what_the_whole_file_is_of(folder):
    made = write(folder, content(OLD, 1), name="z.json.gz")
    for path in [*paths(KEPT), *paths(OLD_RESULTS), made]:
        whole = load(path)
        head = heads.head(path)
        assert type(head) is Head  # and not the whole file, read because the head was not enough
        assert vars(head) == {name: getattr(whole, name) for name in vars(head)}


# What is in another order than asv's, or large, is read as a whole, and right.
@pytest.mark.parametrize("where", ["first", "last", "large", "spaced"])
def test_another_order_is_read_too(tmp_path, where):
    made = content(NEW, 5_000, machine="inside")
    if where == "first":
        made = {"results": made.pop("results")} | made
    elif where == "last":
        made = made | {"params": made.pop("params")} | {"version": made.pop("version")}
    elif where == "large":
        made = {"env_vars": {"PATH": "x" * 100_000}} | {**made, "env_vars": {"PATH": "x" * 100_000}}
    text = json.dumps(made, indent=4 if where == "spaced" else None)
    head = heads.head(write(tmp_path, text, name="x.json"))
    assert (head.machine, head.commit, head.date) == ("inside", NEW, 5_000)


def test_a_number_at_the_end_of_what_is_read_is_not_cut(tmp_path, monkeypatch):
    path = write(tmp_path, content(NEW, 1_700_000_000_000))
    for first in range(40, 400):
        monkeypatch.setattr(heads, "_FIRST", first)
        assert heads.head(path).date == 1_700_000_000_000


def test_an_unknown_format_is_an_error_wherever_it_stands(folder):
    write(folder, content("e" * 40, 10, version=3), name="three.json")
    with pytest.raises(BadCallError, match=r"three\.json has asv's result format 3; 1 and 2 are"):
        results.read(folder, machine="other")


def kept_as(folder, compressed):
    """Write the results of one file, with what belongs to it; return the result file."""
    (folder / "vm").mkdir(parents=True)
    result = min(OLD_RESULTS.glob("vm/a8cc3130*.json"))
    names = ["benchmarks.json", "vm/machine.json", f"vm/{result.stem}.provenance"]
    texts = {name: (OLD_RESULTS / name).read_bytes() for name in names}
    made = json.loads(result.read_bytes())
    (name,) = (name for name in made["results"] if name.startswith("recursion.SteadyState"))
    values, grid, *_ = row = made["results"][name]
    at = made["result_columns"].index("samples")
    row += [None] * (at + 1 - len(row))
    row[at] = [value and [value] for value in values]
    texts[f"vm/{result.name}"] = json.dumps(made).encode()
    about = {"benchmark": name, "m": 7, "error": 1e-12, "tolerance": 1e-9}
    lines = [json.dumps(about | {"params": params}) for params in itertools.product(*grid)]
    texts[f"vm/{result.stem}.processes"] = "\n".join(lines).encode()
    for name, text in texts.items():
        to = folder / name
        to.write_bytes(text)
        if compressed:
            to.with_name(f"{to.name}.gz").write_bytes(gzip.compress(text))
            to.unlink()
    return next(paths(folder))


@pytest.mark.parametrize("compressed", [False, True])
def test_a_folder_a_machines_folder_a_file_and_links_to_them_are_the_same(
    tmp_path, compressed, monkeypatch
):
    whole = results.read(kept_as(tmp_path / "plain", compressed=False).parent.parent)
    rows = processes(whole, tmp_path / "plain")
    assert set(whole.filter(kind="SteadyState", workload="recursion")["m"]) == {7}
    assert set(rows["error"]) == {1e-12}
    ((expected, _),) = provenances(whole, tmp_path / "plain")
    assert expected.cpu.startswith("AMD")
    file = kept_as(tmp_path / "results", compressed)
    assert (file.suffix == ".gz") == compressed
    ways = [file.parent.parent, file.parent, file]
    (tmp_path / "links").mkdir()
    for number, way in enumerate(ways):
        os.symlink(way, tmp_path / "links" / f"link{number}")
    ways += sorted((tmp_path / "links").iterdir())
    monkeypatch.chdir(file.parent)
    ways += [Path(), Path(file.name)]
    # What belongs to a file comes with it: names of parameters, processes, what was imported.
    for way in ways:
        cells = results.read(way)
        assert cells.equals(whole, null_equal=True), way
        assert processes(cells, way).equals(rows, null_equal=True), way
        ((found, _),) = provenances(cells, way)
        assert found == expected, way


def test_a_plain_file_and_its_compressed_copy_count_once(folder, capsys):
    path = folder / "m" / f"{NEW[:8]}-e.json"
    (folder / "m" / "copy.json").unlink()
    before = results.read(folder)
    write(folder, path.read_text(), name=f"{path.name}.gz")
    capsys.readouterr()
    assert results.read(folder).equals(before, null_equal=True)
    assert f"{path}.gz is left out: {path} has b.time_x of this machine" in capsys.readouterr().err


BROKEN = {
    "empty": b"",
    "its first bytes": b"\x1f\x8b",
    "cut short": gzip.compress(b"{}" * 1_000)[:-9],
    "something else": b"no gzip",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_compressed_file_costs_only_itself(folder, text, capsys):
    path = folder / "m" / "broken.json.gz"
    path.write_bytes(text)
    assert len(results.read(folder, commit="newest")) == 7
    assert f"{path} is left out: " in capsys.readouterr().err


def test_a_file_of_something_else_is_refused(tmp_path):
    for name in ("cells.csv", "machine.json", "benchmarks.json.gz"):
        (tmp_path / name).write_text("{}")
        with pytest.raises(
            BadCallError, match=rf"{name} is no result file; name a folder, or \.js"
        ):
            results.read(tmp_path / name)
    with pytest.raises(BadCallError, match=r"no results folder .*nothing"):
        results.read(tmp_path / "nothing")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(NothingFoundError, match=r"no results in .*broken\.json"):
        results.read(tmp_path / "broken.json")


def test_of_a_kind_of_trouble_five_lines_are_said_and_how_many_more(tmp_path, capsys):
    for number in range(1_300):
        write(tmp_path, "{", name=f"{number:04}.json")
    rows = {f"b.track_{number}": row("text", 1.0) for number in range(12)}
    write(tmp_path, content(NEW, 1, rows))
    assert len(results.read(tmp_path, commit="newest")) == 12
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 12
    assert [line.partition(" is left out: ")[0][-9:] for line in lines[:5]] == [
        f"{number:04}.json" for number in range(5)
    ]
    assert all("b.track_" in line for line in lines[5:10])
    assert lines[10:] == [
        "jitcost: 1,295 more files are left out",
        "jitcost: 7 more benchmarks have cells that are left out",
    ]


def test_of_many_machines_ten_are_named(tmp_path):
    for number in range(12):
        write(tmp_path, content(NEW, 1, machine=f"m{number:02}"), name=f"{number}.json")
    names = ", ".join(f"m{number:02}" for number in range(10))
    for ask in (results.read, by_selecting):
        with pytest.raises(BadCallError) as raised:
            ask(tmp_path, machine="x")
        assert str(raised.value) == f"no results of a machine 'x'; there are {names}, …"


@pytest.mark.parametrize("way", ["folder", "machine", "file", "link"])
@pytest.mark.parametrize("compressed", [False, True])
def test_whatever_is_named_is_kept_in_its_machines_folder_and_as_asv_reads_it(
    tmp_path, way, compressed
):
    file = kept_as(tmp_path / "results", compressed)
    (tmp_path / "link").symlink_to(file)
    named = {"folder": file.parent.parent, "machine": file.parent, "file": file}
    history = tmp_path / "history"
    drawn = {load(file).commit}
    done = keep(named.get(way, tmp_path / "link"), history, tmp_path / "aside", drawn)
    assert done.files == 1
    name = file.name.partition(".json")[0]
    assert sorted(path.relative_to(history).as_posix() for path in history.rglob("*.*")) == [
        "benchmarks.json",
        *(f"vm/{name}.{ending}" for ending in ("json", "processes", "provenance")),
        "vm/machine.json",
    ]
    cells = results.read(file)
    rounded = pl.col("samples").list.eval(pl.element().round_sig_figs(5))
    assert results.read(history).equals(cells.with_columns(rounded), null_equal=True)
