"""What is said below the tables, once for all sizes: failures, what to mind, what did not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jitcost.measuring.entries import Entry, Failure, Outcome, alike
from jitcost.units import size_text

__all__ = ["lines_of", "notes_of"]


def lines_of(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each thing that is to be known of a measurement."""
    groups: dict[tuple[Entry, str], list[Failure]] = {}
    for failure in outcome.failures:
        # The same but for the numbers, which are those of the size.
        groups.setdefault((failure.entry, alike(failure.reason)), []).append(failure)
    for (entry, _), failures in groups.items():
        asked = "not asked for: " if entry.offered else ""
        yield f"{entry.label}{_where(outcome, failures)}: {asked}{failures[0].reason}"
    yield from outcome.remarks
    yield from outcome.left_out
    if not outcome.finished:
        yield "interrupted: what had finished is shown"


def _where(outcome: Outcome, failures: list[Failure]) -> str:
    sizes = [failure.size for failure in failures if failure.size is not None]
    if not sizes:
        return ""
    entry = failures[0].entry
    if not any(entry == other for other, _ in outcome.cells):
        return " at every size" if len(sizes) > 1 else f" at n = {_text(sizes[0])}"
    return f" at n = {', '.join(map(_text, sizes))}"


def _text(size: object) -> str:
    return size_text(size) if isinstance(size, int | float) else str(size)


def notes_of(outcome: Outcome) -> dict[str, Any]:
    """Return the same as strict JSON can hold it."""
    return {
        "warnings": [*outcome.remarks, *outcome.left_out],
        "failures": [
            {
                "problem": one.entry.kernel.problem,
                "backend": one.entry.kernel.name,
                "side": one.entry.side or None,
                "size": one.size,
                "reason": one.reason,
            }
            for one in outcome.failures
        ],
        "finished": outcome.finished,
        "seconds": outcome.seconds,
    }
