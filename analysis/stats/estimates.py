"""Sums and ratios of measured times, with intervals: what an experiment's difference is worth.

An experiment runs its settings in turns, in several rounds of processes: what one round has is one
machine in one mood. A difference is therefore taken within each round, and its interval comes from how
the rounds' differences vary, not from the samples of one process, which agree too well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jitcost.stats.intervals import median_interval
from jitcost.stats.times import Kind, Time
from jitcost.stats.yuen import RESOLUTION

__all__ = ["Estimate", "Measurement", "Quantity", "product"]


@dataclass(frozen=True)
class Estimate:
    """A number with its interval of 93.75 % or more, infinite where nothing is known of it.

    Attributes
    ----------
    value, low, high : float
        In the unit of what is added up: seconds, or none for ratios.
    interval : {"of processes", "of samples", "none"}
        What the interval is of; `of samples` if that of any of its measurements is.
    processes : int or None
        How many processes of each of its measurements it rests on, the fewest; None where they are not
        known, and for a sum of nothing.
    """

    value: float
    low: float
    high: float
    interval: Kind = "of processes"
    processes: int | None = None

    @property
    def half_width(self) -> float:
        """The larger distance from the value to a bound."""
        return max(self.value - self.low, self.high - self.value)


@dataclass(frozen=True, eq=False)
class Measurement:
    """One cell of an experiment.

    Attributes
    ----------
    value : float
        The cell's time as everywhere: the median of its processes, seconds; or its logarithm.
    low, high : float
        Its own interval; infinite where there is none.
    kind : {"of processes", "of samples", "none"}
        What that interval is of.
    rounds : tuple of float
        Each process's fastest sample, in their order; empty where the processes are not known.
    experiment : str
        Measurements of one experiment share their rounds.
    resolution : float
        A standard error that is there however well the rounds agree, in the values' unit.
    """

    value: float
    low: float
    high: float
    kind: Kind
    rounds: tuple[float, ...]
    experiment: str
    resolution: float

    @classmethod
    def of(cls, time: Time, experiment: str) -> Measurement:
        """Return the measurement of a cell whose time is known."""
        low = -math.inf if time.low is None else time.low
        high = math.inf if time.high is None else time.high
        resolution = RESOLUTION * time.value
        return cls(time.value, low, high, time.kind, time.numbers, experiment, resolution)

    def log(self) -> Measurement:
        """Return it on the log scale, on which ratios are differences."""
        value, low, high = map(_log, (self.value, self.low, self.high))
        rounds = tuple(map(_log, self.rounds))
        return Measurement(value, low, high, self.kind, rounds, self.experiment, RESOLUTION)


def _log(number: float) -> float:
    return math.log(number) if number > 0 else -math.inf


def _exp(number: float) -> float:
    return math.exp(number) if number < math.inf else number


class Quantity:
    """A sum of measurements, each times a factor.

    It stays a sum of measurements until it is estimated: what two parts have in common cancels, and
    its error with it.
    """

    def __init__(self, terms: Mapping[Measurement, float] | None = None) -> None:
        self.terms = dict(terms or {})

    def __add__(self, other: Quantity) -> Quantity:
        total = Quantity(self.terms)
        for measurement, factor in other.terms.items():
            total.terms[measurement] = total.terms.get(measurement, 0.0) + factor
        return total

    def __mul__(self, factor: float) -> Quantity:
        return Quantity({measurement: factor * own for measurement, own in self.terms.items()})

    def __sub__(self, other: Quantity) -> Quantity:
        return self + other * -1

    def estimate(self) -> Estimate:
        """Return the value and its interval.

        Within an experiment, sums are taken round by round. Of different experiments, of cells with
        different numbers of rounds, and of cells whose rounds are not known, the distances to the
        bounds are added in squares, as of independent errors (Zou and Donner 2008, the method of
        variance estimates recovery). A measurement alone has its own interval.
        """
        together: dict[tuple[str, int], dict[Measurement, float]] = {}
        for measurement, factor in self.terms.items():
            if factor:
                key = measurement.experiment, len(measurement.rounds)
                together.setdefault(key, {})[measurement] = factor
        pieces: list[Estimate] = []
        for (_, rounds), terms in together.items():
            if rounds and len(terms) > 1:
                pieces.append(_by_rounds(terms))
            else:
                pieces += [_alone(measurement, factor) for measurement, factor in terms.items()]
        value = math.fsum(piece.value for piece in pieces)
        below, above = (
            math.hypot(*distances)
            for distances in (
                [piece.value - piece.low for piece in pieces],
                [piece.high - piece.value for piece in pieces],
            )
        )
        return Estimate(value, value - below, value + above, _kind(pieces), _fewest(pieces))


def _kind(pieces: Sequence[Estimate]) -> Kind:
    kinds = {piece.interval for piece in pieces}
    if "none" in kinds:
        return "none"
    return "of samples" if "of samples" in kinds else "of processes"


def _fewest(pieces: Sequence[Estimate]) -> int | None:
    counts = [piece.processes for piece in pieces]
    known = [count for count in counts if count is not None]
    return min(known) if known and len(known) == len(counts) else None


def _by_rounds(terms: Mapping[Measurement, float]) -> Estimate:
    """Return a sum of measurements that share their rounds, with the interval of the rounds' sums.

    It is a cell's: the order statistics of five and more. Trimmed, five would leave three, and a t of
    two degrees of freedom.
    """
    value = math.fsum(factor * measurement.value for measurement, factor in terms.items())
    (count,) = {len(measurement.rounds) for measurement in terms}
    sums = [
        math.fsum(factor * measurement.rounds[i] for measurement, factor in terms.items())
        for i in range(count)
    ]
    resolution = math.hypot(*(factor * one.resolution for one, factor in terms.items()))
    bounds = median_interval(sums, resolution)
    if bounds is None:
        return Estimate(value, -math.inf, math.inf, "none", count)
    # A median of one setting and one of another can come from different rounds, and their difference
    # then lie outside of the interval of the rounds' differences.
    return Estimate(value, min(bounds[0], value), max(bounds[1], value), "of processes", count)


def _alone(measurement: Measurement, factor: float) -> Estimate:
    bounds = factor * measurement.low, factor * measurement.high
    count = len(measurement.rounds) or None
    value = factor * measurement.value
    return Estimate(value, min(bounds), max(bounds), measurement.kind, count)


def product(powers: Mapping[Measurement, float]) -> Estimate:
    """Return a product of powers of measurements: `{a: 1, b: -1}` is the ratio a / b.

    The interval is that of the logarithms.
    """
    logarithm = Quantity({measurement.log(): power for measurement, power in powers.items()})
    found = logarithm.estimate()
    value, low, high = map(_exp, (found.value, found.low, found.high))
    return Estimate(value, low, high, found.interval, found.processes)
