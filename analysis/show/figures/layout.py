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
from jitcost.show.figures.style import GREY

__all__ = ["FORMATS", "Drawing", "Panel", "encoded", "figure", "save"]

FORMATS = ("png", "svg")

PANEL_WIDTH, PANEL_HEIGHT = 5.6, 3.9  # inches
LINE_HEIGHT = 0.165
CAPTION_SIZE = 8.0
SUBTITLE_LETTERS = 84


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
    """

    title: str
    subtitle: str
    draw: Callable[[Axes], None]


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
    height = PANEL_HEIGHT * rows + below
    drawn = _Picture(figsize=(width, height), layout="constrained", facecolor="white")
    share = below / height
    drawn.get_layout_engine().set(rect=(0, share, 1, 1 - share), w_pad=0.1, h_pad=0.1)  # type: ignore[union-attr, call-arg]
    grid = drawn.subplots(rows, columns, squeeze=False)
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
    return drawn


def _draw(axes: Axes, panel: Panel) -> None:
    axes.tick_params(labelsize=8.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    pad = 20 if panel.subtitle else 8
    axes.set_title(panel.title, loc="left", fontsize=11, fontweight="bold", pad=pad)
    if panel.subtitle:
        subtitle = axes.annotate(
            textwrap.shorten(panel.subtitle, SUBTITLE_LETTERS, placeholder=" …"),
            xy=(0, 1),
            xycoords="axes fraction",
            xytext=(0, 6),
            textcoords="offset points",
            fontsize=8.5,
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
