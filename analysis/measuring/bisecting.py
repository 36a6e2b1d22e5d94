"""Which release, or which commit, has changed a cell: each is measured in turns with the earlier end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from jitcost.errors import AsvError, NothingFoundError
from jitcost.measuring import bisect_state, halving, in_turns
from jitcost.measuring.at_work import at_work
from jitcost.measuring.bisect_state import Step
from jitcost.measuring.checking import FOLDERS, Wanted, both_installed, measured, one_installed
from jitcost.measuring.in_turns import CannotRunError, Looks
from jitcost.measuring.lock import alone
from jitcost.measuring.sides import Installed, Place, Side
from jitcost.measuring.suite import AsvSuite
from jitcost.stats import gate
from jitcost.stats.ratios import ratio

__all__ = ["Bisection", "bisect"]

# Processes of each side, and how often as many more are started while these cannot tell. To look three
# times is three chances to be wrong: each decides by an interval that holds more than 95 %.
PROCESSES, LOOKS = 10, 3
CONFIDENCE = 1 - 0.05 / LOOKS


@dataclass(frozen=True)
class Bisection:
    """What a bisection has found.

    Attributes
    ----------
    cell : Place
        The one that has changed most between the ends.
    benchmarks : mapping
        What asv knows of each.
    ends : Step
        The later end against the earlier one.
    steps : tuple of (Step, str)
        What was measured between them, against the earlier end, and what it is like: see `halving`.
    bracket : tuple of str
        The two between which the change is.
    between : tuple of str
        What stands between these two, and could not be told.
    neighbours : Step
        These two against one another.
    """

    cell: Place
    benchmarks: Mapping[str, Mapping[str, Any]]
    ends: Step
    steps: tuple[tuple[Step, halving.Place], ...]
    bracket: tuple[str, str]
    between: tuple[str, ...]
    neighbours: Step


def bisect(console: Console, suite: AsvSuite, sides: Sequence[Side], wanted: Wanted) -> Bisection:
    """Find the neighbours between which a cell has changed.

    What is found is kept at once: the same call goes on where one was interrupted.

    Parameters
    ----------
    console : rich.console.Console
        Where to say what happens.
    suite : AsvSuite
    sides : sequence of Side
        From the earlier end to the later one.
    wanted : Wanted
        Of these cells the one is taken that has changed most between the ends.

    Raises
    ------
    NothingFoundError
        If none has changed significantly.
    AsvError
        If an end cannot be installed.
    """
    with alone(suite.lock), at_work(suite):
        search = _Search(console, suite, sides, wanted)
        found = search.run()
        search.file.unlink(missing_ok=True)  # asked again, it is measured again
        return found


class _Search:
    def __init__(
        self, console: Console, suite: AsvSuite, sides: Sequence[Side], wanted: Wanted
    ) -> None:
        self.console, self.suite, self.sides, self.wanted = console, suite, sides, wanted
        self.file = bisect_state.file_of(suite, sides, wanted)
        self.found = bisect_state.read(self.file)
        if self.found.cell is not None:
            console.print(f"Going on with the search that {self.file} has kept", soft_wrap=True)

    def run(self) -> Bisection:
        with both_installed(self.console, self.suite, (self.sides[0], self.sides[-1])) as pair:
            cell, ends = self._ends(pair)
            half = math.sqrt(ratio(ends.later, ends.earlier).value)
            bracket = halving.halve(
                len(self.sides), lambda number: self._place(cell, pair[0], number, half)
            )
        before, after = self.sides[bracket.earlier], self.sides[bracket.later]
        return Bisection(
            cell,
            pair[1].benchmarks,
            ends,
            tuple((step, _place_of(step, half)) for step in self.found.steps.values()),
            (before.name, after.name),
            tuple(self.sides[number].name for number in sorted(bracket.between)),
            ends if len(self.sides) == 2 else self._neighbours(cell, before, after),
        )

    def _ends(self, pair: tuple[Installed, Installed]) -> tuple[Place, Step]:
        """Return the cell that has changed most, and how much.

        That it was chosen for having changed most makes its change too large; so it is measured anew.
        """
        found = self.found
        if found.cell is None:
            looks = measured(self.console, self.suite, pair, self.wanted).looks
            if not looks.finished:
                raise KeyboardInterrupt
            found.cell = _most_changed(looks, self.sides)
            self._keep()
        if found.ends is None:
            found.ends = Step(self.sides[-1].name)
            self._add(found.ends, found.cell, pair)
        self._say(found.ends, f"the whole change of {found.cell[0]}")
        return found.cell, found.ends

    def _place(self, cell: Place, earlier: Installed, number: int, half: float) -> halving.Place:
        """Return what one in the middle is like: on which side of half of the change it is."""
        name = self.sides[number].name
        step = self.found.steps.setdefault(name, Step(name))
        if _side_of(step, half) == "cannot tell":  # what could not be installed may be there now
            self._measure(step, cell, earlier, self.sides[number], half)
        found = _place_of(step, half)
        self._say(step, {"earlier": "before the change", "later": "after it"}.get(found, found))
        return found

    def _measure(
        self, step: Step, cell: Place, earlier: Installed, side: Side, half: float
    ) -> None:
        step.reason = None
        try:
            with one_installed(
                self.console, self.suite, side, FOLDERS[1], earlier.benchmarks
            ) as later:
                while len(step.later) < PROCESSES * LOOKS and _side_of(step, half) == "cannot tell":
                    self._add(step, cell, (earlier, later))
        except (AsvError, CannotRunError) as error:
            step.reason = str(error)
            self._keep()

    def _add(self, step: Step, cell: Place, pair: tuple[Installed, Installed]) -> None:
        """Measure some more processes of each side, and keep them."""
        with self.console.status(f"Measuring {step.name}"):
            earlier, later = in_turns.pair_of(
                cell, lambda side, place: pair[side].take(place), PROCESSES
            )
        step.earlier += earlier
        step.later += later
        self._keep()

    def _neighbours(self, cell: Place, before: Side, after: Side) -> Step:
        """Measure the two of the bracket against one another, as often as any is at most."""
        step = self.found.neighbours.setdefault(before.name, Step(after.name))
        step.reason = None
        if len(step.later) < PROCESSES * LOOKS:
            try:
                with both_installed(self.console, self.suite, (before, after)) as pair:
                    while len(step.later) < PROCESSES * LOOKS:
                        self._add(step, cell, pair)
            except CannotRunError as error:
                step.reason = str(error)
        return step

    def _say(self, step: Step, what: str) -> None:
        if step.reason:
            said = step.reason
        else:
            its = ratio(step.later, step.earlier)
            low, high = its.low or math.nan, its.high or math.nan
            said = f"{its.value:.3f} [{low:.3f}, {high:.3f}] of {self.sides[0].name}"
        self.console.print(f"{step.name}: {said}: {what}", highlight=False, soft_wrap=True)

    def _keep(self) -> None:
        bisect_state.keep(self.file, self.found)


def _most_changed(looks: Looks[Place], sides: Sequence[Side]) -> Place:
    """Return the cell that has changed most, by that end of its interval which is nearer to 1.

    Raises
    ------
    NothingFoundError
        If none has changed significantly, or that cannot be told.
    """
    changed: dict[Place, float] = {}
    for key, found in gate.confirmed_each_way(looks.fresh, looks.suspicious).items():
        low, high = found.ratio.low, found.ratio.high
        if found.verdict != "neither" and low is not None and high is not None:
            changed[key] = min(abs(math.log(low)), abs(math.log(high)))
    if changed:
        return max(changed, key=lambda key: changed[key])
    if untold := looks.suspicious.keys() - looks.fresh.keys():
        raise NothingFoundError(
            f"cannot tell: {len(untold)} of {len(looks.first)} cells look changed between "
            f"{sides[0].name} and {sides[-1].name}, and there was no time to measure them again; "
            "--time gives more"
        )
    raise NothingFoundError(
        f"none of {len(looks.first)} cells differs significantly between {sides[0].name} and "
        f"{sides[-1].name}: there is no change to look for"
    )


def _place_of(step: Step, half: float) -> halving.Place:
    """Return what a step is like; of one without a process there is nothing to tell."""
    return "not there" if step.reason else _side_of(step, half)


def _side_of(step: Step, half: float) -> halving.Place:
    """Return on which side of half of the change a step's interval lies wholly."""
    if not step.later:
        return "cannot tell"
    its = ratio(step.later, step.earlier, CONFIDENCE)
    if its.low is None or its.high is None or its.low <= half <= its.high:
        return "cannot tell"
    return "later" if (its.value > half) == (half > 1) else "earlier"
