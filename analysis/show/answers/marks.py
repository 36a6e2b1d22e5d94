"""Where the steps of `jitcost changes` are in a history, to be marked in its tables and figures."""

from __future__ import annotations

from collections.abc import Iterable

from jitcost.questions import changes, history

__all__ = ["MARK", "NOTE", "Marks"]

# What stands beside a change that is also a step.
MARK = "a step"

NOTE = (
    f"{MARK}: told by all runs of the series together, as ratios to the baseline where it was timed "
    "(`jitcost changes` says by how much); the words beside it by two neighbours alone"
)


class Marks:
    """The steps of a history's series."""

    def __init__(self, steps: Iterable[changes.Row] = ()) -> None:
        self._labels: dict[str, set[str]] = {}
        for step in steps:
            if step.kind == "step":
                self._labels.setdefault(_series(step), set()).add(step.label)

    def at(self, row: history.Row, point: history.Point) -> bool:
        """Tell whether a series steps at one of its points."""
        return point.release in self._labels.get(_series(row), ())


def _series(row: history.Row | changes.Row) -> str:
    of = row.benchmark, row.version, row.workload, row.params
    return repr((row.over, row.where, *of, row.backend, row.quantity, row.n))
