"""Which backend wins where, when compiling has paid, and where two cross: a line for each workload."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import polars as pl

from jitcost import backends
from jitcost.questions import breakeven, compare, crossover, fit
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers import compare as compare_answers
from jitcost.show.answers import fit as fit_answers
from jitcost.show.answers.intervals import basis
from jitcost.show.table import Cell, Column, Table
from jitcost.units import listed, size_text

__all__ = ["calls_text", "crossings_table", "in_full", "paying_table", "winners_table"]


def winners_table(cells: pl.DataFrame) -> Table:
    """Return for each workload which backends are the fastest at which of the measured sizes.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one origin.
    """
    answer = compare.ask(cells)
    return Table(
        "The fastest backends",
        tuple(Column(name, words=True) for name in ("workload", "baseline", "fastest, by n")),
        tuple(
            (
                Cell(rows[0].of.title),
                Cell(backends.heading(rows[0].baseline)),
                Cell("; ".join(_ranges(rows))),
            )
            for rows in by_benchmark(answer)
        ),
        note="ranges name measured sizes, and nothing is known between them; several names: not "
        f"significantly slower than the one with the smallest time ({basis(answer)})"
        f"{f'; {compare_answers.PROVISIONAL}' if any(row.provisional for row in answer) else ''}",
    )


def _best(rows: Sequence[compare.Row]) -> dict[float, tuple[str, ...]]:
    """Return the starred backends at each size."""
    best: dict[float, tuple[str, ...]] = {}
    for row in rows:
        doubt = " (*)" if row.provisional else ""
        starred = (f"{backends.heading(row.backend)}{doubt}",) if row.best else ()
        best[row.n] = best.get(row.n, ()) + starred
    return best


def _ranges(rows: Sequence[compare.Row]) -> Iterator[str]:
    best = _best(rows)
    for names, sizes in itertools.groupby(best, key=best.__getitem__):
        first, *others = sizes
        if first != first:  # the benchmark has no size
            yield listed(names)
            continue
        upto = f" to {size_text(others[-1])}" if others else ""
        yield f"{size_text(first)}{upto}: {listed(names)}"


def paying_table(cells: pl.DataFrame) -> Table:
    """Return m* of each compiled backend, a line for each workload and size.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one origin.
    """
    answer = breakeven.ask(cells)
    present = list(dict.fromkeys(row.backend for row in answer))
    lines: dict[tuple[str, str, float], dict[str, breakeven.Row]] = {}
    for row in answer:
        lines.setdefault((row.of.title, row.baseline, row.n), {})[row.backend] = row
    return Table(
        "After how many calls compiling has paid",
        (
            Column("workload", words=True),
            Column("against", words=True),
            Column("n"),
            *(Column(backends.heading(name)) for name in present),
        ),
        tuple(
            (
                Cell(title),
                Cell(backends.heading(baseline)),
                Cell(size_text(n), value=n),
                *(_calls(its.get(name)) for name in present),
            )
            for (title, baseline, n), its in lines.items()
        ),
        note="never: a call is significantly slower once compiled; cannot tell: no "
        f"significant difference; intervals: {basis(answer)}",
    )


def _calls(row: breakeven.Row | None) -> Cell:
    if row is None:
        return Cell("-", value="")
    return Cell(calls_text(row), value=row.calls if row.verdict == "pays" else None)


def calls_text(row: breakeven.Row) -> str:
    """Return m* with its interval, or the verdict where compiling does not pay."""
    if row.verdict != "pays" or row.calls is None:
        return row.verdict
    if row.calls_low is None:
        return f"{row.calls:,}"
    high = "never" if row.calls_high is None else f"{row.calls_high:,}"
    return f"{row.calls:,} [{row.calls_low:,}, {high}]"


def in_full(cells: pl.DataFrame, workloads: Sequence[str]) -> list[Table]:
    """Return the times of workloads on each backend, and what a call and an element cost.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one origin.
    workloads : sequence of str
    """
    its = cells.filter(pl.col("workload").is_in(list(workloads)))
    return [*compare_answers.tables(compare.ask(its)), *fit_answers.tables(fit.ask(its))]


def crossings_table(cells: pl.DataFrame) -> Table:
    """Return where a backend's times cross the baseline's, a line for each crossing.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one origin.
    """
    answer = crossover.ask(cells)
    of_samples = any(row.interval == "of samples" for row in answer)
    headings = ("workload", "faster below", "faster above")
    return Table(
        "Where the faster of a backend and the baseline changes",
        (*(Column(heading, words=True) for heading in headings), Column("n"), Column("between")),
        tuple(
            (
                Cell(row.of.title),
                Cell(backends.heading(row.faster_below)),
                Cell(backends.heading(row.faster_above)),
                Cell("cannot tell" if row.n is None else size_text(float(f"{row.n:.2g}"))),
                Cell(f"{size_text(row.n_low)} and {size_text(row.n_high)}"),
            )
            for row in answer
        ),
        note="between: the nearest sizes at which the two differ significantly "
        f"({'by intervals of samples' if of_samples else '95 %, by processes'})",
    )
