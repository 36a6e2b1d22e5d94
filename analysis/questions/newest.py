"""Which origins are shown where nobody has chosen: of each machine the newest that answers.

A folder of results grows by an origin with every commit, release and machine; all of them at once are
hundreds of tables, most of them old. The others are named, and any of them can be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

import polars as pl

from jitcost.questions.answers import Answer
from jitcost.questions.groups import HasBenchmark, Origin, origin_groups
from jitcost.store.versions import version_key

__all__ = ["HasOrigin", "Placed", "by_age", "newest", "newest_origins", "of_origins"]

LONG_AGO = datetime.min.replace(tzinfo=UTC)


class HasOrigin(Protocol):
    """A row of an answer that is about one origin, and maybe several benchmarks of it."""

    @property
    def origin(self) -> Origin:
        """Machine, environment and commit."""


Placed = HasBenchmark | HasOrigin
Row = TypeVar("Row", bound=Placed)


def newest(rows: Iterable[Placed], cells: pl.DataFrame) -> tuple[list[Origin], list[Origin]]:
    """Return the newest origin of each machine, and the others, both the newest first.

    Parameters
    ----------
    rows : iterable
        Of an answer: what has none is neither.
    cells : polars.DataFrame
        Which it was made from.
    """
    answering = {_origin(row) for row in rows}
    shown: dict[str, Origin] = {}
    others = []
    for origin, _ in by_age(cells):
        if repr(origin) not in answering:
            continue
        if origin.machine in shown:
            others.append(origin)
        else:
            shown[origin.machine] = origin
    return list(shown.values()), others


def newest_origins(cells: pl.DataFrame, count: int) -> tuple[pl.DataFrame, list[Origin]]:
    """Return the cells of so many origins, the newest ones of any machine, and the other origins.

    Parameters
    ----------
    cells : polars.DataFrame
    count : int
        How many at most.
    """
    origins = [origin for origin, _ in by_age(cells)]
    shown = [its for origin, its in origin_groups(cells) if origin in origins[:count]]
    return pl.concat(shown) if shown else cells, origins[count:]


def by_age(cells: pl.DataFrame) -> Iterator[tuple[Origin, pl.DataFrame]]:
    """Yield the cells of each origin, the newest first.

    By the commit's date; at one commit the environment with the most values, of equal ones that with
    the newest versions.
    """

    def age(found: tuple[Origin, pl.DataFrame]) -> tuple[Any, ...]:
        origin, its = found
        values = int((its["state"] == "value").sum())
        newest_versions = version_key(origin.environment)
        date = its["date"].max() or LONG_AGO
        return date, origin.commit, values, newest_versions, -len(origin.env_vars)

    yield from sorted(origin_groups(cells), key=age, reverse=True)


def of_origins(answer: Answer[Row], origins: Iterable[Origin]) -> Answer[Row]:
    """Return the rows of these origins, in their order."""
    wanted = {repr(origin) for origin in origins}
    return Answer(tuple(row for row in answer if _origin(row) in wanted))


def _origin(row: Placed) -> str:
    return repr(row.of.origin if hasattr(row, "of") else row.origin)
