"""The report: one self-contained HTML page with the tables, the figures and a small planner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from jitcost.errors import NothingFoundError
from jitcost.show.html import TEMPLATES, Draft, Link
from jitcost.show.report.past import Past
from jitcost.show.report.sections import account_section, section
from jitcost.show.terminal import tracked
from jitcost.store.origins import provenances
from jitcost.store.processes import with_agreement

__all__ = ["account_draft", "page", "report_draft"]


def page(cells: pl.DataFrame, folder: Path | None = None, past: Past | None = None) -> str:
    """Return the page that stands by itself.

    Parameters
    ----------
    cells, folder, past
        As for `report_draft`.

    Returns
    -------
    str
        HTML that loads nothing.

    Raises
    ------
    NothingFoundError
        If the cells answer no question.
    """
    draft = report_draft(cells, folder, past)
    if draft is None:
        raise NothingFoundError("these results hold nothing to report")
    return draft.page()


def report_draft(
    cells: pl.DataFrame,
    folder: Path | None = None,
    past: Past | None = None,
    workloads: Sequence[Link] = (),
) -> Draft | None:
    """Return the report; None where the cells answer no question.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them, without the environments that are there as a release
        (`jitcost.questions.history.without_releases`): each machine, environment and commit becomes a
        section.
    folder : Path, optional
        Where they were read from, for what is recorded beside the result files.
    past : Past, optional
        What has changed over releases and commits.
    workloads : sequence of Link
        Pages of single workloads (`jitcost.show.report.workload`) in the site that it is a part of,
        with the account's beside them: what they show is left to them.
    """
    history = None
    if past is not None:
        history = past.steps_alone() if workloads else past.whole()
    origins = list(provenances(with_agreement(cells, folder), folder))
    sections = [
        found
        for number, (provenance, of_origin) in enumerate(tracked(origins, "Drawing sections"), 1)
        if (found := section(provenance, of_origin, f"origin-{number}", whole=not workloads))
    ]
    if not sections and history is None:
        return None
    return Draft(
        "page.html",
        {
            "sections": sections,
            "history": history,
            "workloads": workloads,
            "planner": (TEMPLATES / "planner.js").read_text(encoding="utf-8"),
        },
    )


def account_draft(cells: pl.DataFrame, folder: Path | None = None) -> Draft | None:
    """Return the account of where the time goes, a page of its own; None where there is no account.

    Parameters
    ----------
    cells, folder
        As for `report_draft`.
    """
    sections = [
        found
        for number, (provenance, of_origin) in enumerate(provenances(cells, folder), 1)
        if (found := account_section(provenance, of_origin, f"origin-{number}"))
    ]
    return Draft("account.html", {"sections": sections}) if sections else None
