"""The order in which two sides are measured, what fits into the time, and what is measured again."""

import math

import numpy as np
import pytest

from jitcost.measuring import in_turns, suspicion
from jitcost.measuring.in_turns import SKIPPED, CannotRunError, Process, look


class Quiet:
    """Nobody is told anything."""

    def __init__(self):
        self.lines = []

    def chosen(self, cells, of, seconds):
        self.lines.append(("chosen", cells, of))

    def again(self, cells, processes, seconds):
        self.lines.append(("again", cells, processes))

    def took(self, processes):
        pass


class Machine:
    """Processes of known truth: each takes a second of a clock that only they move.

    Parameters
    ----------
    ratios : dict
        Each cell's later / earlier.
    spread : float
        Standard deviation of the processes' logarithms.
    """

    def __init__(self, ratios, spread=0.01, seed=0, seconds=1.0):
        self.ratios, self.spread, self.seconds = ratios, spread, seconds
        self.rng = np.random.default_rng(seed)
        self.now = 0.0
        self.taken = []

    def take(self, side, key):
        self.now += self.seconds
        self.taken.append((side, key))
        mean = self.ratios[key] if side else 1.0
        value = mean * math.exp(self.rng.normal(0, self.spread))
        return Process((value * 1.01, value, value * 1.02), self.seconds)

    def look(self, seconds, watch=None, cells=None):
        wanted = list(self.ratios) if cells is None else cells
        return look(wanted, self.take, seconds, watch or Quiet(), clock=lambda: self.now)


def test_both_sides_stand_next_to_one_another_and_go_there_and_back():
    machine = Machine({"a": 1.0, "b": 1.0}, spread=0.0)
    machine.look(1000)
    measured = machine.taken[2:]  # the very first processes of both sides read from the disk
    pairs = list(zip(measured[::2], measured[1::2], strict=True))
    assert all(one[1] == other[1] and {one[0], other[0]} == {0, 1} for one, other in pairs)
    first_side = [one[0] for one, _ in pairs if one[1] == "a"]
    assert len(first_side) == in_turns.FIRST
    assert sum(first_side) in (2, 3)  # each of them comes first every other time


def test_the_number_of_a_process_is_its_fastest_sample_of_as_many_as_all_have():
    samples = {0: (3.0, 2.0, 1.0), 1: (3.0, 2.5)}

    def take(side, key):
        return Process(samples[side], 1.0)

    looks = look(["a"], take, 1000, Quiet(), clock=lambda: 0.0)
    assert looks.first["a"] == ([2.0] * 5, [2.5] * 5)


def test_what_changes_is_measured_again_by_fresh_processes():
    machine = Machine({"same": 1.0, "slow": 1.2, "fast": 0.8}, spread=0.002, seed=1)
    looks = machine.look(1000)
    assert looks.suspicious["slow"] == "slower"
    assert looks.suspicious["fast"] == "faster"
    assert {len(side) for key in ("slow", "fast") for side in looks.fresh[key]} == {suspicion.FRESH}
    assert {len(side) for pair in looks.first.values() for side in pair} == {in_turns.FIRST}


def test_no_more_is_measured_than_fits_into_the_time():
    """Each pair takes 2 s: in 0.4 of 200 s eight cells are looked at five times, by their order."""
    cells = [f"cell {number}" for number in range(30)]
    machine = Machine(dict.fromkeys(cells, 1.0), seed=2)
    watch = Quiet()
    looks = machine.look(200, watch)
    assert list(looks.first) == cells[:8]
    assert looks.left_out == cells[8:]
    assert watch.lines[0] == ("chosen", 8, 30)
    assert machine.now <= 200


def test_where_everything_has_changed_the_most_suspicious_are_measured_again():
    """The first look at eight takes 82 s of 200, the ten fresh pairs of each 20 s: five fit."""
    cells = {f"cell {number}": 1.5 + number / 10 for number in range(8)}
    machine = Machine(cells, spread=0.002, seed=3)
    looks = machine.look(200)
    assert len(looks.suspicious) == 8
    assert len(looks.fresh) == 5
    assert list(looks.fresh) == list(looks.suspicious)[:5]
    assert machine.now <= 200


