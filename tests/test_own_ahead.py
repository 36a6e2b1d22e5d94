"""What the sizes so far say of the next, before anybody waits for it."""

import pytest

from jitcost.own.ahead import Ahead


@pytest.fixture
def ahead(monkeypatch):
    """One that sees no memory: its peak never grows."""
    monkeypatch.setattr("jitcost.own.ahead._peak", lambda: 0.0)
    return Ahead(0.1)


def test_nothing_is_said_before_anything_was_seen_nor_of_smaller_sizes(ahead):
    assert ahead.too_much(10) is None
    ahead.add(10, 9.0)
    assert ahead.too_much(10) is None


def test_what_takes_too_long_already(ahead):
    ahead.add(10, 0.2)
    said = (
        "a call takes 200 ms at n = 10 already, and for all to fit into the time it may take 100 ms"
    )
    assert ahead.too_much(100) == said


@pytest.mark.parametrize(("seconds", "said"), [(0.0039, False), (0.0041, True)])
def test_growth_goes_on_as_it_was(ahead, seconds, said):
    ahead.add(10, seconds / 100)
    ahead.add(
        100, seconds
    )  # like n^2: the next takes a hundred times as long, 0.4 s are four times 0.1
    assert (ahead.too_much(1_000) is not None) is said


def test_one_size_says_it_grows_like_n(ahead):
    ahead.add(10, 0.05)
    said = "a call would take about 1.50 s, and for all to fit into the time it may take 100 ms"
    assert ahead.too_much(300) == said
    assert ahead.too_much(190) is None  # 0.95 s: one size is no reason to give up earlier


def test_what_takes_long_to_check(ahead):
    ahead.add(10, 1e-6, check=1.0)  # a start, of which nothing follows
    assert ahead.too_much(100) is None
    ahead.add(100, 1e-6, check=0.03)
    assert ahead.too_much(1_000) is None
    ahead.add(1_000, 1e-6, check=0.3)
    assert ahead.too_much(10_000) == "to check it would take about 3.00 s"


def test_memory(monkeypatch):
    peaks = iter([0.0, 0.0, 2.0**26])
    monkeypatch.setattr("jitcost.own.ahead._peak", lambda: next(peaks))
    monkeypatch.setattr("jitcost.own.ahead._available", lambda: 2.0**31)
    ahead = Ahead(0.1)
    ahead.add(10, 1e-6)
    ahead.add(100, 1e-6)
    # 64 MiB, and like n: 0.6 GiB at 1,000 of the 2 GiB, of which half may be taken
    assert ahead.too_much(1_000) is None
    assert ahead.too_much(2_000) == "it would take about 1.2 GiB of the 2.0 GiB that there are"
