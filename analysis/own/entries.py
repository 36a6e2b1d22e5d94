"""Whether two arrays are equal, entry by entry: within a tolerance, or bit for bit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from jitcost.own.structures import AnyArray, index

__all__ = ["TOLERANCE", "EntriesCompared", "compare_entries", "same_entries"]

# What an error may be as a share of the largest entry, as far as nothing else is said.
TOLERANCE = 1e-9

# The same by the bytes of a real number, where they are fewer than eight.
_TOLERANCES = {1: 1e-2, 2: 1e-2, 4: 1e-4}


@dataclass(frozen=True)
class EntriesCompared:
    """What comparing two arrays gives.

    Attributes
    ----------
    error, tolerance : float
        As in `jitcost.own.equality.Comparison`.
    position : str
        The first entry that differs, in index notation; empty where it is the whole.
    difference : str or None
        What differs there; None where nothing does.
    """

    error: float
    tolerance: float
    position: str = ""
    difference: str | None = None


def compare_entries(
    found: AnyArray, expected: AnyArray, tolerance: float | None
) -> EntriesCompared:
    """Compare an array with what it should be, as `jitcost.own.equality.compare` says.

    Parameters
    ----------
    found, expected : array
        Of numbers, texts or times, and of any shapes.
    tolerance : float or None
        None for the default of the less precise one.
    """
    if tolerance is None:
        tolerance = max(_default_tolerance(found.dtype), _default_tolerance(expected.dtype))
    found, expected = _of_numpy(found), _of_numpy(expected)
    kinds = {_kind(found), _kind(expected)}
    if "inexact" not in kinds:
        tolerance = 0.0
    if found.shape != expected.shape:
        said = f"shape {found.shape}, expected {expected.shape}"
        return EntriesCompared(math.inf, tolerance, difference=said)
    if kinds == {"inexact"} or kinds == {"inexact", "integers"}:
        errors, relative = _errors(found, expected)
        wrong = ~(errors <= tolerance)
    elif len(kinds) == 1:
        wrong = _unequal(found, expected)
        if kinds == {"integers"} and wrong.any():
            errors, relative = _errors(found, expected)
        else:
            errors, relative = np.where(wrong, math.inf, 0.0), False
    else:
        said = f"{found.dtype.name}, expected {expected.dtype.name}"
        return EntriesCompared(math.inf, tolerance, difference=said)

    error = float(errors.max(initial=0.0))
    if not wrong.any():
        return EntriesCompared(error, tolerance)
    at = tuple(map(int, np.unravel_index(int(np.argmax(wrong)), wrong.shape)))
    said = f"{found[at]}, expected {expected[at]}"
    if "inexact" in kinds and math.isfinite(errors[at]):
        sort = "relative" if relative else "absolute"
        said += f" ({sort} error {_short(errors[at])}, tolerance {_short(tolerance)})"
    return EntriesCompared(error, tolerance, index(at), said)


def _default_tolerance(dtype: np.dtype[Any]) -> float:
    if dtype.kind not in "fcV":
        return TOLERANCE
    reals = 2 if dtype.kind == "c" else 1
    return _TOLERANCES.get(dtype.itemsize // reals, TOLERANCE)


def _of_numpy(array: AnyArray) -> AnyArray:
    """Return numbers of types that NumPy does not know, like bfloat16 and int4, in one that it does."""
    if array.dtype.kind != "V":
        return array
    return array.astype(np.int64 if "int" in array.dtype.name else np.float64)


def _kind(array: AnyArray) -> str:
    kinds = {"b": "integers", "i": "integers", "u": "integers", "f": "inexact", "c": "inexact"}
    return kinds.get(array.dtype.kind, array.dtype.kind)


def _errors(found: AnyArray, expected: AnyArray) -> tuple[AnyArray, bool]:
    """Return each entry's error as a share of the largest, or where that is zero not as a share."""
    common = np.result_type(found.dtype, expected.dtype, np.float64)
    one, other = found.astype(common), expected.astype(common)
    with np.errstate(all="ignore"):
        sizes = np.abs(other[np.isfinite(other)])
        # The modulus of a complex number can be infinite where its parts are not.
        scale = min(sizes.max(initial=0.0), np.finfo(common).max)
        errors = np.abs(one - other) / (scale or 1.0)
        finite = np.isfinite(one) & np.isfinite(other)
        alike = (one == other) | (np.isnan(one) & np.isnan(other))
        return np.where(alike, 0.0, np.where(finite, errors, math.inf)), bool(scale)


def _unequal(found: AnyArray, expected: AnyArray) -> AnyArray:
    wrong = np.asarray(found != expected)
    if found.dtype.kind in "Mm":
        wrong &= ~(np.isnat(found) & np.isnat(expected))
    return wrong


def _short(share: float) -> str:
    return f"{share:.1e}".replace(".0e", "e")


def same_entries(one: AnyArray, other: AnyArray) -> bool:
    """Tell whether two arrays are of one type and shape and have the same bits, all NaN being one."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    match one.dtype.kind:
        case "c":
            return same_entries(one.real, other.real) and same_entries(one.imag, other.imag)
        case "f":
            bits = (one == other) & (np.signbit(one) == np.signbit(other))
            return bool(np.all(bits | (np.isnan(one) & np.isnan(other))))
        case "V":
            return one.tobytes() == other.tobytes()
        case _:
            return not np.any(_unequal(one, other))
