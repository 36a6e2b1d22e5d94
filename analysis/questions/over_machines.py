"""Which backend wins where, on each machine and over all of them? Ratios to the baseline, no times.

A time on one machine beside a time on another says which machine is faster. A ratio is made within a
machine, and ratios of several machines are values of one quantity: they have a mean, a spread, and an
interval in which a further machine's would lie.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl
from scipy import special

from jitcost.errors import NothingFoundError
from jitcost.questions import compare
from jitcost.questions.answers import Answer
from jitcost.questions.groups import Origin, origin_groups, title_of
from jitcost.questions.newest import newest
from jitcost.stats.random_effects import random_effects
from jitcost.store.versions import version_key

__all__ = ["Options", "OverMachines", "Row", "ask"]

# What an interval of 95 % is wide, in standard errors of a normal number.
_WIDE = 2 * float(special.ndtri(0.975))

Interval = Literal["of processes", "of samples", "of machines", "none"]
Weights = Literal["by their errors", "equal"]


@dataclass(frozen=True)
class Options:
    """What may be asked for.

    Attributes
    ----------
    baseline : str or None
        The backend that ratios are to; None: see `jitcost.questions.groups.baseline_of`.
    """

    baseline: str | None = None


@dataclass(frozen=True)
class Row:
    """One backend's ratio to the baseline at one size: on one machine, or over all that have it.

    Attributes
    ----------
    over : {"machine", "machines"}
        Which of them.
    workload, params, benchmark, version
        As in `jitcost.questions.groups.Benchmark`.
    baseline : str
    n : float
        The size; NaN where the benchmark has none.
    backend : str
    machine, environment, env_vars, commit
        Where it was measured; None over machines.
    libraries : mapping of str to str, or None
        The versions that the environment was made with, Python's first; None over machines.
    machines : int
        How many have this ratio: of one of them 1.
    ratio : float
        Over machines the geometric mean.
    low, high : float or None
        Its 95 % interval; None where there is none: on a machine see `jitcost.questions.compare`, and
        over fewer than three machines.
    interval : {"of processes", "of samples", "of machines", "none"}
        What it is of.
    weights : {"by their errors", "equal"} or None
        Which weight the machines have in the mean: equal ones where an error is not known, for too few
        processes or for samples alone, and of two machines. None on one machine.
    spread : float or None
        The factor by which such machines differ, exp(tau): of normal ones two thirds lie within it of
        the mean. It is an estimate from these machines, and 1 where they differ by no more than they
        err. With equal weights it has the errors of measurement in it, too. None on one machine, and
        for fewer than three.
    further_low, further_high : float or None
        Between what a further machine's measured ratio is expected, with 95 %; None as `spread`.
    """

    over: Literal["machine", "machines"]
    workload: str | None
    params: Mapping[str, str]
    benchmark: str
    version: str | None
    baseline: str
    n: float
    backend: str
    machine: str | None
    environment: str | None
    env_vars: Mapping[str, str] | None
    commit: str | None
    libraries: Mapping[str, str] | None
    machines: int
    ratio: float
    low: float | None
    high: float | None
    interval: Interval
    weights: Weights | None = None
    spread: float | None = None
    further_low: float | None = None
    further_high: float | None = None

    @property
    def title(self) -> str:
        """What it is of: the workload and its options, or the benchmark's name."""
        return title_of(self.benchmark, self.workload, self.params)


@dataclass(frozen=True, repr=False)
class OverMachines(Answer[Row]):
    """The ratios, and which results they are of.

    Attributes
    ----------
    shown, left_out : tuple of Origin
        The newest of each machine, and its others.
    """

    shown: tuple[Origin, ...] = ()
    left_out: tuple[Origin, ...] = ()


