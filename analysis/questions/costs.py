"""What a call and an element cost, as the answers hold it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from jitcost.questions.timed import Time
from jitcost.stats.fits import Piece

__all__ = ["Costs", "NoCosts", "costs_of", "no_costs"]


@dataclass(frozen=True)
class Costs:
    """The model over a range of sizes, with 95 % intervals.

    Attributes
    ----------
    k : int
        Number of operations.
    points : int
        Number of sizes.
    n_min, n_max : float
        The smallest and the largest among them, elements.
    c0, c0_low, c0_high : float
        Fixed cost of an operation, seconds.
    c1, c1_low, c1_high : float
        Cost of an operation and element, seconds; where `law` is not n, of a unit of the law.
    call_cost, element_cost : float
        `k c0` and `k c1`, seconds.
    call_cost_below, element_cost_below : float or None
        Seconds that they are below, where they are not significantly above zero.
    """

    SPREAD: ClassVar[bool] = True

    k: int
    points: int
    n_min: float
    n_max: float
    c0: float
    c0_low: float
    c0_high: float
    c1: float
    c1_low: float
    c1_high: float
    call_cost: float
    element_cost: float
    call_cost_below: float | None
    element_cost_below: float | None

    @property
    def call_interval(self) -> tuple[float, float]:
        """Of the call cost, seconds."""
        return self.k * self.c0_low, self.k * self.c0_high

    @property
    def element_interval(self) -> tuple[float, float]:
        """Of the element cost, seconds."""
        return self.k * self.c1_low, self.k * self.c1_high


@dataclass(frozen=True)
class NoCosts:
    """What is known of points that determine no line: the fields of `Costs`."""

    SPREAD: ClassVar[bool] = True

    k: int
    points: int
    n_min: float | None
    n_max: float | None
    c0: None = None
    c0_low: None = None
    c0_high: None = None
    c1: None = None
    c1_low: None = None
    c1_high: None = None
    call_cost: None = None
    element_cost: None = None
    call_cost_below: None = None
    element_cost_below: None = None


def costs_of(piece: Piece, times: Mapping[float, Time]) -> Costs:
    """Return a piece of a model as an answer holds it, with the times that it is of."""
    return Costs(
        piece.k,
        sum(piece.n_min <= n <= piece.n_max for n in times),
        piece.n_min,
        piece.n_max,
        piece.c0,
        piece.c0_low,
        piece.c0_high,
        piece.c1,
        piece.c1_low,
        piece.c1_high,
        piece.call_cost,
        piece.element_cost,
        piece.call_cost_below,
        piece.element_cost_below,
    )


def no_costs(k: int, points: int, times: Mapping[float, Time]) -> NoCosts:
    """Return what is known of times without a line; `points` counts those without a size, too."""
    return NoCosts(k, points, min(times, default=None), max(times, default=None))
