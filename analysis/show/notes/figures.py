"""The figures beside the notes: the article's, what has changed with JAX, and the account's two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
from matplotlib.figure import Figure

from jitcost.questions import changes, history
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.releases import asked
from jitcost.show.figures import DRAWINGS, figure
from jitcost.show.figures.history import history as history_drawing
from jitcost.show.notes.accounts import accounts
from jitcost.show.notes.sets import machines
from jitcost.store.origins import provenances

__all__ = ["figures"]


def figures(cells: pl.DataFrame, folder: Path) -> Iterator[tuple[str, Figure]]:
    """Yield each figure with its file's name; those that the results hold nothing for are left out.

    Parameters
    ----------
    cells, folder
        As for `jitcost.show.notes.pages`.
    """
    full = next((one.full for one in machines(cells, folder) if one.full is not None), None)
    account = next((one.row.of.origin for one in accounts(cells, folder)), None)
    for name, origin in (("article", full), ("account", account), ("waterfall", account)):
        if origin is not None:
            yield from _of_origin(name, cells, folder, origin)
    if any(axis.over == "jax" for _, axis in asked(cells)):
        answer = history.ask(cells, history.Options("jax"))
        drawing = history_drawing(answer, changes.ask(cells, changes.Options("jax")))
        if drawing.panels:
            yield "jax.png", figure(drawing.panels, drawing.caption)


def _of_origin(
    name: str, cells: pl.DataFrame, folder: Path, origin: Origin
) -> Iterator[tuple[str, Figure]]:
    its = next(group for found, group in origin_groups(cells) if found == origin)
    drawing = DRAWINGS[name](its)
    if drawing.panels:
        ((place, _),) = provenances(its, folder)
        yield f"{name}.png", figure(drawing.panels, f"{drawing.caption} {place.sentence()}")
