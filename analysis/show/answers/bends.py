"""Where the curves over n bend, and what for, as tables: the last part of an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jitcost.questions.bends import Bend, Curve, JudgedCause
from jitcost.show.answers.estimates import ratio_cell, worth_cell
from jitcost.show.table import Cell, Column, Table
from jitcost.units import size_text

__all__ = ["bends_table", "causes_table"]


def bends_table(caption: str, curves: Sequence[Curve], causes: Sequence[JudgedCause]) -> Table:
    """Return a row for each bend, and for each curve without one.

    Parameters
    ----------
    caption : str
    curves : sequence of Curve
    causes : sequence of JudgedCause
        Of the same workload: what the experiments say of a jump stands below what the fit does.
    """
    return Table(
        caption,
        (
            Column("curve", words=True),
            Column("bend at n"),
            Column("between", detail=3),
            Column("what changes", words=True, detail=1),
            Column("jump", "s", detail=1),
            Column("because of", words=True, breaks=True),
            Column("not supported", words=True, breaks=True, detail=2),
        ),
        tuple(row for curve in curves for row in _bends(curve, causes)),
        note="the bend of the fit t = k (c0 + c1 n), at most one a curve; what a call takes longer "
        "just beyond it, by the fit and by the experiment without the cause; and the causes that set "
        "in or end within a measured size of it",
        remarks=tuple(f"{curve.curve}: {curve.reason}" for curve in curves if curve.reason),
    )


def _bends(curve: Curve, causes: Sequence[JudgedCause]) -> list[tuple[Cell, ...]]:
    if not curve.bends:
        found = Cell(f"no bend found: {_verdict_text(curve)}")
        none = Cell("-", value="")
        return [(Cell(curve.curve), none, Cell("-"), Cell("-"), none, found, Cell("-"))]
    rows: list[tuple[Cell, ...]] = []
    for bend in curve.bends:
        supported = ", ".join(bend.supported)
        others = [cause for cause in bend.candidates if cause not in bend.supported]
        rows.append(
            (
                Cell(curve.curve),
                Cell(size_text(float(f"{bend.n:.2g}")), value=bend.n),
                Cell(f"{size_text(bend.left)} to {size_text(bend.right)}"),
                Cell(_KINDS[bend.kind]),
                _jump(bend, causes),
                Cell(supported or "no supported cause", mark="best" if supported else "warn"),
                Cell(", ".join(others) or "-"),
            )
        )
    return rows


_KINDS = {
    "jump": "a jump",
    "slope": "the slope",
    "both": "a jump, and the slope",
    "cannot be told": "cannot be told",
}


def _jump(bend: Bend, causes: Sequence[JudgedCause]) -> Cell:
    """Return the jump by the fit, and below it by the experiment around the same two sizes."""
    if bend.jump is None:
        return Cell("-", value="")
    experiments = [
        test.jump
        for cause in causes
        if cause.cause in bend.supported
        for test in cause.tests
        if (test.left, test.right) == (bend.left, bend.right)
    ]
    fitted = worth_cell(bend.jump, largest=False)
    if not experiments:
        return fitted
    return replace(fitted, more=f"experiment: {worth_cell(experiments[0], largest=False).text}")


def _verdict_text(curve: Curve) -> str:
    if curve.verdict == "linear to" and curve.misfit is not None:
        return f"linear to {curve.misfit:.0%}"
    return curve.verdict


def causes_table(caption: str, causes: Sequence[JudgedCause]) -> Table:
    """Return a row for each test of a cause, and for each cause without one."""
    return Table(
        caption,
        (
            Column("cause", words=True),
            Column("ratio before", detail=1),
            Column("beyond", detail=1),
            Column("step"),
            Column("verdict", words=True),
        ),
        tuple(row for cause in causes for row in _tests(cause)),
        note="ratio: of the times of the variants below a cause, with / without it; supported: beyond "
        "the cause the ratio is another one than before it, by more than the step's interval and than a "
        "tenth, for each variant without the cause",
        remarks=tuple(remark for cause in causes for remark in _remarks(cause)),
    )


def _tests(cause: JudgedCause) -> list[tuple[Cell, ...]]:
    verdict = Cell(cause.verdict, mark="best" if cause.verdict == "supported" else "warn")
    if not cause.tests:
        return [(Cell(cause.cause), *[ratio_cell(None)] * 3, verdict)]
    return [
        (
            Cell(cause.cause, f"{test.present} / {test.without}"),
            ratio_cell(test.at_left, f"n = {size_text(test.left)}"),
            ratio_cell(test.at_right, f"n = {size_text(test.right)}"),
            ratio_cell(test.step),
            verdict,
        )
        for test in cause.tests
    ]


def _remarks(cause: JudgedCause) -> list[str]:
    said = [f"{cause.cause}: {cause.text}"]
    if cause.missing:
        sides = ", ".join(cause.missing)
        said.append(f"{cause.cause}: was not measured before and beyond it: {sides}")
    return said
