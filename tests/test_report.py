"""The report, from cells made by hand: its numbers, what it loads (nothing), and the planner."""

import itertools
import json
import math
import re

import polars as pl
import pytest

from jitcost import cli
from jitcost.commands import report as command
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions import plan
from jitcost.questions.answers import Answer
from jitcost.show.answers.plan import tables
from jitcost.show.html import Link
from jitcost.show.report import page, report_draft
from jitcost.show.report.planner import script_json
from jitcost.units import format_duration, format_seconds
from making_cells import cells, steady
from reading_pages import Page, can_be_read_without_seeing, in_browser, loads_nothing, needs_browser

SIZES = (10, 100, 1_000, 10_000)


def made(**common):
    """Return numpy and jax_jit at four sizes, and their first calls."""
    numpy = {n: 4e-6 + 2e-8 * n for n in SIZES}
    jit = {n: 8e-6 + 1e-8 * n for n in SIZES}
    first = {"kind": "FirstCall", **common}
    return [
        *steady("numpy", numpy, **common),
        *steady("jax_jit", jit, **common),
        *steady("numpy", {n: 2 * t for n, t in numpy.items()}, **first),
        *steady("jax_jit", {n: 0.05 + t for n, t in jit.items()}, **first),
        *steady("numpy", {10: 2.0**-54}, kind="Agreement", **common),
    ]


@pytest.fixture(scope="module")
def text():
    return page(cells(*made()))


@pytest.fixture(scope="module")
def parsed(text):
    return Page(text)


# The page


def test_the_page_loads_nothing(text):
    loads_nothing(text)


def test_the_numbers_stand_in_their_tables(parsed):
    compare = parsed.tables["elementwise: time per call, and its ratio to numpy's"]
    assert compare[0] == ["n", "numpy", "jax_jit"]
    assert compare[1] == ["10", "*4.20 µs", "8.10 µs|1.929x [1.927, 1.931]"]
    assert compare[4] == ["10,000", "204 µs", "*108 µs|0.529x [0.529, 0.530]"]
    fit = parsed.tables["elementwise: t = k (c0 + c1 n), k = 10"]
    assert fit[1][0] == "numpy"
    assert fit[1][1].startswith("4.00 [")
    assert fit[1][2].startswith("20.0 [")
    assert fit[1][3:] == ["0.0%", "-", "linear to 1 %"]
    paid = parsed.tables["elementwise: calls until compiling has paid, against numpy"]
    # 4.2 - 8.1 us, of bounds half a per mille wide
    assert paid[1][:5] == ["jax_jit", "10", "50.0 ms", "-3.90 µs|[-3.91, -3.89] µs", "never"]
    # 50 ms / (204 - 108) us = 520.8
    assert paid[4][:5] == ["jax_jit", "10,000", "50.0 ms", "96.0 µs|[95.8, 96.2] µs", "521"]
    predicted = parsed.tables["elementwise: relative error of times predicted from half the sizes"]
    # 100 between 10 (4.2 us) and 1000 (24 us): the straight chord is the truth, 6 us
    assert predicted[1] == ["numpy", "interpolation", "1", "0%", "0%"]
    # Two of the four sizes are too few for a model.
    assert "numpy: no model: fewer than three sizes" in parsed.said
    crossing = parsed.tables["elementwise: where the faster backend changes, against numpy"]
    assert crossing[1][0] == "numpy"
    assert crossing[1][2:] == ["100 and 1,000", "jax_jit"]
    assert any(caption.startswith("The article's claims") for caption in parsed.tables)
    assert any("elementwise: all 1 results are within" in said for said in parsed.said)


def test_the_page_can_be_read_without_seeing_it(text):
    can_be_read_without_seeing(text)
    assert text.count("<svg") == 6
    assert text.count("<th") > 10


