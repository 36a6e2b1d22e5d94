"""The figure of the errors that predictions have."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from jitcost import backends
from jitcost.questions import predict as predicting
from jitcost.questions.answers import Answer
from jitcost.questions.groups import by_benchmark
from jitcost.show.figures.labels import Label, label_lines
from jitcost.show.figures.layout import Drawing
from jitcost.show.figures.questions import by_backend, n_axis, panel_of
from jitcost.show.figures.style import plot

__all__ = ["predict"]


def predict(answer: Answer[predicting.Row]) -> Drawing:
    """Draw the errors of predictions from the sizes next to one, and by the model."""
    return Drawing(
        "How good predictions are",
        [
            panel_of(rows[0].of, "error of predictions", partial(_draw_errors, rows=rows))
            for rows in by_benchmark(row for row in answer if row.n > 0 and row.error is not None)
        ],
        "Points: sizes that were left out and predicted from the others, as predicted / measured - 1: "
        "filled, solid, interpolated between those next to them; hollow, dotted, by the model. The "
        "scale is linear to 10 % and logarithmic beyond. Below a name: the median size of a backend's "
        "errors, interpolated; by the model. A dash: there is no model of half the sizes.",
    )


def _draw_errors(axes: Axes, rows: Sequence[predicting.Row]) -> None:
    percents, labels = [0.0], []
    for backend, its in by_backend(rows).items():
        medians = []
        for by in ("interpolation", "model"):
            points = [
                (row.n, 100 * row.error) for row in its if row.by == by and row.error is not None
            ]
            percents += [percent for _, percent in points]
            sizes = [abs(percent) for _, percent in points]
            medians.append(f"{statistics.median(sizes):.0f} %" if sizes else "-")
            if by == "interpolation":
                solid = points
            elif points:
                hollow: dict[str, Any] = {"linestyle": ":", "markerfacecolor": "white"}
                plot(axes, backend, points, linewidth=0.6, label="_by model", **hollow)
        text = f"{backends.heading(backend)}\n{'; '.join(medians)}"
        plot(axes, backend, solid, linewidth=0.6, linestyle="-")
        labels.append(Label(text, backend, *solid[-1]))
    axes.axhline(0, color="black", linewidth=1, zorder=2)
    n_axis(axes, rows[0].of)
    axes.set_yscale("symlog", linthresh=10)
    largest = max(12.0, *map(abs, percents)) * 1.25
    axes.set_ylim(-largest, largest)
    ticks = [size for size in (5, 10, 30, 100, 300, 1_000, 10_000, 100_000) if size <= largest]
    axes.yaxis.set_major_locator(FixedLocator([-size for size in ticks[::-1]] + [0] + ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:+.0f} %".replace("+0", "0"))
    )
    axes.set_ylabel("predicted / measured - 1")
    label_lines(axes, labels)
