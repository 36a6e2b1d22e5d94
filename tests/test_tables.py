"""Tables: how they are narrowed, and what they are on a terminal, in Markdown, CSV, HTML and JSON."""

import csv
import doctest
import io
import math
from dataclasses import dataclass
from typing import ClassVar

import pytest
from rich.cells import cell_len
from rich.console import Console

import jitcost
from jitcost import backends
from jitcost.questions import (
    account,
    answers,
    breakeven,
    claims,
    compare,
    crossover,
    fit,
    history,
    plan,
    predict,
)
from jitcost.questions.answers import Answer, objects_of
from jitcost.show.answers import account as account_tables
from jitcost.show.answers import breakeven as breakeven_tables
from jitcost.show.answers import claims as claims_tables
from jitcost.show.answers import compare as compare_tables
from jitcost.show.answers import crossover as crossover_tables
from jitcost.show.answers import fit as fit_tables
from jitcost.show.answers import history as history_tables
from jitcost.show.answers import plan as plan_tables
from jitcost.show.answers import predict as predict_tables
from jitcost.show.html import as_html
from jitcost.show.plain import as_csv, as_markdown
from jitcost.show.table import Cell, Column, Table, fitted, numbers, words
from jitcost.show.terminal import print_tables
from jitcost.store import results
from making_cells import cells, steady
from making_results import KEPT, OLD_RESULTS


def text_of(tables, width):
    console = Console(width=width, file=io.StringIO())
    print_tables(tables, console)
    return console.file.getvalue()


def squeezed(text):
    """Return a text without what drawing adds: spaces, lines and breaks between words."""
    return "".join(text.replace("─", " ").split())


def wide():
    """Return a table 3 + 4 (4 + 2) = 27 letters wide, second lines 6 instead of 4."""
    return Table(
        "caption",
        (
            Column("n"),
            Column("b", unit="s"),
            Column("c", detail=1),
            Column("d", detail=2),
            Column("e"),
        ),
        (
            (
                Cell("100", value=100.0),
                Cell("1 µs", "second", value=1e-6),
                Cell("2 µs"),
                Cell("3 µs"),
                Cell("4 µs", mark="best"),
            ),
        ),
        note="note",
        remarks=("a remark",),
    )


# Narrowing


def headings(tables):
    return [[column.heading for column in table.columns] for table in tables]


def test_what_fits_is_left_as_it_is():
    assert fitted(wide(), 29) == [wide()]  # 3 + 6 + 4 + 4 + 4 and four gaps of 2


def test_detail_goes_first_the_largest_number_before_the_others():
    assert headings(fitted(wide(), 28)) == [["n", "b", "c", "e"]]
    assert headings(fitted(wide(), 23)) == [["n", "b", "c", "e"]]
    assert headings(fitted(wide(), 22)) == [["n", "b", "e"]]


def test_then_the_second_lines_go_and_then_the_table_is_divided():
    (narrow,) = fitted(wide(), 15)  # 3 + 4 + 4 and two gaps of 2
    assert [cell.more for cell in narrow.rows[0]] == ["", "", ""]
    assert headings(fitted(wide(), 14)) == [["n", "b"], ["n", "e"]]
    # however narrow, a column is whole
    assert headings(fitted(wide(), 1)) == [["n", "b"], ["n", "e"]]


def test_columns_of_words_and_of_numbers():
    assert [column.words for column in (*words("a"), *numbers("b", unit="s"))] == [True, False]
    assert numbers("b", unit="s")[0].unit == "s"


# On a terminal


def test_a_table_without_rows_says_so_and_keeps_its_remarks():
    empty = Table("plan", (Column("n"),), (), remarks=("numpy: not measured",))
    assert text_of([empty], 60) == "plan: nothing can be said\n  numpy: not measured\n\n"


def test_a_remark_that_is_broken_hangs_in():
    said = text_of([Table("c", (), (), remarks=("one two three four",))], 12)
    assert said.splitlines()[-4:-1] == ["  one two", "    three", "    four"]


def answers_of(folder):
    """Yield the tables of each question, by its name."""
    read = results.read(folder)
    kept = results.select(read)
    timed = kept.filter(kind="SteadyState", state="value").sort("n").row(-1, named=True)
    yield "compare", compare_tables.tables(compare.ask(kept))
    yield "fit", fit_tables.tables(fit.ask(kept))
    yield "breakeven", breakeven_tables.tables(breakeven.ask(kept))
    yield "crossover", crossover_tables.tables(crossover.ask(kept))
    yield "predict", predict_tables.tables(predict.ask(kept))
    planned = plan.ask(kept, plan.Options(timed["workload"], int(timed["n"]), 1000))
    yield "plan", plan_tables.tables(planned)
    yield "account", account_tables.tables(account.ask(kept))
    yield "claims", claims_tables.tables(claims.ask(kept))
    yield "history", history_tables.tables(history.ask(read))


