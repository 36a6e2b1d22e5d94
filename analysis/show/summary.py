"""What `jitcost bench` and `jitcost backfill` show when they have measured: the answers in short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from jitcost.questions import (
    account,
    agreement,
    breakeven,
    c_ratios,
    changes,
    compare,
    crossover,
    disturbances,
    fit,
    history,
)
from jitcost.show.answers import account as account_tables
from jitcost.show.answers import agreement as agreement_sentences
from jitcost.show.answers import breakeven as breakeven_tables
from jitcost.show.answers import c_ratios as c_ratios_tables
from jitcost.show.answers import compare as compare_tables
from jitcost.show.answers import crossover as crossover_tables
from jitcost.show.answers import disturbances as disturbance_texts
from jitcost.show.answers import fit as fit_tables
from jitcost.show.answers import history as history_tables
from jitcost.show.table import Table
from jitcost.store.origins import provenances
from jitcost.store.processes import processes, with_agreement

__all__ = ["NOTHING_TO_COMPARE", "disturbance_sentences", "summary", "summary_of_history"]
__all__ += ["summary_of_own", "summary_of_variants"]

NOTHING_TO_COMPARE = "There is one release and one commit so far: nothing to compare."


def summary(cells: pl.DataFrame, folder: Path | None = None) -> Iterator[Table | str]:
    """Yield who wins where, what a call and an element cost, ratios to C, how right results are.

    Parameters
    ----------
    cells : polars.DataFrame
        Of what was measured.
    folder : Path, optional
        Where they were read from: how right results were, and what disturbed the measurement, is
        what each process told beside them.

    Yields
    ------
    Table or str
        Lines of text between the tables.
    """
    yield from compare_tables.tables(compare.ask(cells))
    yield from fit_tables.tables(fit.over_sizes(fit.ask(cells)))
    yield from c_ratios_tables.tables(c_ratios.ask(cells))
    checked = with_agreement(cells, folder)
    disturbed = [] if folder is None else disturbance_sentences(cells, folder)
    for heading, sentences in (
        (agreement_sentences.HEADING, agreement_sentences.sentences(agreement.ask(checked))),
        (disturbance_texts.HEADING, disturbed),
    ):
        if sentences:
            yield f"\n{heading}"
            yield from sentences


def summary_of_own(cells: pl.DataFrame, folder: Path) -> Iterator[Table | str]:
    """Yield what was found of somebody's own functions: times, their growth, what compiling is worth.

    Parameters
    ----------
    cells : polars.DataFrame
        Of what was measured.
    folder : Path
        Where they were read from.
    """
    yield from compare_tables.tables(compare.ask(cells))
    yield from fit_tables.tables(fit.over_sizes(fit.ask(cells)))
    yield from breakeven_tables.tables(breakeven.ask(cells))
    yield from crossover_tables.tables(crossover.ask(cells))
    yield from disturbance_sentences(cells, folder)


def summary_of_variants(cells: pl.DataFrame, folder: Path) -> Iterator[Table | str]:
    """Yield where the time goes, where the experiments alone were measured.

    Parameters
    ----------
    cells : polars.DataFrame
        Of what was measured.
    folder : Path
        Where they were read from: the machine's caches are recorded beside the results.
    """
    options = account.Options(caches=account.known_caches(cells, folder))
    yield from account_tables.tables(account.ask(cells, options))


def summary_of_history(cells: pl.DataFrame) -> Iterator[Table | str]:
    """Yield what has changed over releases and commits, or that there is only one of each.

    Parameters
    ----------
    cells : polars.DataFrame
        Of any commits.
    """
    answer = history.ask(cells)
    yield from history_tables.tables(answer, changes.ask(cells))
    if not answer:
        yield NOTHING_TO_COMPARE


def disturbance_sentences(cells: pl.DataFrame, folder: Path) -> list[str]:
    """Return what disturbed the processes that measured these cells, and what to do about it.

    Parameters
    ----------
    cells : polars.DataFrame
    folder : Path
        Where they were read from: what the processes told is beside the result files.
    """
    return [
        sentence
        for origin, of_origin in provenances(cells, folder)
        for sentence in disturbance_texts.sentences(
            disturbances.ask(
                disturbances.processes_of(processes(of_origin, folder)),
                disturbances.Options(origin.cores),
            )
        )
    ]
