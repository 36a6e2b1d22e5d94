"""The figures of the account: the waterfall from NumPy's time to jit's, and both times in parts."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from jitcost.questions.account import JIT_PARTS, NUMPY_PARTS, SHOWN_SIZES, accounts
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import GREY, look, size_tick
from jitcost.units import format_change, format_seconds, scale_of, size_text

__all__ = ["account", "waterfall"]

Row = dict[str, Any]

# Larger than elsewhere: these figures are also read on a phone.
LETTERS = 10.5

# Of Okabe and Ito's, those that are no backend's. A sign stands beside every step besides.
SAVES, COSTS = "#56B4E9", "#B8A800"

_COLOURS = {
    "interpreter and dispatch": "#56B4E9",
    "call": "#56B4E9",
    "arithmetic": "#0072B2",
    "memory passes": "#E69F00",
    "mispredicted branches": "#F0E442",
    "allocation": "#CC79A7",
    "threads": "#009E73",
    "hand-off": "#D55E00",
    "remainder": "#ffffff",
}


def waterfall(cells: pl.DataFrame) -> Drawing:
    """Draw what each change from NumPy's time to jit's is worth.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one place.

    Returns
    -------
    Drawing
        A panel for each of three sizes at which both ends were measured.
    """
    rows = [row for found in accounts(cells) for row in found["steps"]]
    return Drawing(
        "From NumPy's time to jit's, one change at a time",
        [
            Panel(*_headline(row), partial(_draw_steps, row=row))
            for row in rows
            if row["n"] in SHOWN_SIZES
        ],
        "Each bar between the ends is one changed setting, from the setting above it: NumPy's arrays "
        "reused; XLA's own loops, still one operation at a time; all of it in one of them; kernels of "
        "the library that XLA hands it to from 4,096 elements on, with vectorised functions; several "
        "threads; the work handed to another thread than the caller's. Black lines: 95 % intervals of "
        "a change, over processes that took the settings in turns. Each panel has its own scale.",
    )


def _headline(row: Row) -> tuple[str, str]:
    largest = next(step for step in row["steps"] if step["step"] == row["largest"])
    numpy, jit = (format_seconds(row[end]["value"]) for end in ("numpy", "jax_jit"))
    return (
        f"n = {size_text(row['n'])}: {numpy} to {jit}",
        f"largest step: {row['largest']}, {_signed(largest['worth']['value'])}",
    )


def _signed(seconds: float) -> str:
    return format_change(seconds).replace("-", "\N{MINUS SIGN}")


def _draw_steps(axes: Axes, *, row: Row) -> None:
    start, end = row["numpy"]["value"], row["jax_jit"]["value"]
    scale, unit = scale_of(start)
    bars: list[tuple[str, float, float, str, Row | None]] = []
    bars.append(("numpy", 0.0, start, look("numpy").colour, None))
    before = start
    for step in row["steps"]:
        worth = step["worth"]
        colour = SAVES if worth["value"] < 0 else COSTS
        bars.append((step["step"], before, worth["value"], colour, worth))
        before += worth["value"]
    bars.append(("jax_jit", 0.0, end, look("jax_jit").colour, None))
    furthest = max(left + max(width, 0) for _, left, width, _, _ in bars) / scale
    for height, (name, left, width, colour, worth) in enumerate(bars):
        left, width = left / scale, width / scale
        axes.barh(height, width, left=left, height=0.62, color=colour, label=name)
        tip = max(left, left + width)
        if worth is not None:
            low, high = (left + worth[bound] / scale for bound in ("low", "high"))
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
            fontweight="bold" if worth is None or name == row["largest"] else "normal",
            verticalalignment="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.4},
            zorder=6,
        )
    axes.set_yticks(range(len(bars)), [name for name, *_ in bars], fontsize=LETTERS)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(0, 1.3 * furthest)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"time per call ({unit})", fontsize=LETTERS)


def account(cells: pl.DataFrame) -> Drawing:
    """Draw the shares of their parts in NumPy's time and in jit's, over n.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one place.

    Returns
    -------
    Drawing
        A panel for each of the two that was measured.
    """
    panels = [
        Panel(
            f"{row['workload']}: {name}'s time in parts",
            "share of the measured time, per cent",
            partial(_draw_shares, rows=row[backend], parts=(*parts, "remainder")),
        )
        for row in accounts(cells)
        for backend, name, parts in (
            ("numpy", "NumPy", NUMPY_PARTS),
            ("jax_jit", "jit", JIT_PARTS),
        )
        if row[backend]
    ]
    return Drawing(
        "A call's time in parts",
        panels,
        "Each part comes from its own experiment; what lies below zero is a part that saves time, and "
        "the remainder is what the parts leave unexplained, or explain too much. * a part was not "
        "measured at this size, and the remainder holds it.",
    )


def _draw_shares(axes: Axes, *, rows: list[Row], parts: tuple[str, ...]) -> None:
    above, below = [0.0] * len(rows), [0.0] * len(rows)
    for part in parts:
        times = [
            row["remainder"] if part == "remainder" else row["parts"].get(part) for row in rows
        ]
        shares = [
            100 * time["value"] / row["whole"]["value"] if time else 0.0
            for time, row in zip(times, rows, strict=True)
        ]
        bottoms = [
            up if share > 0 else down for share, up, down in zip(shares, above, below, strict=True)
        ]
        axes.bar(
            range(len(rows)),
            shares,
            bottom=bottoms,
            width=0.75,
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
    names = [f"{size_tick(row['n'])}{'*' if row['missing'] else ''}" for row in rows]
    axes.set_xticks(range(len(rows)), names, rotation=45, fontsize=9)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("n")
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.3),
        ncols=3,
        frameon=False,
        fontsize=8.5,
        handlelength=1.2,
        columnspacing=1.0,
    )
