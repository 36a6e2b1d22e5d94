"""Which of the article's quantitative claims hold on this machine? Each with its figure, ours, and
why the two may differ. As the article did, the minimum of the samples where all of a claim's are
recorded (`jitcost bench --full`), else the medians; which of them is said.

A claim about a time holds where ours is within a factor of two; a claim about an order or a ratio
holds where the order does, or the ratio is within a factor of two.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jitcost.backends import workloads
from jitcost.commands.breakeven import break_even
from jitcost.questions.groups import Head, place_text
from jitcost.stats.model import fit
from jitcost.units import format_ratio, format_seconds

__all__ = [
    "ARTICLES_MACHINE",
    "CLAIMS",
    "Claim",
    "Times",
    "add_arguments",
    "answer",
    "render",
    "statistic",
]

EXAMPLE = "jitcost claims --json"

FACTOR = 2.0

_MACHINE = "a time on the article's machine"
ARTICLES_MACHINE = "two-core Xeon at 2.1 GHz, JAX 0.11.2, NumPy 2.5"


class NotMeasuredError(Exception):
    """What a claim is about is not among these cells."""


@dataclass
class Times:
    """One place's cells, asked for one at a time.

    Attributes
    ----------
    cells : polars.DataFrame
    minimum : bool
        Whether to take the least of the samples, or the median.
    sampled : bool
        Whether every time that was asked for has its samples recorded.
    """

    cells: pl.DataFrame
    minimum: bool = False
    sampled: bool = True

    def of(self, workload: str, backend: str, n: int, kind: str = "SteadyState") -> float:
        """Return a time in seconds."""
        found = self.cells.filter(workload=workload, backend=backend, kind=kind, n=n)
        what = f"{workload} on {backend} at n = {n:,} ({kind})"
        if found.is_empty():
            raise NotMeasuredError(f"not measured: {what}")
        if len(found) > 1:
            raise NotMeasuredError(f"measured more than once, by different versions: {what}")
        cell = found.row(0, named=True)
        self.sampled &= bool(cell["samples"])
        return min(cell["samples"]) if self.minimum else float(cell["value"])

    def largest(self, benchmark: str, backend: str) -> float:
        """Return the largest value of a backend in a track_ benchmark."""
        named = self.cells.filter(pl.col("benchmark").str.ends_with(benchmark), backend=backend)
        if named.is_empty():
            raise NotMeasuredError(f"not measured: {benchmark} on {backend}")
        self.sampled = False
        return float(named["value"].max())  # type: ignore[arg-type]

    def all_first_calls(self, backend: str) -> list[float]:
        """Return every time of a first call of `elementwise`, by n."""
        found = self.cells.filter(workload="elementwise", backend=backend, kind="FirstCall")
        if found.is_empty():
            raise NotMeasuredError(f"not measured: first calls on {backend}")
        return [self.of("elementwise", backend, n, "FirstCall") for n in found["n"].to_list()]


@dataclass(frozen=True)
class Claim:
    """One quantitative claim.

    Attributes
    ----------
    text : str
        What is claimed, in our words.
    article : str
        Its figure.
    ours : callable
        Takes `Times`; returns the figure measured here, and whether the claim holds.
    note : str
        Where it depends on the machine, why.
    """

    text: str
    article: str
    ours: Callable[[Times], tuple[str, bool]]
    note: str


def _time(workload: str, backend: str, n: int, article: float, per: int = 1) -> Any:
    """Claim a time, or a time per step."""

    def ours(times: Times) -> tuple[str, bool]:
        seconds = times.of(workload, backend, n) / per
        return format_seconds(seconds), article / FACTOR <= seconds <= article * FACTOR

    return ours


def _ratio(workload: str, slow: str, fast: str, n: int, article: float) -> Any:
    """Claim how many times faster one backend is than another."""

    def ours(times: Times) -> tuple[str, bool]:
        ratio = times.of(workload, slow, n) / times.of(workload, fast, n)
        return format_ratio(ratio), article / FACTOR <= ratio <= article * FACTOR

    return ours


def _slower(workload: str, one: str, other: str, n: int) -> Any:
    """Claim that one backend takes longer than another."""

    def ours(times: Times) -> tuple[str, bool]:
        a, b = times.of(workload, one, n), times.of(workload, other, n)
        return f"{format_seconds(a)} against {format_seconds(b)}", a > b

    return ours


def _operation_cost(times: Times) -> tuple[str, bool]:
    sizes = (10, 32, 100, 316, 1_000)
    spec = workloads.get("elementwise")
    points = [n for n in sizes if _has(times, n)]
    found = fit(points, [times.of("elementwise", "numpy", n) for n in points], spec.k)
    if found.line is None:
        raise NotMeasuredError(f"elementwise on numpy to n = 1,000: {found.reason}")
    return format_seconds(found.line.c0), 1e-7 <= found.line.c0 <= 1e-5


def _has(times: Times, n: int) -> bool:
    try:
        times.of("elementwise", "numpy", n)
    except NotMeasuredError:
        return False
    return True


def _compile_range(times: Times) -> tuple[str, bool]:
    firsts = times.all_first_calls("jax_jit")
    low, high = min(firsts), max(firsts)
    return f"{format_seconds(low)} to {format_seconds(high)}", low >= 0.0075 and high <= 0.27


def _calls_until_paid(times: Times) -> tuple[str, bool]:
    n = 100_000
    compiled = times.of("elementwise", "jax_jit", n)
    cost = times.of("elementwise", "jax_jit", n, "FirstCall") - compiled
    calls = break_even(cost, times.of("elementwise", "numpy", n), compiled)
    return ("never", False) if calls is None else (f"{calls:,} calls", 4.5 <= calls <= 18)


def _summands(times: Times) -> tuple[str, bool]:
    largest = times.largest(".track_summand_difference", "jax_jit")
    return f"{largest:.1e}", largest < 2e-15


_ELEMENTWISE, _RECURSION = "elementwise", "recursion"

CLAIMS = (
    Claim(
        "an operation's fixed cost in NumPy is of the order of a microsecond",
        "1 µs",
        _operation_cost,
        "c0 of the fit to n <= 1,000; within a factor of ten",
    ),
    Claim(
        "elementwise, n = 100: NumPy",
        "7 to 9 µs",
        _time(_ELEMENTWISE, "numpy", 100, 8e-6),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 100: jit",
        "7 to 9 µs",
        _time(_ELEMENTWISE, "jax_jit", 100, 8e-6),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 100: JAX one operation at a time",
        "120 µs",
        _time(_ELEMENTWISE, "jax_eager", 100, 120e-6),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 316: jit is slower than NumPy",
        "41 against 12 µs",
        _slower(_ELEMENTWISE, "jax_jit", "numpy", 316),
        "from n = 141 on, XLA counts 1000 flops and hands the work to another thread",
    ),
    Claim(
        "elementwise, n = 10^5: jit",
        "0.46 ms",
        _time(_ELEMENTWISE, "jax_jit", 100_000, 0.46e-3),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^5: NumPy",
        "2.7 ms",
        _time(_ELEMENTWISE, "numpy", 100_000, 2.7e-3),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^5: jit is faster than NumPy by",
        "5.9x",
        _ratio(_ELEMENTWISE, "numpy", "jax_jit", 100_000, 2.7 / 0.46),
        "NumPy's cos, and page faults for its temporaries, differ between machines and releases",
    ),
    Claim(
        "elementwise, n = 10^7: jit",
        "21 ms",
        _time(_ELEMENTWISE, "jax_jit", 10_000_000, 21e-3),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^7: NumPy",
        "424 ms",
        _time(_ELEMENTWISE, "numpy", 10_000_000, 0.424),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^7: jit is faster than NumPy by",
        "20x",
        _ratio(_ELEMENTWISE, "numpy", "jax_jit", 10_000_000, 424 / 21),
        "the cos of NumPy and of XLA is vectorised on some machines and in some releases only; two "
        "cores may share jit's loop",
    ),
    Claim(
        "the summands by jit and by NumPy differ by less than",
        "2e-15",
        _summands,
        "the largest over all sizes",
    ),
    Claim(
        "the first call of a jitted function takes",
        "15 to 135 ms",
        _compile_range,
        "over all sizes; the run itself is in it",
    ),
    Claim(
        "elementwise, n = 10^5: compiling has paid after",
        "9 calls",
        _calls_until_paid,
        "depends on both speeds and on the compiler's",
    ),
    Claim(
        "recursion, T = 10^6: scan under jit, per step",
        "29 ns",
        _time(_RECURSION, "jax_jit", 1_000_000, 29e-9, per=1_000_000),
        _MACHINE,
    ),
    Claim(
        "recursion, T = 10^6: loop over Python floats, per step",
        "109 ns",
        _time(_RECURSION, "python", 1_000_000, 109e-9, per=1_000_000),
        _MACHINE,
    ),
    Claim(
        "recursion, T = 10^6: loop over NumPy scalars, per step",
        "388 ns",
        _time(_RECURSION, "numpy", 1_000_000, 388e-9, per=1_000_000),
        _MACHINE,
    ),
    Claim(
        "recursion, T = 10^6: NumPy scalars are slower than floats",
        "388 against 109 ns",
        _slower(_RECURSION, "numpy", "python", 1_000_000),
        "times of the whole path here",
    ),
    Claim(
        "recursion: loop over JAX operations, per step",
        "130 µs",
        _time(_RECURSION, "jax_eager", 1_000, 130e-6, per=1_000),
        f"{_MACHINE}; ours at T = 1,000",
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none but those that select results."""


