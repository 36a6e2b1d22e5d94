"""Numbers, and lists, as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = [
    "format_bounds",
    "format_change",
    "format_duration",
    "format_interval",
    "format_percent",
    "format_ratio",
    "format_ratio_interval",
    "format_seconds",
    "listed",
    "scale_of",
    "size_text",
]


def format_seconds(seconds: float) -> str:
    """Return a time with three significant digits and its unit.

    >>> format_seconds(2.5e-5), format_seconds(-3e-9), format_seconds(0.9999e-3)
    ('25.0 µs', '-3.00 ns', '1.00 ms')
    """
    scale, unit = scale_of(seconds)
    return f"{_three_digits(seconds / scale)} {unit}"


def format_change(seconds: float) -> str:
    """Return a difference of times with its sign.

    >>> format_change(2.5e-5), format_change(-3e-9)
    ('+25.0 µs', '-3.00 ns')
    """
    return f"{'+' if seconds > 0 else ''}{format_seconds(seconds)}"


def format_duration(seconds: float) -> str:
    """Return a time that may take days, with three significant digits and its unit.

    >>> format_duration(0.158), format_duration(7200), format_duration(math.inf)
    ('158 ms', '2 h', 'unbounded')
    """
    if math.isinf(seconds):
        return "unbounded"
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return format_seconds(seconds)


def format_interval(seconds: float, low: float, high: float) -> str:
    """Return a time with its interval, all in the time's unit.

    >>> format_interval(4.18e-6, 0.8e-6, 7.55e-6)
    '4.18 [0.80, 7.55] µs'
    """
    scale, unit = scale_of(max(abs(low), abs(seconds), abs(high)))
    middle, *bounds = (_three_digits(value / scale) for value in (seconds, low, high))
    return f"{middle} [{', '.join(bounds)}] {unit}"


def format_bounds(low: float, high: float) -> str:
    """Return an interval by itself, in the unit of its larger end.

    >>> format_bounds(-0.8e-6, 7.55e-6)
    '[-0.80, 7.55] µs'
    """
    scale, unit = scale_of(max(abs(low), abs(high)))
    return f"[{_three_digits(low / scale)}, {_three_digits(high / scale)}] {unit}"


def format_ratio(ratio: float) -> str:
    """Return a ratio with two significant digits.

    >>> format_ratio(0.067), format_ratio(1.0), format_ratio(13.4), format_ratio(420)
    ('0.067x', '1.0x', '13x', '420x')
    """
    return (
        f"{ratio:.0f}x" if ratio >= 9.95 else f"{ratio:.1f}x" if ratio >= 0.995 else f"{ratio:.2g}x"
    )


def format_ratio_interval(ratio: float, low: float, high: float) -> str:
    """Return a ratio with its interval, both to the digit that the ratio is read to, or to one more.

    >>> format_ratio_interval(0.33, 0.312, 0.9), format_ratio_interval(1.004, 0.961, 1.02)
    ('0.33x [0.31, 0.90]', '1.00x [0.96, 1.02]')
    >>> format_ratio_interval(0.3312, 0.3308, 0.3316), format_ratio_interval(240, 230, 250)
    ('0.331x [0.331, 0.332]', '240x [230, 250]')
    """
    digits = max(0, (2 if 0.9 <= ratio < 2 else 1) - math.floor(math.log10(ratio)))
    texts = [f"{value:.{digits}f}" for value in (ratio, low, high)]
    if texts[1] == texts[2]:
        texts = [f"{value:.{digits + 1}f}" for value in (ratio, low, high)]
    return f"{texts[0]}x [{texts[1]}, {texts[2]}]"


def format_percent(share: float) -> str:
    """Return a share as people write it, rounded up: what it is at most.

    >>> format_percent(0.0761), format_percent(0.02), format_percent(1e-9)
    ('8 %', '2 %', '1 %')
    """
    return f"{max(1, math.ceil(100 * share - 1e-9))} %"


def scale_of(seconds: float) -> tuple[float, str]:
    """Return the unit that a time is read in: its seconds, and its name.

    >>> scale_of(2.5e-5)
    (1e-06, 'µs')
    """
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(seconds) >= 0.9995 * scale:
            return scale, unit
    return 1e-9, "ns"


def _three_digits(value: float) -> str:
    size = abs(value)
    return f"{value:.0f}" if size >= 99.95 else f"{value:.1f}" if size >= 9.995 else f"{value:.2f}"


def size_text(n: float) -> str:
    """Return a size as people write it.

    >>> size_text(100000.0), size_text(0.5)
    ('100,000', '0.5')
    """
    return f"{n:,.0f}" if n == int(n) else f"{n:g}"


def listed(texts: Iterable[object], word: str = "and") -> str:
    """Return texts as a list in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    *others, last = map(str, texts)
    return f"{', '.join(others)} {word} {last}" if others else last
