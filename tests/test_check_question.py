"""The verdict of a gate: of each cell, and over all of them."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest

from jitcost.measuring.in_turns import Process, look
from jitcost.questions.answers import objects_of
from jitcost.questions.check import CANNOT_TELL, SLOWER, Options, Side, ask
from jitcost.show.answers.check import as_comment, as_junit, tables

SIDES = (Side("main", "a" * 40, {"numpy": "2.3"}), Side("HEAD", "b" * 40, {"numpy": "2.4"}))
SUITE = {"recursion.SteadyState.time_call": {"param_names": ["n", "backend"], "type": "time"}}
NUMBA = ("recursion.SteadyState.time_call", ("1000", "'numba'"))
NUMPY = ("recursion.SteadyState.time_call", ("1000", "'numpy'"))

# Ten processes that differ by up to 1 %: every ratio below is known to within that.
SPREAD = tuple(1 + 0.01 * number / 9 for number in range(10))


def pair(factor, count=10, seconds=1e-3):
    earlier = [seconds * one for one in SPREAD[:count]]
    return earlier, [factor * one for one in earlier]


def judged(first=None, fresh=None, suspicious=None, failed=None, **settings):
    return ask(
        SIDES,
        first or {},
        fresh or {},
        suspicious or {},
        benchmarks=SUITE,
        failed=failed or {},
        **settings,
    )


def slower_by(factor, **settings):
    """Return the check of one cell that is slower by a factor, and one that is as it was."""
    return judged(
        {NUMBA: pair(factor, 5), NUMPY: pair(1.0, 5)},
        {NUMBA: pair(factor)},
        {NUMBA: "slower"},
        **settings,
    )


def test_a_cell_slower_by_the_threshold_or_more_ends_with_1():
    found = slower_by(1.1)
    (row,) = found.slower
    assert (found.status, row.verdict, row.workload, row.backend, row.n) == (
        SLOWER,
        "slower",
        "recursion",
        "numba",
        1000,
    )
    assert row.ratio == pytest.approx(1.1)
    assert row.ratio_low < 1.1 < row.ratio_high
    assert (row.fresh, row.processes) == (True, 10)
    assert found.verdict == "1 slower by 5 % or more, of 2 cells"


def test_below_the_threshold_it_is_said_and_let_through():
    found = slower_by(1.1, options=Options(threshold=0.2))
    assert (found.status, found.slower) == (0, [])
    assert [row.verdict for row in found.cells] == ["slower", "not significantly different"]
    assert found.verdict == "nothing significantly slower by 20 % or more, of 2 cells"


def test_what_may_be_slower_by_more_than_the_threshold_is_listed():
    wide = [1.0, 1.1, 1.2, 1.3, 1.4]
    found = judged({NUMBA: (wide, wide), NUMPY: pair(1.0, 5)})
    assert found.status == 0
    assert [row.backend for row in found.may_be_slower] == ["numba"]
    assert found.verdict == (
        "nothing significantly slower by 5 % or more, of 2 cells; 1 may be, by their intervals"
    )
    (table,) = tables(found)
    assert table.remarks == (
        "may be slower by more than 5 %, by their intervals: recursion, numba, n = 1,000",
        "installed: numpy 2.3 -> 2.4",
    )


def test_what_looked_suspicious_and_was_not_measured_again_cannot_be_told():
    found = judged({NUMBA: pair(1.1, 5), NUMPY: pair(1.0, 5)}, suspicious={NUMBA: "slower"})
    assert found.status == CANNOT_TELL  # one of two is more than a fifth
    assert found.verdict == "cannot tell: 1 without a verdict, of 2 cells"
    assert found.cells[0].verdict == "cannot tell"
    let_through = judged(
        {NUMBA: pair(1.1, 5), NUMPY: pair(1.0, 5)},
        suspicious={NUMBA: "slower"},
        options=Options(cannot_tell=0.5),
    )
    assert let_through.status == 0


def test_what_looked_faster_and_was_not_measured_again_is_let_through():
    found = judged({NUMBA: pair(0.8, 5), NUMPY: pair(1.0, 5)}, suspicious={NUMBA: "faster"})
    assert (found.status, [row.verdict for row in found.cells]) == (
        0,
        ["cannot tell", "not significantly different"],
    )
    assert "it looked faster" in next(row.reason for row in found.cells if row.reason)


def test_fewer_than_three_processes_tell_nothing():
    found = judged({NUMBA: pair(1.5, 2)})
    assert (found.status, found.cells[0].verdict) == (CANNOT_TELL, "cannot tell")


def test_faster_is_told_and_let_through():
    found = judged(
        {NUMBA: pair(0.8, 5), NUMPY: pair(1.0, 5)}, {NUMBA: pair(0.8)}, {NUMBA: "faster"}
    )
    assert (found.status, found.cells[0].verdict) == (0, "faster")
    assert found.cells[0].ratio == pytest.approx(0.8)


def test_looking_for_faster_cells_costs_no_power_to_find_slower_ones():
    """One-sided p, adjusted among the slower alone: of one cell it is Yuen's own."""
    others = {("b.time_x", (str(number),)): pair(0.99) for number in range(20)}
    suspicious = dict.fromkeys(others, "faster") | {NUMBA: "slower"}
    rng = np.random.default_rng(3)
    earlier = list(np.exp(rng.normal(0, 0.02, 10)))
    later = list(1.02 * np.exp(rng.normal(0, 0.02, 10)))
    alone = judged({NUMBA: (earlier, later)}, {NUMBA: (earlier, later)}, {NUMBA: "slower"})
    among = judged(
        {NUMBA: (earlier, later), **others}, {NUMBA: (earlier, later), **others}, suspicious
    )
    rows = [row for row in (*alone.cells, *among.cells) if row.backend == "numba"]
    verdicts = {row.verdict for row in rows}
    assert len(verdicts) == 1
    assert rows[0].p == pytest.approx(rows[1].p, rel=1e-12)