def answer(cells: pl.DataFrame, args: argparse.Namespace) -> list[dict[str, Any]]:  # noqa: ARG001
    """Return a row for each claim and place: claim, article, ours, holds, note, statistic."""
    names = ("machine", "environment", "env_vars", "commit")
    ours = pl.col("workload").is_in([_ELEMENTWISE, _RECURSION])
    rows = []
    for values, place in cells.filter(ours, state="value").group_by(names, maintain_order=True):
        head = dict(zip(names, values, strict=True))
        head |= {"env_vars": json.loads(head["env_vars"] or "{}")}
        rows += [head | _row(claim, place) for claim in CLAIMS]
    return rows


def _row(claim: Claim, place: pl.DataFrame) -> Head:
    times = Times(place)
    result: dict[str, Any] = {"ours": None, "holds": None, "statistic": None}
    try:
        figure, holds = claim.ours(times)
        note = claim.note
        statistic = "median"
        if times.sampled:
            (figure, holds), statistic = claim.ours(Times(place, minimum=True)), "minimum"
        result = {"ours": figure, "holds": holds, "statistic": statistic}
    except NotMeasuredError as error:
        note = str(error)
    # What every command's objects have: a claim is about one workload or about both.
    where: Head = {"benchmark": None, "workload": None, "params": {}}
    return where | {"claim": claim.text, "article": claim.article} | result | {"note": note}


