"""Account for a call's time: NumPy's and jit's in parts, what each change from one to the other is
worth, how far all of them are from the floor, and why the curves over n bend. From experiments: the
backends under one changed setting (variants), measured in turns, and NumPy's operations one by one.

jitcost figure waterfall account draws it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
from jitcost.show.tables import Cell, Table, as_rich
from rich.console import RenderableType
from rich.text import Text

from jitcost.backends.variants import VARIANTS
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions.account import CHAIN, CHECK, JIT_PARTS, NUMPY_PARTS, SHOWN_SIZES, accounts
from jitcost.questions.bends import CURVES
from jitcost.stats.estimates import Estimate
from jitcost.store import results
from jitcost.units import format_change, format_interval, format_seconds, size_text

__all__ = ["add_arguments", "answer", "by_place", "render", "sentences", "tables"]

EXAMPLE = "jitcost account elementwise --json"

# A table that is not written to a terminal: wide enough for the times and the names of variants.
WIDTH = 110

Row = dict[str, Any]

_HALF = "± half of the 95 % interval over five processes, where samples were recorded"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "workload", nargs="?", metavar="WORKLOAD", help=f"one of {', '.join(CURVES)}; default: all"
    )


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[Row]:
    """Return an account for each workload and place; see `jitcost.questions.account`."""
    if args.workload is not None:
        if args.workload not in CURVES:
            known = ", ".join(CURVES)
            raise BadCallError(f"no account of {args.workload!r}; there are those of {known}")
        cells = cells.filter(workload=args.workload)
    if cells.filter(kind="Variants", state="value").is_empty():
        of = f" of {args.workload}" if args.workload else ""
        raise NothingFoundError(
            f"these results hold no variants{of}, which an account is made from"
        )
    return by_place(cells, args.results or results.default_folder())


def by_place(cells: pl.DataFrame, folder: Path) -> list[Row]:
    """Return the accounts of each machine, environment and commit; the folder is the results'."""
    from jitcost.store.origins import places  # matplotlib comes with it, and takes a moment

    return [row for place, group in places(cells, folder) for row in accounts(group, place.caches)]


def render(rows: list[Row]) -> Iterator[RenderableType]:
    """Yield the tables of each account, with a line that says where it was measured."""
    for row in rows:
        settings = [f"{name}={value}" for name, value in row["env_vars"].items()]
        where = (row["machine"], row["environment"], *settings, f"commit {row['commit'][:8]}")
        yield Text(f"Measured on {', '.join(where)}", style="bold")
        yield Text("\n".join(sentences(row)))
        for made in tables(row).values():
            for table in made:
                yield from as_rich(table)


def sentences(row: Row) -> list[str]:
    """Return what an account comes to, in a few sentences."""
    said = []
    for at_n in row["steps"]:
        if at_n["n"] in SHOWN_SIZES:
            largest = next(step for step in at_n["steps"] if step["step"] == at_n["largest"])
            numpy, jit = (format_seconds(at_n[end]["value"]) for end in ("numpy", "jax_jit"))
            worth = format_change(largest["worth"]["value"])
            said.append(
                f"n = {size_text(at_n['n'])}: NumPy takes {numpy}, jit {jit}; of the changes from one "
                f"to the other the largest is {at_n['largest']}, {worth}."
            )
    whole = [at_n for at_n in row["numpy"] if not at_n["missing"]]
    if whole:
        shares = [at_n["remainder_share"] for at_n in whole]
        said.append(
            f"NumPy's parts leave {min(shares):+.0%} to {max(shares):+.0%} of its time unexplained "
            f"where all of them were measured ({len(whole)} of {len(row['numpy'])} sizes)."
        )
    if row["floor"]:
        ratios = [at_n["ratio"]["value"] for at_n in row["floor"]]
        said.append(
            f"The best at each n takes {min(ratios):.2g} to {max(ratios):.2g} times the floor."
        )
    for verdict in ("confirmed", "not confirmed", "not measured"):
        causes = [cause["cause"] for cause in row["causes"] if cause["verdict"] == verdict]
        if causes:
            said.append(f"Causes of bends in {row['workload']}, {verdict}: {', '.join(causes)}.")
    return said


