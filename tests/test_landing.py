"""The first page's answers: who wins where, what changed lately, whose results speak for a machine."""

import datetime
import doctest
import json

import pytest

from jitcost.questions import changes, compare
from jitcost.questions.fullest import fullest
from jitcost.show.figures.style import look
from jitcost.show.landing import landing_draft
from jitcost.show.landing import lately as lately_module
from jitcost.show.landing.lately import newest_changes
from jitcost.show.landing.winners import who_wins
from jitcost.show.subjects import Subject, subjects
from jitcost.store import results
from making_cells import cells, steady
from making_histories import COMMITS, on, over_commits, over_releases, runs
from making_results import content, write
from reading_pages import Page

# Of five processes: 2 % apart.
FIVE = (1.00, 1.02, 0.99, 1.01, 0.98)


def five(seconds):
    return tuple(seconds * one for one in FIVE)


def shown(made):
    return who_wins(compare.ask(made))


def names(place):
    return [winner.name for winner in place.winners]


def test_the_fastest_wins_and_equals_share_a_place_the_faster_one_first():
    made = cells(
        *steady("numpy", {10: five(2e-6), 100: five(4.01e-6)}),
        *steady("numba", {10: five(1e-6), 100: five(4e-6)}),
    )
    found = shown(made)
    assert found.sizes == ("10", "100")
    (line,) = found.lines
    assert (line.link.text, line.link.href) == ("elementwise", "workload-elementwise.html")
    assert [names(place) for place in line.places] == [["numba"], ["numba", "numpy"]]
    assert [place.time for place in line.places] == ["1.00 µs", "4.00 µs"]
    assert line.places[0].winners[0].colour == look("numba").colour
    assert found.remarks == []


def test_a_size_that_a_workload_lacks_has_no_winner():
    made = cells(
        *steady("numpy", {10: five(1e-6)}),
        *steady("numba", {10: five(2e-6)}),
        *steady("numpy", {1000: five(1e-6)}, workload="kalman"),
        *steady("numba", {1000: five(2e-6)}, workload="kalman"),
    )
    found = shown(made)
    assert found.sizes == ("10", "1,000")
    assert [[names(place) for place in line.places] for line in found.lines] == [
        [["numpy"], []],
        [[], ["numpy"]],
    ]


def test_one_process_wins_provisionally_and_no_rival_is_no_win():
    made = cells(
        *steady("numpy", {10: (1e-6,), 100: (1e-6,)}),
        *steady("numba", {10: (2e-6,)}),
    )
    found = shown(made)
    first, second = found.lines[0].places
    assert (names(first), first.provisional, first.alone) == (["numpy"], True, False)
    assert (names(second), second.alone) == (["numpy"], True)
    assert [remark.partition(":")[0] for remark in found.remarks] == ["(*) provisional", "alone"]


def test_a_workload_at_several_options_is_folded_below_the_others():
    chains = [
        row
        for k in (1, 4)
        for name, time in (("numpy", five(2e-6)), ("numba", five(1e-6)))
        for row in steady(name, {10: time}, workload="op_chain", params=f'{{"k": "{k}"}}')
    ]
    made = cells(*steady("numpy", {10: five(1e-6)}), *steady("numba", {10: five(2e-6)}), *chains)
    text = landing_draft(made, made, changes.ask(made), project="jitcost").page()
    above, folded = text.split("<details>")
    assert "<summary>By option: op_chain</summary>" in folded
    assert "op_chain, k = 4</a>" in folded
    assert ">elementwise</a>" in above
    assert ">elementwise</a>" not in folded


# Which results speak for a machine


def run(number, sizes, machine="m", **common):
    date = datetime.datetime(2026, 1, 1 + number, tzinfo=datetime.UTC)
    of = {"commit": f"{number}" * 40, "date": date, "machine": machine} | common
    return steady("numpy", dict.fromkeys(sizes, 1e-6), **of)