def statistic(rows: list[dict[str, Any]]) -> str:
    """Say which statistic the rows are of; each says its own, where they differ."""
    present = sorted({row["statistic"] for row in rows if row["statistic"]})
    return " or the ".join(present) or "median"


def render(rows: list[dict[str, Any]]) -> Iterator[RenderableType]:
    """Yield a table for each place."""
    places: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        key = [row[name] for name in ("machine", "environment", "env_vars", "commit")]
        places.setdefault(json.dumps(key), []).append(row)
    for members in places.values():
        machine = members[0]["machine"]
        place = machine + place_text(members[0], [row for row in rows if row["machine"] == machine])
        held = sum(row["holds"] is True for row in members)
        judged = sum(row["holds"] is not None for row in members)
        table = Table(
            title=f"The article's claims on {escape(place)}: {held} of {judged} hold",
            caption=f"ours: the {statistic(members)} of the samples; the article's machine: "
            f"{ARTICLES_MACHINE}",
        )
        for heading in ("claim", "article", "ours", ""):
            table.add_column(heading)
        for row in members:
            verdict = {True: "[green]holds[/]", False: "[yellow]differs[/]", None: ""}[row["holds"]]
            table.add_row(row["claim"], row["article"], row["ours"] or "-", verdict)
        yield table
        for row in members:
            if row["holds"] is not True:
                yield Text(f"  {row['claim']}: {row['note']}")
