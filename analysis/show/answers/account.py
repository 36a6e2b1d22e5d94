"""An account of where the time goes, as tables and in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jitcost.backends.variants import VARIANTS
from jitcost.questions.account import CHAIN, SHOWN_SIZES, Floor, Row, Steps
from jitcost.questions.answers import Answer
from jitcost.questions.parts import CHECK, JIT_PARTS, NUMPY_PARTS, JitInParts, TimeInParts
from jitcost.show.answers.bends import bends_table, causes_table
from jitcost.show.answers.estimates import intervals_text, ratio_cell, time_cell, worth_cell
from jitcost.show.answers.titles import caption
from jitcost.show.table import Cell, Column, Table, numbers
from jitcost.units import format_change, format_seconds, size_text

__all__ = ["grouped", "sentences", "tables"]

# Beside the best, how far from the floor these are is said.
_COMPARED = ("numpy", "jax_jit")


def tables(answer: Answer[Row]) -> list[Table]:
    """Return for each account what it comes to, then its tables."""
    return [
        table
        for row in answer
        for table in (
            _summary(row),
            *(made for group in grouped(row, answer).values() for made in group),
        )
    ]


def grouped(row: Row, answer: Iterable[Row] = ()) -> dict[str, list[Table]]:
    """Return an account as tables, by the figure that they belong to.

    Parameters
    ----------
    row : Row
    answer : iterable of Row
        All rows that are shown together: captions say the origin where there are several.

    Returns
    -------
    dict
        account: the times in parts, and the floor; waterfall: the steps; bends: the bends and their
        causes. Only tables that have rows.
    """

    def said(what: str) -> str:
        return caption(row.of, answer, what)

    made = {
        "account": [
            _numpy(said("NumPy's time in parts"), row.numpy),
            _jit(said("jit's time in parts"), row.jax_jit),
            _floor(said("how far from the floor"), row.floor),
        ],
        "waterfall": [_steps(said("from NumPy's time to jit's"), row.steps)],
        "bends": [
            bends_table(said("where the curves bend"), row.bends, row.causes),
            causes_table(said("known causes of bends"), row.causes),
        ],
    }
    return {key: [table for table in group if table.rows] for key, group in made.items()}


def sentences(row: Row) -> list[str]:
    """Return what an account comes to, in a few sentences."""
    said = []
    for steps in row.steps:
        if steps.n in SHOWN_SIZES:
            numpy, jit = (format_seconds(end.value) for end in (steps.numpy, steps.jax_jit))
            step = steps.largest_step
            said.append(
                f"n = {size_text(steps.n)}: NumPy takes {numpy}, jit {jit}; of the changes from one "
                f"to the other {step.step} has the largest factor, {step.ratio.value:.3g} "
                f"({format_change(step.worth.value)})."
            )
    shares = [at_n.remainder_share for at_n in row.numpy if not at_n.missing]
    if shares:
        said.append(
            f"NumPy's parts leave {_share_text(min(shares))} to {_share_text(max(shares))} of its "
            "time unexplained where all of them were measured "
            f"({len(shares)} of {len(row.numpy)} sizes)."
        )
    if row.floor:
        ratios = [at_n.ratio.value for at_n in row.floor]
        said.append(
            f"The best at each n takes {min(ratios):.2g} to {max(ratios):.2g} times the floor."
        )
    for verdict in ("supported", "not supported", "not measured"):
        causes = [cause.cause for cause in row.causes if cause.verdict == verdict]
        if causes:
            said.append(f"Causes of bends in {row.of.workload}, {verdict}: {', '.join(causes)}.")
    return said


def _summary(row: Row) -> Table:
    origin = row.of.origin
    settings = (f"{name}={value}" for name, value in origin.env_vars.items())
    where = (origin.machine, origin.environment, *settings, f"commit {origin.commit[:8]}")
    return Table(
        f"Measured on {', '.join(where)}",
        (Column(row.of.title, words=True, breaks=True),),
        tuple((Cell(text),) for text in sentences(row) or ["Only where its curves bend is known."]),
    )


def _numpy(name: str, rows: Sequence[TimeInParts]) -> Table:
    return Table(
        name,
        (*_columns(NUMPY_PARTS), *_REMAINDER),
        tuple((*_cells(row, NUMPY_PARTS), *_remainder(row)) for row in rows),
        note=f"{_half(rows)}; remainder: the whole less the parts",
        remarks=(*_sources(NUMPY_PARTS), *_missing(rows)),
    )


def _jit(name: str, rows: Sequence[JitInParts]) -> Table:
    # Along a chain whose ends were measured there is none.
    remainder = any(row.missing for row in rows)
    return Table(
        name,
        (
            *_columns(JIT_PARTS),
            *(_REMAINDER if remainder else ()),
            Column("exp, cos and tanh alone", "s", detail=1),
        ),
        tuple(
            (
                *_cells(row, JIT_PARTS),
                *(_remainder(row) if remainder else ()),
                time_cell(row.check),
            )
            for row in rows
        ),
        note=_half(rows) + ("; remainder: the whole less the parts" if remainder else ""),
        remarks=(
            *_sources(JIT_PARTS),
            "the parts are differences along one chain of variants and add up by construction; "
            f"another experiment ({CHECK}) is XLA's exp, cos and tanh alone, on all threads",
            *_missing(rows),
        ),
    )


_REMAINDER = (Column("remainder", "s"), Column("share", detail=2))


def _columns(parts: Iterable[str]) -> tuple[Column, ...]:
    return (Column("n"), *numbers("whole", *parts, unit="s"))


def _cells(row: TimeInParts, parts: Iterable[str]) -> tuple[Cell, ...]:
    return (
        Cell(size_text(row.n), value=row.n),
        time_cell(row.whole),
        *(
            Cell("missing", mark="warn", value="")
            if part in row.missing
            else time_cell(row.parts.get(part))
            for part in parts
        ),
    )


def _remainder(row: TimeInParts) -> tuple[Cell, Cell]:
    share = Cell(_share_text(row.remainder_share), value=row.remainder_share)
    return time_cell(row.remainder), share


def _half(rows: Iterable[TimeInParts]) -> str:
    estimates = (one for row in rows for one in (row.whole, *row.parts.values()))
    return f"± half of an interval; {intervals_text(estimates)}"


def _sources(parts: Mapping[str, str]) -> list[str]:
    return [f"{part}: {source}" for part, source in parts.items()]


def _missing(rows: Iterable[TimeInParts]) -> list[str]:
    missing: dict[str, list[str]] = {}
    for row in rows:
        for part in row.missing:
            missing.setdefault(part, []).append(size_text(row.n))
    return [
        f"{part}: not measured at n = {', '.join(sizes)}, and so in the remainder there"
        for part, sizes in missing.items()
    ]


def _steps(name: str, rows: Sequence[Steps]) -> Table:
    shown = [row for row in rows if row.n in SHOWN_SIZES]
    return Table(
        name,
        (Column("n"), Column("step", words=True), Column("worth", "s"), Column("ratio", detail=1)),
        tuple(
            (
                Cell(size_text(row.n), value=row.n),
                Cell(step.step, f"to {step.to}"),
                worth_cell(step.worth, largest=step.step == row.largest),
                ratio_cell(step.ratio),
            )
            for row in shown
            for step in row.steps
        ),
        note="* the largest factor at its n; in another order each change would be worth something "
        "else; " + intervals_text(step.worth for row in shown for step in row.steps),
        remarks=(
            *(f"{v.name}: {v.setting}" for v in VARIANTS.values() if v.name in CHAIN),
            *(
                f"n = {size_text(row.n)}: {', '.join(row.missing)} not measured: the change is in "
                "the next step"
                for row in shown
                if row.missing
            ),
        ),
    )


def _floor(name: str, rows: Sequence[Floor]) -> Table:
    return Table(
        name,
        (
            Column("n"),
            Column("floor", "s"),
            Column("best", "s"),
            Column("best / floor"),
            *(Column(f"{name} / floor", detail=1) for name in _COMPARED),
        ),
        tuple(
            (
                Cell(size_text(row.n), value=row.n),
                Cell(
                    format_seconds(row.floor.value),
                    row.floor_is.removeprefix("floor_"),
                    value=row.floor.value,
                ),
                Cell(format_seconds(row.best_time.value), row.best, value=row.best_time.value),
                ratio_cell(row.ratio),
                *(ratio_cell(row.ratios.get(name)) for name in _COMPARED),
            )
            for row in rows
        ),
        note="the floor: reading x once, or one exp, cos and tanh for each element in the fastest of "
        f"the libraries, whichever takes longer; {intervals_text(row.ratio for row in rows)}",
    )


def _share_text(share: float) -> str:
    """Return a share with its sign, and nothing as +0%."""
    return f"{round(share, 2) + 0.0:+.0%}"