@pytest.mark.parametrize(
    ("reasons", "verdict", "status"),
    [
        ((None, "ValueError: boom"), "fails", SLOWER),
        ((None, "skipped"), "gone", 0),
        (("ImportError: no f", None), "new", 0),
        (("skipped", None), "new", 0),
        (("boom", "boom"), "broken", 0),
        (("boom", "skipped"), "broken", 0),
    ],
)
def test_what_is_measured_on_one_side_only(reasons, verdict, status):
    found = judged({NUMPY: pair(1.0, 5)}, failed={NUMBA: reasons})
    assert found.status == status
    assert [row.verdict for row in found.cells if row.backend == "numba"] == [verdict]


def test_what_is_skipped_on_both_sides_is_not_there():
    found = judged({NUMPY: pair(1.0, 5)}, failed={NUMBA: ("skipped", "skipped")})
    assert [row.backend for row in found.cells] == ["numpy"]


def test_an_interrupt_is_no_verdict_but_what_is_slower_is():
    assert judged({NUMPY: pair(1.0, 5)}, finished=False).status == CANNOT_TELL
    assert slower_by(1.1, finished=False).status == SLOWER


def test_the_table_names_both_sides_and_what_differs_in_them():
    (table,) = tables(slower_by(1.1))
    assert table.caption == (
        "HEAD (bbbbbbbb) against main (aaaaaaaa): 1 slower by 5 % or more, of 2 cells"
    )
    slower, same = (row[-1].text for row in table.rows)
    assert slower == "slower by 10 % [9, 11] +"
    assert same == "not significantly different [-1, +1]"


def test_of_many_cells_those_are_shown_of_which_there_is_something_to_say():
    cells = {("b.time_x", (str(number),)): pair(1.0, 5) for number in range(40)}
    found = judged(
        {**cells, NUMBA: pair(1.1, 5)},
        {NUMBA: pair(1.1)},
        {NUMBA: "slower"},
        left_out=[("b.time_y", ("1", "'a'")), ("b.time_z", ())],
    )
    (table,) = tables(found)
    assert len(table.rows) == 1
    assert found.left_out == ("b.time_y(1, 'a')", "b.time_z")
    assert table.remarks[:2] == (
        "40 other cells: not significantly different",
        "left out, for want of time: 2 cells; --time gives more",
    )


