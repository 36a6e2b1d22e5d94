"""A workload's own page: what it is, who wins on each machine, its code, and where its history steps."""

import re

import polars as pl

from jitcost.backends import workloads
from jitcost.show.html import Link
from jitcost.show.report.past import Past
from jitcost.show.report.workload import workload_draft
from jitcost.show.subjects import Subject
from making_cells import cells, steady
from making_histories import over_commits, runs
from reading_pages import Page, can_be_read_without_seeing, loads_nothing

RECURSION = Subject(own=False, name="recursion")
ELEMENTWISE = Subject(own=False, name="elementwise")
LINKS = [Link(one.title, one.file) for one in (ELEMENTWISE, RECURSION)]
FILES = [link.href for link in LINKS]
SIZES = (10, 100, 1_000, 10_000)


def measured(**common):
    """Return two backends of the recursion, five processes a cell, and their first calls."""
    rows = []
    for name, call, compiling in (("python", 1e-7, 0.0), ("numba", 2e-8, 0.1)):
        times = {n: tuple(call * n * one for one in (1, 1.02, 0.99, 1.01, 0.98)) for n in SIZES}
        rows += steady(name, times, workload="recursion", **common)
        first = {n: tuple(compiling + time for time in its) for n, its in times.items()}
        rows += steady(name, first, workload="recursion", kind="FirstCall", **common)
    return rows


def page(made, subject=RECURSION, **given):
    return workload_draft(subject, made, Past.of(made), **{"workloads": LINKS} | given).page()


def test_it_says_what_the_workload_is_and_which_limits_it_has():
    text = page(cells(*measured()))
    spec = workloads.get("recursion")
    terms = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]*)</dd>", text))
    assert terms["n counts"] == "steps"
    assert terms["k"].startswith("3: ")
    assert terms["Compared with"] == "python"
    assert spec.summary in text
    assert f"jax_eager runs to n = 1000 only: {spec.limits['jax_eager'].reason}" in text


def test_it_answers_every_question_about_the_workload_and_no_other():
    text = page(cells(*measured(), *steady("numpy", dict.fromkeys(SIZES, 1e-6))))
    tables = Page(text).tables
    assert [caption.partition(":")[0] for caption in tables] == ["recursion"] * len(tables)
    compare = tables["recursion: time per call, and its ratio to python's"]
    assert compare[1][:2] == ["10", "1.00 µs"]
    # 0.2 us / 1 us; both have the same five factors, so their logarithms' variances are equal
    assert compare[1][2].startswith("*200 ns|0.20x [")
    paid = tables["recursion: calls until compiling has paid, against python"]
    # 100 ms / (1 ms - 0.2 ms) = 125
    assert paid[4][:5:4] == ["numba", "125"]
    assert any(caption.startswith("recursion: t = k (c0 + c1 n)") for caption in tables)
    # The figures of who wins and of breaking even: the others' tables say all.
    assert len(re.findall(r'<svg[^>]*aria-labelledby="machine-1-(\w+)-', text)) == 2


def test_it_shows_the_code_of_every_kernel_folded():
    text = page(cells(*measured()))
    folded = re.findall(r"<details>\s*<summary>(.*?)</summary>", text)
    assert folded == ["python", "numpy", "jax_eager", "jax_jit", "numba", "julia"]
    assert "jax.lax.scan(step, jnp.zeros(()), e, unroll=unroll)" in text
    assert "<details open" not in text


def test_each_machine_has_a_section_and_is_compared_with_no_other():
    slow = [row | {"value": tuple(10 * t for t in row["value"])} for row in measured(machine="b")]
    text = page(cells(*measured(machine="a"), *slow))
    assert re.findall(r'<h2 id="machine-\d-heading">(.*?)</h2>', text) == ["a", "b"]
    can_be_read_without_seeing(text)
    loads_nothing(text, FILES)


def test_it_leads_to_the_next_workload_and_from_the_last_to_the_first():
    made = cells(*measured(), *steady("numpy", dict.fromkeys(SIZES, 1e-6)))
    assert '<a href="workload-elementwise.html">Next: elementwise</a>' in page(made)
    after = page(made, ELEMENTWISE)
    assert '<a href="workload-recursion.html">Next: recursion</a>' in after
    assert '<a href="workload-elementwise.html" aria-current="page">elementwise</a>' in after
    assert "Next:" not in page(made, workloads=LINKS[1:])


def stepping():
    """Return twelve commits: numba's recursion takes twice as long from the seventh on at n = 1000."""
    common = {"workload": "recursion"}
    return pl.concat(
        [
            over_commits({"python": runs(1e-3), "numba": runs(2e-4, (6, 2.0))}, **common),
            over_commits({"python": runs(1e-5), "numba": runs(2e-6)}, sizes=(10,), **common),
            over_commits({"numpy": runs(1e-6), "numba": runs(2e-6)}),
        ]
    )


def test_of_its_history_it_draws_what_steps_and_tells_everything():
    text = page(stepping())
    drawn = re.findall(r'<svg[^>]*aria-labelledby="(history-\d+)-title"', text)
    assert drawn == ["history-1"]
    title = re.search(r'<title id="history-1-title">(.*?)</title>', text)[1]
    assert title == "time, n = 1,000, over commits"
    series = [caption for caption in Page(text).tables if "over commits" in caption]
    assert {caption.partition(",")[0] for caption in series} == {
        "recursion on python",
        "recursion on numba",
    }
    assert text.count("; a step<") == 1


def test_a_workload_whose_series_do_not_step_has_them_in_numbers_alone():
    text = page(stepping(), ELEMENTWISE)
    assert 'aria-labelledby="history-1-title"' not in text
    assert "No series of this workload steps." in text
    assert "elementwise on numba, over commits" in text


def test_a_persons_own_problem_has_no_spec_and_no_kernels_of_ours():
    own = {"workload": "recursion", "benchmark": "own.recursion.SteadyState.time_call"}
    rows = [row | own for row in steady("numpy", dict.fromkeys(SIZES, 1e-6))]
    text = page(cells(*rows), Subject(own=True, name="recursion"), workloads=())
    assert "<h1>own recursion</h1>" in text
    assert 'id="kernels"' not in text
    assert "n counts" not in text