def test_parts_of_figures_refer_to_their_own_figure(text):
    identifiers = set(re.findall(r'\bid="([^"]+)"', text))
    referred = re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', text)
    assert referred
    assert set(referred) <= identifiers


def test_names_are_texts_and_never_markup():
    evil = "m</script><script>alert(1)</script>"
    written = page(cells(*made(machine=evil, environment="<b>&")))
    assert "<script>alert(1)" not in written
    assert "<b>" not in written
    shown = Page(written)
    assert shown.said.count(evil) >= 2  # in the navigation and as a heading
    assert len([tag for tag, _ in shown.elements if tag == "script"]) == 2  # data and planner


def test_each_machine_is_a_section_and_is_compared_with_no_other():
    slow = [{**row, "value": row["value"] * 1000} for row in made(machine="slow")]
    shown = Page(page(cells(*made(), *slow)))
    headings = [a["id"] for tag, a in shown.elements if tag == "h2"]
    assert headings == ["origin-1-heading", "origin-2-heading", "caveats-heading"]
    # Both have a table of this caption; the later one is the slow machine's.
    compare = shown.tables["elementwise: time per call, and its ratio to numpy's"]
    assert compare[1] == ["10", "*4.20 ms", "8.10 ms|1.929x [1.927, 1.931]"]


def test_beside_pages_of_single_workloads_the_report_leaves_their_tables_to_them():
    links = [Link("elementwise", "workload-elementwise.html")]
    text = report_draft(cells(*made()), workloads=links).page()
    shown = Page(text)
    loads_nothing(text, ["workload-elementwise.html"])
    assert '<a href="workload-elementwise.html">elementwise</a>' in text
    assert [caption for caption in shown.tables if caption.startswith("elementwise")] == []
    assert any(caption.startswith("The article's claims") for caption in shown.tables)
    assert data_of(shown)[0]["workload"] == "elementwise"  # the planner is here
    assert len(text) < 0.7 * len(page(cells(*made())))


def test_where_nothing_that_is_claimed_was_measured_no_claims_are_shown():
    rows = steady("julia", {17: 1e-6, 170: 2e-6}, workload="recursion")  # no claim is about these
    shown = Page(page(cells(*rows)))
    assert any(caption.startswith("recursion") for caption in shown.tables)
    assert not any(caption.startswith("The article's claims") for caption in shown.tables)


def test_nothing_to_report_is_said():
    with pytest.raises(NothingFoundError, match="nothing to report"):
        page(cells({"kind": "Other", "workload": None, "benchmark": "x", "value": 1.0}))


# The planner


def data_of(shown):
    """Return the planner's data, read as strict JSON."""
    return json.loads(shown.scripts[0], parse_constant=pytest.fail)


def test_the_planners_data_are_the_measured_times_and_the_models(parsed):
    (workload,) = data_of(parsed)
    assert workload["workload"] == "elementwise"
    assert workload["sizes"] == list(SIZES)
    numpy, jit = workload["backends"]
    assert (numpy["backend"], jit["backend"]) == ("numpy", "jax_jit")
    assert numpy["steady"]["points"][0] == pytest.approx([10, 4.2e-6, 4.1979e-6, 4.2021e-6])
    assert (numpy["largest"], numpy["limit"]) == (None, "")
    model = numpy["steady"]["model"]
    assert model["law"] == "n"
    assert model["below"] == model["above"]  # of one line
    call, _, _, element, _, _ = model["above"]
    assert (call, element) == (pytest.approx(4e-6), pytest.approx(2e-8))
    assert model["misfit"] < 1e-6
    assert jit["first"]["points"][3][1] == pytest.approx(0.05 + 108e-6)


