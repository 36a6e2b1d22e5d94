"""A figure for each question that is answered over n: compare, fit, crossover, predict."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from jitcost import backends
from jitcost.backends import workloads
from jitcost.questions import compare as comparing
from jitcost.questions import crossover as crossing
from jitcost.questions import fit as fitting
from jitcost.questions import predict as predicting
from jitcost.questions import times
from jitcost.questions.answers import Answer
from jitcost.questions.groups import Benchmark, by_benchmark
from jitcost.show.answers.titles import backend_text
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import Label, label_lines, log_axis, look, plot

__all__ = ["by_backend", "compare", "crossover", "fit", "n_axis", "panel_of", "predict"]


class _HasBackend(Protocol):
    @property
    def backend(self) -> str: ...


Row = TypeVar("Row", bound=_HasBackend)

_INTERVALS = "vertical bars: its 99 % interval, where that is wider than the marker."


def compare(answer: Answer[comparing.Row]) -> Drawing:
    """Draw the time per call of every backend over n."""
    return Drawing(
        "Which backend wins where",
        [
            panel_of(rows[0].of, "time per call", partial(_draw_times, rows=rows))
            for rows in by_benchmark(row for row in answer if row.n > 0)
        ],
        f"Points: the median time of a call in steady state; {_INTERVALS}",
    )


def fit(answer: Answer[fitting.Row], measured: Answer[times.Row]) -> Drawing:
    """Draw the times and the model's lines through them.

    Parameters
    ----------
    answer : Answer
        The fits.
    measured : Answer
        The times that were fitted.
    """
    fits = by_benchmark(answer)
    return Drawing(
        "What a call and an element cost",
        [
            panel_of(
                points[0].of,
                "points and fit",
                partial(
                    _draw_fits,
                    points=points,
                    fits=[row for rows in fits if rows[0].of == points[0].of for row in rows],
                ),
            )
            for points in by_benchmark(row for row in measured if row.n > 0)
        ],
        "Points: the median time of a call in steady state. Solid lines: the model, in pieces where it "
        "bends (|). Dotted: one line where it does not hold and no few pieces do either.",
    )


def crossover(answer: Answer[crossing.Row], compared: Answer[comparing.Row]) -> Drawing:
    """Draw each backend's ratio to the baseline over n, and where it passes through 1.

    Parameters
    ----------
    answer : Answer
        The crossings.
    compared : Answer
        The ratios, to the same baselines.
    """
    panels = []
    for rows in by_benchmark(row for row in compared if row.n > 0):
        if ratios := _ratios(rows):
            of, baseline = rows[0].of, rows[0].baseline
            crossings = [row for row in answer if row.of == of]
            draw = partial(_draw_ratios, of=of, ratios=ratios, crossings=crossings, to=baseline)
            panels.append(panel_of(of, "ratio to the baseline", draw))
    return Drawing(
        "At which n another backend becomes the faster one",
        panels,
        "Points: the ratio of the median times per call; below 1 the backend is faster than the "
        "baseline. Vertical bars: from the bounds of both 99 % intervals. Circles: crossings, with "
        "the sizes between which they lie.",
    )


def predict(answer: Answer[predicting.Row]) -> Drawing:
    """Draw the errors of predictions by the model."""
    return Drawing(
        "How good predictions by the model are",
        [
            panel_of(rows[0].of, "error of predictions", partial(_draw_errors, rows=rows))
            for rows in by_benchmark(row for row in answer if row.n > 0 and row.error is not None)
        ],
        "Points: sizes that were left out of the fit and predicted by it, as predicted / measured - 1. "
        "The scale is linear to 10 % and logarithmic beyond. In brackets: the median size of a "
        "backend's errors. A backend without a fit to half the sizes is absent.",
    )


def panel_of(of: Benchmark, what: str, draw: Callable[[Axes], None]) -> Panel:
    """Return a panel named after a workload and its parameters."""
    spec = workloads.known(of.workload)
    return Panel(f"{of.title}: {what}", spec.summary if spec else "", draw)


def n_axis(axes: Axes, of: Benchmark) -> None:
    """Make x the sizes."""
    log_axis(axes, "x")
    spec = workloads.known(of.workload)
    axes.set_xlabel(f"n ({spec.n_counts})" if spec else "n")


def by_backend(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return rows by backend, in the order in which the backends come."""
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row.backend, []).append(row)
    return grouped


