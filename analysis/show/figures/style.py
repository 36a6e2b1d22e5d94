"""What all figures share: how a backend looks, its intervals, logarithmic axes."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.ticker import EngFormatter, Formatter, FuncFormatter, LogLocator, NullFormatter

from jitcost import backends

__all__ = ["GREY", "LETTERS", "SMALL_LETTERS", "Dashes", "Look", "bars", "log_axis", "look"]
__all__ += ["plot", "size_tick"]

T = TypeVar("T")

GREY = "#666666"

# Points, in a panel that is shown as wide as a phone (`layout.PANEL_WIDTH`): ten pixels and more there.
LETTERS, SMALL_LETTERS = 9.5, 8.5

# A line's pattern as matplotlib takes it: a name, or where it begins and the points drawn and left out.
Dashes = str | tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class Look:
    """How a backend is drawn, in every figure.

    Attributes
    ----------
    colour, marker : str
    dashes : str or tuple
        Of its line, in figures where patterns stand for nothing else.
    """

    colour: str
    marker: str
    dashes: Dashes = "-"

    @property
    def text_colour(self) -> tuple[float, float, float]:
        """The colour, dark enough for letters on white."""
        red, green, blue = to_rgb(self.colour)
        return 0.7 * red, 0.7 * green, 0.7 * blue


# Okabe and Ito's hues (2008), made darker where they are too pale for a line on white (their orange has
# a contrast of 2.2 to 1) and moved apart as people of all kinds of colour vision see them. A test holds
# both: 3 to 1, and a distance of 25 in CIELAB. Who sees no colours has the markers and the patterns.
LOOKS = {
    "python": Look("#000000", "o", (0, (1.2, 1.2))),
    "numpy": Look("#0155B1", "s", (0, (7, 1.5))),
    "jax_eager": Look("#C08B00", "^", (0, (4, 1.5, 1, 1.5))),
    "jax_jit": Look("#983300", "D"),
    "numba": Look("#2EA767", "v", (0, (3, 1.2))),
    "julia": Look("#ED61B0", "P", (0, (4, 1.2, 1, 1.2, 1, 1.2))),
}
_OTHERS = (Look("#2B8CC4", "X"), Look("#767676", "h"), Look("#7F7F00", "p"))
_VERSIONS = "*<>d"


def look(backend: str) -> Look:
    """Return how a backend is drawn; one that is not ours has the same look in all figures too.

    A version has its backend's colour and pattern, and another marker.
    """
    base, version = backends.split_version(backend)
    its = LOOKS.get(base) or _chosen(_OTHERS, base)
    return Look(its.colour, _chosen(_VERSIONS, version), its.dashes) if version else its


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
    """Draw a backend's line through its points, in its own pattern unless another is given."""
    x, y = zip(*points, strict=True)
    its = look(backend)
    width, size = (1.8, 4.5) if prominent else (0.9, 3.0)
    given: dict[str, Any] = {
        "linestyle": its.dashes,
        "linewidth": width,
        "markersize": size,
        "zorder": 3 + prominent,
        "label": backends.heading(backend),
    }
    axes.plot(x, y, color=its.colour, marker=its.marker, **(given | style))


class HasBounds(Protocol):
    """What is measured at a size, and may have an interval."""

    @property
    def n(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def bars(axes: Axes, backend: str, rows: Iterable[HasBounds]) -> None:
    """Draw the intervals of those that have one, upright through their points."""
    for row in rows:
        if row.low is not None and row.high is not None:
            colour = look(backend).colour
            axes.vlines([row.n], row.low, row.high, color=colour, linewidth=1.4, zorder=3)


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
