"""After how many calls has compiling paid? m* = C / (t_interpreted - t_compiled), rounded up."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import (
    Benchmark,
    backend_order,
    baseline_of,
    benchmark_groups,
    require_baseline,
    steady_and_first,
)
from jitcost.questions.timed import Time, is_time, times_of
from jitcost.stats.times import Kind, break_even

__all__ = ["Options", "Row", "Verdict", "ask"]

Verdict = Literal["pays", "never", "cannot tell"]

# What calls are replayed against, in the benchmarks of kind `Replay`.
_REPLAYED_AGAINST = "numpy"


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The interpreted backend; None: see `jitcost.questions.groups.baseline_of`.
    """

    baseline: str | None = None


@dataclass(frozen=True)
class Row:
    """When a compiled backend has paid at one size.

    Attributes
    ----------
    of : Benchmark
        In steady state; the first calls are of the same workload, options and origin.
    backend, baseline : str
        The compiled one, and the interpreted one.
    n : float
        The size.
    cost : float
        C, seconds: the first call of a fresh kernel less one in steady state.
    cost_low, cost_high : float or None
        From the interval of the first call; None, here and below, where there is none.
    t_interpreted, t_compiled : float
        Seconds per call in steady state.
    saving : float
        What each call saves, seconds: the number that its interval is about.
    saving_low, saving_high : float or None
        Its 95 % interval.
    calls : int or None
        m*: from so many calls on, compiling has paid. None where nothing is saved.
    calls_low, calls_high : int or None
        Its 95 % interval; None where it has no end, and where there is none.
    verdict : {"pays", "never", "cannot tell"}
        Whether a call is significantly faster once compiled, significantly slower, or neither.
    interval : {"of processes", "of samples", "none"}
        What the intervals are of.
    processes : int or None
        The fewest that one of the three times comes from; None where that is not known.
    replayed : float or None
        After how many calls, made one by one, it really had; None where that was not measured.
    replay_inside : bool or None
        Whether that lies within the interval; None without either.
    """

    KEYS: ClassVar[Mapping[str, str]] = {
        "cost": "C",
        "cost_low": "C_low",
        "cost_high": "C_high",
    }

    of: Benchmark
    backend: str
    baseline: str
    n: float
    cost: float
    cost_low: float | None
    cost_high: float | None
    t_interpreted: float
    t_compiled: float
    saving: float
    saving_low: float | None
    saving_high: float | None
    calls: int | None
    calls_low: int | None
    calls_high: int | None
    verdict: Verdict
    interval: Kind
    processes: int | None
    replayed: float | None = None
    replay_inside: bool | None = None


def ask(cells: pl.DataFrame, options: Options = Options()) -> Answer[Row]:
    """Say when compiling has paid.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    Answer of Row
        By benchmark, compiled backend and size, where it has a first call and a baseline. All three
        times are of one origin and size. None where the baseline is compiled, too: what has paid then
        is no compiling.

    Raises
    ------
    BadCallError
        If the baseline that is asked for was not timed.
    """
    require_baseline(cells, options.baseline)
    replays = list(benchmark_groups(cells, "Replay"))
    rows = []
    for of, steady, first in steady_and_first(cells):
        baseline = options.baseline or baseline_of(of, steady)
        if options.baseline is None and backends.is_compiled(baseline):
            continue  # nothing interpreted was timed, and nobody has asked
        replayed = {
            (cell["backend"], cell["n"]): float(cell["value"])
            for other, group in replays
            if of.beside(other) and baseline == _REPLAYED_AGAINST
            for cell in group.iter_rows(named=True)
        }
        rows += [
            _held_against(row, replayed.get((row.backend, row.n)))
            for row in _rows(of, steady, first, baseline)
        ]
    return Answer(tuple(rows))


def _held_against(row: Row, replayed: float | None) -> Row:
    if replayed is None or row.calls_low is None:
        return dataclasses.replace(row, replayed=replayed)
    inside = row.calls_low <= replayed <= (row.calls_high or math.inf)
    return dataclasses.replace(row, replayed=replayed, replay_inside=inside)


def _rows(of: Benchmark, steady: pl.DataFrame, first: pl.DataFrame, baseline: str) -> Iterator[Row]:
    times, firsts = times_of(steady), times_of(first)
    compiled = filter(backends.is_compiled, backend_order(steady))
    for backend in (name for name in compiled if name != baseline):
        for n in steady["n"].unique().sort():
            three = firsts.get((backend, n)), times.get((baseline, n)), times.get((backend, n))
            if all(map(is_time, three)):
                first_call, interpreted, its = (time for time in three if time)
                yield _row(of, backend, baseline, float(n), first_call, interpreted, its)


def _row(
    of: Benchmark,
    backend: str,
    baseline: str,
    n: float,
    first: Time,
    interpreted: Time,
    compiled: Time,
) -> Row:
    found = break_even(first, interpreted, compiled)
    times = first, interpreted, compiled
    return Row(
        of=of,
        backend=backend,
        baseline=baseline,
        n=n,
        cost=found.compile_cost,
        cost_low=_less(first.low, compiled),
        cost_high=_less(first.high, compiled),
        t_interpreted=interpreted.value,
        t_compiled=compiled.value,
        saving=found.saving,
        saving_low=found.saving_low,
        saving_high=found.saving_high,
        calls=found.calls,
        calls_low=_whole(found.low),
        calls_high=_whole(found.high),
        verdict=found.verdict,
        interval=_kind(times),
        processes=min(time.processes or 0 for time in times) or None,
    )


def _less(first: float | None, compiled: Time) -> float | None:
    return None if first is None else first - compiled.value


def _whole(calls: float | None) -> int | None:
    return None if calls is None or math.isinf(calls) else int(calls)


def _kind(times: tuple[Time, ...]) -> Kind:
    """Return what an interval is of that three cells' are joined to."""
    kinds = {time.kind for time in times}
    return "none" if "none" in kinds else "of samples" if "of samples" in kinds else "of processes"
