"""What a loaded file says of a problem besides its functions, as JSON holds it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Size, size_of
from jitcost.own.problem import Problem, one_line

__all__ = ["described"]


def described(
    problem: Problem, functions: Iterable[str], sizes: Sequence[Size] = ()
) -> dict[str, Any]:
    """Return the sizes, the growth that is declared, and which of the kernels are no functions.

    Parameters
    ----------
    problem : Problem
    functions : iterable of str
        The names of its kernels.
    sizes : sequence of Size
        What a person asks for instead of the file's.

    Raises
    ------
    OwnFileError
        If the sizes are none, or two of them are one n.
    """
    return {
        "sizes": _sizes(problem, list(sizes) or problem.setting("sizes")),
        "grows": _grows(problem),
        "no_functions": {
            name: type(problem.namespace.get(name)).__name__
            for name in functions
            if not callable(problem.namespace.get(name))
        },
    }


def _sizes(problem: Problem, value: Any) -> list[Any] | None:
    if value is None:
        return None
    try:
        found = [_size(one) for one in value]
    except (TypeError, OverflowError, ValueError):
        found = []
    if not found:
        raise OwnFileError(f"sizes = {value!r} is no list of numbers, or of tuples of them")
    by_n: dict[float, Any] = {}
    for size in map(size_of, found):
        n = _n_of(problem, size)
        if not 0 < n < math.inf:
            raise OwnFileError(f"sizes: {size} is n = {n:g}, and n is a number above zero")
        if by_n.setdefault(n, size) != size:
            raise OwnFileError(
                f"sizes: {by_n[n]} and {size} are both n = {n:g}; say what n is by n_of(size)"
            )
    return list(by_n.values())


def _n_of(problem: Problem, size: Size) -> float:
    try:
        return problem.n_of(size)
    except Exception as error:
        raise OwnFileError(f"n_of({size}) fails: {one_line(error)}") from error


def _size(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_size(part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError
    return int(value) if float(value).is_integer() else float(value)


def _grows(problem: Problem) -> Any:
    value = problem.namespace.get(f"grows_{problem.name}", problem.namespace.get("grows"))
    if isinstance(value, Mapping):
        return {str(key): str(law) for key, law in value.items()}
    return None if value is None else str(value)