def test_a_comment_is_markdown_with_the_verdict_in_its_heading():
    lines = as_comment(slower_by(1.1)).splitlines()
    assert lines[0] == "### ❌ jitcost check: 1 slower by 5 % or more, of 2 cells"
    (row,) = [line for line in lines if "slower by 10 %" in line]
    assert row.startswith("| recursion |")


def test_junit_has_a_case_for_each_cell():
    found = judged(
        {NUMBA: pair(1.1, 5), NUMPY: pair(1.0, 5)},
        {NUMBA: pair(1.1)},
        {NUMBA: "slower"},
        failed={("b.time_new", ()): ("ImportError: no f", None)},
    )
    suite = ElementTree.fromstring(as_junit(found))
    assert {key: suite.get(key) for key in ("tests", "failures", "skipped")} == {
        "tests": "4",  # and one for the verdict
        "failures": "1",
        "skipped": "1",
    }
    (failing,) = [case for case in suite if case.find("failure") is not None]
    assert (failing.get("classname"), failing.get("name")) == (NUMBA[0], "n = 1,000, numba")
    assert failing.find("failure").get("message") == "slower by 10 % [9, 11]"


def test_junit_fails_where_too_many_cannot_be_told():
    found = judged({NUMBA: pair(1.1, 5)}, suspicious={NUMBA: "slower"})
    suite = ElementTree.fromstring(as_junit(found))
    (failing,) = [case for case in suite if case.find("failure") is not None]
    assert failing.find("failure").get("message") == found.verdict
    assert found.verdict == "cannot tell: 1 without a verdict, of 1 cells"


def test_without_anything_to_compare_it_cannot_be_told():
    found = judged(failed={NUMBA: ("ImportError: no f", None)})
    assert (found.status, found.verdict) == (
        CANNOT_TELL,
        "cannot tell: there is nothing to compare",
    )


def test_json_is_one_object_with_a_list_of_cells():
    found = objects_of(slower_by(1.1))
    assert (found["status"], found["threshold"], found["later"]["name"]) == (1, 0.05, "HEAD")
    assert found["cells"][0]["benchmark"] == NUMBA[0]
    assert found["cells"][0]["ratio"] == pytest.approx(1.1)


class TestRates:
    """Whole checks of simulated processes; 3 of 20 cells have a second, slower mode, as real ones."""

    CELLS = tuple(("b.time_x", (str(number),)) for number in range(20))

    def check(self, factor, seed):
        """Return the check of 20 cells, of which the first is slower by a factor."""
        rng = np.random.default_rng(seed)
        now = [0.0]

        def take(side, key):
            now[0] += 1.0
            number = self.CELLS.index(key)
            slowed = rng.random() < 0.125 and number < 3
            noise = rng.normal(0, 0.014) + (math.log(rng.uniform(1.1, 1.6)) if slowed else 0.0)
            mean = factor if side and number == 19 else 1.0
            return Process((mean * math.exp(noise),), 1.0)

        class Quiet:
            def __getattr__(self, _):
                return lambda *_: None

        looks = look(self.CELLS, take, 1500, Quiet(), clock=lambda: now[0])
        assert not looks.left_out
        return ask(
            SIDES,
            looks.first,
            looks.fresh,
            looks.suspicious,
            benchmarks={},
            failed=looks.failed,
            options=Options(threshold=0.0),
        )

    def test_unchanged_runs_of_20_cells_raise_an_alarm_in_two_of_100(self):
        """1.8 % was simulated at worst; of 500 runs, up to 18 alarms are then within chance."""
        alarms = sum(self.check(1.0, seed).status == SLOWER for seed in range(500))
        assert alarms <= 18

    def test_a_slowdown_of_five_per_cent_is_found_in_more_than_nine_of_ten(self):
        found = sum(
            any(row.params == {"param1": "19"} for row in self.check(1.05, seed).slower)
            for seed in range(100)
        )
        assert found >= 90
