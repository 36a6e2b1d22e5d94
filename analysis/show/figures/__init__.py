"""Figures: the article's, redrawn from these results, and one for each question."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from jitcost.show.figures.account import account, waterfall
from jitcost.show.figures.article import article
from jitcost.show.figures.breakeven import breakeven
from jitcost.show.figures.layout import Drawing, Panel, figure
from jitcost.show.figures.questions import compare, crossover, fit, predict

__all__ = ["DRAWINGS", "Drawing", "Panel", "figure"]

# By the name that `jitcost figure` takes; each draws the cells of one place.
DRAWINGS: dict[str, Callable[[pl.DataFrame], Drawing]] = {
    "article": article,
    "compare": compare,
    "fit": fit,
    "breakeven": breakeven,
    "crossover": crossover,
    "predict": predict,
    "waterfall": waterfall,
    "account": account,
}
