"""What the processes of one run share: inputs and reference results, each made once.

Whoever needs one first makes it. So random numbers that were not drawn from `rng`, too, are the same for
every kernel, and a slow reference is run once for each size and draw.
"""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jitcost.own.equality import same
from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Size
from jitcost.own.problem import Problem, one_line

__all__ = ["Reference", "Shared"]

# Of numbers drawn from a generator that nobody has seeded, another measurement gets others.
_NOT_THE_SAME = "inputs returns other values each time: take rng, or seed the generator"


@dataclass(frozen=True)
class Reference:
    """A result that others are held against.

    Attributes
    ----------
    value : Any
        With NumPy's arrays.
    by : str
        The kernel that it comes from; empty: the file's own reference.
    """

    value: Any
    by: str


class Shared:
    """A folder of pickles, by size and draw."""

    def __init__(self, folder: str | Path, problem: Problem) -> None:
        self.folder, self.problem = Path(folder), problem
        # What to mind about the inputs: told by the process that makes the first.
        self.remark: str | None = None

    def inputs(self, size: Size, draw: int) -> tuple[Any, ...]:
        """Return the arguments, with NumPy's arrays; make them if nobody has.

        Raises
        ------
        OwnFileError
            If the file's `inputs` fails, or what it returns cannot be handed to another process.
        """
        path = self._path("inputs", size, draw)
        if not path.is_file():
            made = _on_host(self.problem.inputs(size, draw))
            if not any(self.folder.iterdir()) and not same(
                made, _on_host(self.problem.inputs(size, draw))
            ):
                self.remark = _NOT_THE_SAME
            _write(path, made, "what inputs returns")
        found: tuple[Any, ...] = _read(path)
        return found

    def reference(self, size: Size, draw: int) -> Reference | None:
        """Return the result to hold others against; None while there is none.

        Raises
        ------
        OwnFileError
            If the file's `reference` fails, or what it returns cannot be kept.
        """
        path = self._path("reference", size, draw)
        if path.is_file():
            found: Reference = _read(path)
            return found
        if self.problem.reference is None:
            return None
        try:
            value = self.problem.reference(*self.inputs(size, draw))
        except Exception as error:
            raise OwnFileError(f"reference fails at n = {size}: {one_line(error)}") from error
        return self.set_reference(size, draw, Reference(_on_host(value), ""))

    def set_reference(self, size: Size, draw: int, reference: Reference) -> Reference:
        """Make a result the one that others are held against."""
        whose = f"{reference.by}'s result" if reference.by else "what reference returns"
        _write(self._path("reference", size, draw), reference, whose)
        return reference

    def _path(self, what: str, size: Size, draw: int) -> Path:
        parts = size if isinstance(size, tuple) else (size,)
        return (
            self.folder / f"{self.problem.name}-{what}-{'x'.join(map(repr, parts))}-{draw}.pickle"
        )


def _on_host(value: Any) -> Any:
    """Return a value with NumPy's arrays for those of other libraries."""
    if isinstance(value, dict):
        return {key: _on_host(member) for key, member in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_on_host, value))
    if isinstance(value, list | tuple):
        return type(value)(map(_on_host, value))
    if isinstance(value, np.ndarray | np.generic) or not hasattr(value, "__array__"):
        return value
    try:
        return np.asarray(value)
    except TypeError:  # a key of JAX's random numbers, which has no numbers to show
        return value


def _write(path: Path, value: Any, what: str) -> None:
    beside = path.with_suffix(f".{os.getpid()}")
    try:
        with beside.open("wb") as file:
            pickle.dump(value, file, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        beside.unlink(missing_ok=True)
        raise OwnFileError(
            f"{what} cannot be handed to another process: {one_line(error)}"
        ) from error
    beside.replace(path)


def _read(path: Path) -> Any:
    with path.open("rb") as file:
        return pickle.load(file)
