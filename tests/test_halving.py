"""Halving: what stands between is found, and what cannot be told is never believed."""

import pytest

from jitcost.measuring.halving import halve


def series(count, change, odd=()):
    """Return what places are like that change before the one of a number, and who was asked."""
    asked = []

    def place(number):
        asked.append(number)
        return dict(odd).get(number, "earlier" if number < change else "later")

    return place, asked


@pytest.mark.parametrize("count", [2, 3, 9, 16, 17])
def test_every_change_is_found_and_hardly_any_is_measured(count):
    for change in range(1, count):
        place, asked = series(count, change)
        bracket = halve(count, place)
        assert (bracket.earlier, bracket.later, bracket.between) == (change - 1, change, {})
        assert len(asked) == len(set(asked)) <= (count - 2).bit_length()


@pytest.mark.parametrize("why", ["cannot tell", "not there"])
def test_what_decides_nothing_is_passed_over(why):
    place, _ = series(9, 4, {2: why, 7: why})
    bracket = halve(9, place)
    assert (bracket.earlier, bracket.later, bracket.between) == (3, 4, {})


def test_what_decides_nothing_beside_the_change_is_named():
    place, _ = series(9, 5, {4: "cannot tell", 5: "not there"})
    bracket = halve(9, place)
    assert (bracket.earlier, bracket.later) == (3, 6)
    assert bracket.between == {4: "cannot tell", 5: "not there"}


def test_where_nothing_can_be_told_all_is_between():
    bracket = halve(5, lambda _: "cannot tell")
    assert (bracket.earlier, bracket.later) == (0, 4)
    assert list(bracket.between) == [2, 1, 3]