def tables(row: Row) -> dict[str, list[Table]]:
    """Return an account as tables.

    Parameters
    ----------
    row : dict
        As `jitcost.questions.account.accounts` returns it.

    Returns
    -------
    dict
        waterfall: the steps; account: the times in parts, and the floor; bends: the bends and their
        causes. Only tables that have rows.
    """
    name = row["workload"]
    made = {
        "account": [
            _parts(f"{name}: NumPy's time in parts", row["numpy"], NUMPY_PARTS),
            _parts(f"{name}: jit's time in parts", row["jax_jit"], JIT_PARTS, check=True),
            _floor(f"{name}: how far from the floor", row["floor"]),
        ],
        "waterfall": [_steps(f"{name}: from NumPy's time to jit's", row["steps"])],
        "bends": [
            _bends(f"{name}: where the curves bend", row["bends"]),
            _causes(f"{name}: what the curves are known to bend for", row["causes"]),
        ],
    }
    return {key: [table for table in group if table.rows] for key, group in made.items()}


def _parts(name: str, rows: list[Row], parts: dict[str, str], *, check: bool = False) -> Table:
    remarks = [f"{part}: {source}" for part, source in parts.items()]
    if check:
        remarks.append(
            "the parts are differences along one chain of variants and add up by construction; "
            f"another experiment ({CHECK}) is XLA's exp, cos and tanh alone, on all threads"
        )
    missing: dict[str, list[str]] = {}
    for row in rows:
        for part in row["missing"]:
            missing.setdefault(part, []).append(size_text(row["n"]))
    remarks += [
        f"{part}: not measured at n = {', '.join(sizes)}, and so in the remainder there"
        for part, sizes in missing.items()
    ]
    remainder = bool(missing) or not check
    return Table(
        name,
        [
            *("n", "whole", *parts),
            *(["remainder", "share"] if remainder else []),
            *(["exp, cos and tanh alone"] if check else []),
        ],
        [
            [
                Cell(size_text(row["n"])),
                _time(row["whole"]),
                *(_part(row, part) for part in parts),
                *(_remainder(row) if remainder else []),
                *([_time(row["check"])] if check else []),
            ]
            for row in rows
        ],
        note=_HALF + ("; remainder: the whole less the parts" if remainder else ""),
        remarks=remarks,
        words=(),
    )


def _part(row: Row, part: str) -> Cell:
    if part in row["missing"]:
        return Cell("missing", mark="warn")
    return _time(row["parts"].get(part))


def _remainder(row: Row) -> list[Cell]:
    time = _time(row["remainder"])
    return [Cell(time.text, time.more), Cell(f"{row['remainder_share']:+.0%}")]


def _time(estimate: Row | None) -> Cell:
    """Return a time with half of its interval; a dash for what is not there."""
    if estimate is None:
        return Cell("-")
    half = Estimate(**estimate).half_width
    return Cell(
        format_seconds(estimate["value"]),
        f"±{format_seconds(half)}" if math.isfinite(half) else "no interval",
    )


def _ratio(estimate: Row | None, more: str = "") -> Cell:
    """Return a ratio, with its interval unless something else stands below it."""
    if estimate is None:
        return Cell("-")
    bounds = f"{estimate['low']:.3g} to {estimate['high']:.3g}"
    if not math.isfinite(estimate["high"]):
        bounds = "no interval"
    return Cell(f"{estimate['value']:.3g}", more or bounds)


