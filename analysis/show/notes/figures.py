"""The figures beside the notes: the article's, what has changed with JAX, and the account's two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from jitcost.questions import changes, history
from jitcost.questions.groups import Origin, origin_groups
from jitcost.questions.releases import asked
from jitcost.show.figures import DRAWINGS
from jitcost.show.figures.history import history as history_drawing
from jitcost.show.figures.layout import Drawing
from jitcost.show.notes.accounts import accounts
from jitcost.show.notes.places import Places
from jitcost.show.notes.sets import machines

__all__ = ["FIGURES", "drawings"]

# All that there may be, by the names of their files.
FIGURES = ("article.png", "account.png", "waterfall.png", "jax.png")


def drawings(cells: pl.DataFrame, folder: Path) -> Iterator[tuple[str, Drawing]]:
    """Yield what each figure shows, with its file's name; no figure of which there is nothing to show.

    Parameters
    ----------
    cells, folder
        As for `jitcost.show.notes.pages`.
    """
    full = next((one.full for one in machines(cells, folder) if one.full is not None), None)
    account = next((one.row.of.origin for one in accounts(cells, folder)), None)
    for name, origin in (("article", full), ("account", account), ("waterfall", account)):
        if origin is not None and (drawing := _of_origin(name, cells, folder, origin)).panels:
            yield f"{name}.png", drawing
    if any(axis.over == "jax" for _, axis in asked(cells)):
        answer = history.ask(cells, history.Options("jax"))
        drawing = history_drawing(answer, changes.ask(cells, changes.Options("jax")))
        if drawing.panels:
            yield "jax.png", drawing


def _of_origin(name: str, cells: pl.DataFrame, folder: Path, origin: Origin) -> Drawing:
    its = next(group for found, group in origin_groups(cells) if found == origin)
    drawing = DRAWINGS[name](its)
    return replace(drawing, caption=f"{drawing.caption} {Places(its, folder)[origin].sentence()}")
