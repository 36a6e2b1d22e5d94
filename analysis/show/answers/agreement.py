"""How far the results are from the references, in a sentence for each workload."""

from __future__ import annotations

from jitcost import backends
from jitcost.questions.agreement import Row
from jitcost.questions.answers import Answer
from jitcost.questions.groups import origin_text
from jitcost.units import size_text

__all__ = ["HEADING", "sentences"]

HEADING = "Agreement with the references"


def sentences(answer: Answer[Row]) -> list[str]:
    """Return a sentence for each benchmark, with its worst result."""
    origins = [row.of.origin for row in answer]
    return [f"{row.of.title}{origin_text(row.of.origin, origins)}: {_said(row)}" for row in answer]


def _said(row: Row) -> str:
    where = f"{backends.heading(row.backend)} at n = {size_text(row.n)}"
    if row.share > 1:
        return f"WRONG: {where} is off by {row.error:.1e}, {row.share:.2g} tolerances"
    return (
        f"all {row.results} results are within their tolerance; the largest share of it is "
        f"{row.share:.2g} ({where}, error {row.error:.1e})"
    )
