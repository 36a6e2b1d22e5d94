"""Numbers and lists as the notes' sentences have them; the templates use each as a filter."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from jitcost import backends
from jitcost.questions.changes import Row as Change
from jitcost.show.answers.change_words import range_text
from jitcost.show.answers.estimates import worth_cell
from jitcost.show.answers.intervals import count_text
from jitcost.show.plain import escaped, one_line
from jitcost.stats.estimates import Estimate
from jitcost.units import (
    format_ratio,
    format_ratio_interval,
    format_seconds,
    listed,
    size_text,
)

__all__ = [
    "FILTERS",
    "anchor",
    "changed",
    "code",
    "counted",
    "day",
    "library_text",
    "percent",
    "release_changes",
    "times",
]

_HEADINGS = {"jax": "JAX", "jaxlib": "jaxlib", "numba": "Numba", "numpy": "NumPy"}


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return so many of something.

    >>> counted(1, "process", "processes"), counted(1200, "cell")
    ('one process', '1,200 cells')
    """
    text = count_text(count) if count <= 10 else f"{count:,}"
    return f"{text} {noun if count == 1 else plural or f'{noun}s'}"


def times(ratio: float) -> str:
    """Return a ratio with the digits that it is read to, without a unit.

    >>> times(0.982), times(1.304), times(21.13), times(312.4)
    ('0.98', '1.30', '21', '312')
    """
    return f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:,.0f}"


def percent(share: float) -> str:
    """Return a share, rounded to the nearest per cent; below one to a tenth.

    >>> percent(0.304), percent(0.0042)
    ('30 %', '0.4 %')
    """
    digits = 1 if 0.0005 <= abs(share) < 0.0095 else 0
    return f"{100 * share + 0.0:.{digits}f} %".replace("-0 %", "0 %")


def day(moment: datetime) -> str:
    """Return a date and a time of day in UTC."""
    return f"{moment:%Y-%m-%d %H:%M}"


def changed(ratios: Iterable[tuple[float, float, float]]) -> str:
    """Return how times differ from others, by the intervals of their ratios, which all go one way.

    Parameters
    ----------
    ratios : iterable of (ratio, low, high)
        One at least.

    >>> changed([(1.12, 1.09, 1.15)]), changed([(0.9, 0.8, 1.01)])
    ('slower by 12 % [9, 15]', 'not significantly different')
    >>> changed([(0.69, 0.66, 0.72), (0.9, 0.88, 0.92)])
    'faster by 10 % [8, 12] to 31 % [28, 34]'
    >>> changed([(1.12, 0.0, math.inf)])
    'no interval'
    """
    known = [one for one in ratios if not math.isinf(one[2])]
    if not known:
        return "no interval"
    (_, low, high), *_ = known
    verdict = "slower" if low > 1 else "faster" if high < 1 else "not significantly different"
    return range_text(verdict, known)


def release_changes(*rows: Change) -> str:
    """Return what steps and drifts that go one way come to."""
    return changed((row.ratio, row.low, row.high) for row in rows)


def library_text(name: str) -> str:
    """Return a library's name as its makers write it."""
    return _HEADINGS.get(name, name)


def _begun(sentence: str) -> str:
    """Return a sentence with its first letter large, and the others as they are."""
    return sentence[:1].upper() + sentence[1:]


def anchor(heading: str) -> str:
    """Return what a link to a heading of the same page ends in.

    >>> anchor("The machine's own noise")
    'the-machines-own-noise'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _sizes(sizes: Sequence[float]) -> str:
    return listed(map(size_text, sorted(set(sizes))))


def _factor(estimate: Estimate) -> str:
    """Return a ratio with its interval."""
    if math.isinf(estimate.high):
        return f"{format_ratio(estimate.value)}, no interval"
    return format_ratio_interval(estimate.value, estimate.low, estimate.high)


def _worth(estimate: Estimate) -> str:
    """Return a difference of times with its interval, as the tables have it."""
    return worth_cell(estimate, largest=False).text


def code(text: str) -> str:
    """Return a text as a code span, in which Markdown reads no signs; it cannot hold the span's own.

    >>> code("<lab>"), code("a`b")
    ('`<lab>`', "`a'b`")
    """
    inside = one_line(text).replace("`", "'")
    return f"`{inside}`"


FILTERS: dict[str, Callable[..., str]] = {
    "anchor": anchor,
    "backend": backends.heading,
    "begun": _begun,
    "code": code,
    "escaped": escaped,
    "factor": _factor,
    "library": library_text,
    "listed": listed,
    "percent": percent,
    "seconds": format_seconds,
    "size": size_text,
    "sizes": _sizes,
    "times": times,
    "word": count_text,
    "worth": _worth,
}
