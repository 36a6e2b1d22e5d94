"""Results and inputs as people write them: arrays, numbers and lists, inside tuples, dicts and more."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["DEEPEST", "AnyArray", "Parts", "as_array", "digest", "index", "parts", "to_host"]

AnyArray = npt.NDArray[Any]

# Nothing is looked into any deeper: a list may hold itself.
DEEPEST = 50

_NUMBERS = (bool, int, float, complex, np.bool_, np.number)


@dataclass(frozen=True)
class Parts:
    """What a value consists of.

    Attributes
    ----------
    kind : str
        "tuple", "list", "dict", "structured array", "object array of shape (2,)", or the name of a
        dataclass.
    items : dict of str to object
        The parts, by how they are reached from the value: `[0]`, `['b']`, `[0, 1]`, `.mean`.
    """

    kind: str
    items: dict[str, object]


def as_array(value: object) -> AnyArray | None:
    """Return a value as an array, or None where it is none.

    Numbers are arrays without dimensions, lists of numbers (nested, too, with lists or tuples) arrays
    with them, and so is whatever converts itself. Ragged lists, strings, structured arrays and arrays
    of objects are none; and no list whose integers a float would round.
    """
    if isinstance(value, list):
        return _from_list(value)
    if isinstance(value, (str, bytes, tuple, Mapping, type)):
        return None
    if not isinstance(value, (np.ndarray, *_NUMBERS)) and not _converts_itself(value):
        return None
    try:
        array = np.asarray(value)
    except Exception:  # a stranger's own conversion may fail in any way
        return None
    return array if _is_plain(array.dtype) else None


def _converts_itself(value: object) -> bool:
    return any(
        hasattr(type(value), name) for name in ("__array__", "__array_interface__", "__dlpack__")
    )


def _is_plain(dtype: np.dtype[Any]) -> bool:
    # Types that NumPy does not know, like bfloat16, are of the kind of void, but are not void.
    return dtype.kind in "biufcMmSU" or (dtype.kind == "V" and dtype.type is not np.void)


def _from_list(values: list[Any]) -> AnyArray | None:
    types = _types_of_numbers(values)
    if types is None:
        return None
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):  # ragged
        return None
    floats = not types or any(issubclass(one, (float, np.floating)) for one in types)
    return array if array.dtype.kind in "biuc" or (array.dtype.kind == "f" and floats) else None


def _types_of_numbers(values: Any, depth: int = 0) -> set[type] | None:
    """Return the types of the numbers in nested lists and tuples, None where there is anything else."""
    types = set(map(type, values))
    if types <= {list, tuple}:
        inside: set[type] = set()
        for one in values:
            found = _types_of_numbers(one, depth + 1) if depth < DEEPEST else None
            if found is None:
                return None
            inside |= found
        return inside
    if np.ndarray in types:  # what to_host makes of a backend's own numbers
        arrays = [one for one in values if type(one) is np.ndarray]
        if any(one.ndim or one.dtype.kind not in "biufc" for one in arrays):
            return None
        types = types - {np.ndarray} | {one.dtype.type for one in arrays}
    return types if all(issubclass(one, _NUMBERS) for one in types) else None


def index(position: tuple[int, ...]) -> str:
    """Return a position in index notation, nothing for that of a number.

    >>> index((3, 0)), index(())
    ('[3, 0]', '')
    """
    return f"[{', '.join(map(str, position))}]" if position else ""


def parts(value: object) -> Parts | None:
    """Return what a value consists of, or None where it is no structure that is looked into."""
    try:
        return _parts(value)
    except Exception:  # a stranger's mapping or dataclass may fail in any way
        return None


def _parts(value: object) -> Parts | None:
    match value:
        case tuple() | list():
            kind = "tuple" if isinstance(value, tuple) else "list"
            return Parts(kind, {f"[{i}]": one for i, one in enumerate(value)})
        case Mapping():
            return Parts("dict", {f"[{key!r}]": value[key] for key in value})
        case np.ndarray() | np.void() if value.dtype.names is not None:
            items = {f"[{name!r}]": value[name] for name in value.dtype.names}
            return Parts("structured array", items)
        case np.ndarray() if not _is_plain(value.dtype):
            items = {index(at): value[at] for at in np.ndindex(value.shape)}
            return Parts(f"object array of shape {value.shape}", items)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return Parts(type(value).__name__, {f".{name}": getattr(value, name) for name in names})
    return None


def to_host(value: object, to_numpy: Callable[[Any], AnyArray]) -> object:
    """Return a result of a backend, or inputs, with NumPy's arrays in the place of the backend's.

    Tuples, named ones too, lists and dicts are made anew. Lists of numbers become arrays. What is
    NumPy's or Python's already stays, uncopied, and so does an object that is no array, or that NumPy
    has no type for (JAX's random keys).

    Parameters
    ----------
    value : object
    to_numpy : callable
        The backend's own. A TypeError says that there is no such array; what else it raises, as for
        a buffer that was donated, comes through.
    """
    return _to_host(value, to_numpy, 0)


def _to_host(value: object, to_numpy: Callable[[Any], AnyArray], depth: int) -> object:
    if depth > DEEPEST or isinstance(value, (str, bytes, np.ndarray, np.generic, *_NUMBERS)):
        return value
    if isinstance(value, list) and (numbers := as_array(value)) is not None:
        return numbers
    if isinstance(value, (tuple, list)):
        items = [_to_host(one, to_numpy, depth + 1) for one in value]
        if isinstance(value, tuple):
            make = getattr(type(value), "_make", tuple)  # a named one is made from its items
            return make(items)
        numbers = as_array(items)
        return items if numbers is None else numbers
    if isinstance(value, Mapping):
        return {key: _to_host(one, to_numpy, depth + 1) for key, one in value.items()}
    if _converts_itself(value):
        try:
            array = to_numpy(value)
        except TypeError:
            return value
        return value if array.dtype == object and array.ndim == 0 else array
    return value


def digest(value: object) -> str:
    """Return a fingerprint of a structure of arrays and scalars: the same in any process.

    Arrays, numbers and texts that `jitcost.own.equality.same` calls the same have the same fingerprint.
    Any other object counts by its type alone: its text may hold an address.

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256).
    """
    state = hashlib.sha256()
    for chunk in _canonical(value, 0):
        state.update(chunk)
    return state.hexdigest()


def _canonical(value: object, depth: int) -> Iterator[bytes]:
    # Each header says what comes after it, so that no two structures give the same bytes.
    array = as_array(value)
    if array is not None:
        yield f"{array.dtype.name} {array.shape}\n".encode()
        yield from _bytes_of(array)
        return
    inside = parts(value) if depth < DEEPEST else None
    if inside is not None:
        # A dict is the same in whatever order its keys were set.
        labels = sorted(inside.items) if inside.kind == "dict" else list(inside.items)
        yield f"{inside.kind} {labels}\n".encode()
        for label in labels:
            yield from _canonical(inside.items[label], depth + 1)
        return
    told = isinstance(value, (str, bytes, np.generic, Number)) or value is None
    text = repr(value) if told else f"{type(value).__module__}.{type(value).__qualname__}"
    yield f"{text}\n".encode(errors="backslashreplace")


def _bytes_of(array: AnyArray) -> Iterator[bytes]:
    flat = np.ravel(array)
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    if flat.dtype.kind != "f":
        yield flat.astype(flat.dtype.newbyteorder("<"), copy=False).tobytes()
        return
    # All NaN are one. In the 16 bytes of an extended number 6 are left to chance: two float64 hold it.
    with np.errstate(all="ignore"):
        whole = [flat]
        if flat.dtype.itemsize > 8:
            high = flat.astype(np.float64)
            whole = [high, (flat - high).astype(np.float64)]
    for one in whole:
        cleaned = np.where(np.isnan(one), one.dtype.type(np.nan), one)
        yield cleaned.astype(one.dtype.newbyteorder("<")).tobytes()