def test_a_single_cell_is_measured_however_long_it_takes():
    machine = Machine({"a": 2.0, "b": 2.0}, spread=0.002, seconds=100.0)
    looks = machine.look(60)
    assert list(looks.first) == ["a"]
    assert looks.left_out == ["b"]
    assert [len(side) for side in looks.fresh["a"]] == [suspicion.FEWEST_FRESH] * 2


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ((None, "boom"), (None, "boom")),
        (("no such function", None), ("no such function", None)),
        (("boom", "bang"), ("boom", "bang")),
        ((SKIPPED, SKIPPED), (SKIPPED, SKIPPED)),
    ],
)
def test_why_a_cell_cannot_be_measured_is_known_of_both_sides(reasons, said):
    def take(side, key):
        if key == "odd" and reasons[side]:
            raise CannotRunError(reasons[side])
        return Process((1.0,), 1.0)

    looks = look(["odd", "other"], take, 1000, Quiet(), clock=lambda: 0.0)
    assert looks.failed == {"odd": said}
    assert list(looks.first) == ["other"]


def test_a_cell_that_fails_now_and_then_fails_on_both_sides():
    calls = []

    def take(side, key):
        calls.append(side)
        if len(calls) == 7:
            raise CannotRunError("a port was taken")
        return Process((1.0,), 1.0)

    looks = look(["a"], take, 1000, Quiet(), clock=lambda: 0.0)
    assert looks.failed == {"a": ("a port was taken", "a port was taken")}
    assert not looks.first


def test_what_was_seen_before_an_interrupt_is_kept():
    machine = Machine({"a": 1.0, "b": 1.0}, spread=0.002, seed=4)

    def take(side, key):
        if len(machine.taken) == 16:  # two for the disk, and then three rounds and a half
            raise KeyboardInterrupt
        return machine.take(side, key)

    looks = look(["a", "b"], take, 1000, Quiet(), clock=lambda: machine.now)
    assert not looks.finished
    assert [len(side) for side in looks.first["a"]] == [4, 4]
    assert [len(side) for side in looks.first["b"]] == [3, 3]
    assert not looks.fresh


def test_cells_that_fail_cost_time_as_others_do():
    """A helper that the earlier side lacks fails every cell: that is not tried for hours."""
    now = [0.0]

    def take(side, key):
        now[0] += 1.0
        if side == 0:
            raise CannotRunError("no such helper")
        return Process((1.0,), 1.0)

    looks = look(list(range(1000)), take, 100, Quiet(), clock=lambda: now[0])
    assert now[0] < 100
    assert len(looks.failed) + len(looks.left_out) == 1000


def test_cells_that_fail_later_on_are_not_suspicious():
    machine = Machine({"a": 1.0, "odd": 1.0}, spread=0.002, seed=5)

    def take(side, key):
        process = machine.take(side, key)
        if (side, key) == (1, "odd") and machine.taken.count((1, "odd")) > 2:
            raise CannotRunError("boom")
        return process

    looks = look(["a", "odd"], take, 1000, Quiet(), clock=lambda: machine.now)
    assert looks.failed == {"odd": (None, "boom")}
    assert "odd" not in looks.suspicious


def test_rounds_end_with_the_time_but_not_before_three():
    """Processes that get ten times slower are not waited for: the third round ends at 74 of 60 s."""
    now = [0.0]

    def take(side, key):
        now[0] += 1.0 if now[0] < 14 else 10.0  # from the third round on
        return Process((1.0,), 1.0)

    looks = look(["a", "b", "c", "d"], take, 60, Quiet(), clock=lambda: now[0])
    assert {len(side) for pair in looks.first.values() for side in pair} == {3}


def test_after_an_interrupt_nothing_is_suspicious_of_which_little_is_known():
    machine = Machine({"a": 3.0}, spread=0.002)

    def take(side, key):
        if len(machine.taken) == 6:  # two for the disk, and two of each side
            raise KeyboardInterrupt
        return machine.take(side, key)

    looks = look(["a"], take, 1000, Quiet(), clock=lambda: machine.now)
    assert [len(side) for side in looks.first["a"]] == [2, 2]
    assert looks.suspicious == {}