def test_data_cannot_end_their_element():
    written = str(script_json({"</script>": "<!--&"}))
    assert not set("<>&") & set(written)
    assert json.loads(written) == {"</script>": "<!--&"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        script_json([float("nan")])


ASK = """
<script>
const form = document.querySelector(".planner form");
const asked = %s.map(([n, calls]) => {
  form.n.value = n;
  form.calls.value = calls;
  form.dispatchEvent(new Event("input"));
  const rows = [...document.querySelectorAll(".planner tbody tr")];
  return [
    document.querySelector(".planner-answer p").textContent,
    rows.map((row) => [...row.cells].map((cell) => cell.textContent)),
    [...document.querySelectorAll(".planner-answer .rule")].map((note) => note.textContent),
  ];
});
document.body.replaceChildren();
document.body.append(JSON.stringify(asked));
</script>
"""


def planned_in_browser(text, asked, tmp_path):
    """Return what the page's planner answers: its sentence, its rows and its notes, for each n and m."""
    file = tmp_path / "page.html"
    file.write_text(text.replace("</body>", ASK % json.dumps(asked) + "</body>"))
    become, errors = in_browser(file.as_uri(), tmp_path)
    assert errors == []
    body = re.search(r"<body>(.*)</body>", become, re.DOTALL)
    return json.loads("".join(Page(body[0]).said).strip())


def as_on_the_page(row):
    """Return a row of a plan as the page's planner shows it."""
    if row.total is None:
        return [row.backend, row.reason]
    sign = ("(*)" if row.provisional else "*") if row.best else ""
    sign += {"interpolated": "~", "model": "~~", "nearest": "~~~"}.get(row.source, "")
    bounds = (row.total_low, row.total_high)
    return [
        row.backend,
        format_seconds(row.first_call),
        format_seconds(row.steady_state),
        sign + format_duration(row.total),
        "none" if None in bounds else " to ".join(map(format_duration, bounds)),
        row.source,
    ]


@needs_browser
def test_in_a_browser_the_planner_plans_what_was_worked_out_by_hand(text, tmp_path):
    asked = [(100, 1), (10_000, 1_000), (5_500, 1_000), (20_000, 3), (0, 1)]
    first, measured, between, beyond, wrong = planned_in_browser(text, asked, tmp_path)
    assert first[0] == "numpy: 1 call takes 12.0 µs."
    assert measured[0] == "jax_jit: 1,000 calls take 158 ms."  # 50 ms + 1000 * 108 us
    assert measured[1][0][:2] == ["jax_jit", "50.1 ms"]
    assert measured[1][1][:4] == ["numpy", "408 µs", "204 µs", "204 ms"]  # 2 + 999 times 204 us
    # Straight between 1000 and 10,000: 1001 times 114 us; jax_jit 50 ms + 1000 times 63 us. But the
    # intervals reach to the chord in logarithms: from 24 us at 1000 with a power of 0.929 that is
    # 117 us at 5500, from 18 us with a power of 0.778 it is 67.8; so numpy's 1000 calls may take
    # 117 ms, and jax_jit's take 113 or more.
    assert between[0] == (
        "jax_jit: 1,000 calls take 113 ms. "
        "Intervals that reach its interval (overlap is no test): numpy."
    )
    assert [row[3] for row in between[1]] == ["*~113 ms", "*~114 ms"]
    assert between[1][0][-1] == "interpolated"
    # 8 + 0.01 x 20,000 = 208 us, after 50 ms; four times 404 us
    assert beyond[0] == "numpy: 3 calls take 1.62 ms."
    assert [row[3] for row in beyond[1]] == ["*~~1.62 ms", "~~50.6 ms"]
    assert wrong[0] == "Give whole numbers of at least 1."


def of_processes(seconds):
    """Return a curve of five processes a size, some per cent apart."""
    spread = (1.00, 1.02, 0.99, 1.01, 0.98)
    return {
        n: tuple(seconds(n) * one for one in spread) for n in (1, 10, 50, 100, 300, 1000, 10_000)
    }


def varied():
    """Return backends of every kind: one line, with a jump, with a growth law, with a limit."""
    curves = {
        "numpy": lambda n: 4e-6 + 2e-8 * n,
        "jax_jit": lambda n: (5e-6 if n < 180 else 26e-6) + 1e-9 * n,
        "numba": lambda n: 1e-9 * n * math.log(n) + 2e-6,
        "python": lambda n: 1e-6 + 1e-7 * n,
    }
    rows = []
    for name, seconds in curves.items():
        rows += steady(name, of_processes(seconds))
        cost = 0.0 if name in ("numpy", "python") else 0.05
        first = of_processes(lambda n, cost=cost, seconds=seconds: cost + seconds(n))
        rows += steady(name, first, kind="FirstCall")
    return rows


def without_intervals():
    return cells(*made()).with_columns(ci_low=None, ci_high=None)


def few_first_calls():
    """Return first calls of two sizes, as after a quick run, and none of NumPy's."""
    few = (pl.col("kind") != "FirstCall") | pl.col("n").is_in([100.0, 1000.0])
    return cells(*varied()).filter(
        few, (pl.col("kind") != "FirstCall") | (pl.col("backend") != "numpy")
    )


def no_first_call_of_numbas():
    """Return plain Python and Numba alone: beyond the limit of the one nothing can be said at all."""
    first_of_numba = (pl.col("kind") == "FirstCall") & (pl.col("backend") == "numba")
    return cells(*varied()).filter(pl.col("backend").is_in(["python", "numba"]), ~first_of_numba)


@needs_browser
@pytest.mark.parametrize(
    ("these", "commands"),
    [
        (lambda: cells(*made()), set()),
        (lambda: cells(*varied()), set()),
        (
            lambda: cells(*varied(), *steady("julia", of_processes(lambda n: 1e-6 + 1e-9 * n))),
            {"would decide"},
        ),
        (no_first_call_of_numbas, {"would decide", "what would tell"}),
        (without_intervals, set()),
        (few_first_calls, set()),
    ],
    ids=[
        *("samples", "processes", "no first call", "nothing beyond"),
        *("no intervals", "few first calls"),
    ],
)
def test_in_a_browser_the_planner_says_what_the_command_says(these, commands, tmp_path):
    asked = list(itertools.product((1, 5, 100, 700, 10_000, 20_000, 10**8), (1, 7, 5_000)))
    answers = planned_in_browser(page(these()), asked, tmp_path)
    seen, told = set(), set()
    for (n, calls), (sentence, rows, notes) in zip(asked, answers, strict=True):
        try:
            answer = list(plan.ask(these(), plan.Options("elementwise", n, calls)))
            command, what = plan.deciding(answer), "would decide"
        except NothingFoundError as error:
            answer = []
            reasons, _, command = str(error).partition("; run ")
            what = "what would tell"
            assert all(": ".join(row) in reasons for row in rows), (n, calls)
        if command:
            assert sentence.endswith(f" {what}: {command}"), (n, calls)
            told.add(what)
        else:
            assert "jitcost bench" not in sentence, (n, calls)
        if answer:
            (table,) = tables(Answer(tuple(answer)))
            others = [said for said in table.remarks if said.startswith("not measured here")]
            assert [note.lower() for note in notes if note.startswith("Not measured")] == [
                f"{said}." for said in others
            ]
            assert sorted(rows) == sorted(map(as_on_the_page, answer)), (n, calls)
        seen |= {row.source for row in answer}
    assert seen >= {"measured", "interpolated", "model"}
    assert told == commands


# The command


def test_the_page_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("jitcost.store.results.read", lambda _: cells(*made()))
    file = tmp_path / "page.html"
    parser = cli._parser("report", command)
    args = parser.parse_args(["-o", str(file), "--results", str(tmp_path)])
    assert command.run(args) == 0
    assert capsys.readouterr().out == f"{file}\n"
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(BadCallError, match="cannot write"):
        command.run(
            parser.parse_args(["-o", str(tmp_path / "no" / "p"), "--results", str(tmp_path)])
        )
