"""Panels beside one another with a caption below, and files of them."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from jitcost.files import replacing
from jitcost.show.figures.labels import settle
from jitcost.show.figures.style import GREY, LETTERS, SMALL_LETTERS

__all__ = ["FORMATS", "Drawing", "Panel", "encoded", "figure", "save"]

FORMATS = ("png", "svg")

# Inches. On a page 400 pixels wide a panel is shown a fifth larger than this, and can be read.
PANEL_WIDTH, PANEL_HEIGHT = 4.4, 3.6
LINE_HEIGHT = 0.165
CAPTION_SIZE = 8.0
# A subtitle's lines are as long as a panel is wide.
SUBTITLE_LETTERS, SUBTITLE_LINES = 50, 2


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    title : str
        What it shows, in bold above it.
    subtitle : str
        More of that, in grey; may be empty.
    draw : callable
        Takes the axes, and draws.
    height : float
        Inches; what has many labels needs more.
    """

    title: str
    subtitle: str
    draw: Callable[[Axes], None]
    height: float = PANEL_HEIGHT


@dataclass(frozen=True)
class Drawing:
    """Panels that belong together, and what has to be said to read them.

    Attributes
    ----------
    title : str
        What they show together, as a heading.
    panels : list of Panel
        Empty where the results hold nothing to draw.
    caption : str
        What points, lines and marks stand for.
    """

    title: str
    panels: list[Panel]
    caption: str


class _Picture(Figure):
    """A figure that a notebook shows, also where nobody has imported pyplot."""

    def _repr_png_(self) -> bytes:
        return encoded(self, "png")


def figure(panels: Sequence[Panel], caption: str = "", columns: int = 2) -> Figure:
    """Draw panels side by side with a caption below them.

    Parameters
    ----------
    panels : sequence of Panel
    caption : str
        Broken into lines here; may be empty.
    columns : int
        How many panels stand side by side at most.

    Returns
    -------
    matplotlib.figure.Figure
        Not known to pyplot.
    """
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    width = PANEL_WIDTH * columns
    lines = textwrap.wrap(caption, round(14.5 * width)) if caption else []
    below = LINE_HEIGHT * len(lines) + (0.15 if lines else 0)
    heights = [max(panel.height for panel in panels[i * columns :][:columns]) for i in range(rows)]
    height = sum(heights) + below
    drawn = _Picture(figsize=(width, height), layout="constrained", facecolor="white")
    share = below / height
    drawn.get_layout_engine().set(rect=(0, share, 1, 1 - share), w_pad=0.1, h_pad=0.1)  # type: ignore[union-attr, call-arg]
    grid = drawn.subplots(rows, columns, squeeze=False, height_ratios=heights)
    for axes, panel in zip(grid.flat, panels, strict=False):
        _draw(axes, panel)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_axis_off()
    if lines:
        drawn.text(
            0.1 / width,
            0.1 / height,
            "\n".join(lines),
            fontsize=CAPTION_SIZE,
            color="#333333",
            verticalalignment="bottom",
            linespacing=1.35,
            parse_math=False,
        )
    settle(drawn)
    return drawn


def _draw(axes: Axes, panel: Panel) -> None:
    axes.tick_params(labelsize=LETTERS)
    axes.xaxis.label.set_fontsize(LETTERS)
    axes.yaxis.label.set_fontsize(LETTERS)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    lines = textwrap.wrap(
        panel.subtitle, SUBTITLE_LETTERS, max_lines=SUBTITLE_LINES, placeholder=" …"
    )
    pad = 8 + 11 * len(lines)
    axes.set_title(panel.title, loc="left", fontsize=11, fontweight="bold", pad=pad)
    if panel.subtitle:
        subtitle = axes.annotate(
            "\n".join(lines),
            xy=(0, 1),
            xycoords="axes fraction",
            xytext=(0, 6),
            textcoords="offset points",
            fontsize=SMALL_LETTERS,
            linespacing=1.1,
            color=GREY,
            parse_math=False,
        )
        subtitle.set_in_layout(False)  # a long one would leave the axes no room
    panel.draw(axes)


def encoded(drawn: Figure, form: str, salt: str = "jitcost") -> bytes:
    """Return a figure as a file's content, the same bytes for the same figure.

    Parameters
    ----------
    drawn : matplotlib.figure.Figure
    form : {'png', 'svg'}
    salt : str
        Decides the names that elements have in an SVG.
    """
    buffer = io.BytesIO()
    # matplotlib takes these two from its settings and from nowhere else.
    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}):
        if form == "svg":
            drawn.savefig(buffer, format="svg", metadata={"Date": None})
        else:
            drawn.savefig(buffer, format=form, dpi=160)
    return buffer.getvalue()


def save(drawn: Figure, path: Path) -> None:
    """Write a figure in the format of the name's ending; a reader finds the old file or the new."""
    with replacing(path) as temporary:
        temporary.write_bytes(encoded(drawn, path.suffix.removeprefix(".")))
