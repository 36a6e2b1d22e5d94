"""Which of the article's quantitative claims hold here? Each with its figure, ours, and a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.article import CLAIMS
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.judging import ELEMENTWISE, RECURSION, Claim, NotMeasuredError, Times
from jitcost.store.catalogue import OWN

__all__ = ["Options", "Row", "Statistic", "ask"]

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
    ours : str or None
        The figure measured here; None where it was not.
    holds : bool or None
        See `jitcost.questions.judging`; None where it was not measured.
    statistic : str or None
        What ours is: of each process's fastest sample where the processes of all of a claim's times
        are known, else asv's of all samples. The article took minima. None where ours is no time, or
        was not measured.
    note : str
        Where it depends on the machine, why; or what was not measured.
    """

    origin: Origin
    benchmark: None = field(default=None, init=False)
    workload: None = field(default=None, init=False)
    params: Mapping[str, str] = field(default_factory=dict, init=False)
    claim: str
    article: str
    ours: str | None
    holds: bool | None
    statistic: Statistic | None
    note: str


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


def _row(claim: Claim, origin: Origin, cells: pl.DataFrame) -> Row:
    times = Times(cells)
    try:
        figure, holds = claim.ours(times)
        statistic: Statistic = "median of the processes"
        if not all(time.numbers for time in times.asked):
            (figure, holds), statistic = (
                claim.ours(Times(cells, of_samples=True)),
                "median of the samples",
            )
    except NotMeasuredError as error:
        return Row(origin, claim.text, claim.article, None, None, None, str(error))
    own = statistic if times.asked else None
    return Row(origin, claim.text, claim.article, figure, holds, own, claim.note)