def _steps(name: str, rows: list[Row]) -> Table:
    shown = []
    remarks = [f"{v.name}: {v.setting}" for v in VARIANTS.values() if v.name in CHAIN]
    for row in rows:
        if row["n"] not in SHOWN_SIZES:
            continue
        for step in row["steps"]:
            worth = step["worth"]
            times = (worth["value"], worth["low"], worth["high"])
            largest = step["step"] == row["largest"]
            finite = all(map(math.isfinite, times))
            shown.append(
                [
                    Cell(size_text(row["n"])),
                    Cell(step["step"], f"to {step['to']}"),
                    Cell(
                        f"{'*' if largest else ''}{format_interval(*times)}"
                        if finite
                        else f"{format_seconds(times[0])}, no interval",
                        mark="best" if largest else "",
                    ),
                    _ratio(step["ratio"]),
                ]
            )
        if row["missing"]:
            remarks.append(
                f"n = {size_text(row['n'])}: {', '.join(row['missing'])} not measured: the change is "
                "in the next step"
            )
    return Table(
        name,
        ["n", "step", "worth", "ratio"],
        shown,
        note="* the largest at its n; worth and ratio with their 95 % intervals; in another order "
        "each change would be worth something else",
        remarks=remarks,
        words=(1,),
    )


def _floor(name: str, rows: list[Row]) -> Table:
    compared = ("numpy", "jax_jit")
    return Table(
        name,
        ["n", "floor", "best", "best / floor", *(f"{name} / floor" for name in compared)],
        [
            [
                Cell(size_text(row["n"])),
                Cell(format_seconds(row["floor"]["value"]), row["floor_is"].removeprefix("floor_")),
                Cell(format_seconds(row["best_time"]["value"]), row["best"]),
                _ratio(row["ratio"]),
                *(_ratio(row["ratios"].get(name)) for name in compared),
            ]
            for row in rows
        ],
        note="the floor: reading x once, or one exp, cos and tanh for each element in the fastest of "
        "the libraries, whichever takes longer; ratios with their 95 % intervals",
        words=(),
    )


def _bends(name: str, rows: list[Row]) -> Table:
    shown, remarks = [], []
    for row in rows:
        for bend in row["bends"]:
            confirmed = ", ".join(bend["confirmed"])
            others = [cause for cause in bend["candidates"] if cause not in bend["confirmed"]]
            shown.append(
                [
                    Cell(row["curve"]),
                    Cell(size_text(float(f"{bend['n']:.2g}"))),
                    Cell(f"{size_text(bend['left'])} to {size_text(bend['right'])}"),
                    Cell(confirmed or "nothing confirmed", mark="best" if confirmed else "warn"),
                    Cell(", ".join(others) or "-"),
                ]
            )
        if not row["bends"]:
            found = Cell(f"no bend found; the model: {row['verdict']}")
            shown.append([Cell(row["curve"]), Cell("-"), Cell("-"), found, Cell("-")])
        remarks += [f"{row['curve']}: {row['reason']}"] if row["reason"] else []
    return Table(
        name,
        ["curve", "bend at n", "between", "because of", "not confirmed"],
        shown,
        note="the bends of the fit t = k (c0 + c1 n), at most two a curve, and the causes that set in "
        "or end within a measured size of one",
        remarks=remarks,
        words=(0, 3, 4),
    )


def _causes(name: str, rows: list[Row]) -> Table:
    shown, remarks = [], []
    for row in rows:
        verdict = Cell(row["verdict"], mark="best" if row["verdict"] == "confirmed" else "warn")
        for test in row["tests"]:
            shown.append(
                [
                    Cell(row["cause"], f"{test['present']} / {test['without']}"),
                    _ratio(test["at_left"], f"n = {size_text(test['left'])}"),
                    _ratio(test["at_right"], f"n = {size_text(test['right'])}"),
                    _ratio(test["step"]),
                    verdict,
                ]
            )
        if not row["tests"]:
            shown.append([Cell(row["cause"]), *[Cell("-")] * 3, verdict])
        remarks.append(f"{row['cause']}: {row['text']}")
        if row["missing"]:
            sides = ", ".join(row["missing"])
            remarks.append(f"{row['cause']}: not measured before and beyond it: {sides}")
    return Table(
        name,
        ["cause; times with / without it", "ratio before", "beyond", "step", "verdict"],
        shown,
        note="confirmed: beyond the cause the ratio is another one than before it, by more than the "
        "step's 95 % interval and than a tenth, for each variant without the cause",
        remarks=remarks,
        words=(0, 4),
    )
