"""Variants: a backend, or another variant, under one changed setting.

Beside its base's time a variant's says what the setting is worth. Each is a row of the table in
`backends.variant_table` and a module of this package, a backend like any other (`backends.load` takes
its name) with, but for the floors, one function more: `verify_effect` looks for the setting's effect,
in the compiled program or in what the process does, and raises `NoEffectError` where there is none.
Libraries ignore without a word a flag that they do not know or read too late, and its "effect" would
then be noise.

Importing this package imports none of the libraries.
"""

from __future__ import annotations

from typing import Protocol, cast

from jitcost.backends.registry import Implementation
from jitcost.backends.variant_table import VARIANTS, Variant, base_of, is_floor

__all__ = [
    "VARIANTS",
    "NoEffectError",
    "Variant",
    "VariantImplementation",
    "base_of",
    "is_floor",
    "verify_effect",
]


class NoEffectError(Exception):
    """A variant's setting that had no effect; says what was seen instead."""


class VariantImplementation(Implementation, Protocol):
    """What a module of this package provides beyond a backend's functions."""

    def verify_effect(self, workload: str) -> None:
        """Raise `NoEffectError` where the setting changes nothing of this workload's kernel."""


def verify_effect(module: Implementation, name: str, workload: str) -> None:
    """Ask a loaded variant for its setting's effect; a backend has no setting."""
    if name in VARIANTS and not is_floor(name):  # a floor has nothing to switch
        cast(VariantImplementation, module).verify_effect(workload)
