"""What every answer is: rows, each a frozen dataclass, and the objects that JSON is made from.

A row's fields are the keys of its object, but for what its class says in two class variables: `KEYS`
gives a field another key, and the fields of a class with `SPREAD` stand in the object that holds it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

__all__ = ["Answer", "objects_of"]

Row = TypeVar("Row")


@dataclass(frozen=True, repr=False)
class Answer(Generic[Row]):
    """The answer to a question: its rows, in the order in which they are shown.

    >>> Answer((1, 2)).rows, len(Answer(())), bool(Answer(()))
    ((1, 2), 0, False)
    """

    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __repr__(self) -> str:
        kinds = dict.fromkeys(type(row).__module__.split(".")[-1] for row in self.rows)
        of = f" of {', '.join(kinds)}" if kinds else ""
        return f"<Answer{of}: {len(self)} rows; see .rows and .objects()>"

    def __len__(self) -> int:
        return len(self.rows)

    def objects(self) -> list[dict[str, object]]:
        """Return the rows as strict JSON can hold them: null for what is not finite."""
        return [objects_of(row) for row in self.rows]


def objects_of(value: Any) -> Any:
    """Return a value as strict JSON can hold it: dataclasses as objects, whole numbers without a point.

    >>> objects_of((1.0, math.inf, {"a": 0.5}))
    [1, None, {'a': 0.5}]
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        keys: Mapping[str, str] = getattr(value, "KEYS", {})
        found: dict[str, object] = {}
        for name in (one.name for one in dataclasses.fields(value)):
            member = getattr(value, name)
            if getattr(member, "SPREAD", False):
                found |= objects_of(member)
            else:
                found[keys.get(name, name)] = objects_of(member)
        return found
    if isinstance(value, Mapping):
        return {key: objects_of(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [objects_of(member) for member in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() else value
    return value
