"""The figure of the history: each number over the releases of a library, or over commits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from jitcost.questions.answers import Answer
from jitcost.questions.history import COMMITS, QUANTITIES, Row
from jitcost.show.answers.history import labels_of, over_text, where_text
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import Label, label_lines, log_axis, look, plot
from jitcost.units import size_text

__all__ = ["history"]

# How much of the space between two releases the points of all series take.
SPREAD = 0.4

# How workloads are told apart within a backend's colour.
_LINES = ("-", "--", ":", "-.")


def history(answer: Answer[Row]) -> Drawing:
    """Draw a panel for each quantity over each library's releases, and over commits.

    Parameters
    ----------
    answer : Answer of Row
        The series.

    Returns
    -------
    Drawing
    """
    workloads = sorted({row.title for row in answer})
    lines = dict(zip(workloads, itertools.cycle(_LINES)))
    panels: dict[tuple[bool, str, str, int], list[Row]] = {}
    for row in answer:
        if any(ratios(row)):
            # Releases before commits, the numbers in their order.
            rank = QUANTITIES.index(row.quantity)
            key = (row.over == COMMITS, over_text(row), where_text(row), rank)
            panels.setdefault(key, []).append(row)
    return Drawing(
        "What has changed over releases and commits",
        [
            Panel(
                f"{QUANTITIES[rank]}, over {over}",
                where.removeprefix("virtualenv-"),
                partial(_draw, rows=panels[_, over, where, rank], lines=lines),
            )
            for _, over, where, rank in sorted(panels)
        ],
        "Points: the ratio to the first release or commit that is drawn, by workload (lines) and "
        "backend (colours). Vertical bars: the 95 % interval of call cost and element "
        "cost, and what the bounds of the times leave possible of C and m*; cut off where they leave "
        "the axes. What is not significantly above zero is not drawn, nor is never. Where two "
        "intervals overlap the two are not significantly different.",
    )


def ratios(row: Row) -> list[tuple[str, float, float, float]]:
    """Return (release, ratio, low, high) of a series' points, relative to the first that can be."""
    drawn = [point for point in row.points if point.low > 0 and point.value < math.inf]
    if not drawn:
        return []
    first = drawn[0].value
    return [
        (point.release, point.value / first, point.low / first, point.high / first)
        for point in drawn
    ]


def _draw(axes: Axes, *, rows: Sequence[Row], lines: Mapping[str, str]) -> None:
    releases = labels_of(rows)
    log_axis(axes, "y", "x")
    drawn = [(row, ratios(row)) for row in rows]
    values = [ratio for _, points in drawn for _, ratio, _, _ in points]
    bottom, top = min(values) / 1.3, max(values) * 1.3
    right = len(releases) - 1 + SPREAD / 2
    labels = []
    for number, (row, points) in enumerate(drawn):
        backend, line = str(row.backend), lines[row.title]
        aside = SPREAD * (number / len(drawn) - 0.5)  # its bars are not to hide another's
        at = [(releases.index(name) + aside, ratio) for name, ratio, _, _ in points]
        plot(axes, backend, at, linestyle=line)
        for (x, _), (_, _, low, high) in zip(at, points, strict=True):
            axes.vlines(
                x, max(low, bottom), min(high, top), color=look(backend).colour, linewidth=0.8
            )
        text = f"{row.title}{_at(row, rows)}, {backend}"
        labels.append(Label(text, backend, right, at[-1][1], prominent=False))
    axes.axhline(1, color="black", linewidth=1, zorder=2)
    axes.set_ylim(bottom, top)
    axes.yaxis.set_minor_locator(NullLocator())
    _more_ticks(axes, bottom, top)
    axes.set_xticks(range(len(releases)), releases, rotation=30, ha="right")
    axes.set_xlim(-SPREAD / 2, right)
    axes.set_ylabel("ratio to the first")
    label_lines(axes, labels)


def _at(row: Row, rows: Sequence[Row]) -> str:
    """Return the size that a series is at, where there are others at other sizes."""
    sizes = {one.n for one in rows if one.title == row.title}
    return f" at {size_text(row.n)}" if row.n is not None and len(sizes) > 1 else ""


def _more_ticks(axes: Axes, bottom: float, top: float) -> None:
    """Put ticks at round ratios: within a factor of ten there is one power of ten at most."""
    steps = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10)
    inside = [step for step in steps if bottom <= step <= top]
    if bottom >= 0.1 and top <= 10:
        axes.set_yticks(inside)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}x"))
