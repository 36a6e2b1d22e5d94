"""A published site of asv's, and ours around it: a first page, the report, a page for each workload."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Container, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from jitcost.files import write_atomically
from jitcost.questions import history as over_time
from jitcost.questions.fullest import fullest
from jitcost.show.subjects import subjects
from jitcost.store import results
from jitcost.store.processes import with_agreement

if TYPE_CHECKING:
    from jitcost.show.html import Draft

__all__ = ["ACCOUNT", "HISTORY", "LANDING", "REPORT", "add_pages", "how_to_look"]
__all__ += ["show_lone_commits"]

LANDING = "index.html"  # asv calls its own page so, which makes way
HISTORY = (
    "history.html"  # asv's page: its routes are parts of an address after the #, so any name does
)
REPORT = "jitcost.html"
ACCOUNT = "account.html"  # where there are variants to account for

# What our pages call each of those that there are.
_TITLES = {
    LANDING: "Overview",
    REPORT: "Report",
    ACCOUNT: "Where the time goes",
    HISTORY: "asv's pages",
}

# What asv's page calls ours.
_TABS = {
    LANDING: f'\t<li id="nav-li-jitcost-landing"><a href="{LANDING}">overview</a></li>\n',
    REPORT: f'\t<li id="nav-li-jitcost"><a href="{REPORT}">jitcost report</a></li>\n',
}
_LAST_TAB = re.compile(r'^[ \t]*<li id="nav-li-regressions">.*?</li>\n', re.MULTILINE)

# asv's feed of regressions leads to graphs of the page that it knows by this name.
_FEED = "regressions.xml"

# What asv's grid is told to draw of a benchmark's values over the commits, and what is added to it.
_LINES = re.compile(r"lines: \{[^{}]*\},(?=\s*shadowSize)")
_POINT = "points: { show: data.length === 1, radius: 4 },"
_FROM_ZERO = re.compile(r"yaxis: \{\s*ticks: \[\],\s*min: 0")
_HEIGHT = "max: data.length === 1 ? 2 * data[0][1] : null"


def add_pages(everything: pl.DataFrame, results_folder: Path, html: Path) -> None:
    """Write our pages into a published site; asv's own page moves behind the first of them.

    asv's script builds no navigation from a list: the tabs that lead to ours are written into its page.

    Parameters
    ----------
    everything : polars.DataFrame
        The cells of every commit.
    results_folder : Path
        Where they were read from: what was imported is recorded there.
    html : Path
        The folder that asv has published.

    Raises
    ------
    ImportError
        If what the pages need is not installed.
    ValueError
        If asv's page has no tabs where they are looked for. Nothing is written then.
    """
    moved = html / HISTORY
    index = moved if moved.is_file() else html / LANDING
    pages = _pages(everything, results_folder, _project(html))
    pages[HISTORY] = _with_tabs(index.read_text(encoding="utf-8"), pages)
    feed = html / _FEED
    if feed.is_file():
        text = feed.read_text(encoding="utf-8")
        pages[_FEED] = text.replace(f"{LANDING}#", f"{HISTORY}#")
    for name, text in pages.items():
        write_atomically(html / name, text)


def _with_tabs(page: str, there: Container[str]) -> str:
    """Return asv's page with a tab for each of our pages that there are, and none for another."""
    for tab in _TABS.values():
        page = page.replace(tab, "")
    tabs = "".join(tab for name, tab in _TABS.items() if name in there)
    after, count = _LAST_TAB.subn(lambda match: match[0] + tabs, page, count=1)
    if not count:
        raise ValueError("asv's index has no tab of regressions to put another one after")
    return after


def _project(html: Path) -> str:
    """Return what asv's configuration calls the project."""
    about = html / "index.json"
    said = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
    return str(said.get("project") or "jitcost")


def _pages(everything: pl.DataFrame, folder: Path, project: str) -> dict[str, str]:
    """Return our pages by name: each leads to all that there are, so that all are drafted before."""
    from jitcost.show.html import Link  # needs jinja2, of which who looks only has no need

    drafts = _drafts(everything, folder, project)
    titles = {name: title for name, title in _TITLES.items() if name in {*drafts, HISTORY}}
    return {
        here: draft.page([Link(title, name, name == here) for name, title in titles.items()])
        for here, draft in drafts.items()
    }


def _drafts(everything: pl.DataFrame, folder: Path, project: str) -> dict[str, Draft]:
    """Return what our pages show, by name: the first one, and those of what was measured."""
    from jitcost.show.html import Link  # what follows needs jinja2 and matplotlib
    from jitcost.show.landing import landing_draft
    from jitcost.show.report import account_draft, report_draft
    from jitcost.show.report.past import Past
    from jitcost.show.report.workload import workload_draft

    cells = results.select(everything)
    comparable = over_time.without_releases(everything, everything)
    past = Past.of(everything)
    of_workloads = subjects(comparable)
    workloads = [Link(one.title, one.file) for one in of_workloads]
    of_all = {
        REPORT: report_draft(
            over_time.without_releases(cells, everything), folder, past, workloads
        ),
        ACCOUNT: account_draft(cells, folder),
    }
    # Neither is there of others' benchmarks, which asv's pages show.
    drafts = {name: draft for name, draft in of_all.items() if draft is not None}
    preferred = [origin for origin, _ in fullest(comparable)]
    checked = with_agreement(comparable, folder)
    for one in of_workloads:
        drafts[one.file] = workload_draft(
            one, checked, past, folder=folder, preferred=preferred, workloads=workloads
        )
    drafts[LANDING] = landing_draft(
        everything,
        comparable,
        past.steps,
        project=project,
        folder=folder,
        report=REPORT if REPORT in drafts else "",
        history=HISTORY,
    )
    return drafts


def show_lone_commits(html: Path) -> None:
    """Let asv's grid of benchmarks show those that were measured at one commit.

    It draws lines and no points, and a line through one point is an empty frame. Where asv's script is
    another than the one known here, it is left as it is.

    Parameters
    ----------
    html : Path
        The folder that asv has published.
    """
    script = html / "summarygrid.js"
    if not script.is_file():
        return
    before = script.read_text(encoding="utf-8")
    if _POINT in before or not (_LINES.search(before) and _FROM_ZERO.search(before)):
        return
    after = _LINES.sub(rf"\g<0>\n{_POINT}", before, count=1)
    write_atomically(script, _FROM_ZERO.sub(rf"\g<0>,\n{_HEIGHT}", after, count=1))


def how_to_look(html: Path) -> Iterator[str]:
    """Yield the lines that say where a site is, and how to open it.

    Parameters
    ----------
    html : Path
        The folder that asv has published.
    """
    shown = os.path.relpath(html)
    serve = ["-m", "http.server", "--bind", "127.0.0.1", "--directory", shown]
    what = "asv's history"
    if (html / HISTORY).is_file():
        what = "who wins where, what changed lately, and the way to every other page"
    yield f"\nThe pages are in {shown}. To look at them, run"
    yield f"  {shlex.join([os.path.relpath(sys.executable), *serve])}"
    yield "and open in a browser"
    yield f"  http://127.0.0.1:8000/  {what}"
