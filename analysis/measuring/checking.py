"""Measure two sides of a suite in turns: two commits, two versions of a library, or two environments."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from asv import util
from rich.console import Console
from rich.status import Status

from jitcost.errors import AsvError, BadCallError
from jitcost.measuring import in_turns
from jitcost.measuring.at_work import at_work
from jitcost.measuring.in_turns import Looks, Process
from jitcost.measuring.lock import alone
from jitcost.measuring.priorities import of_any_suite, of_backends, ordered
from jitcost.measuring.provenance import described_in
from jitcost.measuring.selection import Selection
from jitcost.measuring.side_environments import alike, install, remove
from jitcost.measuring.sides import Installed, Place, Side, last_line
from jitcost.measuring.suite import AsvSuite
from jitcost.measuring.touched import of_versions, touched

__all__ = ["FOLDERS", "Measured", "Wanted", "both_installed", "check", "measured", "one_installed"]

# Where each side's environment is: names of one length, for the processes' surroundings to be alike.
FOLDERS = ("earlier", "later__")


@dataclass(frozen=True)
class Wanted:
    """What of a suite is to be measured.

    Attributes
    ----------
    benchmark : str or None
        A regular expression, for asv's names of benchmarks and cells.
    selection : Selection
        Of workloads, backends and sizes, in a suite that has such.
    seconds : float
        That it may take, besides the making of environments.
    """

    benchmark: str | None = None
    selection: Selection = field(default_factory=lambda: Selection(full=True))
    seconds: float = 600.0


@dataclass(frozen=True)
class Measured:
    """What was measured.

    Attributes
    ----------
    looks : Looks of Place
    benchmarks : mapping
        What asv knows of each.
    distributions : tuple of mapping
        What was installed on each side.
    single_calls : frozenset of Place
        The cells of which a sample is one short call, with asv's own cost in it.
    """

    looks: Looks[Place]
    benchmarks: Mapping[str, Mapping[str, Any]]
    distributions: tuple[Mapping[str, str], Mapping[str, str]]
    single_calls: frozenset[Place]


def check(console: Console, suite: AsvSuite, sides: tuple[Side, Side], wanted: Wanted) -> Measured:
    """Make both environments, and measure in turns what fits into the time.

    Parameters
    ----------
    console : rich.console.Console
        Where to say what happens.
    suite : AsvSuite
    sides : tuple of Side
        The earlier and the later.
    wanted : Wanted

    Raises
    ------
    BadCallError
        If nothing is wanted that there is.
    AsvError
        If an environment cannot be made.
    """
    with (
        alone(suite.lock),
        at_work(suite),
        both_installed(console, suite, sides) as installed,
    ):
        return measured(console, suite, installed, wanted)


def measured(
    console: Console, suite: AsvSuite, installed: tuple[Installed, Installed], wanted: Wanted
) -> Measured:
    """Measure two installed sides in turns, as many of the wanted cells as fit into the time."""
    cells = _cells(console, suite, installed, wanted)

    def take(side: in_turns.Side, place: Place) -> Process:
        return installed[side].take(place)

    with console.status("Measuring both sides in turns") as status:
        looks = in_turns.look(cells, take, wanted.seconds, _Lines(console, status))
    earlier, later = installed
    return Measured(
        looks,
        later.benchmarks,
        (earlier.distributions, later.distributions),
        earlier.single_calls | later.single_calls,
    )


class _Lines:
    """How far it is, in lines, and at a terminal in one that changes."""

    def __init__(self, console: Console, status: Status) -> None:
        self.console, self.status = console, status
        self.done, self.planned, self.what = 0, 0, "cell by cell"

    def chosen(self, cells: int, of: int, seconds: float) -> None:
        fitting = f"{cells} of {of} cells fit" if cells < of else f"{cells} cells"
        self._begin(
            f"{fitting}: {in_turns.FIRST} processes a side, about {_minutes(seconds)}",
            2 * cells * (in_turns.FIRST - 1),
        )

    def again(self, cells: int, processes: int, seconds: float) -> None:
        self._begin(
            f"{cells} look suspicious: {processes} fresh processes a side decide, about "
            f"{_minutes(seconds)}",
            2 * cells * processes,
        )

    def took(self, processes: int) -> None:
        self.done += processes
        of = f" of {self.planned}" if self.planned else ""
        self.status.update(f"{self.what}: {self.done}{of} processes")

    def _begin(self, what: str, planned: int) -> None:
        self.console.print(what, highlight=False, soft_wrap=True)
        self.what, self.done, self.planned = what.partition(":")[0], 0, planned


def _minutes(seconds: float) -> str:
    return f"{math.ceil(seconds)} s" if seconds < 90 else f"{math.ceil(seconds / 60)} min"


@contextlib.contextmanager
def both_installed(
    console: Console, suite: AsvSuite, sides: tuple[Side, Side]
) -> Iterator[tuple[Installed, Installed]]:
    """Make both environments, the later one first: the benchmarks are its.

    Environments of one description that were made at different times may hold different versions of
    what nobody has pinned, asv's runner for one: then both are made anew.
    """
    with contextlib.ExitStack() as stack:
        earlier, later = _both(console, suite, sides, stack)
        one_kind = sides[0].requirements == sides[1].requirements
        if one_kind and not alike(suite, earlier, later):
            console.print("They hold different versions of something else: making both anew")
            for folder in FOLDERS:
                remove(suite, folder)
            earlier, later = _both(console, suite, sides, stack)
        yield earlier, later


def _both(
    console: Console, suite: AsvSuite, sides: tuple[Side, Side], stack: contextlib.ExitStack
) -> tuple[Installed, Installed]:
    later = stack.enter_context(one_installed(console, suite, sides[1], FOLDERS[1]))
    instead = later.benchmarks
    earlier = stack.enter_context(one_installed(console, suite, sides[0], FOLDERS[0], instead))
    return earlier, later


@contextlib.contextmanager
def one_installed(
    console: Console,
    suite: AsvSuite,
    side: Side,
    folder: str,
    benchmarks: Mapping[str, dict[str, Any]] | None = None,
) -> Iterator[Installed]:
    """Make one environment; see `jitcost.measuring.side_environments.install`."""
    console.print(f"Installing {side.name}", highlight=False, soft_wrap=True)
    with console.status("Installing"):
        installed = install(suite, side, folder, benchmarks)
    try:
        yield installed
    finally:
        installed.close()


def _cells(
    console: Console,
    suite: AsvSuite,
    installed: tuple[Installed, Installed],
    wanted: Wanted,
) -> list[Place]:
    """Return the cells that are wanted, in the order of their importance."""
    discovered = installed[1].benchmarks
    matching = of_any_suite(discovered, wanted.benchmark)
    if not (suite.has_backends or suite.own):
        return ordered(matching)
    unavailable = {name for one in installed for name in _unavailable(one)}
    selected = of_backends(discovered, wanted.selection, unavailable)
    among = {place for _, place in matching}
    cells = [(series, place) for series, place in selected if place in among]
    if not cells:
        raise BadCallError("no benchmark has all of these workloads, backends and sizes")
    earlier, later = installed
    changed = of_versions(earlier.distributions, later.distributions)
    if suite.has_backends:
        changed |= touched(suite.root, earlier.side.commit, later.side.commit)
    if changed:
        named = sorted(f"{workload or 'all'} on {backend}" for workload, backend in changed)
        console.print(f"What has changed is measured first: {', '.join(named)}", highlight=False)
    return ordered(cells, changed)


def _unavailable(installed: Installed) -> Iterator[str]:
    """Yield the backends that cannot be had on a side."""
    try:
        described = described_in(installed.run)
    except util.ProcessError as error:
        said = last_line(error.stderr or str(error))
        raise AsvError(f"{installed.side.name} has no backends that can be asked: {said}") from None
    yield from (name for name, about in described["backends"].items() if not about["available"])
