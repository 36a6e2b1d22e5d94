"""What has changed over releases and commits: asked once, for all pages that show some of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from jitcost.questions import changes, history
from jitcost.questions.answers import Answer
from jitcost.show.answers import changes as changes_answers
from jitcost.show.answers import history as history_answers
from jitcost.show.answers.marks import Marks
from jitcost.show.figures.history import TITLE
from jitcost.show.figures.history import history as history_figure
from jitcost.show.report.sections import Question
from jitcost.show.subjects import Subject

__all__ = ["Past"]

_ID = "history"


@dataclass(frozen=True)
class Past:
    """The series of all workloads over releases and commits, and their steps.

    Attributes
    ----------
    series : Answer of jitcost.questions.history.Row
    steps : Changes
    """

    series: Answer[history.Row]
    steps: changes.Changes

    @classmethod
    def of(cls, everything: pl.DataFrame) -> Past:
        """Ask it of all cells that there are, of any commits."""
        return cls(history.ask(everything), changes.ask(everything))

    def whole(self) -> Question | None:
        """Return every series, in tables and figures; None where there is none."""
        return self._question(self.series.rows, self.series.rows)

    def steps_alone(self) -> Question | None:
        """Return the tables of the steps, whose series stand elsewhere; None where there is none."""
        tables = changes_answers.tables(self.steps)
        return Question(_ID, TITLE, tables, caption="", figures=()) if tables else None

    def of_subject(self, subject: Subject) -> Question | None:
        """Return one workload's tables, and the figures of what has a step; None without series."""
        rows = [row for row in self.series if subject.has(row)]
        marked = Marks(self.steps)
        stepped = {
            _panel(row) for row in rows if any(marked.at(row, point) for point in row.points)
        }
        return self._question(rows, [row for row in rows if _panel(row) in stepped])

    def _question(
        self, rows: Sequence[history.Row], drawn: Sequence[history.Row]
    ) -> Question | None:
        if not rows:
            return None
        tables = history_answers.tables(Answer(tuple(rows)), self.steps)
        return Question.of(_ID, history_figure(Answer(tuple(drawn)), self.steps), tables)


def _panel(row: history.Row) -> str:
    """Return which panel of the figure a series is in."""
    return repr((row.over, row.where, row.quantity, row.n))
