"""Sums and ratios of measured times, with intervals: what an experiment's difference is worth.

An experiment runs its settings in turns, in several rounds of processes: what one round has is one
machine in one mood. A difference is therefore taken within each round, and its interval comes from how
the rounds differ (Student's t, 95 %), not from the samples of one process, which agree too well.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy import stats

__all__ = ["ROUNDS", "Estimate", "Measurement", "Quantity", "product"]

# Processes that an experiment starts for each of its cells; samples are stored in their order.
ROUNDS = 5


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval, whose bounds are infinite where nothing is known of it."""

    value: float
    low: float
    high: float

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
        The median of the rounds' medians, or where they are not known asv's median.
    low, high : float
        asv's interval (99 %), for where the rounds are not known.
    rounds : tuple of float
        The median of each process; empty where samples were not recorded.
    experiment : str
        Measurements of one experiment share their rounds.
    """

    value: float
    low: float
    high: float
    rounds: tuple[float, ...]
    experiment: str

    @classmethod
    def of(
        cls,
        median: float,
        interval: tuple[float, float],
        samples: Sequence[float],
        experiment: str,
    ) -> Measurement:
        """Return the measurement of a cell.

        Parameters
        ----------
        median : float
            Of all samples, seconds.
        interval : tuple of float
            asv's (99 %), seconds; infinite where it is not known.
        samples : sequence of float
            Seconds, those of each process together; empty where they were not recorded.
        experiment : str
        """
        each = 0 if len(samples) % ROUNDS else len(samples) // ROUNDS
        rounds = tuple(
            statistics.median(samples[start : start + each])
            for start in range(0, len(samples), each or len(samples) + 1)
            if each
        )
        return cls(statistics.median(rounds) if rounds else median, *interval, rounds, experiment)

    def log(self) -> Measurement:
        """Return it on the log scale, on which ratios are differences."""
        value, low, high = map(_log, (self.value, self.low, self.high))
        return Measurement(value, low, high, tuple(map(_log, self.rounds)), self.experiment)


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

        Within an experiment, sums are taken round by round. Of different experiments, and of cells whose
        rounds are not known, the distances to the bounds are added in squares, as of independent errors
        (Zou and Donner 2008, the method of variance estimates recovery).
        """
        together: dict[str, dict[Measurement, float]] = {}
        for measurement, factor in self.terms.items():
            together.setdefault(measurement.experiment, {})[measurement] = factor
        pieces: list[Estimate] = []
        for terms in together.values():
            if all(measurement.rounds for measurement in terms):
                pieces.append(_by_rounds(terms))
            else:
                pieces += [_by_asv(measurement, factor) for measurement, factor in terms.items()]
        value = math.fsum(piece.value for piece in pieces)
        below, above = (
            math.hypot(*distances)
            for distances in (
                [piece.value - piece.low for piece in pieces],
                [piece.high - piece.value for piece in pieces],
            )
        )
        return Estimate(value, value - below, value + above)


def _by_rounds(terms: Mapping[Measurement, float]) -> Estimate:
    value = math.fsum(factor * measurement.value for measurement, factor in terms.items())
    sums = [
        math.fsum(factor * measurement.rounds[i] for measurement, factor in terms.items())
        for i in range(ROUNDS)
    ]
    middle = statistics.fmean(sums)
    quantile = float(stats.t.ppf(0.975, ROUNDS - 1))
    half = quantile * statistics.stdev(sums) / math.sqrt(ROUNDS)
    # A median of one setting and one of another can come from different rounds, and their difference
    # then lie outside of the interval of the rounds' differences.
    return Estimate(value, min(middle - half, value), max(middle + half, value))


def _by_asv(measurement: Measurement, factor: float) -> Estimate:
    if not factor:
        return Estimate(0.0, 0.0, 0.0)
    bounds = factor * measurement.low, factor * measurement.high
    return Estimate(factor * measurement.value, min(bounds), max(bounds))


def product(powers: Mapping[Measurement, float]) -> Estimate:
    """Return a product of powers of measurements: `{a: 1, b: -1}` is the ratio a / b.

    The interval is that of the logarithms.
    """
    logarithm = Quantity({measurement.log(): power for measurement, power in powers.items()})
    found = logarithm.estimate()
    return Estimate(*map(_exp, (found.value, found.low, found.high)))
