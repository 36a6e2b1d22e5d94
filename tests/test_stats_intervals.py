import math

import pytest
from scipy import stats

from jitcost.stats.intervals import fastest_samples, interval, recover_processes


def test_samples_stand_process_after_process():
    assert recover_processes([1, 2, 3, 4, 5, 6], 3) == ((1, 2), (3, 4), (5, 6))
    assert recover_processes([1, 2, 3], 1) == ((1, 2, 3),)


@pytest.mark.parametrize(("samples", "rounds"), [([1, 2, 3, 4, 5], 2), ([], 1), ([1], 0), ([1], 2)])
def test_processes_that_cannot_be_told_apart(samples, rounds):
    assert recover_processes(samples, rounds) is None


def test_a_process_is_its_fastest_sample():
    assert fastest_samples([[3, 2, 4], [5, 6]]) == (2, 5)


# 1 - 2 P(B <= k - 1): 20 from the sixth to the fifteenth, 95.86 %, as in tables of the sign test
@pytest.mark.parametrize(
    ("count", "rank", "confidence"),
    [(5, 1, 0.9375), (6, 1, 0.96875), (8, 1, 0.9921875), (9, 2, 0.9609375), (20, 6, 0.9586)],
)
def test_order_statistics_that_cover_enough(count, rank, confidence):
    found = interval([float(i) for i in range(count, 0, -1)])
    assert (found.low, found.high) == (rank, count + 1 - rank)
    assert found.confidence == pytest.approx(confidence, abs=5e-5)
    assert found.value == (count + 1) / 2
    assert found.kind == "of processes"


@pytest.mark.parametrize("count", range(5, 60))
def test_the_next_pair_would_cover_too_little(count):
    found = interval([float(i) for i in range(1, count + 1)])
    rank = int(found.low)
    assert found.confidence == pytest.approx(1 - 2 * stats.binom.cdf(rank - 1, count, 0.5))
    assert 1 - 2 * stats.binom.cdf(rank, count, 0.5) < 0.9375


def test_three_processes_by_hand():
    # logarithms -d, 0, d: standard error sqrt(d^2 / 3 + resolution^2), t with 2 df at 97.5 %: 4.3027
    d = 0.02
    found = interval([math.exp(-d), 1.0, math.exp(d)])
    half = 4.30265 * math.sqrt(d**2 / 3 + 0.0025**2)
    assert found.value == 1
    assert found.low == pytest.approx(math.exp(-half), rel=1e-5)
    assert found.high == pytest.approx(math.exp(half), rel=1e-5)
    assert (found.processes, found.confidence) == (3, 0.95)


def test_two_processes_have_no_interval():
    found = interval([1.0, 3.0])
    assert (found.value, found.low, found.high) == (2, None, None)
    assert (found.kind, found.processes, found.confidence) == ("none", 2, None)


@pytest.mark.parametrize("numbers", [[], [0.0], [-1.0, 1.0], [math.nan], [math.inf]])
def test_what_is_no_time(numbers):
    with pytest.raises(ValueError, match="positive"):
        interval(numbers)
