"""Whether two results are equal, within a tolerance or bit for bit; whatever they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from numbers import Number

import numpy as np

from jitcost.own.entries import TOLERANCE, compare_entries, same_entries
from jitcost.own.structures import DEEPEST, AnyArray, Parts, as_array, digest, parts, to_host

__all__ = ["TOLERANCE", "Comparison", "compare", "digest", "same", "to_host"]

# As much of an odd value as a line has room for, twice.
_LONGEST = 60


@dataclass(frozen=True)
class Comparison:
    """How far a result is from what it should be.

    Attributes
    ----------
    error : float
        The largest |found - expected| as a share of the largest finite |expected|, of the array that
        differs or else comes closest to its tolerance. Absolute where nothing finite but zeros is
        expected; infinite where a difference has no size.
    tolerance : float
        What that error may be; 0.0 for what is compared exactly.
    difference : str or None
        None where the two are equal, else the first place where they are not, in a line.
    remarks : tuple of str
        What does not make them unequal: "float32, the reference is float64".
    """

    error: float
    tolerance: float
    difference: str | None = None
    remarks: tuple[str, ...] = ()


def compare(found: object, expected: object, tolerance: float | None = None) -> Comparison:
    """Compare a result with what it should be.

    They are equal if they have the same structure, arrays of the same shapes in it, and in each array
    no entry differs by more than the tolerance times the largest finite entry that is expected there.
    Where that is zero, or none is finite, the difference itself may be as large as the tolerance. NaN
    has to be where NaN is expected and nowhere else, and infinity, with its sign, where infinity is.
    Integers, booleans, texts, times and all other objects have to be exactly the expected ones; only
    integers where floats are expected, or floats where integers are, count as floats. Complex numbers
    differ by the modulus. Numbers are arrays without dimensions, and lists of numbers are arrays.

    Parameters
    ----------
    found, expected : object
        What `to_host` returns. Whatever they are, nothing is raised.
    tolerance : float or None
        None for 1e-9; 1e-4 where either is float32 or complex64; 1e-2 where one has fewer bits.

    Examples
    --------
    >>> compare([0.25, 2.0], [0.5, 2.0]).difference
    'at [0]: 0.25, expected 0.5 (relative error 1.2e-01, tolerance 1e-09)'
    >>> compare({"a": 1}, {"a": 1, "b": 2}).difference
    "key 'b' is missing"
    """
    leaves: list[Comparison] = []
    for leaf in _leaves(found, expected, tolerance, "", 0):
        leaves.append(leaf)
        if leaf.difference is not None:
            break
    closest = max(leaves, key=_closeness, default=Comparison(0.0, 0.0))
    return replace(closest, remarks=tuple(said for leaf in leaves for said in leaf.remarks))


def _closeness(leaf: Comparison) -> float:
    if leaf.difference is not None:
        return math.inf
    return leaf.error / leaf.tolerance if leaf.tolerance > 0 else 0.0


def _leaves(
    found: object, expected: object, tolerance: float | None, path: str, depth: int
) -> Iterator[Comparison]:
    one, other = as_array(found), as_array(expected)
    if one is None and other is not None:
        one = _stacked(found)
    elif one is not None and other is None:
        other = _stacked(expected)
    if one is not None and other is not None:
        yield _compare_arrays(one, other, tolerance, path)
        return
    inside, wanted = parts(found), parts(expected)
    if depth > DEEPEST:
        yield _different(path, f"nested more than {DEEPEST} deep")
    elif inside is not None and wanted is not None and inside.kind == wanted.kind:
        unlike = _unlike(inside, wanted)
        if unlike is not None:
            yield _different(path, unlike)
        else:
            for label, part in wanted.items.items():
                yield from _leaves(inside.items[label], part, tolerance, path + label, depth + 1)
    elif (
        # Neither is an array or has parts; or a number has more digits than an array holds.
        (one is None and other is None and inside is None and wanted is None)
        or (_is_number(found, one) and _is_number(expected, other))
    ):
        yield _compare_exactly(found, expected, path)
    else:
        yield _different(path, f"{_described(found)}, expected {_described(expected)}")


def _stacked(value: object) -> AnyArray | None:
    """Return a list of arrays as one, where they have one shape."""
    if not isinstance(value, list) or not all(isinstance(one, np.ndarray) for one in value):
        return None
    array = np.stack(value) if len({one.shape for one in value}) == 1 else None
    return array if array is not None and array.dtype.kind in "biufc" else None


def _is_number(value: object, array: AnyArray | None) -> bool:
    return isinstance(value, Number) or (array is not None and array.ndim == 0)


def _different(path: str, said: str) -> Comparison:
    return Comparison(math.inf, 0.0, _at(path, said))


def _at(path: str, said: str) -> str:
    return f"at {path}: {said}" if path else said


def _compare_arrays(
    found: AnyArray, expected: AnyArray, tolerance: float | None, path: str
) -> Comparison:
    told = compare_entries(found, expected, tolerance)
    said = None if told.difference is None else _at(path + told.position, told.difference)
    one, other = found.dtype, expected.dtype
    # Texts of other lengths are of other types, and an empty list is of no type that it chose.
    unlike = one.name != other.name and one.kind not in "US" and found.size > 0
    remark = _at(path, f"{one.name}, the reference is {other.name}")
    return Comparison(told.error, told.tolerance, said, (remark,) if unlike else ())


def _compare_exactly(found: object, expected: object, path: str) -> Comparison:
    try:
        # What differs from itself, as NaN does, is equal to its like.
        equal = found is expected or bool(
            found == expected or (found != found and expected != expected)
        )
        said = f"{_shown(found)}, expected {_shown(expected)}"
    except Exception:  # a stranger's == and repr may fail in any way
        equal, said = False, f"{_described(found)}, which cannot be compared"
    return Comparison(0.0, 0.0) if equal else _different(path, said)


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _unlike(inside: Parts, wanted: Parts) -> str | None:
    """Return how two structures of one kind differ in their parts' names or number."""
    if inside.kind in ("tuple", "list") and len(inside.items) != len(wanted.items):
        return f"{_counted(inside)}, expected {_counted(wanted)}"
    missing = [label for label in wanted.items if label not in inside.items]
    further = [label for label in inside.items if label not in wanted.items]
    if missing:
        return f"key {missing[0].removeprefix('[').removesuffix(']')} is missing"
    if further:
        return f"key {further[0].removeprefix('[').removesuffix(']')} is not expected"
    return None


