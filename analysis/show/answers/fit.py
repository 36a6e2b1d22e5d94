"""What a call and an element cost, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jitcost.questions.answers import Answer
from jitcost.questions.fit import Costs, NoCosts, Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.titles import backend_text, caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_interval, size_text

__all__ = ["tables"]

_COLUMNS = (
    Column("backend", words=True),
    Column("call cost k c0", unit="s"),
    Column("element cost k c1", unit="s"),
    Column("misfit", detail=1),
    Column("model", words=True),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each backend."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    return Table(
        caption(rows[0].of, answer, f"t = k (c0 + c1 n), k = {rows[0].costs.k}"),
        _COLUMNS,
        tuple((Cell(backend_text(row.backend)), *_costs(row), _verdict(row)) for row in rows),
        note="of one line through all sizes: cost [95 % interval], and the misfit relative to the times",
        remarks=tuple(remark for row in rows for remark in _remarks(row)),
    )


def _costs(row: Row) -> tuple[Cell, Cell, Cell]:
    if isinstance(row.costs, NoCosts):
        return Cell("", value=""), Cell("", value=""), Cell("", value="")
    call, element = _cost_texts(row.costs)
    return (
        Cell(call, value=row.costs.call_cost),
        Cell(element, value=row.costs.element_cost),
        Cell(f"{row.costs.misfit:.0%}", value=row.costs.misfit),
    )


def _cost_texts(costs: Costs) -> tuple[str, str]:
    return (
        format_interval(costs.call_cost, *costs.call_interval),
        format_interval(costs.element_cost, *costs.element_interval),
    )


def _verdict(row: Row) -> Cell:
    if row.verdict == "holds":
        return Cell("holds", mark="best")
    bends = ", ".join(size_text(float(f"{bend:.2g}")) for bend in row.bends)
    return Cell(f"bends at {bends}" if bends else row.verdict, mark="warn")


def _remarks(row: Row) -> Iterator[str]:
    name = backend_text(row.backend)
    if row.reason:
        yield f"{name}: {row.reason}" if name else row.reason
    for piece in row.pieces if row.bends else ():
        call, element = _cost_texts(piece)
        sizes = f"{size_text(piece.n_min)} to {size_text(piece.n_max)}"
        yield f"{name}{', ' if name else ''}n = {sizes}: call {call}, element {element}"
