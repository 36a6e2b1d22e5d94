"""How a claim of the article is held against what was measured here.

A claim about a time holds where ours is within a factor of two; a claim about an order or a ratio
holds where the order does, or the ratio is within a factor of two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import polars as pl

from jitcost.backends import workloads
from jitcost.questions.timed import fit_of, time_of
from jitcost.stats.times import Time, break_even
from jitcost.units import format_ratio, format_seconds

__all__ = [
    "ELEMENTWISE",
    "RECURSION",
    "Claim",
    "Judge",
    "NotMeasuredError",
    "Times",
    "a_ratio",
    "a_time",
    "calls_until_paid",
    "compile_range",
    "operation_cost",
    "slower",
    "summands",
]

FACTOR = 2.0

# The workloads that the article is about.
ELEMENTWISE, RECURSION = "elementwise", "recursion"


class NotMeasuredError(Exception):
    """What a claim is about is not among these cells."""


@dataclass
class Times:
    """One origin's cells, asked for one at a time.

    Attributes
    ----------
    cells : polars.DataFrame
    of_samples : bool
        Whether to take asv's median of the samples although the processes may be known: a claim about
        several times takes one statistic of all.
    asked : list of Time
        The times that were asked for.
    """

    cells: pl.DataFrame
    of_samples: bool = False
    asked: list[Time] = field(default_factory=list)

    def of(self, workload: str, backend: str, n: int, kind: str = "SteadyState") -> float:
        """Return a time in seconds."""
        return self.time(workload, backend, n, kind).value

    def time(self, workload: str, backend: str, n: int, kind: str = "SteadyState") -> Time:
        """Return a time with its processes, or raise `NotMeasuredError`."""
        found = self.cells.filter(workload=workload, backend=backend, kind=kind, n=n)
        what = f"{workload} on {backend} at n = {n:,} ({kind})"
        if found.is_empty():
            raise NotMeasuredError(f"not measured: {what}")
        if len(found) > 1:
            raise NotMeasuredError(f"measured more than once, by different versions: {what}")
        cell = found.row(0, named=True)
        if self.of_samples:
            cell |= {"processes": None}
        time = time_of(cell)
        self.asked.append(time)
        return time

    def largest(self, benchmark: str, backend: str) -> float:
        """Return the largest value of a backend in a track_ benchmark."""
        named = self.cells.filter(pl.col("benchmark").str.ends_with(benchmark), backend=backend)
        if named.is_empty():
            raise NotMeasuredError(f"not measured: {benchmark} on {backend}")
        return float(named["value"].max())  # type: ignore[arg-type]

    def all_first_calls(self, backend: str) -> list[float]:
        """Return every time of a first call of `elementwise`, by n."""
        found = self.cells.filter(workload=ELEMENTWISE, backend=backend, kind="FirstCall")
        if found.is_empty():
            raise NotMeasuredError(f"not measured: first calls on {backend}")
        return [self.of(ELEMENTWISE, backend, n, "FirstCall") for n in found["n"].to_list()]


# Takes `Times`; returns the figure measured here, and whether the claim holds.
Judge = Callable[[Times], tuple[str, bool]]


@dataclass(frozen=True)
class Claim:
    """One quantitative claim.

    Attributes
    ----------
    text : str
        What is claimed, in our words.
    article : str
        Its figure.
    ours : callable
        Takes `Times`; returns the figure measured here, and whether the claim holds.
    note : str
        Where it depends on the machine, why.
    """

    text: str
    article: str
    ours: Judge
    note: str


def a_time(workload: str, backend: str, n: int, article: float, per: int = 1) -> Judge:
    """Claim a time, or a time per step."""

    def ours(times: Times) -> tuple[str, bool]:
        seconds = times.of(workload, backend, n) / per
        return format_seconds(seconds), article / FACTOR <= seconds <= article * FACTOR

    return ours


def a_ratio(workload: str, slow: str, fast: str, n: int, article: float) -> Judge:
    """Claim how many times faster one backend is than another."""

    def ours(times: Times) -> tuple[str, bool]:
        ratio = times.of(workload, slow, n) / times.of(workload, fast, n)
        return format_ratio(ratio), article / FACTOR <= ratio <= article * FACTOR

    return ours


def slower(workload: str, one: str, other: str, n: int) -> Judge:
    """Claim that one backend takes longer than another."""

    def ours(times: Times) -> tuple[str, bool]:
        a, b = times.of(workload, one, n), times.of(workload, other, n)
        return f"{format_seconds(a)} against {format_seconds(b)}", a > b

    return ours


def operation_cost(times: Times) -> tuple[str, bool]:
    """Claim the order of what an operation of NumPy costs: within a factor of ten of 1 µs."""
    sizes = (10, 32, 100, 316, 1_000)
    spec = workloads.get(ELEMENTWISE)
    points = [n for n in sizes if _has(times, n)]
    found = fit_of({n: times.time(ELEMENTWISE, "numpy", n) for n in points}, spec.k)
    if found.line is None:
        raise NotMeasuredError(f"elementwise on numpy to n = 1,000: {found.reason}")
    return format_seconds(found.line.c0), 1e-7 <= found.line.c0 <= 1e-5


def _has(times: Times, n: int) -> bool:
    try:
        times.of(ELEMENTWISE, "numpy", n)
    except NotMeasuredError:
        return False
    return True


def compile_range(times: Times) -> tuple[str, bool]:
    """Claim that all first calls lie between half of 15 ms and twice 135 ms."""
    firsts = times.all_first_calls("jax_jit")
    low, high = min(firsts), max(firsts)
    return f"{format_seconds(low)} to {format_seconds(high)}", low >= 0.0075 and high <= 0.27


def calls_until_paid(times: Times) -> tuple[str, bool]:
    """Claim that compiling has paid after 9 calls, within a factor of two."""
    n = 100_000
    first = times.time(ELEMENTWISE, "jax_jit", n, "FirstCall")
    numpy, compiled = (times.time(ELEMENTWISE, name, n) for name in ("numpy", "jax_jit"))
    calls = break_even(first, numpy, compiled).calls
    return ("never", False) if calls is None else (f"{calls:,} calls", 4.5 <= calls <= 18)


def summands(times: Times) -> tuple[str, bool]:
    """Claim the largest difference of the summands by jit and by NumPy."""
    largest = times.largest(".track_summand_difference", "jax_jit")
    return f"{largest:.1e}", largest < 2e-15
