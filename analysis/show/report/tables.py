"""The answers as tables of texts, for HTML."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from typing import Any

import polars as pl
from jitcost.show.tables import Cell, Table

from jitcost.commands import breakeven as paying
from jitcost.commands import compare as comparing
from jitcost.commands import crossover as crossing
from jitcost.commands import fit as fitting
from jitcost.commands import history as past
from jitcost.commands import predict as predicting
from jitcost.commands.claims import ARTICLES_MACHINE, statistic
from jitcost.questions.groups import benchmark_groups, same_benchmark, title_of
from jitcost.units import format_interval, format_ratio, format_seconds, size_text

__all__ = [
    "Cell",
    "Table",
    "breakeven",
    "claims",
    "compare",
    "crossover",
    "fit",
    "history",
    "predict",
]

Row = dict[str, Any]

_NO_OPTIONS = argparse.Namespace(baseline=None)


def compare(cells: pl.DataFrame) -> list[Table]:
    """Return a table of the time per call for each benchmark."""
    return _for_each(cells, comparing.compare, _compare)


def fit(cells: pl.DataFrame) -> list[Table]:
    """Return a table of what a call and an element cost for each benchmark with enough sizes."""
    return _for_each(cells, fitting.over_sizes, _fit)


def crossover(cells: pl.DataFrame) -> list[Table]:
    """Return a table of where the faster backend changes for each benchmark."""
    return _for_each(cells, lambda group: crossing.answer(group, _NO_OPTIONS), _crossover)


def predict(cells: pl.DataFrame) -> list[Table]:
    """Return a table of the errors of predictions for each benchmark."""
    return _for_each(cells, lambda group: predicting.answer(group, _NO_OPTIONS), _predict)


def breakeven(cells: pl.DataFrame) -> list[Table]:
    """Return a table of the calls after which compiling has paid for each workload."""
    found = same_benchmark(paying.answer(cells, _NO_OPTIONS))
    return [_breakeven(title_of(rows[0]), rows) for rows in found]


def _for_each(
    cells: pl.DataFrame,
    answer: Callable[[pl.DataFrame], list[Row]],
    tabulate: Callable[[str, list[Row]], Table],
) -> list[Table]:
    """Answer for one benchmark at a time: two versions of one have nothing to do with each other."""
    return [
        tabulate(title_of(head), rows)
        for head, group in benchmark_groups(cells, "SteadyState")
        if (rows := answer(group))
    ]


def _compare(name: str, rows: list[Row]) -> Table:
    backends = list(dict.fromkeys(row["backend"] for row in rows))
    by_size: dict[float, dict[str, Row]] = {}
    for row in rows:
        by_size.setdefault(row["n"], {})[row["backend"]] = row
    return Table(
        f"{name}: time per call, and its ratio to {rows[0]['baseline']}'s",
        ["n", *backends],
        [
            [Cell(size_text(n)), *(_time(at_n.get(backend)) for backend in backends)]
            for n, at_n in by_size.items()
        ],
        note="* the fastest, and what cannot be told from it",
        words=(),
    )


def _time(row: Row | None) -> Cell:
    if row is None:
        return Cell("-")
    own = row["ratio"] is None or row["backend"] == row["baseline"]
    return Cell(
        f"{'*' if row['best'] else ''}{format_seconds(row['time'])}",
        "" if own else format_ratio(row["ratio"]),
        "best" if row["best"] else "",
    )


def _fit(name: str, rows: list[Row]) -> Table:
    remarks = []
    for row in rows:
        remarks += [f"{row['backend']}: {row['reason']}"] if row["reason"] else []
        for piece in row["pieces"] if row["bends"] else ():
            call, element = _costs(piece)
            sizes = f"{size_text(piece['n_min'])} to {size_text(piece['n_max'])}"
            remarks.append(f"{row['backend']}, n = {sizes}: call {call}, element {element}")
    return Table(
        f"{name}: t = k (c0 + c1 n), k = {rows[0]['k']}",
        ["backend", "call cost k c0", "element cost k c1", "misfit", "model"],
        [
            [
                Cell(str(row["backend"] or "")),
                *map(Cell, _costs(row)),
                Cell("" if row["misfit"] is None else f"{row['misfit']:.0%}"),
                _verdict(row),
            ]
            for row in rows
        ],
        note="of one line through all sizes: cost [95 % interval], and the misfit relative to the times",
        remarks=remarks,
        words=(0, 4),
    )


def _costs(row: Row) -> tuple[str, str]:
    if row["c0"] is None:
        return "", ""
    call, element = (
        format_interval(*(row["k"] * row[f"{name}{bound}"] for bound in ("", "_low", "_high")))
        for name in ("c0", "c1")
    )
    return call, element


def _verdict(row: Row) -> Cell:
    if row["verdict"] == "holds":
        return Cell("holds", mark="best")
    bends = ", ".join(size_text(float(f"{bend:.2g}")) for bend in row["bends"])
    return Cell(f"bends at n = {bends}" if bends else row["verdict"], mark="warn")


def _breakeven(name: str, rows: list[Row]) -> Table:
    headings = ["backend", "n", "compile cost C", "saving per call", "calls m*", "interval"]
    replayed = any(row["replayed"] is not None for row in rows)
    return Table(
        f"{name}: calls until compiling has paid, against {rows[0]['baseline']}",
        [*headings, "replayed"] if replayed else headings,
        [
            [
                Cell(row["backend"]),
                Cell(size_text(row["n"])),
                Cell(format_seconds(row["C"])),
                Cell(format_seconds(row["t_interpreted"] - row["t_compiled"])),
                Cell("never", mark="warn") if row["calls"] is None else Cell(f"{row['calls']:,}"),
                Cell(_calls_interval(row)),
                *([Cell(f"{row['replayed']:,.0f}" if row["replayed"] else "")] if replayed else []),
            ]
            for row in rows
        ],
        note="the interval combines the bounds of three 99 % intervals; it ends at never where the "
        "saving may be nothing" + ("; replayed: when it really had" if replayed else ""),
    )


def _calls_interval(row: Row) -> str:
    low, high = row["calls_low"], row["calls_high"]
    if low is None:
        return ""
    return f"{low:,} to {'never' if high is None else f'{high:,}'}"


def _crossover(name: str, rows: list[Row]) -> Table:
    return Table(
        f"{name}: where the faster backend changes, against {rows[0]['baseline']}",
        ["faster below", "n", "between", "faster above"],
        [
            [
                Cell(row["faster_below"]),
                Cell(size_text(float(f"{row['n']:.2g}"))),
                Cell(f"{size_text(row['n_low'])} and {size_text(row['n_high'])}"),
                Cell(row["faster_above"]),
            ]
            for row in rows
        ],
        note="n is interpolated between measured sizes; between: the nearest sizes at which the two "
        "are told apart",
        words=(0, 3),
    )


def _predict(name: str, rows: list[Row]) -> Table:
    by_backend: dict[str, list[Row]] = {}
    for row in rows:
        by_backend.setdefault(row["backend"], []).append(row)
    predicted = {
        backend: errors
        for backend, its in by_backend.items()
        if (errors := [abs(row["error"]) for row in its if row["error"] is not None])
    }
    return Table(
        f"{name}: relative error of times predicted from half the sizes",
        ["backend", "predictions", "median", "largest", "by"],
        [
            [
                Cell(backend),
                Cell(str(len(errors))),
                Cell(f"{statistics.median(errors):.0%}"),
                Cell(f"{max(errors):.0%}"),
                Cell("one line" if by_backend[backend][0]["verdict"] == "holds" else "pieces"),
            ]
            for backend, errors in predicted.items()
        ],
        remarks=[
            f"{backend}: {its[0]['reason']}"
            for backend, its in by_backend.items()
            if backend not in predicted
        ],
        words=(0, 4),
    )


def history(rows: list[Row]) -> list[Table]:
    """Return a table for each workload and backend of what has changed over releases or commits.

    Parameters
    ----------
    rows : list of dict
        Series, as `jitcost.questions.history` returns them.
    """
    return [
        Table(
            title,
            ["commit" if members[0]["over"] == "commits" else "release"]
            + [past.quantity_text(row) for row in members],
            [[Cell(label), *map(_point, members, points)] for label, points in lines],
            note=past.NOTE,
        )
        for title, members, lines in past.tabulated(rows)
    ]


def _point(row: Row, point: Row | None) -> Cell:
    if point is None:
        return Cell("-")
    return Cell(*past.value_text(row, point), mark="warn" if point["changed"] else "")


def claims(rows: list[Row]) -> Table:
    """Return the table of the article's claims.

    Parameters
    ----------
    rows : list of dict
        As `jitcost.commands.claims` answers for one place.
    """
    judged = [row for row in rows if row["holds"] is not None]
    verdicts = {
        True: Cell("holds", mark="best"),
        False: Cell("differs", mark="warn"),
        None: Cell("not measured"),
    }
    return Table(
        f"The article's claims: {sum(row['holds'] for row in judged)} of {len(judged)} hold here",
        ["claim", "article", "ours", "verdict", "where it depends"],
        [
            [
                Cell(row["claim"]),
                Cell(row["article"]),
                Cell(row["ours"] or ""),
                verdicts[row["holds"]],
                Cell(row["note"]),
            ]
            for row in rows
        ],
        note=f"ours: the {statistic(rows)} of the samples; the article's machine: "
        f"{ARTICLES_MACHINE}",
        words=(0, 1, 2, 3, 4),
    )
