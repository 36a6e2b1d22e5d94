"""Ratios on each machine and over all of them, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.groups import title_of
from jitcost.questions.over_machines import Row
from jitcost.show.answers.intervals import count_text
from jitcost.show.table import Cell, Column, Table
from jitcost.stats.intervals import FEWEST
from jitcost.store.versions import version_key
from jitcost.units import format_ratio, format_ratio_interval, size_text

__all__ = ["tables"]

SPREAD = (
    "[intervals] of 95 %; spread: the factor of the average within which two thirds of such machines "
    "are, estimated from {} (1.00: they differ by no more than they err); a further machine: where the "
    "ratio measured there is expected, with 95 %"
)
FEW = f"no interval over fewer than {count_text(FEWEST)} machines"


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark and backend: a row for each size, a column for each machine."""
    together: dict[str, list[Row]] = {}
    for row in answer:
        of = (row.title, row.benchmark, row.version, row.baseline, row.backend)
        together.setdefault(repr(of), []).append(row)
    return [_table(rows, answer) for rows in together.values()]


def _title(row: Row, answer: Iterable[Row]) -> str:
    """Return what a table is of: with the benchmark's name, and its version, where others share it."""
    alike = [
        other
        for other in answer
        if (other.title, other.backend, other.baseline) == (row.title, row.backend, row.baseline)
    ]
    named = any(other.benchmark != row.benchmark for other in alike)
    title = title_of(row.benchmark, None, row.params) if named else row.title
    versions = {other.version for other in alike if other.benchmark == row.benchmark}
    return f"{title} (version {str(row.version)[:8]})" if len(versions) > 1 else title


def _table(rows: Sequence[Row], answer: Iterable[Row]) -> Table:
    first, on_machine = rows[0], [row for row in rows if row.machine is not None]
    machines = sorted({str(row.machine) for row in on_machine}, key=version_key)
    by_size: dict[float, dict[str | None, Row]] = {}
    for row in rows:
        by_size.setdefault(row.n, {})[row.machine] = row
    known = any(row.spread is not None for row in rows)
    return Table(
        f"{_title(first, answer)} on {backends.heading(first.backend)}, over machines: its time as a "
        f"ratio to {first.baseline}'s",
        (
            Column("n"),
            *map(Column, machines),
            Column("average machine"),
            *([Column("spread"), Column("a further machine")] if known else []),
        ),
        tuple(
            (
                Cell("-", value="") if math.isnan(n) else Cell(size_text(n), value=n),
                *(_on_machine(its.get(name)) for name in machines),
                *_over_all(its.get(None), known=known),
            )
            for n, its in by_size.items()
        ),
        note=SPREAD.format(_counted(machines)) if known else FEW,
        remarks=(*_origins(on_machine, machines), *_differing(on_machine), *_weights(rows)),
    )


def _counted(machines: Sequence[str]) -> str:
    return f"{count_text(len(machines))} machines"


def _on_machine(row: Row | None) -> Cell:
    if row is None:
        return Cell("-", value="")
    if row.low is None or row.high is None:
        return Cell(format_ratio(row.ratio), value=row.ratio)
    text, interval = format_ratio_interval(row.ratio, row.low, row.high).split(" ", 1)
    return Cell(text, interval, value=row.ratio)


def _over_all(row: Row | None, *, known: bool) -> Iterator[Cell]:
    """Yield the average machine, and, where any size has them, the spread and a further machine."""
    if row is None:
        yield Cell("-", value="")
    else:
        yield Cell(format_ratio(row.ratio), _bounds(row.low, row.high), value=row.ratio)
    if known and (row is None or row.spread is None):
        yield from (Cell("-", value=""), Cell("-", value=""))
    elif known and row is not None and row.spread is not None:
        yield Cell(f"{row.spread:.2f}", value=row.spread)
        yield Cell(_bounds(row.further_low, row.further_high))


def _bounds(low: float | None, high: float | None) -> str:
    """Return the ends of an interval that may be wide, each with its own two digits."""
    if low is None or high is None:
        return ""
    return f"[{format_ratio(low).removesuffix('x')}, {format_ratio(high).removesuffix('x')}]"


def _origins(rows: Iterable[Row], machines: Sequence[str]) -> Iterator[str]:
    """Say of each machine which of its environments and commits this is."""
    by_machine = {row.machine: row for row in rows}
    for name in machines:
        row = by_machine[name]
        settings = "".join(f" {key}={value}" for key, value in (row.env_vars or {}).items())
        yield f"{name}: {row.environment}{settings} at {(row.commit or '')[:8]}"


def _differing(rows: Iterable[Row]) -> Iterator[str]:
    """Name the libraries of which the machines have several versions."""
    by_machine = {row.machine: row.libraries or {} for row in rows}
    differing = [
        name
        for name in dict.fromkeys(name for its in by_machine.values() for name in its)
        if len({its.get(name) for its in by_machine.values()}) > 1
    ]
    if differing:
        yield f"the machines have different versions of {', '.join(differing)}"


def _weights(rows: Iterable[Row]) -> Iterator[str]:
    """Say where the machines count equally, for the error of a ratio is not known."""
    sizes = [row.n for row in rows if row.weights == "equal" and row.spread is not None]
    if sizes:
        at = "" if math.isnan(sizes[0]) else f" (n = {', '.join(map(size_text, sizes))})"
        yield (
            f"each machine counts as one value{at}: some ratios are of samples, or of fewer than "
            f"{count_text(FEWEST)} processes, and what they err by is not known"
        )
