"""What the planner on the page computes with: the measured times, and the fits between them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from markupsafe import Markup

from jitcost import backends
from jitcost.questions.groups import by_benchmark
from jitcost.questions.known_times import KnownTimes, Row, sizes

__all__ = ["BackendData", "TimesData", "WorkloadData", "planner_data", "script_json", "start"]


class TimesData(TypedDict):
    """One backend's times; seconds.

    Attributes
    ----------
    points : list of [n, time, low, high]
    bends : list of float
    pieces : list of [call cost, element cost, misfit, Student's t, the costs' covariance]
        See `jitcost.stats.model.Line.interval`.
    reason : str or None
        Why there is no fit.
    """

    points: list[list[float]]
    bends: list[float]
    pieces: list[list[float]]
    reason: str | None


class BackendData(TypedDict):
    """One backend, by the name that is shown: its first calls, and its calls in steady state."""

    backend: str
    first: TimesData
    steady: TimesData


class WorkloadData(TypedDict):
    """One workload; sizes: those at which some backend has both times, increasing."""

    workload: str | None
    params: Mapping[str, str]
    sizes: list[float]
    backends: list[BackendData]


def planner_data(known: Iterable[Row]) -> list[WorkloadData]:
    """Return what `planner.js` plans with.

    The rule is that of `jitcost.questions.plan`; only the arithmetic is done again on the page.

    Parameters
    ----------
    known : iterable of Row
        The times at one origin.
    """
    return [
        {
            "workload": rows[0].of.workload,
            "params": rows[0].of.params,
            "sizes": sizes(rows),
            "backends": [
                {
                    "backend": backends.heading(row.backend),
                    "first": _times(row.first),
                    "steady": _times(row.steady),
                }
                for row in rows
            ],
        }
        for rows in by_benchmark(known)
    ]


def _times(known: KnownTimes) -> TimesData:
    found = known.fit()
    return {
        "points": [[point.n, point.time, point.low, point.high] for point in known.points],
        "bends": list(found.bends),
        "pieces": [
            [p.call_cost, p.element_cost, p.misfit, p.quantile, *(p.k**2 * v for v in p.covariance)]
            for p in found.pieces
        ],
        "reason": found.reason,
    }


def start(data: Sequence[WorkloadData]) -> dict[str, int]:
    """Return what the planner shows first: the article's simulation study if it was measured."""
    for number, workload in enumerate(data):
        if workload["workload"] == "recursion" and 100_000 in workload["sizes"]:
            return {"workload": number, "n": 100_000, "calls": 10_000}
    its = data[0]["sizes"] or [1]
    return {"workload": 0, "n": int(its[len(its) // 2]), "calls": 10_000}


def script_json(data: object) -> Markup:
    """Return strict JSON that no text in it can end the `script` element of."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)
