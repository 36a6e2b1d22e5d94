"""What the planner on the page computes with: the measured times, and the models beyond them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from markupsafe import Markup

from jitcost import backends
from jitcost.backends.workloads import Workload
from jitcost.questions.groups import by_benchmark, title_of
from jitcost.questions.known_times import KnownTimes, Row, sizes
from jitcost.questions.plan import unmeasured
from jitcost.questions.timed import Time
from jitcost.stats.fits import Piece

__all__ = [
    "AbsentData",
    "BackendData",
    "ModelData",
    "TimesData",
    "WorkloadData",
    "planner_data",
    "script_json",
    "start",
]


class ModelData(TypedDict):
    """A fit, for what lies beyond the measured sizes.

    Attributes
    ----------
    law : str
        See `jitcost.stats.fits.Piece`.
    below, above : list of float
        Of the first and of the last piece: `k c0` with its bounds, and `k c1` with its, seconds.
    misfit : float
        As a share of the model's times.
    """

    law: str
    below: list[float]
    above: list[float]
    misfit: float


class TimesData(TypedDict):
    """One backend's times; seconds.

    Attributes
    ----------
    points : list of [n, time, low, high]
        The bounds are null where there is no interval.
    model : ModelData or None
    reason : str or None
        Why there is no model.
    """

    points: list[list[float | None]]
    model: ModelData | None
    reason: str | None


class BackendData(TypedDict):
    """One backend.

    Attributes
    ----------
    backend, name : str
        The name that is shown, and the one that commands take.
    largest : int or None
        The size up to which it runs; None: every size.
    limit : str
        Why not beyond.
    compiles : bool
        Whether its first call does.
    first, steady : TimesData
        Its first calls, and its calls in steady state.
    """

    backend: str
    name: str
    largest: int | None
    limit: str
    compiles: bool
    first: TimesData
    steady: TimesData


class AbsentData(TypedDict):
    """A backend of which nothing was measured; as in `BackendData`."""

    backend: str
    largest: int | None


class WorkloadData(TypedDict):
    """One workload.

    Attributes
    ----------
    workload : str
        The name that is shown.
    params : mapping of str to str
    sizes : list of float
        Those at which some backend has both times, increasing.
    bench : str or None
        The name that `jitcost bench` takes; None for what is no workload of the suite's.
    steady, first : list of float
        The sizes that can be measured, in steady state and at first calls.
    backends : list of BackendData
    absent : list of AbsentData
        The backends that were not measured at all.
    """

    workload: str | None
    params: Mapping[str, str]
    sizes: list[float]
    bench: str | None
    steady: list[float]
    first: list[float]
    backends: list[BackendData]
    absent: list[AbsentData]


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
            "workload": title_of(rows[0].of.name, rows[0].of.workload, {}),
            "params": rows[0].of.params,
            "sizes": sizes(rows),
            "bench": None if rows[0].of.spec is None else rows[0].of.workload,
            "steady": [*rows[0].steady.ladder],
            "first": [*rows[0].first.ladder],
            "backends": [_backend(row) for row in rows],
            "absent": [
                {"backend": backends.heading(name), "largest": _largest(rows[0].of.spec, name)}
                for name in unmeasured(rows)
            ],
        }
        for rows in by_benchmark(known)
    ]


def _largest(spec: Workload | None, backend: str) -> int | None:
    limit = None if spec is None else spec.limit_of(backend)
    return None if limit is None or limit.largest >= sys.maxsize else limit.largest


def _backend(row: Row) -> BackendData:
    spec = row.of.spec
    largest = _largest(spec, row.backend)
    why = None if spec is None or largest is None else spec.why_not(row.backend, largest + 1)
    return {
        "backend": backends.heading(row.backend),
        "name": row.backend,
        "largest": largest,
        "limit": why or "",
        "compiles": row.compiles,
        "first": _times(row.first),
        "steady": _times(row.steady),
    }


def _times(known: KnownTimes) -> TimesData:
    found = known.fit
    return {
        "points": [[n, time.value, *_bounds(time)] for n, time in known.points.items()],
        "model": {
            "law": found.pieces[0].law,
            "below": _costs(found.pieces[0]),
            "above": _costs(found.pieces[-1]),
            "misfit": found.misfit or 0.0,
        }
        if found.pieces
        else None,
        "reason": found.reason,
    }


def _bounds(time: Time) -> list[float | None]:
    return [time.low, time.high] if time.low is not None and time.high is not None else [None] * 2


def _costs(piece: Piece) -> list[float]:
    costs = (piece.c0, piece.c0_low, piece.c0_high, piece.c1, piece.c1_low, piece.c1_high)
    return [piece.k * cost for cost in costs]


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
