"""The report: one self-contained HTML page with the tables, the figures and a small planner."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

from analysis.commands import claims
from analysis.commands.compare import agreement
from analysis.errors import NothingFoundError
from analysis.figures import DRAWINGS, figure
from analysis.figures.history import history
from analysis.figures.places import Place, places
from analysis.report import tables
from analysis.report.planner import planner_data, script_json
from analysis.report.svg import inline
from analysis.series import over_commits, over_releases, without_releases

__all__ = ["page"]

_HERE = Path(__file__).parent
_NO_OPTIONS = argparse.Namespace(baseline=None)

# What is drawn, in the order of `DRAWINGS`, and the tables that belong to it.
_TABLES: dict[str, Callable[[pl.DataFrame], list[tables.Table]]] = {
    "article": lambda _: [],
    "compare": tables.compare,
    "fit": tables.fit,
    "breakeven": tables.breakeven,
    "crossover": tables.crossover,
    "predict": tables.predict,
}


def page(
    cells: pl.DataFrame,
    folder: Path | None = None,
    home: str | None = None,
    everything: pl.DataFrame | None = None,
) -> str:
    """Return the page.

    Parameters
    ----------
    cells : polars.DataFrame
        See `analysis.results`; each machine, environment and commit becomes a section.
    folder : Path, optional
        Where they were read from, for what is recorded beside the result files.
    home : str, optional
        The address of a page to lead back to.
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
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        sections=sections,
        history=_history(series) if series else None,
        home=home,
        css=(_HERE / "page.css").read_text(encoding="utf-8"),
        planner=(_HERE / "planner.js").read_text(encoding="utf-8"),
    )


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
    questions = []
    for question, draw in DRAWINGS.items():
        drawing, tabulated = draw(cells), _TABLES[question](cells)
        if tabulated or drawing.panels:
            questions.append(
                {
                    "id": f"{name}-{question}",
                    "heading": drawing.title,
                    "tables": tabulated,
                    "caption": drawing.caption,
                    "figures": [
                        inline(figure([panel]), panel.title, f"{name}-{question}-{number}")
                        for number, panel in enumerate(drawing.panels, 1)
                    ],
                }
            )
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
        "samples": cells["samples"].is_not_null().any(),
    }


def _start(data: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the planner shows first: the article's simulation study if it was measured."""
    for number, workload in enumerate(data):
        if workload["workload"] == "recursion" and 100_000 in workload["sizes"]:
            return {"workload": number, "n": 100_000, "calls": 10_000}
    sizes = data[0]["sizes"] or [1]
    return {"workload": 0, "n": int(sizes[len(sizes) // 2]), "calls": 10_000}
