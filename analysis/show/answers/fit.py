"""What a call and an element cost, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jitcost.questions.answers import Answer
from jitcost.questions.costs import Costs
from jitcost.questions.fit import Row
from jitcost.questions.groups import by_benchmark
from jitcost.show.answers.intervals import count_text
from jitcost.show.answers.titles import backend_text, caption
from jitcost.show.table import Cell, Column, Table
from jitcost.units import format_interval, format_percent, format_seconds, size_text

__all__ = ["tables", "verdict_text"]

# Seconds; what is below less is printed as below this.
_LEAST = 1e-11

_COLUMNS = (
    Column("backend", words=True),
    Column("call cost k c0", unit="s"),
    Column("element cost k c1", unit="s"),
    Column("misfit", detail=1),
    Column("noise", detail=2),
    Column("model", words=True, breaks=True),
)


def tables(answer: Answer[Row]) -> list[Table]:
    """Return a table for each benchmark: a row for each backend, and for each piece of its curve."""
    return [_table(rows, answer) for rows in by_benchmark(answer)]


def verdict_text(row: Row) -> str:
    """Return a verdict in words."""
    holds = "linear" if row.law == "n" else f"grows as {row.law}"
    if row.verdict == "linear to" and row.misfit is not None:
        return f"{holds} to {format_percent(row.misfit)}"
    if row.verdict == "growth":
        return holds
    if row.verdict == "no model" and row.grows_like is not None:
        return f"no model; {_at_the_largest(row)}"
    if row.n_at is None:
        return row.verdict
    where = f"n = {size_text(float(f'{row.n_at:.2g}'))}"
    if row.kind == "jump" and row.jump is not None:
        return f"jump of {format_seconds(row.jump)} at {where}"
    if row.kind == "slope":
        return f"slope changes at {where}"
    if row.kind == "both":
        return f"jump and change of slope at {where}"
    return f"breaks at {where}, by a jump or in its slope: cannot be told"


def _at_the_largest(row: Row) -> str:
    """Return what the largest sizes grow like, and how well that is known."""
    bounds = f"exponent {row.exponent_low:.1f} to {row.exponent_high:.1f}"
    return f"grows like {row.grows_like} from n = {size_text(row.exponent_from or 0)} on ({bounds})"


def _table(rows: Sequence[Row], answer: Answer[Row]) -> Table:
    fitted = [row for row in rows if isinstance(row.costs, Costs)]
    if not fitted:
        return Table(_caption(rows, answer), _COLUMNS, (), remarks=tuple(_remarks(rows)))
    return Table(
        _caption(rows, answer),
        _COLUMNS,
        tuple(drawn for row in rows for drawn in _drawn(row)),
        note=f"cost [95 % interval]; misfit: of the time farthest from the model; {_noise(rows)}",
        remarks=tuple(_remarks(rows)),
    )


def _caption(rows: Sequence[Row], answer: Answer[Row]) -> str:
    laws = dict.fromkeys(row.line_law for row in rows)
    law = next(iter(laws)) if len(laws) == 1 else "g(n)"
    return caption(rows[0].of, answer, f"t = k (c0 + c1 {law}), k = {rows[0].costs.k}")


def _noise(rows: Sequence[Row]) -> str:
    counts = sorted({row.processes or 0 for row in rows if row.pieces})
    if not counts or counts[-1] < 2:
        return "noise: not known, for the processes are not, and no misfit can be tested"
    said = " to ".join(count_text(count) for count in dict.fromkeys((counts[0], counts[-1])))
    return f"noise: the standard error of a time, of {said} processes"


def _drawn(row: Row) -> Iterator[tuple[Cell, ...]]:
    name = backend_text(row.backend)
    if not row.pieces:
        nothing = [Cell("-", value="")] * 3
        yield (Cell(name), *nothing, _share(row.noise), Cell(verdict_text(row), mark="warn"))
        return
    for number, piece in enumerate(row.pieces):
        of = name
        if len(row.pieces) > 1:
            side = (
                f"n from {size_text(piece.n_min)}" if number else f"n to {size_text(piece.n_max)}"
            )
            of = f"{name}, {side}" if name else side
        yield (
            Cell(of),
            _cost(piece.call_cost, piece.call_interval, piece.call_cost_below),
            _cost(piece.element_cost, piece.element_interval, piece.element_cost_below)
            if row.law == "n"
            else Cell("-", value=""),
            *((_share(row.misfit), _share(row.noise)) if not number else (Cell(""), Cell(""))),
            Cell("", value="")
            if number
            else Cell(verdict_text(row), mark="best" if row.verdict == "linear" else ""),
        )


def _cost(cost: float, interval: tuple[float, float], below: float | None) -> Cell:
    if below:  # not significantly above zero; where it is significantly below, the number stands
        return Cell(f"below {format_seconds(max(below, _LEAST))}", value=cost)
    return Cell(format_interval(cost, *interval), value=cost)


def _share(share: float | None) -> Cell:
    return Cell("-", value="") if share is None else Cell(f"{share:.1%}", value=share)


def _remarks(rows: Sequence[Row]) -> Iterator[str]:
    """Yield each reason once, with the backends that it is of."""
    if sizes := dict.fromkeys(row.size for row in rows if row.size):
        yield f"n is {', '.join(sizes)}, the only parameter with three or more numbers"
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        if row.reason:
            by_reason.setdefault(row.reason, []).append(backend_text(row.backend))
    for reason, names in by_reason.items():
        said = ", ".join(filter(None, names))
        yield f"{said}: {reason}" if said else reason
    for row in rows:
        name = backend_text(row.backend)
        of = f"{name}: " if name else ""
        if row.law not in (None, "n"):
            costs = dict.fromkeys(
                format_interval(piece.element_cost, *piece.element_interval) for piece in row.pieces
            )
            yield f"{of}{', then '.join(costs)} for each unit of {row.law}"
        if row.line_law != "n" and (row.law or row.grows_like) not in (None, row.line_law):
            yield f"{of}said to grow as {row.line_law}, which it does not"