def _counted(inside: Parts) -> str:
    article = "an" if inside.kind[:1] in "aeiou" else "a"
    return f"{article} {inside.kind}" + (
        "" if " of " in inside.kind else f" of {len(inside.items)}"
    )


def _described(value: object) -> str:
    array, inside = as_array(value), parts(value)
    if array is not None:
        return "an array" if array.ndim else "a number"
    if inside is not None:
        return _counted(inside)
    if value is None:
        return "None"
    if isinstance(value, (str, Number)):
        return "a string" if isinstance(value, str) else "a number"
    return f"an object of type {type(value).__name__}"


def same(one: object, other: object) -> bool:
    """Tell whether two values are the same bit for bit, as an input is that has not changed.

    All NaN are one, -0.0 is not 0.0, and no type is another: 1 is neither 1.0 nor True. Lists of
    numbers are arrays here, too.

    Parameters
    ----------
    one, other : object
        What `to_host` returns. Whatever they are, nothing is raised.

    Examples
    --------
    >>> same((float("nan"), [0.0]), (float("nan"), [0.0])), same([0.0], [-0.0]), same([1], [1.0])
    (True, False, False)
    """
    return _same(one, other, 0)


def _same(one: object, other: object, depth: int) -> bool:
    if one is other:
        return True
    first, second = as_array(one), as_array(other)
    if first is not None and second is not None:
        return same_entries(first, second)
    inside, others = parts(one), parts(other)
    if inside is not None and others is not None and depth <= DEEPEST:
        return (
            inside.kind == others.kind
            and inside.items.keys() == others.items.keys()
            and all(_same(inside.items[key], others.items[key], depth + 1) for key in inside.items)
        )
    return type(one) is type(other) and _compare_exactly(one, other, "").difference is None
