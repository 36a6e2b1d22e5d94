"""How a change is worded."""

import doctest

import pytest

from jitcost.show.answers import change_words
from jitcost.show.answers.change_words import change_text, range_text, ratio_text
from jitcost.stats.ratios import Ratio, ratio


def of(value, low, high, p=0.001):
    return Ratio(value, low, high, p, p, p, (10, 10))


@pytest.mark.parametrize(
    ("found", "verdict", "text"),
    [
        (of(0.69, 0.66, 0.72), "faster", "faster by 31 % [28, 34]"),
        (of(1.12, 1.09, 1.15), "slower", "slower by 12 % [9, 15]"),
        # what would have shown is twice the half-width: 1.04 / 0.965 - 1 = 7.8 %
        (of(1.0, 0.965, 1.04), "neither", "not significantly different (8 % would have shown)"),
        (Ratio(1.5, None, None, None, None, None, (2, 2)), "neither", "no interval"),
        (Ratio(1.5, None, None, None, None, None, (2, 2)), None, "no interval"),
        (of(2.5, 2.0, 3.0), None, "slower by 150 % [100, 200]"),
        (of(0.5, 0.4, 0.6), None, "faster by 50 % [40, 60]"),
        (of(1.12, 1.0, 1.26, p=0.06), None, "not significantly different (26 % would have shown)"),
        # judged beside others, and let go
        (
            of(1.12, 1.01, 1.24, p=0.03),
            "neither",
            "not significantly different (23 % would have shown)",
        ),
    ],
)
def test_a_ratio_in_words(found, verdict, text):
    assert ratio_text(found, verdict) == text


def test_a_third_less_time_is_a_third_faster():
    found = ratio([2.0, 2.0, 2.0], [3.0, 3.0, 3.0])
    assert ratio_text(found).startswith("faster by 33 % [")


def test_what_is_neither_says_what_would_have_shown_if_that_is_known():
    assert change_text("not significantly different", 1.0, 0.9, 1.1, None) == (
        "not significantly different"
    )


@pytest.mark.parametrize(
    ("verdict", "ratios", "text"),
    [
        (
            "slower",
            [(2.5, 2.0, 3.0), (1.1, 1.05, 1.15)],
            "slower by 10 % [5, 15] to 150 % [100, 200]",
        ),
        # of times that got shorter, the shortest has changed most
        ("faster", [(0.2, 0.1, 0.3), (0.9, 0.85, 0.95)], "faster by 10 % [5, 15] to 80 % [70, 90]"),
        ("slower", [(1.12, 1.09, 1.15)], "slower by 12 % [9, 15]"),
        ("slower", [(1.1201, 1.09, 1.15), (1.12, 1.09, 1.15)], "slower by 12 % [9, 15]"),
        ("neither", [(1.01, 0.9, 1.1), (0.99, 0.9, 1.1)], "neither"),
    ],
)
def test_changes_that_go_one_way_are_told_by_the_smallest_and_the_largest(verdict, ratios, text):
    assert range_text(verdict, ratios) == text
    assert range_text(verdict, reversed(ratios)) == text


def test_the_examples_in_the_docstrings():
    done = doctest.testmod(change_words)
    assert done.failed == 0
    assert done.attempted >= 4
