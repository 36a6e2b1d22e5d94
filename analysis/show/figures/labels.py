"""Names at the ends of lines, instead of legends: none on another one, none cut off.

Where letters stand is known when the axes have their final place. So labels are written first, and
`settle` moves them: those of lines that end at the right of the axes into a column beside them, the
others to where the fewest points and lines are near the line's end.
"""

from __future__ import annotations

import itertools
import statistics
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from jitcost.show.figures.style import LETTERS, SMALL_LETTERS, look

__all__ = ["EndLabel", "Label", "apart", "label_lines", "settle"]

Points = npt.NDArray[np.float64]

# From this share of the axes' width on a line ends at their right.
_AT_RIGHT = 0.93

# Where the column of labels begins, and the leaders bend, in widths of the axes.
_COLUMN, _BEND = 1.04, 1.0

# Longer lines are broken, inside a word if need be: a person's own names have any length, and the axes
# are to keep half of a panel's width.
_LETTERS = 24

# Between two labels, in points.
_GAP = 1.5

# How far from a line's end a label may be, in points; beyond the second a leader shows whose it is.
_DISTANCES = (4.0, 9.0, 16.0, 26.0, 40.0)
_LED = 9.0

# What is worse than any number of points below a label.
_NEVER = 1e6


@dataclass(frozen=True)
class Label:
    """A text at the end of a backend's line.

    Attributes
    ----------
    text : str
        May have several lines.
    backend : str
    x, y : float
        Where the line ends, in the axes' numbers.
    prominent : bool
    """

    text: str
    backend: str
    x: float
    y: float
    prominent: bool = True


class EndLabel(Annotation):
    """A label as it is drawn, and the thin line that leads to it from the end of the backend's."""

    def __init__(self, axes: Axes, label: Label) -> None:
        its = look(label.backend)
        self.end = label.x, label.y
        lines = [textwrap.wrap(line, _LETTERS) for line in label.text.split("\n")]
        super().__init__(
            "\n".join(itertools.chain.from_iterable(lines)),
            xy=self.end,
            xytext=(_COLUMN, 0.5),
            textcoords="axes fraction",
            color=its.text_colour,
            fontsize=LETTERS if label.prominent else SMALL_LETTERS,
            fontweight="bold" if label.prominent else "normal",
            horizontalalignment="left",
            verticalalignment="center",
            linespacing=1.0,
            annotation_clip=False,
            parse_math=False,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.4},
            zorder=6,
        )
        style: dict[str, Any] = {"color": its.colour, "linewidth": 0.6, "clip_on": False}
        (self.leader,) = axes.plot([], [], transform=axes.transAxes, label="_leader", **style)

    def put(self, x: float, y: float, alignment: Literal["left", "center"]) -> None:
        """Stand there, in widths and heights of the axes."""
        self.set_position((x, y))
        self.set_horizontalalignment(alignment)


def label_lines(axes: Axes, labels: Sequence[Label]) -> None:
    """Write the labels. Call it when the limits are final, and `settle` when the layout is."""
    for label in labels:
        drawn = EndLabel(axes, label)
        axes.add_artist(drawn)
        drawn.set_clip_on(False)
        # One within the axes takes no room beside them.
        drawn.set_in_layout(_is_at_right(axes, drawn))


def settle(figure: Figure) -> None:
    """Lay the figure out, for good, and move all labels to where they can be read."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        labels = [text for text in axes.texts if isinstance(text, EndLabel)]
        at_right = [label for label in labels if _is_at_right(axes, label)]
        _stack(axes, at_right)
        _scatter(axes, [label for label in labels if label not in at_right])


def _end(axes: Axes, label: EndLabel) -> tuple[float, float]:
    """Return where a line ends, in widths and heights of the axes."""
    to_axes = axes.transData + axes.transAxes.inverted()
    x, y = to_axes.transform(label.end)
    return float(x), float(y)


def _is_at_right(axes: Axes, label: EndLabel) -> bool:
    return _end(axes, label)[0] > _AT_RIGHT


def _stack(axes: Axes, labels: list[EndLabel]) -> None:
    """Put labels into the column at the right of the axes, as near to their lines as there is room."""
    if not labels:
        return
    labels.sort(key=lambda label: _end(axes, label)[1])
    room = axes.bbox.height
    sizes = _heights(labels)
    if sum(sizes) > room:  # many series: smaller letters are better than some on others
        for label in labels:
            label.set_fontsize(float(label.get_fontsize()) * 0.97 * room / sum(sizes))
        sizes = _heights(labels)
    ends = [_end(axes, label) for label in labels]
    centres = apart([y * room for _, y in ends], sizes, room)
    for label, (x, y), centre in zip(labels, ends, centres, strict=True):
        height = centre / room
        label.put(_COLUMN, height, "left")
        label.leader.set_data([x, _BEND, _COLUMN - 0.01], [y, y, height])


def _heights(labels: Sequence[EndLabel]) -> list[float]:
    """Return the labels' heights with a gap, in pixels."""
    return [label.get_window_extent().height + _pixels(label, _GAP) for label in labels]


