"""Which of the article's claims hold here? Each with its figure, the one measured here, a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.article import CLAIMS, ELEMENTWISE, RECURSION
from jitcost.questions.breakeven import Verdict as BreakEvenVerdict
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.judging import Claim, Need, NotMeasuredError, Times, Unit, Verdict
from jitcost.questions.newest import by_age
from jitcost.stats.times import Kind, Time
from jitcost.store.catalogue import OWN

__all__ = ["Options", "Row", "ask", "most_measured"]

# What is said of an explanation that the article leaves open.
_OF_OPEN: Mapping[Verdict, Verdict] = {"holds": "supported", "does not hold": "not supported"}

Statistic = Literal["median of the processes", "median of the samples"]


@dataclass(frozen=True)
class Options:
    """There are none: the claims are the article's."""


@dataclass(frozen=True)
class Row:
    """One claim at one origin.

    Attributes
    ----------
    origin : Origin
    benchmark, workload, params
        What every question's objects have: here nothing, since a claim is about one workload or two.
    claim : str
        What is claimed, in our words.
    article : str
        Its figure, with its unit.
    means : str
        When it holds: what the figure measured here has to be, for certain.
    verdict : {"holds", "does not hold", "cannot tell", "not measured"}
        See `jitcost.questions.judging`; of what the article leaves open {"supported", "not supported"}
        instead of the first two.
    value, low, high : float or None
        The figure measured here and its interval.
    unit : {"s", "x", "calls", "1"} or None
        Seconds, a ratio, a number of calls, a difference of numbers; None where it was not measured.
    interval : {"of processes", "of samples", "none"}
        What the interval is of.
    statistic : str or None
        What the figure measured here is: of each process's fastest sample where the processes of all
        of a claim's times are known, else asv's of all samples. The article took minima. None where
        the figure is no time, or was not measured.
    note : str
        Where it depends on the machine, why; or why it could not be judged.
    missing : tuple of Need
        What was not measured.
    open : bool
        Whether it is no claim of the article's, but an explanation that it leaves open.
    break_even : {"pays", "never", "cannot tell"} or None
        Of a number of calls, whether a call is significantly faster once compiled, significantly
        slower, or neither; None for other figures.
    """

    origin: Origin
    benchmark: None = field(default=None, init=False)
    workload: None = field(default=None, init=False)
    params: Mapping[str, str] = field(default_factory=dict, init=False)
    claim: str
    article: str
    means: str
    verdict: Verdict
    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: Unit | None = None
    interval: Kind = "none"
    statistic: Statistic | None = None
    note: str = ""
    missing: tuple[Need, ...] = ()
    open: bool = False
    break_even: BreakEvenVerdict | None = None


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:  # noqa: ARG001
    """Hold the article's claims against what was measured.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By origin, the claims in the article's order.
    """
    own = pl.col("benchmark").str.starts_with(OWN)  # a person's own may be called so, too
    named = pl.col("workload").is_in([ELEMENTWISE, RECURSION])
    about = cells.filter(named, ~own, state="value")
    return Answer(
        tuple(
            _row(claim, origin, of_origin)
            for origin, of_origin in origin_groups(about)
            for claim in CLAIMS
        )
    )


def most_measured(
    answer: Answer[Row],
    cells: pl.DataFrame,
    full: Sequence[Origin] = (),
    experiments: Sequence[Origin] = (),
) -> Answer[Row]:
    """Return each machine's claims of the origin where most of them were measured, the newest of such.

    A release's history measures a few of them, an experiment others: the newest origin alone would
    often say *not measured* of what a full run beside it has. What the article leaves open is chosen
    likewise, and by itself: variants are often measured at another origin than the claims.

    Parameters
    ----------
    answer : Answer of Row
    cells : polars.DataFrame
        Which it was made from.
    full, experiments : sequence of Origin
        Those whose claims, and whose answers to what is open, are taken, however few were measured.
    """
    newest = [origin for origin, _ in by_age(cells)]
    chosen: list[Row] = []
    for machine in dict.fromkeys(origin.machine for origin in newest):
        its = [origin for origin in newest if origin.machine == machine]
        rows = _fullest((row for row in answer if not row.open), _among(its, full))
        # Of equals the first is taken: the claims' own origin.
        first = [row.origin for row in rows[:1]]
        of_open = _among([*first, *its], experiments)
        chosen += rows + _fullest((row for row in answer if row.open), of_open)
    return Answer(tuple(chosen))


def _among(origins: Sequence[Origin], preferred: Sequence[Origin]) -> Sequence[Origin]:
    return [origin for origin in origins if origin in preferred] or origins


def _fullest(rows: Iterable[Row], origins: Sequence[Origin]) -> list[Row]:
    by_origin: dict[str, list[Row]] = {}
    for row in rows:
        by_origin.setdefault(repr(row.origin), []).append(row)
    found = [by_origin[name] for name in map(repr, origins) if name in by_origin]
    return max(found, key=lambda its: sum(row.verdict != "not measured" for row in its), default=[])


def _row(claim: Claim, origin: Origin, cells: pl.DataFrame) -> Row:
    about = (origin, claim.text, claim.article, claim.means)
    times = Times(cells)
    try:
        figure = claim.judge(times)
        if not all(time.numbers for time in times.asked):
            times = Times(cells, of_samples=True)
            figure = claim.judge(times)
    except NotMeasuredError as error:
        note = "" if error.missing else str(error)
        missing = error.missing
        return Row(*about, "not measured", note=note, missing=missing, open=claim.open)
    return Row(
        *about,
        _OF_OPEN.get(figure.verdict, figure.verdict) if claim.open else figure.verdict,
        figure.value,
        figure.low,
        figure.high,
        figure.unit,
        "none" if figure.low is None or figure.high is None else _interval(times.asked),
        _statistic(times.asked),
        claim.note,
        open=claim.open,
        break_even=figure.break_even,
    )


def _interval(asked: list[Time]) -> Kind:
    if not asked:
        return "none"
    return "of processes" if all(time.numbers for time in asked) else "of samples"


def _statistic(asked: list[Time]) -> Statistic | None:
    if not asked:
        return None
    known = all(time.numbers for time in asked)
    return "median of the processes" if known else "median of the samples"
