"""The report: one self-contained HTML page with the tables, the figures and a small planner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from jitcost.errors import NothingFoundError
from jitcost.questions import changes, history
from jitcost.questions.answers import Answer
from jitcost.show.answers import changes as changes_answers
from jitcost.show.answers import history as history_answers
from jitcost.show.figures.history import history as history_figure
from jitcost.show.html import TEMPLATES, Link, rendered
from jitcost.show.report.sections import Question, account_section, section
from jitcost.show.terminal import tracked
from jitcost.store.origins import provenances
from jitcost.store.processes import with_agreement

__all__ = ["account_page", "page"]


def page(
    cells: pl.DataFrame,
    folder: Path | None = None,
    everything: pl.DataFrame | None = None,
    links: Sequence[Link] = (),
    workloads: Sequence[Link] = (),
) -> str:
    """Return the page.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them; each machine, environment and commit becomes a section.
    folder : Path, optional
        Where they were read from, for what is recorded beside the result files.
    everything : polars.DataFrame, optional
        All cells that there are, of any commits: what has changed over releases and commits is shown
        where they hold at least two. An environment that is there as a release has no section then.
    links : sequence of Link
        The pages of the site that it is a part of.
    workloads : sequence of Link
        Pages of single workloads (`jitcost.show.report.workload`) in that site, with the account's
        beside them: what they show is left to them.

    Returns
    -------
    str
        HTML that loads nothing.

    Raises
    ------
    NothingFoundError
        If the cells answer no question.
    """
    past = None
    if everything is not None:
        past = _changes(everything) if workloads else _history(everything)
        cells = history.without_releases(cells, everything)
    origins = list(provenances(with_agreement(cells, folder), folder))
    sections = [
        found
        for number, (origin, of_origin) in enumerate(tracked(origins, "Drawing sections"), 1)
        if (found := section(origin, of_origin, f"origin-{number}", whole=not workloads))
    ]
    if not sections and past is None:
        raise NothingFoundError("these results hold nothing to report")
    return rendered(
        "page.html",
        sections=sections,
        history=past,
        links=links,
        workloads=workloads,
        planner=(TEMPLATES / "planner.js").read_text(encoding="utf-8"),
    )


def _history(everything: pl.DataFrame) -> Question | None:
    answer = history.ask(everything)
    if not answer:
        return None
    steps = changes.ask(everything)
    drawing = history_figure(answer, steps)
    return Question.of("history", drawing, history_answers.tables(answer, steps))


def _changes(everything: pl.DataFrame) -> Question | None:
    """Return the steps alone: the series that they are of stand on the pages of their workloads."""
    tables = changes_answers.tables(changes.ask(everything))
    nothing_drawn = history_figure(Answer(()))
    return Question.of("history", nothing_drawn, tables) if tables else None


def account_page(
    cells: pl.DataFrame, folder: Path | None = None, links: Sequence[Link] = ()
) -> str:
    """Return the account of where the time goes as a page of its own.

    Parameters
    ----------
    cells, folder, links
        As for `page`.

    Returns
    -------
    str
        HTML that loads nothing.

    Raises
    ------
    NothingFoundError
        If no variants were measured.
    """
    sections = [
        found
        for number, (origin, of_origin) in enumerate(provenances(cells, folder), 1)
        if (found := account_section(origin, of_origin, f"origin-{number}"))
    ]
    if not sections:
        raise NothingFoundError("these results hold no variants to account for")
    return rendered("account.html", sections=sections, links=links)
