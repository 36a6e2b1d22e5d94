"""Which result files are asked to be kept, and which of them cannot be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.store import asv_files
from jitcost.store.checking import checked
from jitcost.store.heads import machine_of
from jitcost.store.selecting import require_commit, require_machine

__all__ = ["Candidate", "Candidates", "candidates"]

Candidate = tuple[Path, asv_files.ResultFile]


@dataclass(frozen=True)
class Candidates:
    """Result files that are asked to be kept.

    Attributes
    ----------
    files : list of Candidate
        Those that can be.
    undrawn : list of Candidate
        Those of commits that asv would not draw.
    broken : list of (Path, Exception)
        Those that cannot be read, or are of asv's old format; of any machine.
    """

    files: list[Candidate]
    undrawn: list[Candidate]
    broken: list[tuple[Path, Exception]]

    def warn(self) -> None:
        """Name the broken files."""
        for path, error in self.broken:
            asv_files.warn(path, error)

    def require_all(self) -> None:
        """See that of the machines of these files nothing is left out.

        Raises
        ------
        BadCallError
            If something is: all that is kept of it would go, and nothing come.
        """
        machines = {file.machine for _, file in self.files}
        left_out = [
            *(path for path, _ in self.broken if machine_of(path) in machines),
            *(path for path, file in self.undrawn if file.machine in machines),
        ]
        if left_out:
            raise BadCallError(
                f"nothing is replaced: {len(left_out)} of these results cannot be kept, {left_out[0]} "
                "the first (without --replace, each is named with the reason); move them away, or name "
                "commits that HEAD leads back to with --commit"
            )


def candidates(
    folder: Path,
    drawn: Collection[str],
    machine: str | None = None,
    commits: Sequence[str] | None = None,
) -> Candidates:
    """Return the result files of a machine and of commits; None means all.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`.
    drawn : collection of str
        The commits that asv draws results of.
    machine : str, optional
    commits : sequence of str, optional
        Hashes or beginnings of them.

    Raises
    ------
    BadCallError
        If nothing is of this machine or commit.
    NothingFoundError
        If the folder holds no results.
    """
    files, broken = [], list[tuple[Path, Exception]]()
    for path in asv_files.paths(folder):
        try:
            files.append((path, checked(path)))
        except (*asv_files.BROKEN, pl.exceptions.PolarsError) as error:
            broken.append((path, error))
    if not files:
        Candidates([], [], broken).warn()
        raise NothingFoundError(f"no results in {folder}")
    if machine is not None:
        require_machine(machine, {file.machine for _, file in files})
        files = [(path, file) for path, file in files if file.machine == machine]
    if commits:
        there = {file.commit for _, file in files}
        meant = {full for one in commits for full in require_commit(one, there)}
        files = [(path, file) for path, file in files if file.commit in meant]
    undrawn = [(path, file) for path, file in files if file.commit not in drawn]
    of_old_format = ValueError("it has asv's format 1; `asv update` brings it to 2")
    of_drawn = [(path, file) for path, file in files if file.commit in drawn]
    broken += [(path, of_old_format) for path, file in of_drawn if file.format == 1]
    return Candidates([one for one in of_drawn if one[1].format != 1], undrawn, broken)
