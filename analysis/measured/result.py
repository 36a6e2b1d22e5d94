"""What was measured: the numbers, the answer to each question, and how it is printed and drawn."""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.files import write_atomically
from jitcost.measuring.entries import Entry, Outcome, State
from jitcost.measuring.own_lines import lines_of, notes_of

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from jitcost.questions import breakeven, compare, crossover, fit, plan
    from jitcost.questions.answers import Answer
    from jitcost.show.table import Table

__all__ = ["Measured", "measured"]


@dataclass(frozen=True, repr=False, eq=False)
class Measured:
    """What was measured.

    Attributes
    ----------
    cells : polars.DataFrame
        As `jitcost.read` returns them: of this state of the functions, earlier processes included.
    folder : Path
        The results folder, in asv's format.
    outcome : Outcome
        What was seen while it was measured: failures, remarks, what did not fit into the time.
    """

    cells: pl.DataFrame
    folder: Path
    outcome: Outcome

    def compare(self, baseline: str | None = None) -> Answer[compare.Row]:
        """Return which backend wins where."""
        from jitcost.questions import compare

        return compare.ask(self.cells, compare.Options(baseline))

    def fit(self) -> Answer[fit.Row]:
        """Return what a call and an element cost, and how the time grows with n."""
        from jitcost.questions import fit

        return fit.ask(self.cells)

    def breakeven(self, baseline: str | None = None) -> Answer[breakeven.Row]:
        """Return after how many calls compiling has paid."""
        from jitcost.questions import breakeven

        return breakeven.ask(self.cells, breakeven.Options(baseline))

    def crossover(self, baseline: str | None = None) -> Answer[crossover.Row]:
        """Return at which n another backend becomes the faster one."""
        from jitcost.questions import crossover

        return crossover.ask(self.cells, crossover.Options(baseline))

    def plan(self, n: int, calls: int, problem: str | None = None) -> Answer[plan.Row]:
        """Return which backend to take for so many calls at a size.

        Raises
        ------
        BadCallError
            If there are several problems, and none is named.
        """
        from jitcost.questions import plan

        there = self.cells["workload"].unique(maintain_order=True).to_list()
        if problem is None and len(there) > 1:
            raise BadCallError(f"say which problem; there are {', '.join(there)}")
        return plan.ask(self.cells, plan.Options(problem or there[0], n, calls))

    def plot(self) -> Figure:
        """Draw the time per call over n."""
        from jitcost.show.figures.layout import figure
        from jitcost.show.figures.questions import compare as drawn

        drawing = drawn(self.compare())
        return figure(drawing.panels, drawing.caption)

    def draw(self, path: Path) -> None:
        """Draw it into a file, whose ending says in which format.

        Raises
        ------
        BadCallError
            If the file cannot be written, or nothing draws such files.
        """
        from jitcost.show.figures.layout import save

        try:
            save(self.plot(), path)
        except (OSError, ValueError) as error:
            raise BadCallError(f"cannot draw {path}: {' '.join(str(error).split())}") from None

    def page(self) -> str:
        """Return the report on it: one HTML page that loads nothing."""
        from jitcost.show.report import page

        return page(self.cells, self.folder)

    def save(self, folder: str | Path = ".jitcost") -> Path:
        """Keep the results, so that `jitcost compare` and the others answer from them in this folder.

        Returns
        -------
        Path
            The results folder, in asv's format.
        """
        from jitcost.store.benchmark_files import load_benchmarks

        target = Path(folder) / "results"
        if target.resolve() == self.folder.resolve():  # of a file: it is kept already
            return target
        name = "benchmarks.json"
        known = load_benchmarks(target / name) | load_benchmarks(self.folder / name)
        shutil.copytree(
            self.folder, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(name)
        )
        write_atomically(target / name, json.dumps({**known, "version": 2}, indent=1))
        return target

    def to_polars(self) -> pl.DataFrame:
        """Return the cells, a row each."""
        return self.cells

    def objects(self) -> dict[str, Any]:
        """Return all answers as strict JSON can hold them."""
        return {
            "compare": self.compare().objects(),
            "fit": self.fit().objects(),
            "breakeven": self.breakeven().objects(),
            "crossover": self.crossover().objects(),
            **notes_of(self.outcome),
        }

    def parts(self) -> Iterator[Table | str]:
        """Yield the tables, and lines of text between them: what is printed."""
        from jitcost.show.summary import summary_of_own

        yield from summary_of_own(self.cells, self.folder)
        yield from lines_of(self.outcome)

    def __repr__(self) -> str:
        from jitcost.show.terminal import as_text

        return as_text(self.parts())

    def _repr_html_(self) -> str:
        from jitcost.show.html import fragment

        return fragment(self.parts())


def measured(
    outcome: Outcome,
    entries: Sequence[Entry],
    state: State,
    machine: str,
    folder: Path | None = None,
) -> Measured:
    """Return what was measured, from a results folder that keeps it.

    Parameters
    ----------
    outcome : Outcome
    entries : sequence of Entry
    state : State
    machine : str
        The name to keep it under.
    folder : Path, optional
        The results folder; by default one that is gone with what is returned.

    Raises
    ------
    NothingFoundError
        If nothing was measured.
    """
    # What takes a second to import comes after the measurement: the first table does not wait for it.
    from jitcost.measuring.own_results import save
    from jitcost.store.reading import read

    if not any(outcome.cells.values()):
        raise NothingFoundError("; ".join(["nothing could be measured", *lines_of(outcome)]))
    temporary = None
    if folder is None:
        temporary = tempfile.mkdtemp(prefix="jitcost-")
        folder = Path(temporary)
    path = save(folder, outcome, entries, state, machine)
    found = Measured(read(path), folder, outcome)
    if temporary is not None:
        weakref.finalize(found, shutil.rmtree, temporary, ignore_errors=True)
    return found
