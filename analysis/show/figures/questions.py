"""A figure for each question that is answered over n: compare, fit, crossover, predict."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from jitcost.backends import workloads
from jitcost.commands import compare as comparing
from jitcost.commands import crossover as crossing
from jitcost.commands import fit as fitting
from jitcost.commands import predict as predicting
from jitcost.questions.groups import Head, benchmark_groups, title_of
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import Label, label_lines, log_axis, look, plot

__all__ = ["by_backend", "compare", "crossover", "fit", "n_axis", "panel_of", "predict"]

Row = dict[str, Any]
Draw = Callable[..., None]  # axes, group, head

_NO_OPTIONS = argparse.Namespace(baseline=None)
_INTERVALS = "vertical bars: its 99 % interval, where that is wider than the marker."


def compare(cells: pl.DataFrame) -> Drawing:
    """Draw the time per call of every backend over n."""
    return Drawing(
        "Which backend wins where",
        _panels(cells, _draw_times, "time per call"),
        f"Points: the median time of a call in steady state; {_INTERVALS}",
    )


def fit(cells: pl.DataFrame) -> Drawing:
    """Draw the times and the model's lines through them."""
    return Drawing(
        "What a call and an element cost",
        _panels(cells, _draw_fits, "points and fit"),
        "Points: the median time of a call in steady state. Solid lines: the model, in pieces where it "
        "bends (|). Dotted: one line where it does not hold and no few pieces do either.",
    )


def crossover(cells: pl.DataFrame) -> Drawing:
    """Draw each backend's ratio to the baseline over n, and where it passes through 1."""
    return Drawing(
        "At which n another backend becomes the faster one",
        _panels(cells, _draw_ratios, "ratio to the baseline"),
        "Points: the ratio of the median times per call; below 1 the backend is faster than the "
        "baseline. Vertical bars: from the bounds of both 99 % intervals. Circles: crossings, with "
        "the sizes between which they lie.",
    )


def predict(cells: pl.DataFrame) -> Drawing:
    """Draw the errors of predictions by the model."""
    return Drawing(
        "How good predictions by the model are",
        _panels(cells, _draw_errors, "error of predictions"),
        "Points: sizes that were left out of the fit and predicted by it, as predicted / measured - 1. "
        "The scale is linear to 10 % and logarithmic beyond. In brackets: the median size of a "
        "backend's errors. A backend without a fit to half the sizes is absent.",
    )


def _panels(cells: pl.DataFrame, draw: Draw, what: str) -> list[Panel]:
    """Return a panel for each benchmark in steady state on which `draw` has something to say."""
    return [
        panel_of(head, what, partial(draw, group=group, head=head))
        for head, group in benchmark_groups(cells.filter(pl.col("n") > 0), "SteadyState")
        if draw is not _draw_errors or _errors(group)
        if draw is not _draw_ratios or _ratios(group)
    ]


def panel_of(head: Head, what: str, draw: Callable[[Axes], None]) -> Panel:
    """Return a panel named after a workload and its parameters."""
    spec = workloads.known(head["workload"])
    return Panel(f"{title_of(head)}: {what}", spec.summary if spec else "", draw)


def n_axis(axes: Axes, workload: str) -> None:
    """Make x the sizes."""
    log_axis(axes, "x")
    spec = workloads.known(workload)
    axes.set_xlabel(f"n ({spec.n_counts})" if spec else "n")


def by_backend(rows: list[Row]) -> dict[str, list[Row]]:
    """Return rows by backend, in the order in which the backends come."""
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row["backend"], []).append(row)
    return grouped


def _draw_times(axes: Axes, group: pl.DataFrame, head: Head) -> None:
    labels = []
    for backend, rows in by_backend(comparing.compare(group)).items():
        points = [(row["n"], row["time"]) for row in rows]
        plot(axes, backend, points)
        _bars(axes, backend, [(row["n"], row["low"], row["high"]) for row in rows])
        labels.append(Label(backend, backend, *points[-1]))
    n_axis(axes, head["workload"])
    log_axis(axes, "y", "s")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _bars(axes: Axes, backend: str, intervals: list[tuple[float, float, float]]) -> None:
    n, low, high = zip(*intervals, strict=True)
    axes.vlines(n, low, high, color=look(backend).colour, linewidth=1.2, zorder=3)


