"""How a claim of the article is held against what was measured here.

A claim about a time holds where ours is within a factor of two; a claim about an order or a ratio
holds where the order does, or the ratio is within a factor of two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from jitcost.backends import workloads
from jitcost.stats.model import fit
from jitcost.stats.payback import break_even
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
    minimum : bool
        Whether to take the least of the samples, or the median.
    sampled : bool
        Whether every time that was asked for has its samples recorded.
    """

    cells: pl.DataFrame
    minimum: bool = False
    sampled: bool = True

    def of(self, workload: str, backend: str, n: int, kind: str = "SteadyState") -> float:
        """Return a time in seconds."""
        found = self.cells.filter(workload=workload, backend=backend, kind=kind, n=n)
        what = f"{workload} on {backend} at n = {n:,} ({kind})"
        if found.is_empty():
            raise NotMeasuredError(f"not measured: {what}")
        if len(found) > 1:
            raise NotMeasuredError(f"measured more than once, by different versions: {what}")
        cell = found.row(0, named=True)
        self.sampled &= bool(cell["samples"])
        return min(cell["samples"]) if self.minimum else float(cell["value"])

    def largest(self, benchmark: str, backend: str) -> float:
        """Return the largest value of a backend in a track_ benchmark."""
        named = self.cells.filter(pl.col("benchmark").str.ends_with(benchmark), backend=backend)
        if named.is_empty():
            raise NotMeasuredError(f"not measured: {benchmark} on {backend}")
        self.sampled = False
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
    found = fit(points, [times.of(ELEMENTWISE, "numpy", n) for n in points], spec.k)
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
    compiled = times.of(ELEMENTWISE, "jax_jit", n)
    cost = times.of(ELEMENTWISE, "jax_jit", n, "FirstCall") - compiled
    calls = break_even(cost, times.of(ELEMENTWISE, "numpy", n), compiled)
    return ("never", False) if calls is None else (f"{calls:,} calls", 4.5 <= calls <= 18)


def summands(times: Times) -> tuple[str, bool]:
    """Claim the largest difference of the summands by jit and by NumPy."""
    largest = times.largest(".track_summand_difference", "jax_jit")
    return f"{largest:.1e}", largest < 2e-15
