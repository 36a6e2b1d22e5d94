"""What a curve of times may be, other than one line: the models that a fit chooses from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

__all__ = ["LAWS", "Candidate", "Kind", "Law", "candidates", "growth", "law_named"]

Array = npt.NDArray[np.float64]
Kind = Literal["jump", "slope", "both", "cannot be told"]
Law = Literal["n", "n log n", "n^2", "n^3"]
LAWS: tuple[Law, ...] = ("n", "n log n", "n^2", "n^3")

# Where in a gap between two sizes a slope may change, as shares of the gap's logarithm: a line that
# bends in the middle of a gap fits neither size's knot.
_PLACES = (0.0, 0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Candidate:
    """One model, linear in its coefficients.

    Attributes
    ----------
    law : {"n", "n log n", "n^2", "n^3"}
        What the elements' cost is proportional to, on both sides of a break.
    kind : {"jump", "slope", "both", "cannot be told"} or None
        What happens at the break; None without one.
    gap : int
        The break lies between the sizes of index gap - 1 and gap; 0 without one.
    n_at : float
        The size of the break; NaN without one.
    design : ndarray, shape (sizes, terms)
        The columns of the coefficients: 1 and the law, then what the break adds.
    before, after : ndarray, shape (2, terms)
        Times the coefficients: fixed cost and cost per element of the pieces on the break's two sides.
        They are equal where there is no break.
    """

    law: Law
    kind: Kind | None
    gap: int
    n_at: float
    design: Array
    before: Array
    after: Array

    @property
    def parameters(self) -> int:
        """Coefficients, and one for the place of a break."""
        return int(self.design.shape[1]) + (self.kind is not None)


def growth(law: Law, n: npt.ArrayLike) -> Array:
    """Return the law's value at sizes n; the logarithm is natural, and 0 log 0 is 0."""
    size = np.asarray(n, dtype=np.float64)
    if law == "n log n":
        return np.asarray(special.xlogy(size, size), dtype=np.float64)
    return size ** {"n": 1.0, "n^2": 2.0, "n^3": 3.0}[law]


def law_named(text: str) -> Law | None:
    """Return the law that a person has written, as a formula or in Python; None if it is none of them.

    >>> law_named("n**2"), law_named("n * log(n)"), law_named("2^n")
    ('n^2', 'n log n', None)
    """
    spelled = re.sub(r"[\s*()]", "", text.replace("**", "^"))
    return next((law for law in LAWS if law.replace(" ", "") == spelled), None)


def candidates(sizes: Array, law: Law = "n") -> Iterator[Candidate]:
    """Yield one line, the other laws, and the broken lines; those without a degree of freedom not.

    A jump adds to the fixed cost of the sizes beyond the break, a change of slope to the cost of the
    elements beyond it, and both together are two lines that have nothing in common. With one size
    alone on its side of the break, these are one and the same model, so that the kind cannot be told.

    Parameters
    ----------
    sizes : ndarray, shape (sizes,)
        Ascending and different.
    law : {"n", "n log n", "n^2", "n^3"}
        What the lines are in.
    """
    count = sizes.size
    one = np.ones(count)
    for each in sorted(LAWS, key=lambda other: other != law):
        design = np.column_stack([one, growth(each, sizes)])
        yield Candidate(each, None, 0, np.nan, design, _PLAIN, _PLAIN)
    if count < 5:  # a break needs three coefficients and a place
        return
    elements = growth(law, sizes)
    for gap in range(1, count):
        beyond = (np.arange(count) >= gap).astype(float)
        middle = _middle(sizes[gap - 1], sizes[gap])
        alone = gap in (1, count - 1)
        columns = [one, elements, beyond]
        told: Kind = "cannot be told" if alone else "jump"
        yield Candidate(law, told, gap, middle, np.column_stack(columns), _LINE, _JUMPED)
        if alone:
            continue
        for knot in np.exp(np.interp(_PLACES, (0, 1), np.log(sizes[gap - 1 : gap + 1]))):
            at = float(growth(law, knot))
            bent = np.column_stack([one, elements, np.maximum(elements - at, 0.0)])
            turned = np.array([[1.0, 0.0, -at], [0.0, 1.0, 1.0]])
            yield Candidate(law, "slope", gap, float(knot), bent, _LINE, turned)
        if count > 5:
            columns = [*columns, elements * beyond]
            yield Candidate(law, "both", gap, middle, np.column_stack(columns), _LINES, _PARTED)


def _middle(low: float, high: float) -> float:
    return float(np.sqrt(low * high) if low > 0 else high / 2)


_PLAIN = np.eye(2)
_LINE = np.eye(2, 3)
_JUMPED = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
_LINES = np.eye(2, 4)
_PARTED = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