def commits(found):
    return [(origin.machine, origin.commit[0], len(its)) for origin, its in found]


def test_a_newer_run_of_a_few_cells_does_not_hide_a_full_one():
    made = cells(*run(1, range(1, 21)), *run(2, range(1, 21)), *run(3, [10]))
    assert commits(fullest(made)) == [("m", "2", 20)]


def test_of_equals_the_newest_speaks_and_a_failed_cell_makes_no_difference():
    made = cells(*run(1, range(1, 21)), *run(2, range(1, 20)))
    assert commits(fullest(made)) == [("m", "2", 19)]


def test_each_machine_speaks_for_itself_and_one_without_times_does_not():
    made = cells(
        *run(1, [10, 100]), *run(2, [10], machine="other"), *run(3, [1], "third", kind="Floor")
    )
    assert commits(fullest(made)) == [("other", "2", 1), ("m", "1", 2)]


def test_what_is_preferred_speaks_wherever_it_has_times():
    made = cells(*run(1, [10]), *run(2, [10, 100]))
    ((first, _),) = fullest(made.filter(commit="1" * 40))
    assert commits(fullest(made, [first])) == [("m", "1", 1)]


# What changed lately


def test_the_newest_changes_are_told_in_sentences_with_the_one_before_them_left_out():
    quick, slow = runs(1e-6, (3, 2.0), (6, 1.5), count=8), runs(3e-6, count=8)
    made = over_releases({"jax_jit": quick, "numpy": slow})
    found = newest_changes(changes.ask(made), most=1)
    ((heading, (sentence,)),) = found.groups
    assert heading.startswith("Over releases of jax (Python 3.12 on m, commit ")
    assert sentence.what == "0.10.2: elementwise on jax_jit / numpy at n = 1,000"
    assert sentence.change.startswith("slower by ")
    assert int(sentence.change.split()[2]) == pytest.approx(50, abs=3)
    assert sentence.mark == "warn"
    assert (found.left_out, found.nothing) == (1, "")


def test_sizes_that_change_alike_are_one_sentence_and_each_axis_has_its_share():
    commits = over_commits(
        {"numpy": runs(1e-5), "numba": runs(1e-6, (7, 1.5))}, sizes=(100, 1000, 10_000)
    )
    quick = {"numpy": runs(3e-6, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)}
    found = newest_changes(changes.ask(commits.vstack(over_releases(quick))), most=2)
    assert [heading.partition(" (")[0] for heading, _ in found.groups] == [
        "Over releases of jax",
        "Over commits",
    ]
    (_, (release,)), (_, (commit,)) = found.groups
    assert release.what == "0.8.3: elementwise on jax_jit / numpy at n = 1,000"
    place = COMMITS[7][:8]
    assert commit.what == f"{place}: elementwise on numba / numpy at n = 100, 1,000, 10,000"
    assert commit.change.startswith("slower by ")
    assert found.left_out == 0


def test_what_has_no_size_and_no_backend_is_told_without_them():
    plain = {"workload": None, "benchmark": "b.time_x", "backend": ""}
    times = [1e-3, 1.01e-3, 0.99e-3, 1e-3, 2e-3, 2.01e-3, 1.99e-3]
    made = cells(*({"value": time, **plain, **on(place)} for place, time in enumerate(times)))
    ((_, (sentence,)),) = newest_changes(changes.ask(made)).groups
    assert sentence.what == f"{COMMITS[4][:8]}: b.time_x"
    assert sentence.change.startswith("slower by 100 % [")


def test_where_nothing_has_changed_it_says_what_was_looked_at():
    made = over_commits({"numpy": runs(1e-6), "numba": runs(2e-6)})
    found = newest_changes(changes.ask(made))
    assert found.groups == ()
    assert found.nothing.startswith("no step or drift of 5 % or more: 2 series of 12 runs")