@pytest.fixture(scope="module")
def real_tables():
    return {folder: dict(answers_of(folder)) for folder in (KEPT, OLD_RESULTS)}


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize(
    "question",
    ["compare", "fit", "breakeven", "crossover", "predict", "plan", "account", "claims", "history"],
)
def test_tables_of_real_results_fit_and_nothing_is_cut(real_tables, question, width):
    assert real_tables[OLD_RESULTS][question]
    for table in (*real_tables[OLD_RESULTS][question], *real_tables[KEPT][question]):
        said = text_of([table], width)
        assert max(map(cell_len, said.splitlines())) <= width
        assert "…" not in said
        found = squeezed(said)
        for i, column in enumerate(table.columns if table.rows else ()):
            if not column.detail:
                assert all(word in found for word in column.heading.split())
                for row in table.rows:
                    text = row[i].text
                    # What is broken into lines stands beside other columns' lines.
                    pieces = text.split() if column.breaks else [squeezed(text)]
                    assert all(piece in found for piece in pieces)
        for text in (table.caption, table.note if table.rows else "", *table.remarks):
            assert squeezed(text) in found


# In Markdown, CSV, JSON and HTML


def odd():
    return Table(
        "of a_b | c",
        (Column("backend", words=True), Column("time", unit="s"), Column("ratio")),
        (
            (Cell("[x]*", mark="best"), Cell("1.00 µs", "2.0x", "best", 1e-6), Cell("-", value="")),
            (Cell("<b>", mark="warn"), Cell("2.00 µs", value=2e-6), Cell("3.0x", value=3.0)),
        ),
        note="* <best>",
        remarks=("a | b",),
    )


def test_markdown_shows_every_letter_as_it_is():
    assert as_markdown([odd()]).splitlines() == [
        r"**of a\_b \| c**",
        "",
        "| backend | time | ratio |",
        "| --- | ---: | ---: |",
        r"| **\[x\]\*** | **1.00 µs**<br><sub>2.0x</sub> | - |",
        r"| \<b\> | 2.00 µs | 3.0x |",
        "",
        r"<sub>\* \<best\></sub>",
        "",
        r"- a \| b",
    ]


def test_csv_holds_the_numbers_in_their_unit():
    rows = list(csv.reader(io.StringIO(as_csv([odd(), odd()]))))
    assert rows[0] == ["table", "backend", "time (s)", "ratio"]
    assert (
        rows[1:]
        == [
            ["of a_b | c", "[x]*", "1e-06", ""],
            ["of a_b | c", "<b>", "2e-06", "3.0"],
        ]
        * 2
    )  # columns of the same names have them once


def test_html_escapes_every_text():
    said = str(as_html([odd()]))
    assert "<b>" not in said
    assert '<th scope="col" class="words">backend</th>' in said
    assert '<th scope=row class="words best">[x]*</th>' in said
    assert '<td class="best">1.00 µs<span class="more">2.0x</span></td>' in said
    assert "<li>a | b</li>" in said


# Answers as objects


@dataclass(frozen=True)
class Inner:
    SPREAD: ClassVar[bool] = True

    machine: str
    n: float


@dataclass(frozen=True)
class Outer:
    KEYS: ClassVar[dict[str, str]] = {"cost": "C"}

    of: Inner
    cost: float
    more: tuple[Inner, ...] = ()


def test_a_row_as_an_object_has_its_keys_and_spreads_what_it_is_of():
    row = Outer(Inner("m", 10.0), 0.5, (Inner("o", math.nan),))
    object_ = {"machine": "m", "n": 10, "C": 0.5, "more": [{"machine": "o", "n": None}]}
    assert objects_of(row) == object_
    assert Answer((row, row)).objects() == [object_, object_]
    assert objects_of({"a": (math.inf, True, 2**70)}) == {"a": [None, True, 2**70]}


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(answers).failed == 0
    assert doctest.testmod(answers).attempted >= 2


# Whatever backends there are


def test_a_backend_that_is_not_built_in_is_in_every_table_by_its_heading(monkeypatch):
    sizes = (10, 100, 1_000, 10_000, 100_000)
    made = cells(
        *steady("numpy", {n: 1e-6 + 1e-8 * n for n in sizes}),
        *steady("torch", {n: 3e-6 + 1e-9 * n for n in sizes}),
        *steady("numpy", {n: 1e-6 + 1e-8 * n for n in sizes}, kind="FirstCall"),
        *steady("torch", {n: 0.1 + 1e-9 * n for n in sizes}, kind="FirstCall"),
    )
    monkeypatch.setattr(backends, "names", lambda: ("torch", "numpy"))
    monkeypatch.setattr(backends, "is_compiled", lambda name: name == "torch")
    monkeypatch.setattr(backends, "heading", lambda name: {"torch": "PyTorch"}.get(name, name))
    asked = {
        compare_tables: compare.ask(made),
        fit_tables: fit.ask(made),
        breakeven_tables: breakeven.ask(made),
        crossover_tables: crossover.ask(made),
        predict_tables: predict.ask(made),
        plan_tables: plan.ask(made, plan.Options("elementwise", 1_000, 7)),
    }
    for module, answer in asked.items():
        (table,) = module.tables(answer)
        assert "PyTorch" in text_of([table], 100), module.__name__
        assert "torch" not in text_of([table], 100), module.__name__
    assert next(iter(compare.ask(made))).backend == "torch"  # in the order of the registry


# The public names


def test_questions_are_asked_by_their_public_names():
    made = cells(*steady("numpy", {10: 1e-6}), *steady("numpy", {10: 2e-6}, kind="FirstCall"))
    assert jitcost.compare(made).rows[0].time == 1e-6
    assert jitcost.plan(made, plan.Options("elementwise", 10, 3)).rows[0].total == 4e-6
    assert jitcost.fit(made).rows[0].reason == "one size"
    assert set(jitcost.__all__) == {"__version__", *jitcost._PUBLIC}
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = jitcost.nonsense
