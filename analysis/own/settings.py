"""What a loaded file says of a problem besides its functions, as JSON holds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from jitcost.own.errors import OwnFileError
from jitcost.own.problem import Problem

__all__ = ["described"]


def described(problem: Problem, functions: Iterable[str]) -> dict[str, Any]:
    """Return the sizes, the growth that is declared, and which of the kernels are no functions.

    Raises
    ------
    OwnFileError
        If the sizes are none.
    """
    return {
        "sizes": _sizes(problem.setting("sizes")),
        "grows": _grows(problem),
        "no_functions": {
            name: type(problem.namespace.get(name)).__name__
            for name in functions
            if not callable(problem.namespace.get(name))
        },
    }


def _sizes(value: Any) -> list[Any] | None:
    if value is None:
        return None
    try:
        return [_size(one) for one in value]
    except TypeError:
        raise OwnFileError(
            f"sizes = {value!r} is no list of numbers, or of tuples of them"
        ) from None


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
