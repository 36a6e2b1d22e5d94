"""The figure of the history: each number over the releases of a library, or over commits."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from jitcost.commands.history import labels_of, over_text, place_text
from jitcost.questions.groups import title_of
from jitcost.questions.history import QUANTITIES
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import Label, label_lines, log_axis, look, plot
from jitcost.units import size_text

__all__ = ["history"]

Row = dict[str, Any]

# How much of the space between two releases the points of all series take.
SPREAD = 0.4

# How workloads are told apart within a backend's colour.
_LINES = ("-", "--", ":", "-.")


def history(rows: list[Row]) -> Drawing:
    """Draw a panel for each quantity over each library's releases, and over commits.

    Parameters
    ----------
    rows : list of dict
        Series, as `jitcost.questions.history` returns them.
    """
    workloads = sorted({title_of(row) for row in rows})
    lines = dict(zip(workloads, itertools.cycle(_LINES)))
    panels: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if any(ratios(row)):
            key = (row["quantity"], over_text(row), place_text(row))
            panels.setdefault(key, []).append(row)
    return Drawing(
        "What has changed over releases and commits",
        [
            Panel(
                f"{quantity}, over {over}",
                place.removeprefix("virtualenv-"),
                partial(_draw, rows=its, lines=lines),
            )
            for (quantity, over, place), its in sorted(
                panels.items(),
                key=lambda item: (
                    item[0][1] == "commits",
                    item[0][1:],
                    QUANTITIES.index(item[0][0]),
                ),
            )
        ],
        "Points: the ratio to the first release or commit that is drawn, by workload (lines) and "
        "backend (colours). Vertical bars: the 95 % interval of call cost and element "
        "cost, and what the bounds of the times leave possible of C and m*; cut off where they leave "
        "the axes. What cannot be told from zero is not drawn, nor is never. Where two intervals "
        "overlap there is no change to speak of.",
    )


def _rank(panel: tuple[tuple[str, ...], list[Row]]) -> tuple[Any, ...]:
    """Return what panels are sorted by: releases before commits, the numbers in their order."""
    quantity, over, place = panel[0]
    return over == "commits", over, place, QUANTITIES.index(quantity)


def ratios(row: Row) -> list[tuple[str, float, float, float]]:
    """Return (release, ratio, low, high) of a series' points, relative to the first that can be."""
    drawn = [point for point in row["points"] if point["low"] > 0 and point["value"] < math.inf]
    return [
        (point["release"], *(point[name] / drawn[0]["value"] for name in ("value", "low", "high")))
        for point in drawn
    ]


def _draw(axes: Axes, *, rows: list[Row], lines: dict[str, str]) -> None:
    releases = labels_of(rows)
    log_axis(axes, "y", "x")
    drawn = [(row, ratios(row)) for row in rows]
    values = [ratio for _, points in drawn for _, ratio, _, _ in points]
    bottom, top = min(values) / 1.3, max(values) * 1.3
    right = len(releases) - 1 + SPREAD / 2
    labels = []
    for number, (row, points) in enumerate(drawn):
        backend, line = row["backend"], lines[title_of(row)]
        aside = SPREAD * (number / len(drawn) - 0.5)  # its bars are not to hide another's
        at = [(releases.index(name) + aside, ratio) for name, ratio, _, _ in points]
        plot(axes, backend, at, linestyle=line)
        for (x, _), (_, _, low, high) in zip(at, points, strict=True):
            axes.vlines(
                x, max(low, bottom), min(high, top), color=look(backend).colour, linewidth=0.8
            )
        text = f"{title_of(row)}{_at(row, rows)}, {backend}"
        labels.append(Label(text, backend, right, at[-1][1], prominent=False))
    axes.axhline(1, color="black", linewidth=1, zorder=2)
    axes.set_ylim(bottom, top)
    axes.yaxis.set_minor_locator(NullLocator())
    _more_ticks(axes, bottom, top)
    axes.set_xticks(range(len(releases)), releases, rotation=30, ha="right")
    axes.set_xlim(-SPREAD / 2, right)
    axes.set_ylabel("ratio to the first")
    label_lines(axes, labels)


def _at(row: Row, rows: list[Row]) -> str:
    """Return the size that a series is at, where there are others at other sizes."""
    sizes = {one["n"] for one in rows if title_of(one) == title_of(row)}
    return f" at {size_text(row['n'])}" if len(sizes) > 1 else ""


def _more_ticks(axes: Axes, bottom: float, top: float) -> None:
    """Put ticks at round ratios: within a factor of ten there is one power of ten at most."""
    steps = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10)
    inside = [step for step in steps if bottom <= step <= top]
    if bottom >= 0.1 and top <= 10:
        axes.set_yticks(inside)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}x"))
