"""Which results are wanted, told before they are read: by what files are of, and benchmarks' names."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.store.asv_files import BROKEN, Head, ResultFile
from jitcost.store.heads import head
from jitcost.store.remarks import Remarks
from jitcost.store.selecting import require_environment, require_machine, the_commit

__all__ = ["EVERYTHING", "NEWEST", "Wanted"]

# Instead of a commit: the newest of each machine and environment. No hash begins so.
NEWEST = "newest"


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a results folder; None means all.

    Attributes
    ----------
    machine, environment : str, optional
        Their names.
    commit : str, optional
        A hash or the beginning of one, or `NEWEST`.
    benchmark : str, optional
        A regular expression that asv's names of the benchmarks are searched for.
    """

    machine: str | None = None
    commit: str | None = None
    environment: str | None = None
    benchmark: str | None = None

    def __post_init__(self) -> None:
        try:
            re.compile(self.benchmark or "")
        except re.error as error:
            said = f"{self.benchmark!r} is no regular expression of benchmarks: {error}"
            raise BadCallError(said) from None

    def files(self, paths: list[Path], remarks: Remarks) -> Iterator[list[list[Path]]]:
        """Yield groups of files by commit: of each group the first commit with any cells is wanted.

        Parameters
        ----------
        paths : list of Path
            All result files.
        remarks : Remarks
            Gets those that are broken.

        Raises
        ------
        BadCallError
            If none is of this machine, environment or commit, or several commits begin so.
        """
        if (self.machine, self.commit, self.environment) == (None, None, None):
            yield from ([[path]] for path in paths)
            return
        heads = self._of_place(dict(_heads(paths, remarks)))
        if self.commit == NEWEST:
            yield from map(_newest_first, _by_environment(heads))
            return
        if heads and self.commit is not None:
            commit = the_commit(self.commit, {one.commit for one in heads.values()})
            heads = {path: one for path, one in heads.items() if one.commit == commit}
        yield from ([[path]] for path in heads)

    def _of_place(self, heads: dict[Path, Head]) -> dict[Path, Head]:
        """Return the files of the machine and the environment."""
        if heads and self.machine is not None:
            require_machine(self.machine, {one.machine for one in heads.values()})
            heads = {path: one for path, one in heads.items() if one.machine == self.machine}
        if heads and self.environment is not None:
            require_environment(self.environment, {one.environment for one in heads.values()})
            heads = {
                path: one for path, one in heads.items() if one.environment == self.environment
            }
        return heads

    def benchmarks_of(self, file: ResultFile) -> ResultFile:
        """Return the file with the wanted benchmarks only."""
        if self.benchmark is None:
            return file
        pattern = re.compile(self.benchmark)
        where = [number for number, name in enumerate(file.benchmarks) if pattern.search(name)]
        return replace(
            file,
            benchmarks=[file.benchmarks[number] for number in where],
            columns={
                name: tuple(column[number] for number in where)
                for name, column in file.columns.items()
            },
        )


EVERYTHING = Wanted()


def _heads(paths: Iterable[Path], remarks: Remarks) -> Iterator[tuple[Path, Head]]:
    for path in paths:
        try:
            yield path, head(path)
        except BROKEN as error:
            remarks.file(path, error)


def _by_environment(heads: dict[Path, Head]) -> Iterator[dict[Path, Head]]:
    """Yield the files of each machine and environment."""
    found = defaultdict[tuple[str, ...], dict[Path, Head]](dict)
    for path, one in heads.items():
        found[one.machine, one.environment, json.dumps(one.env_vars)][path] = one
    yield from found.values()


def _newest_first(heads: dict[Path, Head]) -> list[list[Path]]:
    """Return the files of each commit, the newest commit first."""
    files = defaultdict[str, list[Path]](list)
    dates = defaultdict[str, int](int)
    for path, one in heads.items():
        files[one.commit].append(path)
        dates[one.commit] = max(dates[one.commit], one.date)
    newest_first = sorted(files, key=lambda commit: (dates[commit], commit), reverse=True)
    return [files[commit] for commit in newest_first]
