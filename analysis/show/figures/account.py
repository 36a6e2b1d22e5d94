"""The figures of the account: the waterfall from NumPy's time to jit's, and both times in parts."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from jitcost.questions.account import SHOWN_SIZES, Row, Steps
from jitcost.questions.answers import Answer
from jitcost.questions.parts import JIT_PARTS, NUMPY_PARTS, TimeInParts
from jitcost.show.answers.estimates import intervals_text
from jitcost.show.figures.layout import PANEL_HEIGHT, Drawing, Panel
from jitcost.show.figures.style import GREY, LETTERS, SMALL_LETTERS, look, size_tick
from jitcost.stats.estimates import Estimate
from jitcost.units import format_change, format_seconds, scale_of, size_text

__all__ = ["account", "waterfall"]

# Of Okabe and Ito's, those that are no backend's. A sign stands beside every step besides.
SAVES, COSTS = "#56B4E9", "#B8A800"

# Tol's light colours (2021), which are made for areas: no part is to look like a backend.
_COLOURS = {
    "interpreter and dispatch": "#99DDFF",
    "call": "#99DDFF",
    "arithmetic": "#77AADD",
    "memory passes": "#EE8866",
    "mispredicted branches": "#EEDD88",
    "allocation": "#FFAABB",
    "threads": "#44BB99",
    "hand-off": "#BBCC33",
    "remainder": "#ffffff",
}

# A name's lines at the left of its bar are no longer than this.
NAME_LETTERS = 20

# How much of the space between the two nearest sizes their bars take.
_FILLED = 0.8


def waterfall(answer: Answer[Row]) -> Drawing:
    """Draw what each change from NumPy's time to jit's is worth.

    Parameters
    ----------
    answer : Answer of Row
        The accounts at one origin.

    Returns
    -------
    Drawing
        A panel for each of three sizes at which both ends were measured.
    """
    shown = [steps for row in answer for steps in row.steps if steps.n in SHOWN_SIZES]
    of = intervals_text(step.worth for steps in shown for step in steps.steps)
    return Drawing(
        "From NumPy's time to jit's, one change at a time",
        [Panel(*_headline(steps), partial(_draw_steps, steps=steps)) for steps in shown],
        "Each bar between the ends is one changed setting, from the setting above it: NumPy's arrays "
        "reused; XLA's own loops, still one operation at a time; all of it in one of them; kernels of "
        "the library that XLA hands it to from 4,096 elements on, with vectorised functions; several "
        "threads; the work handed to another thread than the caller's. Black lines: "
        f"a change's interval, of processes that took the settings in turns ({of}). Each panel has its "
        "own scale.",
    )


def _headline(steps: Steps) -> tuple[str, str]:
    numpy, jit = (format_seconds(end.value) for end in (steps.numpy, steps.jax_jit))
    return (
        f"n = {size_text(steps.n)}: {numpy} to {jit}",
        f"largest factor: {steps.largest}, {steps.largest_step.ratio.value:.3g}",
    )


def _signed(seconds: float) -> str:
    return format_change(seconds).replace("-", "\N{MINUS SIGN}")


def _draw_steps(axes: Axes, *, steps: Steps) -> None:
    start, end = steps.numpy.value, steps.jax_jit.value
    scale, unit = scale_of(start)
    bars: list[tuple[str, float, float, str, Estimate | None]] = []
    bars.append(("numpy", 0.0, start, look("numpy").colour, None))
    before = start
    for step in steps.steps:
        colour = SAVES if step.worth.value < 0 else COSTS
        bars.append((step.step, before, step.worth.value, colour, step.worth))
        before += step.worth.value
    bars.append(("jax_jit", 0.0, end, look("jax_jit").colour, None))
    furthest = max(left + max(width, 0) for _, left, width, _, _ in bars) / scale
    for height, (name, left, width, colour, worth) in enumerate(bars):
        left, width = left / scale, width / scale
        axes.barh(height, width, left=left, height=0.62, color=colour, label=name)
        tip = max(left, left + width)
        if worth is not None:
            low, high = (left + bound / scale for bound in (worth.low, worth.high))
            axes.hlines(height, low, high, color="black", linewidth=1.3, zorder=5)
            tip = max(tip, min(high, furthest))
        # The line that leads to the next bar's beginning.
        if height < len(bars) - 1:
            at = left + width
            axes.vlines(at, height, height + 1, color=GREY, linewidth=0.7, zorder=1)
        text = format_seconds(width * scale) if worth is None else _signed(width * scale)
        axes.annotate(
            text,
            xy=(tip, height),
            xytext=(5, 0),
            textcoords="offset points",
            fontsize=LETTERS,
            fontweight="bold" if worth is None or name == steps.largest else "normal",
            verticalalignment="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.4},
            zorder=6,
        )
    # A step of several settings, where those between were not measured, has all of their names.
    names = ["\n".join(textwrap.wrap(name, NAME_LETTERS)) for name, *_ in bars]
    axes.set_yticks(range(len(bars)), names, fontsize=LETTERS)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(0, 1.3 * furthest)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"time per call ({unit})", fontsize=LETTERS)


def account(answer: Answer[Row]) -> Drawing:
    """Draw the shares of their parts in NumPy's time and in jit's, over n.

    Parameters
    ----------
    answer : Answer of Row
        The accounts at one origin.

    Returns
    -------
    Drawing
        A panel for each of the two that was measured.
    """
    panels = [
        Panel(
            f"{row.of.workload}: {name}'s time in parts",
            "share of the measured time, per cent",
            partial(_draw_shares, times=times, parts=(*parts, "remainder")),
            PANEL_HEIGHT + 0.4,  # for the legend
        )
        for row in answer
        for times, name, parts in (
            (row.numpy, "NumPy", NUMPY_PARTS),
            (row.jax_jit, "jit", JIT_PARTS),
        )
        if times
    ]
    return Drawing(
        "A call's time in parts",
        panels,
        "Each part comes from its own experiment; what lies below zero is a part that saves time, and "
        "the remainder is what the parts leave unexplained, or explain too much. * a part was not "
        "measured at this size, and the remainder holds it.",
    )


def _draw_shares(axes: Axes, *, times: Sequence[TimeInParts], parts: tuple[str, ...]) -> None:
    above, below = [0.0] * len(times), [0.0] * len(times)
    sizes = [at_n.n for at_n in times]
    step = min((b / a for a, b in itertools.pairwise(sorted(sizes))), default=10.0)
    half = step ** (_FILLED / 2)
    axes.set_xscale("log")
    for part in parts:
        its = [at_n.remainder if part == "remainder" else at_n.parts.get(part) for at_n in times]
        shares = [
            100 * seconds.value / at_n.whole.value if seconds else 0.0
            for seconds, at_n in zip(its, times, strict=True)
        ]
        bottoms = [
            up if share > 0 else down for share, up, down in zip(shares, above, below, strict=True)
        ]
        axes.bar(
            [n / half for n in sizes],
            shares,
            bottom=bottoms,
            width=[n * half - n / half for n in sizes],
            align="edge",
            color=_COLOURS[part],
            edgecolor=GREY if part == "remainder" else "white",
            linewidth=0.6,
            hatch="////" if part == "remainder" else None,
            label=part,
        )
        above = [up + max(share, 0) for up, share in zip(above, shares, strict=True)]
        below = [down + min(share, 0) for down, share in zip(below, shares, strict=True)]
    axes.axhline(0, color="black", linewidth=0.8)
    axes.axhline(100, color="black", linewidth=0.8, linestyle=":")
    names = [f"{size_tick(at_n.n)}{'*' if at_n.missing else ''}" for at_n in times]
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_minor_locator(NullLocator())
    # Upright: experiments stand close to a bend on both its sides, too close for slanted names.
    axes.set_xticklabels(names, fontsize=SMALL_LETTERS, rotation=90)
    axes.set_xlim(min(sizes) / half**2, max(sizes) * half**2)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("n")
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.45, -0.32),
        ncols=2,
        frameon=False,
        fontsize=SMALL_LETTERS,
        handlelength=1.2,
        columnspacing=1.0,
    )
