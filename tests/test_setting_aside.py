"""What is set aside together has one number, and never the number of something else."""

import gzip
import json

from jitcost.store import records, results
from jitcost.store.merging import merge_results
from jitcost.store.setting_aside import set_aside
from making_results import put


def number_in(path):
    return json.loads(path.read_text())["number"]


def test_a_result_file_and_what_belongs_to_it_have_one_number(tmp_path):
    aside = tmp_path / "aside" / "m"
    aside.mkdir(parents=True)
    # Of a copy that was begun and not completed, the number is taken.
    (aside / "aaaaaaaa-e.1.provenance").write_text("of another")
    for number in (2, 3):
        path = put(tmp_path / "kept", number, "e")
        copy = set_aside(path, aside / path.name)
        assert copy == aside / f"aaaaaaaa-e.{number}.json"
        assert number_in(copy.with_suffix(".provenance")) == number
        assert {line.m for line in records.lines(records.beside(copy))} == {number}
    assert (aside / "aaaaaaaa-e.1.provenance").read_text() == "of another"


def test_merging_numbers_a_provenance_with_its_result_file(tmp_path):
    kept, fresh, aside = (tmp_path / name for name in ("kept", "fresh", "aside"))
    put(kept, 1, "e", "b.time_x")
    # Another benchmark: the provenance alone is replaced.
    put(fresh, 2, "e", "b.time_y")
    (copy,) = merge_results(fresh, kept, aside)
    assert copy == aside / "m" / "aaaaaaaa-e.provenance.1"
    assert number_in(copy) == 1
    put(fresh, 3, "e", "b.time_x")
    (copy,) = merge_results(fresh, kept, aside)
    assert copy == aside / "m" / "aaaaaaaa-e.1.json"
    assert number_in(copy.with_suffix(".provenance")) == 2
    assert sorted(results.read(kept)["value"].to_list()) == [2.0, 2.0, 3.0, 3.0]
    assert number_in(kept / "m" / "aaaaaaaa-e.provenance") == 3


def test_what_was_cut_short_leaves_the_provenance_of_what_is_kept(tmp_path):
    put(tmp_path / "kept", 1, "e")
    put(tmp_path / "fresh", 2, "e").write_text("{")
    (copy,) = merge_results(tmp_path / "fresh", tmp_path / "kept", tmp_path / "aside")
    assert number_in(copy.with_suffix(".provenance")) == 2
    assert number_in(tmp_path / "kept" / "m" / "aaaaaaaa-e.provenance") == 1


def test_results_are_added_to_a_compressed_file(tmp_path):
    kept = put(tmp_path / "kept", 1, "e", "b.time_x")
    for ending in (".json", ".processes", ".provenance"):
        plain = kept.with_suffix(ending)
        plain.with_name(f"{plain.name}.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    put(tmp_path / "fresh", 2, "e", "b.time_y")
    merge_results(tmp_path / "fresh", tmp_path / "kept", tmp_path / "aside")
    found = results.read(tmp_path / "kept")
    assert sorted(found.select("value", "m").rows()) == [(1, 1), (1, 1), (2, 2), (2, 2)]
    assert not list((tmp_path / "kept").rglob("*.gz"))
