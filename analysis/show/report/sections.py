"""What a page shows of one origin: the answers to all questions, as tables and figures."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl
from markupsafe import Markup

from jitcost.questions import account as accounting
from jitcost.questions import agreement, claims, known_times, times
from jitcost.questions import breakeven as paying
from jitcost.questions import compare as comparing
from jitcost.questions import crossover as crossing
from jitcost.questions import fit as fitting
from jitcost.questions import predict as predicting
from jitcost.questions.answers import Answer
from jitcost.questions.groups import origin_of
from jitcost.show import figures
from jitcost.show.answers import account as account_answers
from jitcost.show.answers import agreement as agreement_answers
from jitcost.show.answers import breakeven, compare, crossover, fit, predict
from jitcost.show.answers import claims as claims_answers
from jitcost.show.figures.article import KINDS
from jitcost.show.figures.layout import Drawing, figure
from jitcost.show.report.planner import planner_data, script_json, start
from jitcost.show.report.svg import inline
from jitcost.show.table import Table
from jitcost.store.origins import Provenance

__all__ = ["AccountSection", "Planner", "Question", "Section", "account_section", "answers_of"]
__all__ += ["samples_text", "section"]


@dataclass(frozen=True)
class Question:
    """One question's heading, tables and figures.

    Attributes
    ----------
    id : str
        Unique on the page.
    heading : str
    tables : sequence of Table
    caption : str
        Of the figures.
    figures : sequence of Markup
        As `svg` elements.
    """

    id: str
    heading: str
    tables: Sequence[Table]
    caption: str
    figures: Sequence[Markup]

    @classmethod
    def of(cls, name: str, drawing: Drawing, tables: Iterable[Table]) -> Question:
        """Draw the panels, and put them beside the tables."""
        drawn = [
            inline(figure([panel]), panel.title, f"{name}-{number}")
            for number, panel in enumerate(drawing.panels, 1)
        ]
        return cls(name, drawing.title, list(tables), drawing.caption, drawn)


@dataclass(frozen=True)
class Planner:
    """What the planner on the page computes with, and what it shows first."""

    data: Markup
    start: dict[str, int]


@dataclass(frozen=True)
class Section:
    """One origin's part of the report.

    Attributes
    ----------
    id : str
    provenance : Provenance
    questions : list of Question
        Those that have a table or a figure.
    agreement : list of str
        A sentence for each workload.
    claims : list of Table
    planner : Planner or None
    samples : str
        What the numbers are statistics of.
    """

    id: str
    provenance: Provenance
    questions: list[Question]
    agreement: list[str]
    claims: list[Table]
    planner: Planner | None
    samples: str


@dataclass(frozen=True)
class AccountSection:
    """One origin's part of the account's own page.

    Attributes
    ----------
    id : str
    provenance : Provenance
    sentences : list of str
    questions : list of Question
    samples : str
    """

    id: str
    provenance: Provenance
    sentences: list[str]
    questions: list[Question]
    samples: str


def section(
    provenance: Provenance, cells: pl.DataFrame, name: str, *, whole: bool = True
) -> Section | None:
    """Return what is shown of one origin; None where there is nothing to say.

    Parameters
    ----------
    provenance : Provenance
    cells : polars.DataFrame
        Of this origin alone.
    name : str
        Begins the identifiers of all parts.
    whole : bool
        Whether it holds what pages of a site have for themselves, too: each workload, the account.
    """
    questions = list(_article(cells, name))
    agreed: list[str] = []
    if whole:
        questions += [*answers_of(cells, name), *_of_account(_accounts(provenance, cells), name)]
        agreed = agreement_answers.sentences(agreement.ask(cells))
    judged = claims.ask(cells)
    if all(row.verdict == "not measured" for row in judged):
        judged = Answer(())
    data = planner_data(known_times.ask(cells))
    if not questions and not judged and not data:
        return None
    return Section(
        name,
        provenance,
        questions,
        agreed,
        claims_answers.tables(judged) if judged else [],
        Planner(script_json(data), start(data)) if data else None,
        samples_text(cells),
    )


def samples_text(cells: pl.DataFrame) -> str:
    """Return what the times of an origin are statistics of."""
    if cells["processes"].is_not_null().any():
        return "recorded by process: a time is the median of the processes' fastest samples"
    if cells["samples"].is_not_null().any():
        return (
            "recorded, but not by process: a time is the median of all, its interval one of samples"
        )
    return "not recorded: a time is asv's median of all, its interval one of samples"


def account_section(
    provenance: Provenance, cells: pl.DataFrame, name: str
) -> AccountSection | None:
    """Return what the account's own page shows of one origin; None where it has no variants."""
    answer = _accounts(provenance, cells)
    if not answer:
        return None
    return AccountSection(
        name,
        provenance,
        [text for row in answer for text in account_answers.sentences(row)],
        list(_of_account(answer, name)),
        "recorded: an interval is one over the processes"
        if cells.filter(kind="Variants")["samples"].is_not_null().any()
        else "not recorded: the intervals are asv's, and too narrow",
    )


def _article(cells: pl.DataFrame, name: str) -> Iterator[Question]:
    drawing = figures.article(times.ask(cells, times.Options(KINDS)))
    if drawing.panels:
        yield Question.of(f"{name}-article", drawing, [])


def answers_of(
    cells: pl.DataFrame, name: str, drawn: Container[str] | None = None
) -> Iterator[Question]:
    """Yield the questions about the workloads of one origin that have an answer.

    Parameters
    ----------
    cells : polars.DataFrame
        Of this origin alone.
    name : str
        Begins the identifiers of all parts.
    drawn : container of str, optional
        Which of them have their figures; without it, all.
    """
    compared, fitted = comparing.ask(cells), fitting.ask(cells)
    paid, crossed, predicted = paying.ask(cells), crossing.ask(cells), predicting.ask(cells)
    measured = times.ask(cells)
    shown: list[tuple[str, Drawing, list[Table]]] = [
        ("compare", figures.compare(compared), compare.tables(compared)),
        ("fit", figures.fit(fitted, measured), fit.tables(fitting.over_sizes(fitted))),
        ("breakeven", figures.breakeven(paid), breakeven.tables(paid)),
        ("crossover", figures.crossover(crossed, compared), crossover.tables(crossed)),
        ("predict", figures.predict(predicted), predict.tables(predicted)),
    ]
    for key, drawing, tables in shown:
        its = drawing if drawn is None or key in drawn else replace(drawing, panels=[])
        if tables or its.panels:
            yield Question.of(f"{name}-{key}", its, tables)


def _accounts(provenance: Provenance, cells: pl.DataFrame) -> Answer[accounting.Row]:
    caches = ((origin_of(cells.row(0, named=True)), provenance.caches),)
    return accounting.ask(cells, accounting.Options(caches=caches))


def _of_account(answer: Answer[accounting.Row], name: str) -> Iterator[Question]:
    made = [account_answers.grouped(row, answer) for row in answer]
    drawings = {
        "waterfall": figures.waterfall(answer),
        "account": figures.account(answer),
        "bends": Drawing("Why the curves bend", [], ""),
    }
    for key, drawing in drawings.items():
        tables = [table for groups in made for table in groups[key]]
        if tables or drawing.panels:
            yield Question.of(f"{name}-{key}", drawing, tables)
