"""The kinds of claims that the article makes, each as a judge of what was measured here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jitcost.backends import workloads
from jitcost.questions.judging import (
    Figure,
    Judge,
    Need,
    NotMeasuredError,
    Range,
    Times,
    Verdict,
    judged,
)
from jitcost.questions.timed import fit_of
from jitcost.stats.intervals import median_interval
from jitcost.stats.ratios import Ratio
from jitcost.stats.times import Time, break_even, ratio
from jitcost.stats.yuen import trimmed_mean

__all__ = [
    "SLOWER",
    "a_call_cost",
    "a_compile_cost",
    "a_difference",
    "a_ratio",
    "a_saving",
    "a_time",
    "all_first_calls",
    "calls_until_paid",
    "explained",
    "one_gain_less_than_another",
    "slower_at_all",
]

LEVEL = 0.05

SLOWER = Range(1.0, math.inf)


def a_time(of: Need, within: Range, per: int = 1) -> Judge:
    """Claim a time, or a time per step of so many."""

    def judge(times: Times) -> Figure:
        (time,) = times.of(of)
        low, high = (None if bound is None else bound / per for bound in (time.low, time.high))
        return judged(time.value / per, low, high, "s", within)

    return judge


def a_ratio(first: Need, second: Need, within: Range = SLOWER) -> Judge:
    """Claim a ratio of two times; as it stands, that the first is slower."""

    def judge(times: Times) -> Figure:
        found = ratio(*times.of(first, second))
        return judged(found.value, found.low, found.high, "x", within)

    return judge


def explained(slow: Need, fast: Need, without: Need) -> Judge:
    """Claim that a time is longer than another for a cause: without it, it is not.

    The figure is the ratio without the cause. Where the time is not significantly longer with it there
    is nothing to explain, and we cannot tell.
    """

    def judge(times: Times) -> Figure:
        with_it, other, _ = times.of(slow, fast, without)
        found = a_ratio(without, fast, Range(0.0, 1.0))(times)
        low = ratio(with_it, other).low
        return found if low is not None and low > 1 else replace(found, verdict="cannot tell")

    return judge


def slower_at_all(slow: str, fast: str, workload: str, sizes: Sequence[int]) -> Judge:
    """Claim that a backend is slower than another at each of several sizes.

    It holds where each interval of a ratio lies above 1, and does not where any is below 1 by a test at
    .05 divided by their number. The figure is the smallest ratio.
    """

    def judge(times: Times) -> Figure:
        needs = [Need(workload, name, n) for n in sizes for name in (slow, fast)]
        found = times.of(*needs)
        ratios = [ratio(a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
        least = min(ratios, key=lambda one: one.value)
        verdict: Verdict = "cannot tell"
        if all(one.low is not None and one.low > 1 for one in ratios):
            verdict = "holds"
        elif any(_is_below_1(one, LEVEL / 2 / len(ratios)) for one in ratios):
            verdict = "does not hold"
        return Figure(least.value, least.low, least.high, "x", verdict)

    return judge


def _is_below_1(found: Ratio, level: float) -> bool:
    if found.p_less is not None:
        return found.p_less < level
    return found.high is not None and found.high < 1


def one_gain_less_than_another(one: tuple[Need, Need], other: tuple[Need, Need]) -> Judge:
    """Claim that the ratio of one pair of times is smaller than that of another pair.

    The figure is the quotient; its interval joins those of both ratios in squares, on the logarithms.
    """

    def judge(times: Times) -> Figure:
        found = times.of(*one, *other)
        first, second = ratio(*found[:2]), ratio(*found[2:])
        value = first.value / second.value
        # A bound of zero has no logarithm, and bounds nothing.
        if not (first.low and first.high and second.low and second.high):
            return judged(value, None, None, "x", Range(0.0, 1.0))
        below = math.hypot(math.log(first.value / first.low), math.log(second.high / second.value))
        above = math.hypot(math.log(first.high / first.value), math.log(second.value / second.low))
        low, high = value * math.exp(-below), value * math.exp(above)
        return judged(value, low, high, "x", Range(0.0, 1.0))

    return judge


def a_call_cost(of: Need, at_most: int, within: Range) -> Judge:
    """Claim what one of the workload's operations costs at no size: c0 of the fit up to a size."""

    def judge(times: Times) -> Figure:
        points = times.at_all_sizes(of, at_most)
        found = fit_of({float(n): time for n, time in points.items()}, workloads.get(of.workload).k)
        line = found.line
        if line is None:
            raise NotMeasuredError(f"no fit to n = {at_most:,}: {found.reason or 'too few sizes'}")
        return judged(line.c0, line.c0_low, line.c0_high, "s", within)

    return judge


def all_first_calls(of: Need, within: Range) -> Judge:
    """Claim where the first calls at all sizes are.

    It holds where every interval is within; it does not where one is outside at a level of .05 divided
    by their number. The interval goes from the lowest bound to the highest.
    """

    def judge(times: Times) -> Figure:
        found = list(times.at_all_sizes(of).values())
        lows = [time.low for time in found if time.low is not None]
        highs = [time.high for time in found if time.high is not None]
        if len(lows) < len(found) or len(highs) < len(found):
            return Figure(None, None, None, "s", "cannot tell")
        verdict: Verdict = "cannot tell"
        if within.least <= min(lows) and max(highs) <= within.most:
            verdict = "holds"
        elif any(_is_outside(time, within, LEVEL / len(found)) for time in found):
            verdict = "does not hold"
        return Figure(None, min(lows), max(highs), "s", verdict)

    return judge


def _is_outside(time: Time, within: Range, level: float) -> bool:
    low, high = time.bounds()
    if time.numbers:
        # The order statistics of few processes have no stricter level; Student's t has.
        low, high = np.exp(trimmed_mean(np.log(time.numbers)).interval(1 - level))
    return bool(high < within.least or low > within.most)


def a_compile_cost(first: Need, steady: Need, within: Range) -> Judge:
    """Claim C: a first call less one in steady state."""

    def judge(times: Times) -> Figure:
        cold, warm = times.of(first, steady)
        value = cold.value - warm.value
        if cold.numbers:
            bounds = median_interval([number - warm.value for number in cold.numbers])
        else:
            (cold_low, cold_high), (warm_low, warm_high) = cold.bounds(), warm.bounds()
            known = math.isfinite(cold_high + warm_high)
            bounds = (cold_low - warm_high, cold_high - warm_low) if known else None
        low, high = bounds or (None, None)
        return judged(value, low, high, "s", within)

    return judge


def a_saving(first: Need, interpreted: Need, compiled: Need, within: Range) -> Judge:
    """Claim what a call saves once the function is compiled."""

    def judge(times: Times) -> Figure:
        found = break_even(*times.of(first, interpreted, compiled))
        return judged(found.saving, found.saving_low, found.saving_high, "s", within)

    return judge


def calls_until_paid(first: Need, interpreted: Need, compiled: Need, within: Range) -> Judge:
    """Claim m*; where compiling never pays it does not hold."""

    def judge(times: Times) -> Figure:
        found = break_even(*times.of(first, interpreted, compiled))
        calls = None if found.verdict == "never" else found.calls
        figure = judged(calls, found.low, found.high, "calls", within)
        return replace(figure, break_even=found.verdict)

    return judge


def a_difference(of: Need, below: float) -> Judge:
    """Claim that results differ by less than this: the same in every process, and so without noise."""

    def judge(times: Times) -> Figure:
        largest = times.largest(of)
        verdict: Verdict = "holds" if largest < below else "does not hold"
        return Figure(largest, largest, largest, "1", verdict)

    return judge