def test_without_releases_and_commits_it_says_so():
    found = newest_changes(changes.ask(cells(*run(1, [10]))))
    assert found.nothing == "no workload was timed at two releases or commits yet"


def test_the_examples_in_the_docstring():
    done = doctest.testmod(lately_module)
    assert (done.failed, done.attempted) == (0, 1)


# The page


def test_what_wins_on_the_page_stands_beside_its_colour():
    made = cells(*steady("numpy", {10: five(2e-6)}), *steady("numba", {10: five(1e-6)}))
    text = landing_draft(made, made, changes.ask(made), project="jitcost").page()
    table = Page(text).tables["The fastest backend, and its time per call"]
    assert table[0] == ["workload", "n = 10"]
    assert table[1][0] == "elementwise"
    assert f'style="background: {look("numba").colour}"></span>numba</span>' in text
    assert "numpy</span>" not in text


# Pages of workloads


def test_pages_are_named_after_workloads_and_no_two_alike():
    own = Subject(own=True, name="recursion")
    suites = Subject(own=False, name="recursion")
    assert (own.file, own.title) == ("workload-own-recursion.html", "own recursion")
    assert (suites.file, suites.title) == ("workload-recursion.html", "recursion")
    odd = [Subject(own=True, name=name).file for name in ("a/b", "a b", "../a", "a-b")]
    assert len(set(odd)) == 4
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.") for name in odd)
    assert odd[3] == "workload-a-b.html"
    cases = [Subject(own=True, name=name).file.lower() for name in ("rbf", "RBF", "Rbf")]
    assert cases[0] == "workload-rbf.html"
    assert len(set(cases)) == 3  # some file systems know no capitals


def test_workloads_come_in_the_suites_order_and_own_problems_after_them():
    own = {"workload": "rbf", "benchmark": "own.rbf.SteadyState.time_call"}
    made = cells(
        *steady("numpy", {10: 1e-6}, **own),
        *steady("numpy", {10: 1e-6}, workload="recursion"),
        *steady("numpy", {10: 1e-6}),
        *steady("numpy", {10: 1e-6}, workload="kalman", kind="Variants"),
    )
    assert subjects(made) == [
        Subject(own=False, name="elementwise"),
        Subject(own=False, name="recursion"),
        Subject(own=True, name="rbf"),
    ]


# When it was measured


def test_the_page_says_from_when_to_when_the_processes_were_started(tmp_path):
    benchmark = "elementwise.SteadyState.time_call"
    row = [[2.0], [["10"], ["'numpy'"]], "1", None, [[2.0, 1.0, 4.0, 3.0]]]
    made = content("a" * 40, 1_700_000_000_000, {benchmark: row})
    made["result_columns"] = ["result", "params", "version", "stats_ci_99_a", "samples"]
    path = write(tmp_path, made)
    known = {"rounds": 2, "repeat": 2, "type": "time", "params": [["10"], ["'numpy'"]]}
    about = {benchmark: known | {"param_names": ["n", "backend"], "unit": "seconds"}}
    (tmp_path / "benchmarks.json").write_text(json.dumps(about))
    process = {"benchmark": benchmark, "params": ["10", "'numpy'"], "backend": "numpy", "n": 10}
    starts = ["2026-03-01T23:55:00.000000+00:00", "2026-03-02T00:10:00.000000+00:00"]
    lines = [json.dumps(process | {"started": started}) for started in starts]
    path.with_suffix(".processes").write_text("".join(f"{line}\n" for line in lines))
    measured = results.read(tmp_path)
    assert measured["processes"].to_list() == [2]
    steps = changes.ask(measured)
    text = landing_draft(measured, measured, steps, project="jitcost", folder=tmp_path).page()
    assert "<dt>Measured</dt><dd>2026-03-01, 23:55 to 2026-03-02, 00:10 UTC</dd>" in text
    alone = landing_draft(measured, measured, steps, project="jitcost").page()
    assert "<dt>Measured</dt>" not in alone
