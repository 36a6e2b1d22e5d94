"""What is recorded of each origin, found again by the origin itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from jitcost.questions.groups import Origin, origin_of
from jitcost.store.origins import Provenance, provenances

__all__ = ["Places"]


class Places:
    """The provenance of each origin of some results.

    By the origin's own names: a provenance has those that XML can hold, which may be other ones.

    Parameters
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them.
    folder : Path
        Where they were read from.
    """

    def __init__(self, cells: pl.DataFrame, folder: Path) -> None:
        # An origin's variables are a dict, and its text is what can be hashed.
        self._found = {
            repr(origin): (origin, place)
            for place, group in provenances(cells, folder)
            for origin in (origin_of(group.row(0, named=True)),)
        }

    def __getitem__(self, origin: Origin) -> Provenance:
        """Return what is recorded of an origin."""
        return self._found[repr(origin)][1]

    def items(self) -> Iterator[tuple[Origin, Provenance]]:
        """Yield each origin with what is recorded of it."""
        yield from self._found.values()
