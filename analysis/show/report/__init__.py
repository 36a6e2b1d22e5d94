"""The report: one self-contained HTML page with the tables, the figures and a small planner."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

from jitcost.commands import account as accounting
from jitcost.commands import claims
from jitcost.commands.compare import agreement
from jitcost.errors import NothingFoundError
from jitcost.questions.account import accounts
from jitcost.questions.history import over_commits, over_releases, without_releases
from jitcost.show.figures import DRAWINGS, Drawing, figure
from jitcost.show.figures.history import history
from jitcost.show.report import tables
from jitcost.show.report.planner import planner_data, script_json
from jitcost.show.report.svg import inline
from jitcost.store.origins import Provenance as Place
from jitcost.store.origins import provenances as places

__all__ = ["account_page", "page"]

_HERE = Path(__file__).parent
_NO_OPTIONS = argparse.Namespace(baseline=None)

# The drawings, in this order, with the tables that belong to each.
_TABLES: dict[str, Callable[[pl.DataFrame], list[tables.Table]]] = {
    "article": lambda _: [],
    "compare": tables.compare,
    "fit": tables.fit,
    "breakeven": tables.breakeven,
    "crossover": tables.crossover,
    "predict": tables.predict,
}

# Those of an account: what is drawn first, and the headings of what is not drawn.
_OF_ACCOUNT = ("waterfall", "account", "bends")
_NOT_DRAWN = {"bends": Drawing("Why the curves bend", [], "")}


def page(
    cells: pl.DataFrame,
    folder: Path | None = None,
    home: str | None = None,
    account: str | None = None,
    everything: pl.DataFrame | None = None,
) -> str:
    """Return the page.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`; each machine, environment and commit becomes a section.
    folder : Path, optional
        Where they were read from, for what is recorded beside the result files.
    home, account : str, optional
        The addresses of a page to lead back to, and of the account's own page.
    everything : polars.DataFrame, optional
        All cells that there are, of any commits: what has changed over releases and commits is shown
        where they hold at least two. An environment that is there as a release has no section then.

    Returns
    -------
    str
        HTML that loads nothing.

    Raises
    ------
    NothingFoundError
        If the cells answer no question.
    """
    series = []
    if everything is not None:
        series = [*over_releases(everything), *over_commits(everything)]
        cells = without_releases(cells, everything)
    found = enumerate(places(cells, folder), 1)
    sections = [
        section
        for number, (place, of_place) in found
        if (section := _section(place, of_place, f"place-{number}"))
    ]
    if not sections and not series:
        raise NothingFoundError("these results hold nothing to report")
    return _render(
        "page.html",
        sections=sections,
        history=_history(series) if series else None,
        home=home,
        account=account,
        planner=(_HERE / "planner.js").read_text(encoding="utf-8"),
    )


def account_page(cells: pl.DataFrame, folder: Path | None = None, home: str | None = None) -> str:
    """Return the account of where the time goes as a page of its own.

    Parameters
    ----------
    cells, folder, home
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
    sections = []
    for number, (place, of_place) in enumerate(places(cells, folder), 1):
        rows = accounts(of_place, place.caches)
        if rows:
            name = f"place-{number}"
            recorded = of_place.filter(kind="Variants")["samples"].is_not_null().any()
            sections.append(
                {
                    "id": name,
                    "place": place,
                    "sentences": [text for row in rows for text in accounting.sentences(row)],
                    "questions": _account_questions(rows, of_place, name),
                    "samples": "recorded: an interval is one over the processes"
                    if recorded
                    else "not recorded: the intervals are asv's, and too narrow",
                }
            )
    if not sections:
        raise NothingFoundError("these results hold no variants to account for")
    return _render("account.html", sections=sections, home=home)


def _render(template: str, **content: Any) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    css = (_HERE / "page.css").read_text(encoding="utf-8")
    return environment.get_template(template).render(css=css, **content)


def _history(series: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the template says of releases and commits."""
    drawing = history(series)
    return {
        "heading": drawing.title,
        "tables": tables.history(series),
        "caption": drawing.caption,
        "figures": [
            inline(figure([panel]), panel.title, f"history-{number}")
            for number, panel in enumerate(drawing.panels, 1)
        ],
    }


def _section(place: Place, cells: pl.DataFrame, name: str) -> dict[str, Any] | None:
    """Return what the template says of one place; None where there is nothing to say."""
    questions = [
        *_questions({key: tabulate(cells) for key, tabulate in _TABLES.items()}, cells, name),
        *_account_questions(accounts(cells, place.caches), cells, name),
    ]
    judged = claims.answer(cells, _NO_OPTIONS)
    if not questions and not judged:
        return None
    data = planner_data(cells)
    return {
        "id": name,
        "place": place,
        "questions": questions,
        "agreement": agreement(cells),
        "claims": tables.claims(judged) if judged else None,
        "planner": {"data": script_json(data), "start": _start(data)} if data else None,
        "samples": "recorded: the article's figure and claims use the smallest, all else the median"
        if cells["samples"].is_not_null().any()
        else "not recorded: everything is the median",
    }


def _account_questions(
    rows: list[dict[str, Any]], cells: pl.DataFrame, name: str
) -> list[dict[str, Any]]:
    made = [accounting.tables(row) for row in rows]
    tabulated = {key: [table for one in made for table in one[key]] for key in _OF_ACCOUNT}
    return _questions(tabulated, cells, name)


def _questions(
    tabulated: dict[str, list[tables.Table]], cells: pl.DataFrame, name: str
) -> list[dict[str, Any]]:
    """Return what the templates say of each question that has a table or a figure."""
    questions = []
    for key, its_tables in tabulated.items():
        drawing = DRAWINGS[key](cells) if key in DRAWINGS else _NOT_DRAWN[key]
        if its_tables or drawing.panels:
            questions.append(
                {
                    "id": f"{name}-{key}",
                    "heading": drawing.title,
                    "tables": its_tables,
                    "caption": drawing.caption,
                    "figures": [
                        inline(figure([panel]), panel.title, f"{name}-{key}-{number}")
                        for number, panel in enumerate(drawing.panels, 1)
                    ],
                }
            )
    return questions


def _start(data: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the planner shows first: the article's simulation study if it was measured."""
    for number, workload in enumerate(data):
        if workload["workload"] == "recursion" and 100_000 in workload["sizes"]:
            return {"workload": number, "n": 100_000, "calls": 10_000}
    sizes = data[0]["sizes"] or [1]
    return {"workload": 0, "n": int(sizes[len(sizes) // 2]), "calls": 10_000}
