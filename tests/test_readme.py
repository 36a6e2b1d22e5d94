"""The README: short, and each of its commands does what it shows."""

import os
import re

import pytest

from conftest import ROOT, copy_working_tree, source_path
from documented_commands import check, without_blocks
from jitcost.backends import workloads
from measure_readme import file_and_calls, output_of, with_output
from shape_of_output import shape

README = (ROOT / "README.md").read_text(encoding="utf-8")

NAME, FILE, CALLS = file_and_calls(README)
SHOWN = "\n\n".join(printed for _, printed in CALLS if printed)
SIZES = ("1,000", "100,000", "2,000", "500")


def test_it_is_short():
    lines = README.splitlines()
    assert len(lines) <= 120
    assert max(map(len, lines)) <= 120


def test_the_first_screen_holds_a_file_of_eight_lines_and_what_it_answers():
    assert len(list(filter(None, FILE.splitlines()))) <= 8
    before = README[: README.index(SHOWN.splitlines()[0])]
    assert before.count("\n") < 30
    assert [words[:2] for words, shown in CALLS if shown] == [
        ["jitcost", "measure"],
        ["jitcost", "plan"],
    ]


def test_no_page_is_hard_to_find():
    pages = [
        *(ROOT / "analysis").glob("*.md"),
        ROOT / "julia" / "README.md",
        ROOT / "CONTRIBUTING.md",
    ]
    linked = set(re.findall(r"\]\(([^)#]+)", README))
    assert {str(page.relative_to(ROOT)) for page in pages} <= linked


def test_it_names_every_workload():
    for name in (*workloads.WORKLOADS, *workloads.PROTOCOLS):
        assert f"`{name}`" in README


@pytest.mark.parametrize(
    "symbol", ["star", "ratio", "baseline", "C", r"m\*", "n", "k", "c0", "c1", "misfit"]
)
def test_a_symbol_is_defined_where_it_first_stands(symbol):
    prose = without_blocks(README).replace("\n\n", "\n- ")
    bare = re.sub(r"`.*?`|\]\(.*?\)", "", prose)
    word = re.escape(symbol)
    first = next(part for part in bare.split("\n- ") if re.search(rf"(?<!\w){word}(?!\w)", part))
    assert re.search(rf"\*{word}\*", first), first


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return the project as a clone would hold it."""
    folder = tmp_path_factory.mktemp("clone")
    copy_working_tree(folder)
    return folder


def runs(words, where, clone):
    """Run a command of the copy's; return what a terminal would show of it."""
    return output_of(words, where, os.environ | {"PYTHONPATH": source_path(clone)})


def test_what_is_shown_is_made_anew_call_by_call():
    """Two that show the same have each their own, what shows nothing is left, remarks are left out."""
    text = "a\n```console\n$ make\n$ one 'x y'  # why\nold\n$ two\nold\n```\nold\n"
    printed = {"one": "A \n───\n1\n\nThe machine was busy.\n\nB\n───\n2\n\n", "two": "C\n───\n"}
    asked = []

    def run(words):
        asked.append(words)
        return printed[words[0]]

    assert with_output(text, run) == (
        "a\n```console\n$ make\n$ one 'x y'  # why\nA\n───\n1\n\nB\n───\n2\n$ two\nC\n───\n```\nold\n"
    )
    assert asked == [["one", "x y"], ["two"]]
    assert with_output(README, lambda _: SHOWN) != README
    shown = iter([shown for _, shown in CALLS if shown])
    assert with_output(README, lambda _: next(shown)) == README


def test_the_commands_print_what_it_shows(clone, tmp_path):
    """Those on a person's own file, in a folder that holds nothing else; the others in a clone."""
    (tmp_path / NAME).write_text(FILE)
    for words, shown in CALLS:
        if words[0] != "jitcost":
            continue
        printed = runs(words, clone if "analysis/history" in words else tmp_path, clone)
        if not shown:
            continue
        expected, found = shape(shown, SIZES), shape(printed, SIZES)
        for title in expected.keys() - found.keys():
            # On another machine the same backend may be the faster one at both sizes.
            assert "where the faster backend changes" in title
            del expected[title]
        assert found == expected


def test_the_others_are_there(clone):
    """`make` says what it would do: to do it takes minutes, and is what fresh clones are for."""
    last = {"bench": "jitcost bench", "test": "pytest -m timing", "julia": "set_up_julia"}
    others = [words for words, _ in CALLS if words[0] != "jitcost"]
    assert {words[0] for words in others} == {"make", "python"}
    for words in others:
        check(words)
        if words[0] == "make":
            said = runs(["make", "--no-print-directory", "--dry-run", *words[1:]], clone, clone)
            assert last[words[1]] in said.splitlines()[-1]
