"""The figure of the history: each number over the releases of a library, or over commits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from jitcost.questions import changes
from jitcost.questions.answers import Answer
from jitcost.questions.history import QUANTITIES, Point, Row
from jitcost.questions.releases import COMMITS
from jitcost.show.answers.history import labels_of, over_text, where_text
from jitcost.show.answers.marks import Marks
from jitcost.show.figures.labels import Label, label_lines
from jitcost.show.figures.layout import PANEL_HEIGHT, Drawing, Panel
from jitcost.show.figures.style import SMALL_LETTERS, log_axis, look, plot
from jitcost.store.versions import version_key
from jitcost.units import size_text

__all__ = ["TITLE", "history"]

TITLE = "What has changed over releases and commits"

# How much of the space between two releases the points of all series take.
SPREAD = 0.4

# Inches, of a panel: what is above and below the axes, and of a label of two lines.
AROUND, LABEL_HEIGHT = 1.2, 0.29

# How workloads are told apart within a backend's colour.
_LINES = ("-", "--", ":", "-.")


def history(answer: Answer[Row], steps: Iterable[changes.Row] = ()) -> Drawing:
    """Draw a panel for each quantity over each library's releases, and over commits.

    Parameters
    ----------
    answer : Answer of Row
        The series.
    steps : iterable of jitcost.questions.changes.Row
        Have rings around the first points of their new levels.

    Returns
    -------
    Drawing
    """
    workloads = sorted({row.title for row in answer})
    lines = dict(zip(workloads, itertools.cycle(_LINES)))
    shown = _shown_sizes(answer)
    marked = Marks(steps)
    panels: dict[tuple[bool, str, str, int, float], list[Row]] = {}
    for row in answer:
        if any(ratios(row)) and (row.quantity != "time" or row.n in shown):
            # Releases before commits, the numbers in their order, times by size.
            rank = QUANTITIES.index(row.quantity)
            size = row.n if row.quantity == "time" and row.n is not None else 0.0
            key = (row.over == COMMITS, over_text(row.over), where_text(row.where), rank, size)
            panels.setdefault(key, []).append(row)
    return Drawing(
        TITLE,
        [
            Panel(
                f"{QUANTITIES[rank]}{f', n = {size_text(n)}' if n else ''}, over {over}",
                where.removeprefix("virtualenv-"),
                partial(_draw, rows=rows, lines=lines, marked=marked),
                max(PANEL_HEIGHT, AROUND + LABEL_HEIGHT * len(rows)),
            )
            for key in sorted(panels, key=_place)
            for (_, over, where, rank, n), rows in [(key, panels[key])]
        ],
        "Points: the ratio to the first release or commit that is drawn, by workload (lines) and "
        "backend (colours); of times and C the product of the ratios from one to the next, each "
        "divided by what the runs' cells have in common. Vertical bars: "
        f"{_bars(answer)}; cut off where they leave the axes. What is not significantly above zero is "
        "not drawn, nor is never. Bars are no test: what is called a change is said in the tables. "
        "Rings: where times or C step, by all runs of a series (jitcost changes).",
    )


def _place(key: tuple[bool, str, str, int, float]) -> tuple[Any, ...]:
    commits, over, where, *rest = key
    return commits, over, version_key(where), *rest


def _bars(answer: Answer[Row]) -> str:
    kinds = {point.interval for row in answer for point in row.points}
    if "of samples" not in kinds:
        return "the interval of each number by its processes"
    if "of processes" not in kinds:
        return "the interval of each number by its samples, whose processes are not known"
    return "the interval of each number by its processes, or of samples where these are not known"


def _shown_sizes(answer: Answer[Row]) -> set[float]:
    """Return the sizes whose times are drawn: the smallest, the middle one and the largest."""
    sizes = sorted({row.n for row in answer if row.quantity == "time" and row.n is not None})
    return {sizes[0], sizes[len(sizes) // 2], sizes[-1]} if sizes else set()


def ratios(row: Row) -> list[tuple[str, float, float, float]]:
    """Return (release, ratio, low, high) of a series' points, relative to the first that can be.

    The bounds are those of the point alone, and the point itself where it has none.
    """
    drawn = [point for point in row.points if _can_be_drawn(point)]
    found: list[tuple[str, float, float, float]] = []
    for point in drawn:
        ratio = point.value / drawn[0].value
        if found and point.ratio is not None:
            ratio = found[-1][1] * point.ratio
        low, high = (
            ratio if bound is None else ratio * bound / point.value
            for bound in (point.low, point.high)
        )
        found.append((point.release, ratio, low, high))
    return found


def _can_be_drawn(point: Point) -> bool:
    return (point.low is None or point.low > 0) and 0 < point.value < math.inf


def _draw(axes: Axes, *, rows: Sequence[Row], lines: Mapping[str, str], marked: Marks) -> None:
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
        at_steps = {point.release for point in row.points if marked.at(row, point)}
        stepped = [its for its, point in zip(at, points, strict=True) if point[0] in at_steps]
        _ring(axes, backend, stepped)
        text = f"{row.title}{_at(row, rows)},\n{backend}"
        labels.append(Label(text, backend, right, at[-1][1], prominent=False))
    axes.axhline(1, color="black", linewidth=1, zorder=2)
    axes.set_ylim(bottom, top)
    axes.yaxis.set_minor_locator(NullLocator())
    _more_ticks(axes, bottom, top)
    slanted: dict[str, Any] = {"rotation": 60, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(releases)), releases, fontsize=SMALL_LETTERS, **slanted)
    axes.set_xlim(-SPREAD / 2, right)
    axes.set_ylabel("ratio to the first")
    label_lines(axes, labels)


def _ring(axes: Axes, backend: str, points: Sequence[tuple[float, float]]) -> None:
    for x, y in points:
        axes.plot(
            *([x], [y], "o"),
            markersize=11,
            markerfacecolor="none",
            markeredgecolor=look(backend).colour,
            markeredgewidth=1.4,
            zorder=5,
            label="_step",
        )


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
