"""What has changed over the releases of a library, and over the commits of this project: call cost,
element cost, compile cost C and break-even calls m*, each against the release before it. There is no
change where the two intervals overlap. `jitcost backfill` measures them.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table

from jitcost.commands import _common as cli
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions.groups import title_of
from jitcost.questions.history import QUANTITIES, over_commits, over_releases
from jitcost.store import results
from jitcost.units import format_interval, format_seconds, size_text

__all__ = ["add_arguments", "change_text", "heading", "over_all", "render", "run", "value_text"]

EXAMPLE = "jitcost history --over jax --figure jax.svg"

NOTE = "change against the line above; =: none, the [intervals] overlap"

MOST_COLUMNS = 4  # of a table that fits a terminal

FIGURES = (".png", ".svg")

Row = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--over", metavar="WHAT", help="a library, or commits; default: all that there is"
    )
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw it, too: a name that ends in .svg or .png"
    )
    cli.add_result_options(parser)
    parser.add_argument("--json", action="store_true", help="print strict JSON, not tables")


def run(args: argparse.Namespace) -> int:
    """Print the series, and draw them if asked to."""
    if args.figure is not None and args.figure.suffix not in FIGURES:
        raise BadCallError(f"{args.figure} ends in none of {', '.join(FIGURES)}")
    rows = over_all(args.results or results.default_folder(), args.machine, args.commit)
    if args.over is not None:
        there = sorted({row["over"] for row in rows})
        if args.over not in there:
            raise BadCallError(f"nothing over {args.over!r}; there is {', '.join(there)}")
        rows = [row for row in rows if row["over"] == args.over]
    cli.print_answer(rows, render, args.json)
    if args.figure is not None:
        _draw(rows, args.figure)
        if not args.json:
            print(args.figure)
    return 0


def over_all(folder: Path, machine: str | None = None, commit: str | None = None) -> list[Row]:
    """Return the series over releases, then those over commits, of all results in a folder.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`.
    machine, commit : str, optional
        As for `jitcost.store.results.select`; a commit is that of the releases, and by default the
        newest with two of them.

    Raises
    ------
    NothingFoundError
        If there are no two releases and no two commits.
    """
    cells = results.of_machine(results.read(folder), machine)
    if commit is not None:
        rows = over_releases(results.select(cells, commit=commit))
    else:
        rows = [*over_releases(cells), *over_commits(cells)]
    if not rows:
        raise NothingFoundError("these results hold no two releases or commits to compare")
    return rows


def render(rows: list[Row]) -> Iterator[RenderableType]:
    """Yield a table for each workload and backend."""
    for title, members, lines in tabulated(rows):
        table = Table(
            title=title,
            caption=escape(NOTE),
        )
        table.add_column("commit" if members[0]["over"] == "commits" else "release")
        for row in members:
            table.add_column(quantity_text(row), justify="right", no_wrap=True)
        for label, points in lines:
            texts = [
                "-" if point is None else "\n".join(value_text(row, point))
                for row, point in zip(members, points, strict=True)
            ]
            table.add_row(label, *map(escape, texts))
        yield table


def tabulated(
    rows: list[Row],
) -> Iterator[tuple[str, list[Row], list[tuple[str, list[Row | None]]]]]:
    """Yield each table's title, the series that are its columns, and its lines.

    A line is a release or commit, and the point that each series has there, or None.
    """
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(heading(row), []).append(row)
    for title, columns in tables.items():
        columns.sort(key=lambda row: (QUANTITIES.index(row["quantity"]), row["n"] or 0))
        for start in range(0, len(columns), MOST_COLUMNS):
            members = columns[start : start + MOST_COLUMNS]
            yield title, members, list(_lines(members))


def _lines(members: list[Row]) -> Iterator[tuple[str, list[Row | None]]]:
    columns = [{point["release"]: point for point in row["points"]} for row in members]
    for label in labels_of(members):
        yield label, [points.get(label) for points in columns]


def labels_of(rows: list[Row]) -> list[str]:
    """Return the releases or commits of some series, in order."""
    longest_first = sorted(rows, key=lambda row: -len(row["points"]))
    return list(dict.fromkeys(point["release"] for row in longest_first for point in row["points"]))


def heading(row: Row) -> str:
    """Return what a table is of: workload and backend, what it is over, and where."""
    return f"{title_of(row)} on {row['backend']}, over {over_text(row)} ({place_text(row)})"


def over_text(row: Row) -> str:
    """Return what a series is over."""
    return "commits" if row["over"] == "commits" else f"releases of {row['over']}"


def place_text(row: Row) -> str:
    """Return where a series was measured: what its points have in common."""
    settings = "".join(f", {name}={value}" for name, value in row["env_vars"].items())
    if row["commit"] is None:
        return f"{row['environment']} on {row['machine']}{settings}"
    return f"Python {row['python']} on {row['machine']}, commit {row['commit'][:8]}{settings}"


def quantity_text(row: Row) -> str:
    """Return a quantity, with the size that it is at."""
    at = "" if row["n"] is None else f", n = {size_text(row['n'])}"
    return f"{row['quantity']}{at}"


def value_text(row: Row, point: Row) -> tuple[str, str]:
    """Return a point's value with its change, and its interval."""
    ends = (point["value"], point["low"], point["high"])
    if row["unit"] == "calls":
        value, *bounds = ("never" if math.isinf(end) else f"{end:,.0f}" for end in ends)
        interval = f"[{', '.join(bounds)}]"
    elif math.isinf(point["high"]):
        value, interval = format_seconds(point["value"]), ""
    else:
        number, interval, unit = re.split(r" (?=\[)|(?<=\]) ", format_interval(*ends))
        value = f"{number} {unit}"
    return f"{value} {change_text(point)}".rstrip(), interval


def change_text(point: Row) -> str:
    """Return the change against the point before; = where the intervals overlap.

    >>> change_text({"changed": True, "change": -0.25}), change_text({"changed": False, "change": 0.1})
    ('-25 %', '=')
    """
    if point["changed"] is None:
        return ""
    if not point["changed"]:
        return "="
    return "changed" if point["change"] is None else f"{100 * point['change']:+.0f} %"


def _draw(rows: list[Row], path: Path) -> None:
    from jitcost.show.figures import figure
    from jitcost.show.figures.history import history
    from jitcost.show.figures.layout import save

    drawing = history(rows)
    try:
        save(figure(drawing.panels, drawing.caption), path)
    except OSError as error:
        raise BadCallError(f"cannot write {path}: {error.strerror}") from None