def _pixels(label: EndLabel, points: float) -> float:
    figure = label.get_figure(root=True)
    return points * (figure.dpi if figure else 72.0) / 72


def _scatter(axes: Axes, labels: Sequence[EndLabel]) -> None:
    """Put each label within the axes, near the end of its line, on as little else as there is."""
    taken: list[Bbox] = []
    drawn = _drawn_points(axes)
    frame = axes.bbox.padded(-_pixels(labels[0], _GAP)) if labels else axes.bbox
    for label in labels:
        end = axes.transData.transform(label.end)
        extent = label.get_window_extent()
        found = list(_around(label, end, extent.width, extent.height))
        box, distance = min(found, key=lambda one: _cost(one[0], one[1], frame, taken, drawn))
        taken.append(box)
        (x0, y0), (x1, y1) = axes.transAxes.inverted().transform(box.get_points())
        label.put((x0 + x1) / 2, (y0 + y1) / 2, "center")
        if distance > _LED:
            x, y = _end(axes, label)
            label.leader.set_data([x, min(max(x, x0), x1)], [y, min(max(y, y0), y1)])


def _around(
    label: EndLabel, end: Points, width: float, height: float
) -> Iterator[tuple[Bbox, float]]:
    """Yield places around a line's end, the nearest first, with their distance in points."""
    # Above and at the left first: times rise with n, and few lines pass there.
    aside = (-1.0, -0.5, 0.0, 0.5, 1.0)
    for distance in _DISTANCES:
        away = _pixels(label, distance)
        for up, right in itertools.product((1.0, -1.0, 0.5, 0.0, -0.5), aside):
            if 1.0 in (abs(up), abs(right)):
                x = end[0] + right * (width / 2 + away)
                y = end[1] + up * (height / 2 + away)
                yield Bbox.from_bounds(x - width / 2, y - height / 2, width, height), distance


def _cost(
    box: Bbox, distance: float, frame: Bbox, taken: Sequence[Bbox], drawn: Points
) -> tuple[float, float]:
    """Return how bad a place is: what it hides, and how far away it is."""
    outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
    hidden = float(box.padded(1.0).count_contains(drawn)) if len(drawn) else 0.0
    hidden += _NEVER * (outside + sum(box.overlaps(other) for other in taken))
    return hidden, distance


def _drawn_points(axes: Axes) -> Points:
    """Return points on all lines that are drawn, at most a few pixels apart."""
    found = []
    for line in axes.lines:
        if str(line.get_label()) != "_leader" and len(line.get_xydata()):  # type: ignore[arg-type]
            corners = line.get_transform().transform(line.get_xydata())
            found.append(corners)
            if line.get_linestyle() != "None":
                shares = np.linspace(0, 1, 100)[:, None, None]
                found.append(((1 - shares) * corners[:-1] + shares * corners[1:]).reshape(-1, 2))
    points = np.concatenate(found) if found else np.empty((0, 2))
    return points[np.isfinite(points).all(axis=1)]


def apart(centres: Sequence[float], sizes: Sequence[float], room: float) -> list[float]:
    """Return where things can stand from 0 to `room` without touching, as near as that allows.

    Parameters
    ----------
    centres : sequence of float
        Where they would be, increasing.
    sizes : sequence of float
        Of no more together than there is room.
    room : float

    Returns
    -------
    list of float
        Their centres.

    >>> apart([1, 1, 9], [2, 2, 2], 10), apart([2, 4.5], [2, 2], 10), apart([5, 5], [2, 4], 10)
    ([1.0, 3.0, 9.0], [2.0, 4.5], [3.5, 6.5])
    """
    # Blocks of things that touch, each where its members' wishes are on average.
    blocks: list[list[int]] = []

    def size(block: list[int]) -> float:
        return sum(sizes[i] for i in block)

    def start(block: list[int]) -> float:
        # Where each member would have the block begin.
        up_to = itertools.accumulate(sizes[i] for i in block)
        wished = [centres[i] + sizes[i] / 2 - upper for i, upper in zip(block, up_to, strict=True)]
        return max(0.0, min(statistics.fmean(wished), room - size(block)))

    for i in range(len(centres)):
        blocks.append([i])
        while len(blocks) > 1 and start(blocks[-1]) < start(blocks[-2]) + size(blocks[-2]):
            last = blocks.pop()
            blocks[-1] += last
    found = []
    for block in blocks:
        at = start(block)
        for i in block:
            found.append(at + sizes[i] / 2)
            at += sizes[i]
    return found
