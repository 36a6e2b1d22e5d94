"""What one changed setting is worth: variants beside their base, in processes that take turns.

The last parameter varies fastest and each round is a process for every cell: five times over, the
variants of one size are measured one after another. Each round takes ten samples, so that a cell's
fifty can be told apart by process: what a process finds at its start (addresses, the clock's mood) is
common to all of its samples, and only rounds are independent.
"""

import functools
import importlib

from . import _process, _suite, floors
from ._backends import backends, workloads

# Floors that are no backend's: C with 32 sums side by side, and with the math library's functions of
# several elements at once.
IN_C = {"floor_memory": "floor_memory", "floor_math_libm": "floor_math"}


class Variants(_suite.SteadyState):
    """Time of one call under one changed setting; the setting's effect is checked before."""

    param_names = ["n", "variant"]
    rounds = 5
    repeat = 10

    def setup(self, *values):
        cell = self.cell(*values)
        if cell["backend"] in IN_C:
            self.take(batch_in_c(self.workload, IN_C[cell["backend"]], cell["n"]))
            _process.note(params=[*map(repr, values)], backend=cell["backend"], n=cell["n"])
        else:
            super().setup(*values)

    def cell(self, n, variant):
        return {"n": n, "backend": variant}

    def prepare(self, n, backend, **options):
        verify_effect(backend, self.workload)
        computed = computes(backend) or self.workload
        self.take(_suite.steady_state(computed, backend, n, **options))

    def take(self, batch):
        """Time this batch."""
        self.batch, self.timer = batch, batch.timer


@functools.lru_cache(maxsize=1)
def batch_in_c(workload, function, n):
    """Return the batch of a floor in C, its result checked; once in a process, as everywhere."""
    return _suite.Batch(floors.checked_floor(function, workloads.get(workload).inputs(n), n))


@functools.cache
def verify_effect(variant, workload):
    """Raise an error if the setting has no effect; looked for once in a process.

    A variant whose effect cannot be looked for here is skipped.
    """
    try:
        variants = importlib.import_module(f"{backends.__name__}.variants")
    except ImportError:  # the commit that is measured is older: it has the backends alone
        return
    # Older commits call it otherwise.
    verify = getattr(variants, "verify_effect", None) or variants.refuse_inert
    try:
        verify(backends.load(variant), variant, workload)
    except backends.BackendUnavailable as error:
        raise NotImplementedError(str(error)) from None


def computes(variant):
    """Return what a variant computes in the place of its workload, or an empty text."""
    try:
        known = importlib.import_module(f"{backends.__name__}.variants").VARIANTS
    except ImportError:  # as above
        return ""
    return known[variant].computes if variant in known else ""
