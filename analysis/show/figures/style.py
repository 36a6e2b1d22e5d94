"""What all figures share: a backend's colour and marker, logarithmic axes, labels at the lines."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.ticker import EngFormatter, Formatter, FuncFormatter, LogLocator, NullFormatter

from jitcost import backends

__all__ = ["GREY", "Label", "Look", "label_lines", "log_axis", "look", "plot", "size_tick"]

T = TypeVar("T")

GREY = "#666666"
LABEL_SIZE = 9.0


@dataclass(frozen=True)
class Look:
    """How a backend is drawn, in every figure."""

    colour: str
    marker: str

    @property
    def text_colour(self) -> tuple[float, float, float]:
        """The colour, dark enough for letters on white."""
        red, green, blue = to_rgb(self.colour)
        return 0.7 * red, 0.7 * green, 0.7 * blue


# Okabe and Ito's colours: told apart by people of all kinds of colour vision, and by the markers.
LOOKS = {
    "python": Look("#000000", "o"),
    "numpy": Look("#0072B2", "s"),
    "jax_eager": Look("#E69F00", "^"),
    "jax_jit": Look("#D55E00", "D"),
    "numba": Look("#009E73", "v"),
    "julia": Look("#CC79A7", "P"),
}
_OTHERS = (Look("#56B4E9", "X"), Look("#999999", "h"), Look("#B8A800", "p"))
_VERSIONS = "*<>d"


def look(backend: str) -> Look:
    """Return how a backend is drawn; one that is not ours has the same look in all figures too.

    A version has its backend's colour, and another marker.
    """
    base, version = backends.split_version(backend)
    its = LOOKS.get(base) or _chosen(_OTHERS, base)
    return Look(its.colour, _chosen(_VERSIONS, version)) if version else its


def _chosen(among: Sequence[T], name: str) -> T:
    """Return one of these by a name: always the same one, which no hash of Python's is."""
    return among[zlib.crc32(name.encode()) % len(among)]


def plot(
    axes: Axes,
    backend: str,
    points: Iterable[tuple[float, float]],
    *,
    prominent: bool = True,
    **style: Any,
) -> None:
    """Draw a backend's line through its points."""
    x, y = zip(*points, strict=True)
    its = look(backend)
    width, size = (1.8, 4.5) if prominent else (0.9, 3.0)
    given: dict[str, Any] = {
        "linestyle": "-",
        "linewidth": width,
        "markersize": size,
        "zorder": 3 + prominent,
        "label": backends.heading(backend),
    }
    axes.plot(x, y, color=its.colour, marker=its.marker, **(given | style))


def log_axis(axes: Axes, which: str, unit: str = "") -> None:
    """Make an axis logarithmic, with ticks at powers of ten that read as numbers.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    which : {'x', 'y'}
    unit : {'', 's', 'x'}
        Of the ticks: a number, a time in seconds, or a ratio.
    """
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    formatters: dict[str, Formatter] = {
        "": FuncFormatter(lambda value, _: size_tick(value)),
        "s": EngFormatter("s"),
        "x": FuncFormatter(lambda value, _: _ratio_tick(value)),
    }
    axis.set_major_locator(LogLocator(numticks=12))
    axis.set_major_formatter(formatters[unit])
    axis.set_minor_formatter(NullFormatter())


def size_tick(value: float) -> str:
    """Return a power of ten as a number, or from 10^4 as a power.

    >>> size_tick(1000), size_tick(100000)
    ('1,000', '10⁵')
    """
    power = round(math.log10(value)) if value > 0 else 0
    if power < 4 or not math.isclose(value, 10.0**power):
        return f"{value:,.10g}"
    return "10" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _ratio_tick(ratio: float) -> str:
    return f"{ratio:.4g}x" if ratio < 1000 else f"{ratio:,.0f}x"


@dataclass(frozen=True)
class Label:
    """A text at the end of a backend's line."""

    text: str
    backend: str
    x: float
    y: float
    prominent: bool = True


def label_lines(axes: Axes, labels: Sequence[Label], gap: float = 0.062) -> None:
    """Write the labels: at the right of the axes for lines that reach there, else above their ends.

    Call it when the limits are final. At the right the labels are moved apart, by at least `gap` of
    the axes' height, and a thin line leads to the end of each.
    """
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = {label: to_axes.transform((label.x, label.y)) for label in labels}
    at_right = sorted(
        (label for label in labels if ends[label][0] > 0.93), key=lambda label: ends[label][1]
    )
    heights = _apart([float(ends[label][1]) for label in at_right], gap)
    for label, height in zip(at_right, heights, strict=True):
        x, y = ends[label]
        axes.plot(
            [x, 1.0, 1.03],
            [y, y, height],
            transform=axes.transAxes,
            color=look(label.backend).colour,
            linewidth=0.6,
            clip_on=False,
            label="_leader",
        )
        _write(axes, label, (1.04, height), "axes fraction", (0, 0))
    for label in labels:
        if label not in at_right:
            # Times rise with n: above and left of a line's end is where few lines pass.
            _write(axes, label, (label.x, label.y), "data", (3, 11), alignment="right")


def _write(
    axes: Axes,
    label: Label,
    at: tuple[float, float],
    coordinates: str,
    offset: tuple[float, float],
    alignment: str = "left",
) -> None:
    axes.annotate(
        label.text,
        xy=at,
        xycoords=coordinates,
        xytext=offset,
        textcoords="offset points",
        color=look(label.backend).text_colour,
        fontsize=LABEL_SIZE if label.prominent else LABEL_SIZE - 1,
        fontweight="bold" if label.prominent else "normal",
        horizontalalignment=alignment,
        verticalalignment="center",
        annotation_clip=False,
        parse_math=False,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
        zorder=6,
    )


def _apart(heights: list[float], gap: float) -> list[float]:
    """Return increasing heights from 0 to 1 and a gap apart, as near to the given as that allows.

    >>> _apart([0.25, 0.25, 0.9], 0.5), _apart([0.5, 1.0, 1.0], 0.25)
    ([0.0, 0.5, 1.0], [0.5, 0.75, 1.0])
    """
    # Blocks of labels that touch, each around the mean of its members' own heights.
    blocks: list[list[float]] = []

    def bottom(block: list[float]) -> float:
        lowest = sum(block) / len(block) - gap * (len(block) - 1) / 2
        return max(0.0, min(lowest, 1.0 - gap * (len(block) - 1)))

    for height in heights:
        blocks.append([height])
        while len(blocks) > 1 and bottom(blocks[-1]) < bottom(blocks[-2]) + gap * len(blocks[-2]):
            last = blocks.pop()
            blocks[-1] += last
    return [bottom(block) + gap * i for block in blocks for i in range(len(block))]
