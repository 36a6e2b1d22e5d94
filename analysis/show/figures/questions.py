"""A figure for each question that is answered over n: compare, fit, crossover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from jitcost import backends
from jitcost.questions import compare as comparing
from jitcost.questions import crossover as crossing
from jitcost.questions import fit as fitting
from jitcost.questions import times
from jitcost.questions.answers import Answer
from jitcost.questions.costs import Costs
from jitcost.questions.groups import Benchmark, by_benchmark
from jitcost.show.answers.fit import verdict_text
from jitcost.show.answers.intervals import HasInterval, basis
from jitcost.show.answers.titles import backend_text
from jitcost.show.figures.labels import Label, label_lines
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import bars, log_axis, look, plot
from jitcost.stats.candidates import Law, growth

__all__ = ["by_backend", "compare", "crossover", "fit", "n_axis", "panel_of"]


class _HasBackend(Protocol):
    @property
    def backend(self) -> str: ...


Row = TypeVar("Row", bound=_HasBackend)

# asv's own pages show other numbers: they are the median of all samples.
_TIMES = (
    "the time of a call in steady state: the median of the processes' fastest samples, or of all "
    "samples where the processes are not known"
)


def _intervals(rows: Iterable[HasInterval]) -> str:
    """Say what the bars are, and why some are not seen."""
    return f"its interval ({basis(rows)}), hidden by the mark where it is narrower"


def compare(answer: Answer[comparing.Row]) -> Drawing:
    """Draw the time per call of every backend over n."""
    return Drawing(
        "Which backend wins where",
        [
            panel_of(rows[0].of, "time per call", partial(_draw_times, rows=rows))
            for rows in by_benchmark(row for row in answer if row.n > 0)
        ],
        f"Points: {_TIMES}. Vertical bars: {_intervals(answer)}.",
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
    points = by_benchmark(row for row in measured if row.n > 0)
    return Drawing(
        "What a call and an element cost",
        [
            panel_of(its[0].of, "points and fit", partial(_draw_fits, points=its, fits=fits))
            for its in points
            for fits in by_benchmark(fitting.over_sizes(answer))
            if fits[0].of == its[0].of
        ],
        f"Points: {_TIMES}. Vertical bars: {_intervals(measured)}. Solid lines: the model, in two "
        "pieces where one line does not do (|: where the one ends). Dotted: one line, where there is no "
        "model.",
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
        "Points: the ratio of the times per call; below 1 the backend is faster than the baseline. "
        f"Vertical bars: {_intervals(compared)}. Thick lines: between their ends the faster "
        "one changes; circles: there, where no size between leaves that open.",
    )


def panel_of(of: Benchmark, what: str, draw: Callable[[Axes], None]) -> Panel:
    """Return a panel named after a workload and its parameters."""
    return Panel(f"{of.title}: {what}", of.spec.summary if of.spec else "", draw)


def n_axis(axes: Axes, of: Benchmark) -> None:
    """Make x the sizes."""
    log_axis(axes, "x")
    axes.set_xlabel(f"n ({of.spec.n_counts})" if of.spec else "n")


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
        bars(axes, backend, its)
        labels.append(Label(backends.heading(backend), backend, its[-1].n, its[-1].time))
    n_axis(axes, rows[0].of)
    log_axis(axes, "y", "s")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _draw_fits(axes: Axes, points: Sequence[times.Row], fits: Sequence[fitting.Row]) -> None:
    labels = []
    measured = by_backend(points)
    for row in fits:
        backend = row.backend or ""
        if backend not in measured:
            continue
        its = measured[backend]
        plot(axes, backend, [(point.n, point.time) for point in its], linestyle="none")
        bars(axes, backend, its)
        for piece in row.pieces:
            _line(axes, backend, piece, row.law or "n", "-")
        if not row.pieces and isinstance(row.costs, Costs):
            _line(axes, backend, row.costs, row.line_law, ":")
        if row.n_at is not None:
            colour = look(backend).colour
            height = float(_heights(row.pieces[0], row.law or "n", row.n_at))
            axes.plot([row.n_at], [height], "|", color=colour, markersize=14, label="_bend")
        text = f"{backend_text(row.backend)}\n({_in_short(row)})"
        labels.append(Label(text, backend, its[-1].n, its[-1].time))
    n_axis(axes, points[0].of)
    log_axis(axes, "y", "s")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


# A label leaves the axes their room; the table says where, and by how much.
_BREAKS = {"jump": "jump", "slope": "new slope", "both": "jump, new slope"}


def _in_short(row: fitting.Row) -> str:
    if row.n_at is not None:
        return _BREAKS.get(row.kind or "", "breaks")
    if row.verdict == "no model" and row.grows_like is not None:
        return f"grows like {row.grows_like}"
    return verdict_text(row)


def _line(axes: Axes, backend: str, piece: Costs, law: Law, style: str) -> None:
    """Draw one piece of the model over its sizes, where it is a time and n can be drawn."""
    n = np.geomspace(max(piece.n_min, piece.n_max / 1e12, 1e-12), piece.n_max, 100)
    time = _heights(piece, law, n)
    positive = time > 0
    axes.plot(
        n[positive], time[positive], style, color=look(backend).colour, linewidth=1.3, label="_fit"
    )


def _heights(piece: Costs, law: Law, n: npt.ArrayLike) -> npt.NDArray[np.float64]:
    return piece.call_cost + piece.element_cost * growth(law, n)


@dataclass(frozen=True)
class _Ratio:
    """A ratio to the baseline at one size, and its interval."""

    n: float
    value: float
    low: float | None
    high: float | None


def _ratios(rows: Sequence[comparing.Row]) -> dict[str, list[_Ratio]]:
    """Return the ratios of each backend but the baseline."""
    found: dict[str, list[_Ratio]] = {}
    for row in rows:
        if row.backend != row.baseline and row.ratio is not None:
            ratio = _Ratio(row.n, row.ratio, row.ratio_low, row.ratio_high)
            found.setdefault(row.backend, []).append(ratio)
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
        plot(axes, backend, [(one.n, one.value) for one in its])
        bars(axes, backend, its)
        labels.append(Label(backends.heading(backend), backend, its[-1].n, its[-1].value))
    axes.axhline(1, color="black", linewidth=1, zorder=2)
    for row in crossings:
        colour = look(row.backend).colour
        axes.plot([row.n_low, row.n_high], [1, 1], color=colour, linewidth=5, alpha=0.35, zorder=2)
        axes.plot(
            [] if row.n is None else [row.n],
            [] if row.n is None else [1],
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
