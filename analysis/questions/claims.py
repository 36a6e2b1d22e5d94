"""Which of the article's claims hold here? Each with its figure, ours with its interval, a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.article import CLAIMS, ELEMENTWISE, RECURSION
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.judging import Claim, Need, NotMeasuredError, Times, Unit, Verdict
from jitcost.questions.newest import by_age
from jitcost.stats.times import Kind, Time
from jitcost.store.catalogue import OWN

__all__ = ["Options", "Row", "Statistic", "ask", "most_measured"]

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
        When it holds: what our figure has to be, for certain.
    verdict : {"holds", "does not hold", "cannot tell", "not measured"}
        See `jitcost.questions.judging`.
    value, low, high : float or None
        The figure measured here and its interval, 95 % where it is of processes.
    unit : {"s", "x", "calls", "1"} or None
        Seconds, a ratio, a number of calls, a difference of numbers; None where it was not measured.
    interval : {"of processes", "of samples", "none"}
        What the interval is of.
    statistic : str or None
        What ours is: of each process's fastest sample where the processes of all of a claim's times
        are known, else asv's of all samples. The article took minima. None where ours is no time, or
        was not measured.
    note : str
        Where it depends on the machine, why; or why it could not be judged.
    missing : tuple of Need
        What was not measured.
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


def most_measured(answer: Answer[Row], cells: pl.DataFrame) -> Answer[Row]:
    """Return each machine's rows of the origin where most claims were measured, the newest of such.

    A release's history measures a few of them, an experiment others: the newest origin alone would
    often say *not measured* of what a full run beside it has.

    Parameters
    ----------
    answer : Answer of Row
    cells : polars.DataFrame
        Which it was made from.
    """
    return Answer(tuple(row for rows in _most_measured(answer, cells) for row in rows))


def _most_measured(answer: Answer[Row], cells: pl.DataFrame) -> Iterator[list[Row]]:
    by_origin: dict[str, list[Row]] = {}
    for row in answer:
        by_origin.setdefault(repr(row.origin), []).append(row)
    newest = [repr(origin) for origin, _ in by_age(cells) if repr(origin) in by_origin]
    # Of equals the first is taken: machines, and of each its origins, come the newest first.
    machines = dict.fromkeys(by_origin[origin][0].origin.machine for origin in newest)
    for machine in machines:
        its = [by_origin[one] for one in newest if by_origin[one][0].origin.machine == machine]
        yield max(its, key=lambda rows: sum(row.verdict != "not measured" for row in rows))


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
        return Row(*about, "not measured", note=note, missing=error.missing)
    return Row(
        *about,
        figure.verdict,
        figure.value,
        figure.low,
        figure.high,
        figure.unit,
        "none" if figure.low is None else _interval(times.asked),
        _statistic(times.asked),
        claim.note,
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
