"""A page for a single workload: what it is, who wins where on each machine, its code, its history."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from jitcost import backends
from jitcost.backends.workloads import Workload
from jitcost.questions import agreement
from jitcost.questions.fullest import fullest
from jitcost.questions.groups import Origin
from jitcost.show.answers import agreement as agreement_answers
from jitcost.show.html import Draft, Link
from jitcost.show.kernel_sources import kernel_sources
from jitcost.show.report.past import Past
from jitcost.show.report.sections import Question, answers_of, samples_text
from jitcost.show.subjects import Subject
from jitcost.store.origins import Provenance, provenances

__all__ = ["Machine", "workload_draft"]

# The others repeat what these show, or what their tables say.
_DRAWN = ("compare", "breakeven")


@dataclass(frozen=True)
class Machine:
    """What one machine's results say of a workload.

    Attributes
    ----------
    id : str
    provenance : Provenance
    questions : list of Question
    agreement : list of str
        A sentence for each benchmark.
    samples : str
        What the numbers are statistics of.
    """

    id: str
    provenance: Provenance
    questions: list[Question]
    agreement: list[str]
    samples: str


def workload_draft(
    subject: Subject,
    checked: pl.DataFrame,
    past: Past,
    *,
    folder: Path | None = None,
    preferred: Sequence[Origin] = (),
    workloads: Sequence[Link] = (),
) -> Draft:
    """Return the page of a workload.

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
    workloads : sequence of Link
        The pages of all workloads in order, this one's among them.
    """
    current = [link.href == subject.file for link in workloads]
    after = (current.index(True) + 1) % len(current) if any(current) else 0
    return Draft(
        "workload.html",
        {
            "title": subject.title,
            "spec": subject.spec,
            "limits": _limits(subject.spec),
            "machines": list(_machines(subject, checked, preferred, folder)),
            "history": past.of_subject(subject),
            "kernels": kernel_sources(subject.name) if subject.spec else [],
            "workloads": [
                link._replace(current=its) for link, its in zip(workloads, current, strict=True)
            ],
            "following": workloads[after] if len(workloads) > 1 else None,
        },
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
        for provenance, of_origin in provenances(its, folder):
            yield Machine(
                name,
                provenance,
                list(answers_of(of_origin, name, _DRAWN)),
                agreement_answers.sentences(agreement.ask(of_origin)),
                samples_text(of_origin),
            )
