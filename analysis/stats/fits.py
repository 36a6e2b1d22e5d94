"""What a fit says: its verdict, its pieces, its break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jitcost.stats.candidates import Kind, Law, growth
from jitcost.stats.exponents import Exponent

__all__ = ["Break", "Fit", "Piece", "Verdict"]

Verdict = Literal["linear", "linear to", "piecewise", "growth", "no model"]


@dataclass(frozen=True)
class Piece:
    """The model t = k (c0 + c1 g(n)) over a range of sizes, with 95 % intervals.

    Attributes
    ----------
    law : {"n", "n log n", "n^2", "n^3"}
        g; the logarithm is natural.
    k : int
        Number of operations.
    n_min, n_max : float
        The smallest and the largest measured size that it is for.
    c0, c0_low, c0_high : float
        Fixed cost of an operation, seconds.
    c1, c1_low, c1_high : float
        Cost of an operation and element, seconds; for other laws than n, of an operation and unit of g.
    """

    law: Law
    k: int
    n_min: float
    n_max: float
    c0: float
    c0_low: float
    c0_high: float
    c1: float
    c1_low: float
    c1_high: float

    @property
    def call_cost(self) -> float:
        """`k c0`, seconds of a call that do not depend on n."""
        return self.k * self.c0

    @property
    def element_cost(self) -> float:
        """`k c1`, seconds that each element adds; for other laws, each unit of g."""
        return self.k * self.c1

    @property
    def call_cost_below(self) -> float | None:
        """Seconds that the call cost is below, where it is not significantly above 0; else None."""
        return None if self.c0_low > 0 else max(0.0, self.k * self.c0_high)

    @property
    def element_cost_below(self) -> float | None:
        """Seconds that the element cost is below, where it is not significantly above 0."""
        return None if self.c1_low > 0 else max(0.0, self.k * self.c1_high)

    def time(self, n: float) -> float:
        """Return the model's seconds of a call at size n."""
        return self.k * (self.c0 + self.c1 * float(growth(self.law, n)))

    def bounds(self, n: float) -> tuple[float, float]:
        """Return the seconds at size n with both costs at their lower, and at their upper bounds.

        Wider than 95 %: where one cost is estimated too high, the other is mostly too low.
        """
        g = float(growth(self.law, n))
        return self.k * (self.c0_low + self.c1_low * g), self.k * (self.c0_high + self.c1_high * g)


@dataclass(frozen=True)
class Break:
    """Where a curve stops to be the line that it was.

    Attributes
    ----------
    n_at : float
        Where the slope changes; of a jump, which may be anywhere between two measured sizes, the
        geometric mean of these (the arithmetic, if one is 0).
    between : tuple of float
        The measured sizes on its two sides.
    kind : {"jump", "slope", "both", "cannot be told"}
        What changes. It cannot be told where only one size is on one side.
    jump, jump_low, jump_high : float or None
        Seconds by which a call takes longer just beyond `n_at` than just before, with 95 % interval;
        None for a change of slope, and where the kind cannot be told.
    """

    n_at: float
    between: tuple[float, float]
    kind: Kind
    jump: float | None = None
    jump_low: float | None = None
    jump_high: float | None = None


@dataclass(frozen=True)
class Fit:
    """What may be said of one backend's times over the sizes.

    Attributes
    ----------
    verdict : {"linear", "linear to", "piecewise", "growth", "no model"}
        `linear`: no significant lack of fit. `linear to`: there is one, and the line misses by at most
        `misfit`. `piecewise`: two lines, see `broken`. `growth`: a line in another law than n holds, see
        `law`. Lines are in n, unless the fit was told another law.
    k : int
        Number of operations.
    replicated : bool
        Whether any size has two processes. Without, there is no noise to test a misfit against: a line
        is `linear to` its largest misfit, and pieces are not looked for.
    reason : str or None
        Why there is no model, or what to mind about the one there is.
    pieces : tuple of Piece
        One, two if piecewise, none without a model.
    broken : Break or None
        Between the two pieces.
    misfit : float or None
        The largest distance of a measured time from the model, as a share of the model's.
    line : Piece or None
        One line through all sizes, whatever the verdict; None for fewer than three.
    line_misfit : float or None
        Its largest misfit.
    noise : float or None
        The typical standard error of a measured time, as a share of it: what to hold misfits against.
    p : float or None
        Of the lack of fit of `line`; None without replicates.
    exponent : Exponent or None
        What the largest sizes grow like, whether or not there is a model.
    """

    verdict: Verdict
    k: int
    replicated: bool
    reason: str | None = None
    pieces: tuple[Piece, ...] = ()
    broken: Break | None = None
    misfit: float | None = None
    line: Piece | None = None
    line_misfit: float | None = None
    noise: float | None = None
    p: float | None = None
    exponent: Exponent | None = None

    @property
    def law(self) -> Law | None:
        """What the pieces grow with; None without a model."""
        return self.pieces[0].law if self.pieces else None

    def time(self, n: float) -> float | None:
        """Return the model's seconds of a call at size n, also beyond the measured sizes."""
        if not self.pieces:
            return None
        first, last = self.pieces[0], self.pieces[-1]
        return (first if self.broken is None or n < self.broken.n_at else last).time(n)
