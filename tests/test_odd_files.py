"""Kinds of odd result files, each with what is right to be read of it."""

import json

import pytest

from jitcost import cli
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.store import results
from jitcost.store.merging import merge_results
from making_results import content, write

NAME = "recursion.SteadyState.time_call"
GRID = [["10", "100"], ["'numpy'", "'numba'"]]
TIMES = [1.0, 2.0, 3.0, 4.0]


def made(**other):
    return content("a" * 40, 1_000, {NAME: [TIMES, GRID, "1"]}) | other


def test_half_a_pair_of_utf_16_is_replaced_wherever_it_stands(tmp_path, capsys):
    text = json.dumps(made(env_name="e\ud800", commit_hash="a\udc00" + "a" * 38))
    text = text.replace("numba", "\\udfffx").replace("recursion", "a\\ud83d\\ude00")
    write(tmp_path, text, name="x.json")
    cells = results.read(tmp_path)
    mark = "\N{REPLACEMENT CHARACTER}"
    assert cells["environment"].unique().to_list() == [f"e{mark}"]
    assert cells["commit"].unique().to_list() == [f"a{mark}{'a' * 38}"]
    assert cells["benchmark"].unique().to_list() == ["a\N{GRINNING FACE}.SteadyState.time_call"]
    assert set(cells["value"]) == set(TIMES)
    for question in ("results --format csv", "results --json", "compare", "fit --json"):
        assert cli.main([*question.split(), "--results", str(tmp_path)]) == 0
        capsys.readouterr().out.encode()


def test_encoded_half_a_pair_is_no_text(tmp_path, capsys):
    path = write(tmp_path, made())
    path.write_bytes(path.read_bytes().replace(b'"e"', b'"\xed\xa0\x80"'))
    with pytest.raises(NothingFoundError):
        results.read(tmp_path)
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{path} is left out: 'utf-8' codec can't decode byte 0xed in position " in line


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_what_json_may_be_encoded_in_is_read(tmp_path, encoding):
    write(tmp_path, made()).write_bytes(json.dumps(made()).encode(encoding))
    assert results.read(tmp_path, commit="newest")["value"].to_list() == TIMES


def test_a_grid_beyond_all_bounds_takes_no_memory(tmp_path, capsys):
    path = write(tmp_path, made(results={NAME: [None, [[str(n) for n in range(100)]] * 9, "1"]}))
    write(tmp_path, made(env_name="f"))
    assert results.read(tmp_path)["value"].to_list() == TIMES
    assert capsys.readouterr().err == (
        f"jitcost: {path} is left out: {NAME} has 1e+18 sets of parameters\n"
    )


@pytest.mark.parametrize("rounds", [2**31, 2**63, 10**30])
def test_more_processes_than_there_can_be_are_not_believed(tmp_path, rounds):
    (tmp_path / "benchmarks.json").write_text(json.dumps({NAME: {"rounds": rounds, "repeat": 2}}))
    write(tmp_path, made())
    cells = results.read(tmp_path)
    assert cells["value"].to_list() == TIMES
    assert cells["processes"].null_count() == 4


def test_the_last_of_two_equal_keys_counts(tmp_path):
    text = json.dumps(made())[:-1] + ', "date": 2000, "version": 2}'
    write(tmp_path, text, name="x.json")
    assert results.read(tmp_path)["date"].dt.timestamp("ms").unique().to_list() == [2_000]


@pytest.mark.parametrize("key", ["version", "date", "python", "params", "results"])
@pytest.mark.parametrize(
    "value", [[[]] * 10_000, [10**4_000], [["x" * 10_000]]], ids=["many", "large", "long"]
)
def test_what_is_wrong_is_said_in_a_short_line(tmp_path, capsys, key, value):
    write(tmp_path, made(**{key: value}))
    with pytest.raises((NothingFoundError, BadCallError)) as raised:
        results.read(tmp_path)
    said = [str(raised.value), *capsys.readouterr().err.splitlines()]
    assert len(said) == (1 if key == "version" else 2)
    assert all(len(line) < 600 for line in said)


BROKEN = ["", "{", "[]", '{"version": 2}', json.dumps(made(results="text"))]
BROKEN += [json.dumps(made(results={NAME: [TIMES, [1, 2], "1"]}))]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda text: text[:20])
def test_a_kept_file_that_cannot_be_read_is_set_aside_and_replaced(tmp_path, broken):
    kept = tmp_path / "kept"
    old = write(kept, broken, name="x.json")
    write(tmp_path / "fresh", made(), name="x.json")
    (aside,) = merge_results(tmp_path / "fresh", kept, tmp_path / "aside", fill="kept")
    assert aside.read_text() == broken
    assert results.read(old)["value"].to_list() == TIMES


def test_a_provenance_in_any_encoding_goes_with_its_file(tmp_path):
    for number in range(2):
        file = write(tmp_path / "fresh", made(), name="x.json")
        file.with_suffix(".provenance").write_bytes(b"\xff\xfe" + bytes([number]))
        merge_results(tmp_path / "fresh", tmp_path / "kept", tmp_path / "aside")
    assert (tmp_path / "kept" / "m" / "x.provenance").read_bytes() == b"\xff\xfe\x01"
    assert (tmp_path / "aside" / "m" / "x.1.provenance").read_bytes() == b"\xff\xfe\x00"
