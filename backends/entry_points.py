"""What other distributions announce by their entry points."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

__all__ = ["load_each"]

T = TypeVar("T")


def load_each(group: str, kind: type[T], take: Callable[[T], None]) -> None:
    """Load the entry points of a group, by their names; a broken one costs only itself, and a warning.

    Parameters
    ----------
    group : str
        The name of the group.
    kind : type
        What each has to be.
    take : callable
        Gets each of them; may raise what it likes.
    """
    from importlib.metadata import entry_points  # 50 ms that a cold start does not have to pay

    broken = []
    for entry_point in sorted(entry_points(group=group), key=lambda found: found.name):
        try:
            announced = entry_point.load()
            if not isinstance(announced, kind):
                raise TypeError(f"{entry_point.value} is no {kind.__module__}.{kind.__name__}")
            take(announced)
        except Exception as error:
            what = " ".join(str(error).split()) or type(error).__name__
            whose = entry_point.dist.name if entry_point.dist else "an unknown distribution"
            broken.append(f"backend {entry_point.name} of {whose} is left out: {what}")
    for message in broken:
        # In one line: of a file that there is, Python would print a line of code as well.
        warnings.warn_explicit(message, RuntimeWarning, filename=group, lineno=1)
