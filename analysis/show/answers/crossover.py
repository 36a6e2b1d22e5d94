"""Where the faster backend changes, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jitcost import backends
from jitcost.questions.answers import Answer
from jitcost.questions.crossover import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import size_text

__all__ = ["tables"]

_COLUMNS = (
    Column("faster below", words=True),
    Column("n"),
    Column("between"),
    Column("faster above", words=True),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each crossing."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    baseline = backends.heading(rows[0].baseline)
    of_samples = any(row.interval == "of samples" for row in rows)
    return Table(
        caption(rows[0].of, answer, f"where the faster backend changes, against {baseline}"),
        _COLUMNS,
        tuple(
            (
                Cell(backends.heading(row.faster_below)),
                _at(row.n),
                Cell(f"{size_text(row.n_low)} and {size_text(row.n_high)}"),
                Cell(backends.heading(row.faster_above)),
            )
            for row in rows
        ),
        note="between: the nearest sizes at which the two are significantly different "
        f"({'by intervals of samples' if of_samples else '95 %, by processes'}); n: interpolated "
        "between them; missing where they are not at a size in between",
        remarks=tuple(_undecided(rows)),
    )


def _at(n: float | None) -> Cell:
    if n is None:
        return Cell("cannot tell", mark="warn")
    return Cell(size_text(float(f"{n:.2g}")), value=n)


def _undecided(rows: Sequence[Row]) -> Iterator[str]:
    """Say where else two backends are not significantly different: whether they cross is not known."""
    by_pair: dict[str, list[Row]] = {}
    for row in rows:
        by_pair.setdefault(row.backend, []).append(row)
    for name, its in by_pair.items():
        runs = [
            size_text(low) if low == high else f"{size_text(low)} to {size_text(high)}"
            for low, high in its[0].undecided
            if not any(row.n_low < low and high < row.n_high for row in its)
        ]
        if runs:
            pair = f"{backends.heading(name)} and {backends.heading(its[0].baseline)}"
            yield f"{pair} are not significantly different at n = {' and '.join(runs)}, either"
