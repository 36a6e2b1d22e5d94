"""What a backfill measures: environments of one release or source each, or commits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from packaging.version import InvalidVersion, Version
from rich.console import Console
from rich.markup import escape

from jitcost.errors import BadCallError
from jitcost.measuring import pip
from jitcost.measuring.installing import Source
from jitcost.measuring.missing import Cells
from jitcost.store.releases import LATEST, Row, Table

__all__ = ["Target", "installable_targets", "narrowed", "rows_of", "targets_of_rows"]

Sources = dict[str, Source]  # by library


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
    sources : dict
        Where some of these come from, by library; the others are releases.
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
    sources: Sources = field(default_factory=dict)
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
    asked: Sequence[Row | str],
    table: Table,
    default: Mapping[str, str],
    commit: str,
    get: Callable[[Sequence[str]], Sources],
) -> list[Target]:
    """Return the targets of what can be had; print why not the others.

    Parameters
    ----------
    console : rich.console.Console
    asked : sequence of Row or str
        Rows of the table; or what one library is to come from.
    table : Table
    default : mapping
        The versions of the default environment.
    commit : str
    get : callable
        `jitcost.measuring.sources.resolved`, which knows all but the texts.

    Raises
    ------
    BadCallError
        If there is no index to ask; or if none of them can be had.
    """
    environments: list[tuple[Row, dict[str, str], Sources]] = []
    left_out: list[tuple[Row | str, Exception]] = []
    with console.status("Asking pip which releases can be installed"):
        for one in asked:
            try:
                row, sources = _resolved_row(one, table, get)
                environments.append((row, pip.installable(row, default, sources), sources))
            except (pip.ImpossibleError, BadCallError) as error:
                left_out.append((one, error))
    no_index = [why for _, why in left_out if isinstance(why, pip.NoIndexError)]
    if no_index and len(no_index) == len(asked):  # the default environment is not worth a run
        raise BadCallError(str(no_index[0]))
    said = [str(why) if isinstance(why, BadCallError) else f"{one}: {why}" for one, why in left_out]
    if said and not environments and all(isinstance(one, str) for one in asked):
        raise BadCallError("; ".join(said))
    for line in said:
        console.print(f"[yellow]left out[/] {escape(line)}", soft_wrap=True)
    pairs = [(row, versions) for row, versions, _ in environments]
    targets = targets_of_rows(pairs, table.backends, default, commit)
    for target in targets:
        for _, versions, sources in environments:
            if versions == target.requirements:
                target.sources |= sources
    return targets


def _resolved_row(
    asked: Row | str, table: Table, get: Callable[[Sequence[str]], Sources]
) -> tuple[Row, Sources]:
    """Return a row that has versions alone, and the sources that some of them stand for."""
    if isinstance(asked, str):
        sources = get([asked])
        library, source = next(iter(sources.items()))
        if library not in table.backends:
            known = ", ".join(table.backends)
            raise BadCallError(f"{asked}: the history is of {known}, and not of {library}")
        return Row(library, {library: source.version}), sources
    texts = {name: text for name, v in asked.versions.items() if (text := _text_of(name, v))}
    sources = get([*texts.values()])
    for name, text in texts.items():
        if name not in sources:
            raise BadCallError(f"{text} is not {name}, which history.toml has it for")
    versions = {
        name: sources[name].version if name in sources else v for name, v in asked.versions.items()
    }
    return Row(asked.library, versions), sources


def _text_of(name: str, version: str) -> str | None:
    """Return what to ask for where a table's version is none that asv can install by itself."""
    if version == LATEST:
        return None
    try:
        Version(version)
    except InvalidVersion:  # a URL, a path, a range
        return version
    pinned = f"{name}=={version}"
    return None if Source(name, version, pinned, pinned).is_release else pinned


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
