"""A page for a single workload: what it is, who wins where on each machine, its code, its history."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from jitcost import backends
from jitcost.backends.workloads import Workload
from jitcost.questions import agreement, changes, history
from jitcost.questions.answers import Answer
from jitcost.questions.fullest import fullest
from jitcost.questions.groups import Origin
from jitcost.show.answers import agreement as agreement_answers
from jitcost.show.answers import history as history_answers
from jitcost.show.answers.marks import Marks
from jitcost.show.figures.history import history as history_figure
from jitcost.show.html import Link, rendered
from jitcost.show.kernel_sources import kernel_sources
from jitcost.show.report.sections import Question, answers_of, samples_text
from jitcost.show.subjects import Subject
from jitcost.store.origins import Provenance, provenances

__all__ = ["Machine", "Past", "past_of", "workload_page"]

# The others repeat what these show, or what their tables say.
_DRAWN = ("compare", "breakeven")


@dataclass(frozen=True)
class Machine:
    """What one machine's results say of a workload.

    Attributes
    ----------
    id : str
    origin : Provenance
    questions : list of Question
    agreement : list of str
        A sentence for each benchmark.
    samples : str
        What the numbers are statistics of.
    """

    id: str
    origin: Provenance
    questions: list[Question]
    agreement: list[str]
    samples: str


@dataclass(frozen=True)
class Past:
    """The series of all workloads over releases and commits, and their steps."""

    answer: Answer[history.Row]
    steps: changes.Changes

    def question(self, subject: Subject) -> Question | None:
        """Return one workload's tables, and the figures of what has a step; None without series."""
        rows = [row for row in self.answer if subject.has(row)]
        if not rows:
            return None
        marked = Marks(self.steps)
        stepped = {
            _panel(row) for row in rows if any(marked.at(row, point) for point in row.points)
        }
        drawn = Answer(tuple(row for row in rows if _panel(row) in stepped))
        tables = history_answers.tables(Answer(tuple(rows)), self.steps)
        return Question.of("history", history_figure(drawn, self.steps), tables)


def past_of(everything: pl.DataFrame) -> Past:
    """Return the series of all that was measured, which every workload's page has its own of."""
    return Past(history.ask(everything), changes.ask(everything))


def _panel(row: history.Row) -> str:
    """Return which panel of the figure a series is in."""
    return repr((row.over, row.where, row.quantity, row.n))


def workload_page(
    subject: Subject,
    checked: pl.DataFrame,
    past: Past,
    *,
    folder: Path | None = None,
    preferred: Sequence[Origin] = (),
    links: Sequence[Link] = (),
    workloads: Sequence[Link] = (),
) -> str:
    """Return the page.

    Parameters
    ----------
    subject : Subject
    checked : polars.DataFrame
        Cells of every machine, with the agreement of results (`with_agreement`); of releases the base.
    past : Past
    folder : Path, optional
        Where they were read from, for what is recorded beside the result files.
    preferred : sequence of Origin
        Of each machine the one to show where it has the workload.
    links, workloads : sequence of Link
        The pages of the site, and those of all workloads in order, this one's among them.

    Returns
    -------
    str
        HTML that loads nothing.
    """
    current = [link.href == subject.file for link in workloads]
    after = (current.index(True) + 1) % len(current) if any(current) else 0
    return rendered(
        "workload.html",
        title=subject.title,
        spec=subject.spec,
        limits=_limits(subject.spec),
        machines=list(_machines(subject, checked, preferred, folder)),
        history=past.question(subject),
        kernels=kernel_sources(subject.name) if subject.spec else [],
        links=links,
        workloads=[
            link._replace(current=its) for link, its in zip(workloads, current, strict=True)
        ],
        following=workloads[after] if len(workloads) > 1 else None,
    )


def _limits(spec: Workload | None) -> list[str]:
    """Return why backends stop before the largest size, or have no kernel at all."""
    if spec is None:
        return []
    return [
        str(spec.why_not(name, limit.largest + 1))
        for name in backends.names()
        if (limit := spec.limit_of(name)) is not None and limit.largest < sys.maxsize
    ]


def _machines(
    subject: Subject, cells: pl.DataFrame, preferred: Sequence[Origin], folder: Path | None
) -> Iterator[Machine]:
    for number, (_, its) in enumerate(fullest(subject.cells(cells), preferred), 1):
        name = f"machine-{number}"
        for origin, of_origin in provenances(its, folder):
            yield Machine(
                name,
                origin,
                list(answers_of(of_origin, name, _DRAWN)),
                agreement_answers.sentences(agreement.ask(of_origin)),
                samples_text(of_origin),
            )