def ask(cells: pl.DataFrame, options: Options = Options()) -> OverMachines:
    """Compare the backends on each machine, at its newest origin that answers, and over machines.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    options : Options

    Returns
    -------
    OverMachines
        By benchmark, backend and size: the machines' rows, then, of two and more, the one over them.

    Raises
    ------
    BadCallError
        If the baseline that is asked for was not timed.
    NothingFoundError
        If what there is comes from one machine.
    """
    compared = compare.ask(cells, compare.Options(options.baseline))
    origins, others = newest(compared, cells)
    if len(origins) == 1:
        only = origins[0].machine
        said = f"these results are of one machine, {only}; copy another's folder beside its own"
        raise NothingFoundError(said)
    held = [row for row in compared if row.of.origin in origins]
    baselines = {repr((row.of, row.n)): row for row in held if _is_baseline(row)}
    libraries = {
        origin.machine: _libraries(its.row(0, named=True))
        for origin, its in origin_groups(cells)
        if origin in origins
    }
    together: dict[str, dict[float, list[Row]]] = {}
    for row in held:
        if row.ratio is not None and not _is_baseline(row):
            baseline = baselines[repr((row.of, row.n))]
            made = _on_machine(row, row.ratio, baseline, libraries[row.of.origin.machine])
            key = repr((made.title, made.benchmark, made.version, made.baseline, made.backend))
            together.setdefault(key, {}).setdefault(made.n, []).append(made)
    rows = (
        row
        for by_size in together.values()
        for n in sorted(by_size)
        for row in _with_mean(sorted(by_size[n], key=lambda row: version_key(str(row.machine))))
    )
    return OverMachines(tuple(rows), tuple(origins), tuple(others))


def _is_baseline(row: compare.Row) -> bool:
    return row.backend == row.baseline


def _libraries(cell: Mapping[str, Any]) -> dict[str, str]:
    """Return Python's version, and those of the libraries that the environment was made with."""
    asked_for = json.loads(cell["versions"] or "{}").items()
    python = {} if cell["python"] is None else {"Python": cell["python"]}
    return python | {name.removeprefix("pip+"): version for name, version in asked_for if version}


def _on_machine(
    row: compare.Row, ratio: float, baseline: compare.Row, libraries: Mapping[str, str]
) -> Row:
    of, origin = row.of, row.of.origin
    interval: Interval = "none" if row.ratio_low is None else "of processes"
    if row.ratio_low is not None and not (row.numbers and baseline.numbers):
        interval = "of samples"
    return Row(
        "machine",
        *(of.workload, of.params, of.name, of.version, row.baseline, row.n, row.backend),
        *(origin.machine, origin.environment, origin.env_vars, origin.commit, libraries),
        machines=1,
        ratio=ratio,
        low=row.ratio_low,
        high=row.ratio_high,
        interval=interval,
    )


def _with_mean(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows of the machines and, of several, the one over them."""
    yield from rows
    if len(rows) < 2:
        return
    errors = [_standard_error(row) for row in rows]
    known = [error for error in errors if error is not None]
    weighted = len(known) == len(rows)
    found = random_effects([math.log(row.ratio) for row in rows], known if weighted else None)
    yield replace(
        rows[0],
        over="machines",
        machine=None,
        environment=None,
        env_vars=None,
        commit=None,
        libraries=None,
        machines=len(rows),
        ratio=math.exp(found.mean),
        low=_exp(found.low),
        high=_exp(found.high),
        interval="none" if found.low is None else "of machines",
        weights="by their errors" if found.weighted else "equal",
        spread=_exp(found.tau),
        further_low=_exp(found.further_low),
        further_high=_exp(found.further_high),
    )


def _standard_error(row: Row) -> float | None:
    """Return the error of the logarithm that a normal interval as wide as the row's would have.

    That of few processes is so the larger one, as its interval by Student's t is. None where the
    interval is of samples: it does not know how much processes differ.
    """
    if row.interval != "of processes" or row.low is None or row.high is None:
        return None
    return math.log(row.high / row.low) / _WIDE


def _exp(value: float | None) -> float | None:
    return None if value is None else math.exp(value)