def _draw_fits(axes: Axes, group: pl.DataFrame, head: Head) -> None:
    labels = []
    for row in fitting.answer(group):
        backend = row["backend"]
        its = group.filter(pl.col("backend") == backend)
        points = list(zip(its["n"], its["value"], strict=True))
        plot(axes, backend, points, linestyle="none")
        for piece in row["pieces"]:
            _line(axes, backend, piece, "-")
        if not row["pieces"] and row["c0"] is not None:
            _line(axes, backend, row, ":")
        for bend, piece in zip(row["bends"], row["pieces"], strict=False):
            height = piece["call_cost"] + piece["element_cost"] * bend
            colour = look(backend).colour
            axes.plot([bend], [height], "|", color=colour, markersize=14, label="_bend")
        labels.append(Label(f"{backend} ({row['verdict']})", backend, *points[-1]))
    n_axis(axes, head["workload"])
    log_axis(axes, "y", "s")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _line(axes: Axes, backend: str, piece: Row, style: str) -> None:
    """Draw one line of the model over its sizes, where it is a time."""
    n = np.geomspace(piece["n_min"], piece["n_max"], 100)
    time = piece["call_cost"] + piece["element_cost"] * n
    positive = time > 0
    axes.plot(
        n[positive], time[positive], style, color=look(backend).colour, linewidth=1.3, label="_fit"
    )


def _ratios(group: pl.DataFrame) -> dict[str, list[tuple[float, float, float, float]]]:
    """Return (n, ratio, low, high) of each backend but the baseline."""
    rows = comparing.compare(group)
    base = {row["n"]: row for row in rows if row["backend"] == row["baseline"]}
    return {
        backend: [
            (
                row["n"],
                row["ratio"],
                row["low"] / base[row["n"]]["high"],
                row["high"] / max(base[row["n"]]["low"], 1e-12),
            )
            for row in members
        ]
        for backend, rows_of in by_backend(rows).items()
        if (members := [row for row in rows_of if row["n"] in base])
        and backend != members[0]["baseline"]
    }


def _draw_ratios(axes: Axes, group: pl.DataFrame, head: Head) -> None:
    labels = []
    for backend, ratios in _ratios(group).items():
        plot(axes, backend, [(n, ratio) for n, ratio, _, _ in ratios])
        _bars(axes, backend, [(n, low, high) for n, _, low, high in ratios])
        labels.append(Label(backend, backend, *ratios[-1][:2]))
    axes.axhline(1, color="black", linewidth=1, zorder=2)
    baseline = comparing.compare(group)[0]["baseline"]
    for row in crossing.answer(group, _NO_OPTIONS):
        (other,) = {row["faster_below"], row["faster_above"]} - {row["baseline"]}
        colour = look(other).colour
        axes.plot(
            [row["n_low"], row["n_high"]], [1, 1], color=colour, linewidth=5, alpha=0.35, zorder=2
        )
        axes.plot(
            [row["n"]],
            [1],
            "o",
            markersize=9,
            markerfacecolor="white",
            markeredgecolor=colour,
            markeredgewidth=1.8,
            zorder=5,
            label="_crossing",
        )
    n_axis(axes, head["workload"])
    log_axis(axes, "y", "x")
    axes.set_ylabel(f"time per call / {baseline}'s")
    label_lines(axes, labels)


def _errors(group: pl.DataFrame) -> list[Row]:
    rows = predicting.answer(group, _NO_OPTIONS)
    return [row for row in rows if row["error"] is not None]


def _draw_errors(axes: Axes, group: pl.DataFrame, head: Head) -> None:
    percents = [0.0]
    for backend, rows in by_backend(_errors(group)).items():
        points = [(row["n"], 100 * row["error"]) for row in rows]
        percents += [percent for _, percent in points]
        median = statistics.median(abs(percent) for _, percent in points)
        plot(axes, backend, points, linewidth=0.6, label=f"{backend} ({median:.0f} %)")
    axes.axhline(0, color="black", linewidth=1, zorder=2)
    n_axis(axes, head["workload"])
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
    # Errors go up and down: there is no place at a line's end that no other line passes.
    legend = axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    for text in legend.get_texts():
        text.set_parse_math(False)
