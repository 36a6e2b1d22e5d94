"""Figures: the article's, redrawn from these results, and one for each question."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from jitcost.questions import account as accounting
from jitcost.questions import breakeven as paying
from jitcost.questions import compare as comparing
from jitcost.questions import crossover as crossing
from jitcost.questions import fit as fitting
from jitcost.questions import predict as predicting
from jitcost.questions import times
from jitcost.show.figures.account import account, waterfall
from jitcost.show.figures.article import KINDS, article
from jitcost.show.figures.breakeven import breakeven
from jitcost.show.figures.layout import Drawing, Panel, figure
from jitcost.show.figures.predictions import predict
from jitcost.show.figures.questions import compare, crossover, fit

__all__ = [
    "DRAWINGS",
    "Drawing",
    "Panel",
    "account",
    "article",
    "breakeven",
    "compare",
    "crossover",
    "figure",
    "fit",
    "predict",
    "waterfall",
]

# By the name that `jitcost figure` takes; each asks its question of the cells of one origin, and
# draws the answer.
DRAWINGS: dict[str, Callable[[pl.DataFrame], Drawing]] = {
    "article": lambda cells: article(times.ask(cells, times.Options(KINDS))),
    "compare": lambda cells: compare(comparing.ask(cells)),
    "fit": lambda cells: fit(fitting.ask(cells), times.ask(cells)),
    "breakeven": lambda cells: breakeven(paying.ask(cells)),
    "crossover": lambda cells: crossover(crossing.ask(cells), comparing.ask(cells)),
    "predict": lambda cells: predict(predicting.ask(cells)),
    "waterfall": lambda cells: waterfall(accounting.ask(cells)),
    "account": lambda cells: account(accounting.ask(cells)),
}
