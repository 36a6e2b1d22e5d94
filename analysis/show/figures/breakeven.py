"""The figure of break-even: the number of calls after which compiling has paid, over n."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.breakeven import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.intervals import basis
from jitcost.show.figures.labels import Label, label_lines
from jitcost.show.figures.layout import Drawing
from jitcost.show.figures.questions import by_backend, n_axis, panel_of
from jitcost.show.figures.style import GREY, LETTERS, log_axis, look, plot

__all__ = ["breakeven"]

# The share of the axes, at the top, in which `never` is marked.
NEVER = 0.1


def breakeven(answer: Answer[Row]) -> Drawing:
    """Draw m* over n, with its interval, and where compiling never pays."""
    return Drawing(
        "After how many calls compiling has paid",
        [
            panel_of(
                rows[0].of,
                f"calls m* against {backends.heading(rows[0].baseline)}",
                partial(_draw, rows=rows),
            )
            for rows in by_benchmark(row for row in answer if row.n > 0)
        ],
        "Points: m*, the calls after which the compile cost is saved. Vertical bars: its interval "
        f"({basis(answer)}), up to never where the saving may be nothing; such points are hollow, for "
        "it cannot be told whether compiling pays. Crosses in the band at the top: never; question "
        "marks: a call takes longer, but not significantly. Large circles: the m after which replayed "
        "calls have really paid, where that was measured.",
    )


def _draw(axes: Axes, rows: Sequence[Row]) -> None:
    log_axis(axes, "y")
    n_axis(axes, rows[0].of)
    sizes = [row.n for row in rows]
    axes.set_xlim(
        min(sizes) / 1.6, max(sizes) * 1.6
    )  # matplotlib has no idea of its own for one size
    axes.set_ylabel("calls m*")
    bounds = [
        calls
        for row in rows
        for calls in (row.calls, row.calls_low, row.calls_high, row.replayed)
        if calls
    ] or [1]
    low, high = min(bounds) / 2, max(bounds) * 2
    top = low * (high / low) ** (1 / (1 - NEVER))
    axes.set_ylim(low, top)
    axes.set_yticks([tick for tick in axes.get_yticks() if low <= tick <= high])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(high, color=GREY, linewidth=0.6, linestyle=":")
    axes.annotate(
        "never",
        xy=(0, 1 - NEVER / 2),
        xycoords="axes fraction",
        xytext=(-7, 0),
        textcoords="offset points",
        fontsize=LETTERS,
        horizontalalignment="right",
        verticalalignment="center",
    )
    labels = []
    for place, (backend, its) in enumerate(by_backend(rows).items()):
        never_height = 1 - NEVER * (0.2 + 0.3 * (place % 3))
        labels += _draw_backend(axes, backend, its, high, never_height)
    label_lines(axes, labels)


def _draw_backend(
    axes: Axes, backend: str, rows: Sequence[Row], never: float, never_height: float
) -> list[Label]:
    """Draw one backend, intervals without an end up to where `never` begins; return its label."""
    its = look(backend)
    # A line joins neighbouring sizes only: across a `never` it would say what was not measured.
    runs: list[list[tuple[float, float]]] = [[]]
    for row in rows:
        if row.calls is None or row.verdict == "never":
            runs.append([])
            pays_never = row.verdict == "never"
            axes.plot(
                [row.n],
                [never_height],
                marker="x" if pays_never else "$?$",
                linestyle="none",
                color=its.colour,
                markersize=6,
                markeredgewidth=1.8 if pays_never else 0.5,
                transform=axes.get_xaxis_transform(),
                label="_never" if pays_never else "_cannot tell",
            )
        elif row.verdict == "pays":
            runs[-1].append((row.n, row.calls))
        else:
            runs.append([])
            axes.plot(
                [row.n],
                [row.calls],
                marker=its.marker,
                linestyle="none",
                color=its.colour,
                markerfacecolor="white",
                label="_may pay",
            )
        if row.replayed:
            axes.plot(
                [row.n],
                [row.replayed],
                "o",
                color=its.colour,
                markersize=11,
                markerfacecolor="none",
                label="_replayed",
            )
        if row.calls_low is not None:
            latest = never if row.calls_high is None else row.calls_high
            axes.vlines(row.n, row.calls_low, latest, color=its.colour, linewidth=1.4)
    for run in filter(None, runs):
        plot(axes, backend, run)
    last = rows[-1]
    if last.calls is not None:
        return [Label(backends.heading(backend), backend, last.n, last.calls)]
    low, high = axes.get_ylim()
    return [Label(backends.heading(backend), backend, last.n, low * (high / low) ** never_height)]
