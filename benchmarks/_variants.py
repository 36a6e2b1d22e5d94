"""What one changed setting is worth: variants beside their base, in processes that take turns.

The last parameter varies fastest and each round is a process for every cell: five times over, the
variants of one size are measured one after another. Each round takes ten samples, so that a cell's
fifty can be told apart by process: what a process finds at its start (addresses, the clock's mood) is
common to all of its samples, and only rounds are independent.
"""

import functools

import backends
from backends import variants

from . import _suite


class Variants(_suite.SteadyState):
    """Time of one call under one changed setting; the setting's effect is checked before."""

    param_names = ["n", "variant"]
    rounds = 5
    repeat = 10

    def cell(self, n, variant):
        return {"n": n, "backend": variant}

    def prepare(self, n, backend, **options):
        refuse_inert(backend, self.workload)
        computed = computes(backend) or self.workload
        self.batch = _suite.steady_state(computed, backend, n, **options)
        self.timer = self.batch.timer


@functools.cache
def refuse_inert(variant, workload):
    """Raise an error if the setting has no effect; looked for once in a process."""
    variants.refuse_inert(backends.load(variant), variant, workload)


def computes(variant):
    """Return the bound that a floor computes, or an empty text."""
    return variants.VARIANTS[variant].computes if variant in variants.VARIANTS else ""
