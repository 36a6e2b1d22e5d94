"""What a backfill measures: environments of one release each, or commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape

from jitcost.errors import BadCallError
from jitcost.measuring import pip
from jitcost.measuring.missing import Cells
from jitcost.store.releases import LATEST, Row, Table

__all__ = ["Target", "installable_targets", "narrowed", "rows_of", "targets_of_rows"]


@dataclass
class Target:
    """One environment at one commit.

    Attributes
    ----------
    name : str
        What a person calls it.
    requirements : dict
        The versions of its environment.
    commit : str
    backends : list of str
        Those that are measured, besides the baselines of those that compile.
    rounds : list of dict
        The cells that are still to be measured, for each round: in the r-th those of fewer than r
        processes.
    reasons : list of str
        Why some cannot be.
    """

    name: str
    requirements: dict[str, str]
    commit: str
    backends: list[str]
    rounds: list[Cells] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    @property
    def lacking(self) -> Cells:
        """The cells that are still to be measured: those of the last round."""
        return self.rounds[-1] if self.rounds else {}


def rows_of(table: Table, libraries: Sequence[str] | None) -> list[Row]:
    """Return the rows that vary these libraries; None means all.

    Raises
    ------
    BadCallError
        If the table has no releases of one of them.
    """
    for name in libraries or ():
        if name not in table.backends:
            known = ", ".join(table.backends)
            raise BadCallError(f"no releases of {name!r} in history.toml; there are {known}")
    return [row for row in table.rows if row.library in (libraries or table.backends)]


def installable_targets(
    console: Console,
    rows: Sequence[Row],
    table: Table,
    default: Mapping[str, str],
    commit: str,
) -> list[Target]:
    """Return the targets of the rows that can be had; print why not the others."""
    environments, left_out = [], []
    with console.status("Asking pip which releases can be installed"):
        for row in rows:
            try:
                environments.append((row, pip.installable(row, default)))
            except pip.ImpossibleError as error:
                left_out.append((row, error))
    no_index = [why for _, why in left_out if isinstance(why, pip.NoIndexError)]
    if no_index and len(no_index) == len(rows):  # the default environment is not worth a run
        raise BadCallError(str(no_index[0]))
    for row, why in left_out:
        console.print(f"[yellow]left out[/] {row}: {escape(str(why))}", soft_wrap=True)
    return targets_of_rows(environments, table.backends, default, commit)


def targets_of_rows(
    environments: Sequence[tuple[Row, dict[str, str]]],
    backends: Mapping[str, Sequence[str]],
    default: Mapping[str, str],
    commit: str,
) -> list[Target]:
    """Return a target for each different environment, the default one first.

    Parameters
    ----------
    environments : sequence
        Rows with the versions that they come to.
    backends : mapping
        Which backends are measured for each library.
    default : mapping
        The versions of the default environment, which is a release of every library.
    commit : str
    """
    targets = [Target("default", dict(default), commit, [])]
    for row, requirements in environments:
        release = requirements[row.library]
        name = f"{row.library} {row.release.replace(LATEST, release)}"
        target = next((one for one in targets if one.requirements == requirements), None)
        if target is None:
            target = Target(name, requirements, commit, [])
            targets.append(target)
        for one in (target, targets[0]):
            one.backends += [name for name in backends[row.library] if name not in one.backends]
    return targets


def narrowed(targets: Sequence[Target], backends: Sequence[str]) -> None:
    """Leave these backends only to be measured; `BadCallError` if none of them would be."""
    for target in targets:
        target.backends = [name for name in target.backends if name in backends]
    if not any(target.backends for target in targets):
        raise BadCallError(f"none of these releases is measured on {', '.join(backends)}")