def _draw_times(axes: Axes, rows: Sequence[comparing.Row]) -> None:
    labels = []
    for backend, its in by_backend(rows).items():
        plot(axes, backend, [(row.n, row.time) for row in its])
        _bars(axes, backend, [(row.n, row.low, row.high) for row in its])
        labels.append(Label(backends.heading(backend), backend, its[-1].n, its[-1].time))
    n_axis(axes, rows[0].of)
    log_axis(axes, "y", "s")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _bars(axes: Axes, backend: str, intervals: Sequence[tuple[float, float, float]]) -> None:
    n, low, high = zip(*intervals, strict=True)
    axes.vlines(n, low, high, color=look(backend).colour, linewidth=1.2, zorder=3)


def _draw_fits(axes: Axes, points: Sequence[times.Row], fits: Sequence[fitting.Row]) -> None:
    labels = []
    measured = by_backend(points)
    for row in fits:
        backend = row.backend or ""
        if backend not in measured:
            continue
        its = measured[backend]
        plot(axes, backend, [(point.n, point.time) for point in its], linestyle="none")
        for piece in row.pieces:
            _line(axes, backend, piece, "-")
        if not row.pieces and isinstance(row.costs, fitting.Costs):
            _line(axes, backend, row.costs, ":")
        for bend, piece in zip(row.bends, row.pieces, strict=False):
            colour = look(backend).colour
            height = piece.time(bend)
            axes.plot([bend], [height], "|", color=colour, markersize=14, label="_bend")
        text = f"{backend_text(row.backend)} ({row.verdict})"
        labels.append(Label(text, backend, its[-1].n, its[-1].time))
    n_axis(axes, points[0].of)
    log_axis(axes, "y", "s")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _line(axes: Axes, backend: str, piece: fitting.Costs, style: str) -> None:
    """Draw one line of the model over its sizes, where it is a time and n can be drawn."""
    n = np.geomspace(max(piece.n_min, piece.n_max / 1e12, 1e-12), piece.n_max, 100)
    time = piece.call_cost + piece.element_cost * n
    positive = time > 0
    axes.plot(
        n[positive], time[positive], style, color=look(backend).colour, linewidth=1.3, label="_fit"
    )


# n, the ratio, and its bounds.
_Ratio = tuple[float, float, float, float]


def _ratios(rows: Sequence[comparing.Row]) -> dict[str, list[_Ratio]]:
    """Return the ratios of each backend but the baseline."""
    base = {row.n: row for row in rows if row.backend == row.baseline}
    found: dict[str, list[_Ratio]] = {}
    for row in rows:
        if row.backend != row.baseline and row.n in base and row.ratio is not None:
            low, high = row.low / base[row.n].high, row.high / max(base[row.n].low, 1e-12)
            found.setdefault(row.backend, []).append((row.n, row.ratio, low, high))
    return found


def _draw_ratios(
    axes: Axes,
    of: Benchmark,
    ratios: dict[str, list[_Ratio]],
    crossings: Sequence[crossing.Row],
    to: str,
) -> None:
    labels = []
    for backend, its in ratios.items():
        plot(axes, backend, [(n, ratio) for n, ratio, _, _ in its])
        _bars(axes, backend, [(n, low, high) for n, _, low, high in its])
        labels.append(Label(backends.heading(backend), backend, *its[-1][:2]))
    axes.axhline(1, color="black", linewidth=1, zorder=2)
    for row in crossings:
        colour = look(row.backend).colour
        axes.plot([row.n_low, row.n_high], [1, 1], color=colour, linewidth=5, alpha=0.35, zorder=2)
        axes.plot(
            [row.n],
            [1],
            "o",
            markersize=9,
            markerfacecolor="white",
            markeredgecolor=colour,
            markeredgewidth=1.8,
            zorder=5,
            label="_crossing",
        )
    n_axis(axes, of)
    log_axis(axes, "y", "x")
    axes.set_ylabel(f"time per call / {backends.heading(to)}'s")
    label_lines(axes, labels)


def _draw_errors(axes: Axes, rows: Sequence[predicting.Row]) -> None:
    percents = [0.0]
    for backend, its in by_backend(rows).items():
        points = [(row.n, 100 * row.error) for row in its if row.error is not None]
        percents += [percent for _, percent in points]
        median = statistics.median(abs(percent) for _, percent in points)
        label = f"{backends.heading(backend)} ({median:.0f} %)"
        plot(axes, backend, points, linewidth=0.6, label=label)
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
    # Errors go up and down: there is no place at a line's end that no other line passes.
    legend = axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    for text in legend.get_texts():
        text.set_parse_math(False)
