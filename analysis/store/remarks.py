"""What is left out of results is said on standard error: a few lines of a kind, and how many more."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import TracebackType

__all__ = ["Remarks", "warn"]

# Of a kind: who has a thousand broken files wants to know that, and which the first ones are.
_LINES = 5

# Letters of a reason: texts of others' files can be of any length.
LONGEST = 300

_FILES, _BENCHMARKS = "files are left out", "benchmarks have cells that are left out"


def warn(path: Path, error: Exception) -> None:
    """Say that a file is left out, in one line: one broken file must not cost the others."""
    _say(_left_out(path, error))


class Remarks:
    """The remarks of one reading; at its end, as a context, it says how many there were besides.

    Parameters
    ----------
    lines : int
        How many of a kind are said.
    """

    def __init__(self, lines: int = _LINES) -> None:
        self._lines = lines
        self._said: Counter[str] = Counter()

    def __enter__(self) -> Remarks:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for what, count in self._said.items():
            if count > self._lines:
                _say(f"{count - self._lines:,} more {what}")

    def file(self, path: Path, error: Exception) -> None:
        """Say that a file is left out, and why."""
        self._add(_FILES, _left_out(path, error))

    def cells(self, line: str) -> None:
        """Say which cells of a benchmark are."""
        self._add(_BENCHMARKS, line)

    def _add(self, what: str, line: str) -> None:
        self._said[what] += 1
        if self._said[what] <= self._lines:
            _say(line)


def _left_out(path: Path, error: Exception) -> str:
    # What is wrong with an encoding would be said with the whole text.
    plain = type(error) is ValueError or isinstance(error, UnicodeError)
    said = " ".join((str(error) if plain else repr(error)).split())
    return f"{path} is left out: {said if len(said) <= LONGEST else said[:LONGEST] + '…'}"


def _say(line: str) -> None:
    print(f"jitcost: {line}", file=sys.stderr)
