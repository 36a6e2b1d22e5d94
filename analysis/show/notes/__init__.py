"""What the kept results say, in Markdown beside them: FINDINGS.md and ACCOUNT.md, and their figures.

A page is a template here (findings.md.jinja, account.md.jinja). Its tables are generated, and each
number in a sentence is an expression over the product's answers. What a sentence says in words is chosen
by these, or guarded: `holds` raises where the results do not carry it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import polars as pl

from jitcost.questions import c_ratios, changes, claims
from jitcost.questions.account import SHOWN_SIZES
from jitcost.questions.groups import Origin, origin_groups
from jitcost.show.answers import c_ratios as c_ratio_answers
from jitcost.show.answers import changes as change_answers
from jitcost.show.answers import claims as claim_answers
from jitcost.show.notes import tallies, winners
from jitcost.show.notes.accounts import (
    Accounted,
    accounts,
    experiment_tables,
    newest_accounts,
)
from jitcost.show.notes.along import History
from jitcost.show.notes.figures import drawings
from jitcost.show.notes.noise import UnchangedPair, alarms, detection, unchanged_pair
from jitcost.show.notes.rendering import SentenceError, rendered
from jitcost.show.notes.sets import Machine, machines, sets_table
from jitcost.show.notes.short import in_short
from jitcost.stats.gate import MARGIN
from jitcost.stats.steps import FEWEST_RUNS, LEAST

__all__ = ["PAGES", "SentenceError", "pages"]


# The pages that there may be, by the names of their files.
PAGES = ("FINDINGS.md", "ACCOUNT.md")


def pages(cells: pl.DataFrame, folder: Path) -> dict[str, str]:
    """Return the text of each page by its file's name; of an account only where there is one.

    Parameters
    ----------
    cells : polars.DataFrame
        All that `jitcost.read` returns of the folder.
    folder : Path
        The kept results: what the processes told, where they were measured and the machine's noise
        are beside them.

    Raises
    ------
    SentenceError
        If a template says something that these results do not carry.
    """
    drawn = {name for name, _ in drawings(cells, folder)}
    found = accounts(cells, folder)
    account = _account_page(cells, found, drawn)
    findings = _findings_page(cells, folder, found, drawn, has_account=account is not None)
    texts = zip(PAGES, (findings, account), strict=True)
    return {name: text for name, text in texts if text is not None}


def _findings_page(
    cells: pl.DataFrame,
    folder: Path,
    accounted: Sequence[Accounted],
    drawn: Collection[str],
    *,
    has_account: bool,
) -> str:
    history, found = History.of(cells), machines(cells, folder)
    pairs = {one.name: unchanged_pair(folder, one.name) for one in found}
    full = [(one, _at(cells, one.full)) for one in found if one.full is not None]
    detected = detection(folder)
    return rendered(
        "findings.md.jinja",
        machines=found,
        sets=sets_table(cells, folder, [one.axis for one in history.every]),
        of_samples=_of_samples(cells),
        pairs=pairs,
        full=full,
        short=_in_short(found, pairs, full, history),
        several=len(found) > 1,
        tallies=tallies,
        winners=winners,
        history=history,
        changes=change_answers.tables(history.changes),
        no_changes=change_answers.nothing_text(history.changes, LEAST),
        fewest=FEWEST_RUNS,
        level=changes.FALSE_DISCOVERIES,
        margin=MARGIN,
        claims=claim_answers.tables(
            claims.most_measured(
                claims.ask(cells),
                cells,
                [one.full for one in found if one.full is not None],
                [one.row.of.origin for one in newest_accounts(accounted)],
            )
        ),
        detection=detected,
        alarms=alarms(detected),
        figures=drawn,
        has_account=has_account,
    )


def _account_page(
    cells: pl.DataFrame, accounted: Sequence[Accounted], drawn: Collection[str]
) -> str | None:
    """Return ACCOUNT.md; None where no variants are kept."""
    others = experiment_tables(cells)
    if not accounted and not others:
        return None
    return rendered(
        "account.md.jinja",
        accounts=accounted,
        shown_sizes=SHOWN_SIZES,
        experiments=others,
        floors=c_ratio_answers.tables(c_ratios.ask(cells)),
        figures=drawn,
    )


def _in_short(
    found: Sequence[Machine],
    pairs: Mapping[str, UnchangedPair | None],
    full: Sequence[tuple[Machine, pl.DataFrame]],
    history: History,
) -> list[tuple[str, str]]:
    """Return the lines of the machine that has the most results."""
    if not found:
        return []
    first = found[0]
    its = next((run for machine, run in full if machine == first), None)
    told = [row for row in history.changes if row.where.machine == first.name]
    return in_short(pairs[first.name], its, told)


def _at(cells: pl.DataFrame, origin: Origin) -> pl.DataFrame:
    """Return the cells of one origin."""
    return next(its for found, its in origin_groups(cells) if found == origin)


def _of_samples(cells: pl.DataFrame) -> tuple[int, int]:
    """Return how many times the processes are not known of, and of how many."""
    times = cells.filter(pl.col("kind").is_in(["SteadyState", "FirstCall", "Variants"]))
    values = times.filter(state="value")
    return int(values["processes"].null_count()), len(values)
