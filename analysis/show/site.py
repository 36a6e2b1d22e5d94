"""A published site of asv's: the report in it, a tab that leads there, and how to look at it."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from jitcost.files import write_atomically
from jitcost.store import results

__all__ = ["ACCOUNT", "GRAPH", "REPORT", "add_report", "how_to_look", "show_lone_commits"]

REPORT = "jitcost.html"
GRAPH = "elementwise.SteadyState.time_call"  # the one that a person is led to first
ACCOUNT = "account.html"  # beside it, where there are variants to account for

_TAB = f'<li id="nav-li-jitcost"><a href="{REPORT}">jitcost report</a></li>'
_LAST_TAB = re.compile(r'^[ \t]*<li id="nav-li-regressions">.*?</li>\n', re.MULTILINE)

# What asv's grid is told to draw of a benchmark's values over the commits, and what is added to it.
_LINES = re.compile(r"lines: \{[^{}]*\},(?=\s*shadowSize)")
_POINT = "points: { show: data.length === 1, radius: 4 },"
_FROM_ZERO = re.compile(r"yaxis: \{\s*ticks: \[\],\s*min: 0")
_HEIGHT = "max: data.length === 1 ? 2 * data[0][1] : null"


def add_report(everything: pl.DataFrame, results_folder: Path, html: Path) -> None:
    """Write the report and the account into a published site, and a tab that leads to them.

    asv's script builds no navigation from a list: the tab is written into the index.

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
        If what the report needs is not installed.
    Exception
        If there is nothing to report, or asv's index has no tabs where they are looked for.
    """
    from jitcost.show.report import (  # matplotlib; who looks only has no need of it
        account_page,
        page,
    )

    cells = results.select(everything)
    pages = {}
    account = None
    if not cells.filter(kind="Variants", state="value").is_empty():
        account = ACCOUNT
        pages[account] = account_page(cells, results_folder, home=REPORT)
    pages[REPORT] = page(
        cells, results_folder, home="index.html", account=account, everything=everything
    )
    index = html / "index.html"
    before = index.read_text(encoding="utf-8")
    after = before
    if _TAB not in before:
        after, count = _LAST_TAB.subn(lambda match: f"{match[0]}\t{_TAB}\n", before, count=1)
        if not count:
            raise ValueError("asv's index has no tab of regressions to put another one after")
    for name, text in pages.items():
        write_atomically(html / name, text)
    write_atomically(index, after)


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


def how_to_look(html: Path, backends: Sequence[str], benchmark: str = GRAPH) -> Iterator[str]:
    """Yield the lines that say where a site is, and how to open it.

    Parameters
    ----------
    html : Path
        The folder that asv has published.
    backends : sequence of str
        Those to draw in one graph.
    benchmark : str
        Which graph.
    """
    shown = os.path.relpath(html)
    serve = ["-m", "http.server", "--bind", "127.0.0.1", "--directory", shown]
    graph = f"#{benchmark}?x-axis=n&y-axis-scale=log"
    graph += "".join(f"&p-backend=%27{name}%27" for name in backends)
    yield f"\nThe history pages and a report are in {shown}. To look at them, run"
    yield f"  {shlex.join([os.path.relpath(sys.executable), *serve])}"
    yield "and open in a browser"
    yield f"  http://127.0.0.1:8000/{REPORT}  the report: tables, figures, a planner"
    yield "  http://127.0.0.1:8000/  asv's history; all backends over n in one graph are at"
    yield f"  http://127.0.0.1:8000/{graph}"
