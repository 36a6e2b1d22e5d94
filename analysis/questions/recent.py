"""Of a long history, what is shown where nobody has chosen: the newest releases, the last commits."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from jitcost.questions import releases
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.newest import by_age

__all__ = ["COMMITS_SHOWN", "recent"]

# Of a machine: with all quantities and backends, ten commits are some hundreds of lines.
COMMITS_SHOWN = 10


def recent(cells: pl.DataFrame, commits: int) -> tuple[pl.DataFrame, list[Origin], list[Origin]]:
    """Return the cells of each machine's newest releases and last commits; and what is left out.

    The releases are those of the newest commit that has two, under one Python; the commits are those
    of the environment that has the newest.

    Parameters
    ----------
    cells : polars.DataFrame
        Of any commits.
    commits : int
        How many at most, for each machine.

    Returns
    -------
    cells : polars.DataFrame
        In their order.
    shown, others : list of Origin
        Of the releases and commits that there are series over, the newest first.
    """
    groups = [its for its, _ in releases.comparable(cells)]
    groups += [its for its, _ in releases.over_commits(cells)]
    in_series = [repr(origin) for its in groups for origin, _ in origin_groups(its)]
    kept = {repr(origin) for origin in _kept(cells, commits)}
    shown = [its for origin, its in origin_groups(cells) if repr(origin) in kept]
    told = [origin for origin, _ in by_age(cells) if repr(origin) in in_series]
    return (
        pl.concat(shown) if shown else cells,
        [origin for origin in told if repr(origin) in kept],
        [origin for origin in told if repr(origin) not in kept],
    )


def _kept(cells: pl.DataFrame, commits: int) -> Iterator[Origin]:
    for _, of_machine in cells.group_by("machine", maintain_order=True):
        released = [its for its, _ in releases.comparable(of_machine)]
        yield from _newest_group(released, None)
        tracked = [its for its, _ in releases.over_commits(of_machine)]
        yield from _newest_group(tracked, commits)


def _newest_group(groups: list[pl.DataFrame], most: int | None) -> Iterator[Origin]:
    """Yield the newest origins of the group that has the newest one of all, this many at most."""
    if not groups:
        return
    (newest, _), *_ = by_age(pl.concat(groups))
    for its in groups:
        origins = [origin for origin, _ in by_age(its)]
        if newest in origins:
            yield from origins[:most]
            return
