"""The environments of the history: which releases of which library.

They are written down in `history.toml`, beside this module.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LATEST", "Row", "Table", "load"]

LATEST = "latest"

Sizes = Mapping[str, Mapping[str, Sequence[int]]]  # by workload and benchmark class


@dataclass(frozen=True)
class Row:
    """One environment of the history.

    Attributes
    ----------
    library : str
        The one that it varies.
    versions : dict
        Its release, and those of other libraries that it forces. In the table instead of a release
        also what else can be measured of a library, such as `jax @ git+https://...`.
    """

    library: str
    versions: dict[str, str]

    @property
    def release(self) -> str:
        """The library's release, with what it forces: `0.61.2 (numpy 2.2.6)`."""
        forced = [f"{name} {v}" for name, v in self.versions.items() if name != self.library]
        return self.versions[self.library] + (f" ({', '.join(forced)})" if forced else "")

    def __str__(self) -> str:
        return f"{self.library} {self.release}"


@dataclass(frozen=True)
class Table:
    """What `history.toml` says.

    Attributes
    ----------
    rows : list of Row
    backends : mapping
        Which backends a library's releases are measured on, by library.
    sizes : mapping
        At which sizes, by workload and benchmark class.
    commit_backends, commit_sizes
        The same for commits in the default environment.
    """

    rows: list[Row]
    backends: Mapping[str, Sequence[str]]
    sizes: Sizes
    commit_backends: Sequence[str]
    commit_sizes: Sizes


@functools.cache
def load() -> Table:
    """Read the table."""
    said = tomllib.loads(Path(__file__).with_name("history.toml").read_text(encoding="utf-8"))
    return Table(
        rows=[Row(next(iter(versions)), versions) for versions in said["rows"]],
        backends=said["backends"],
        sizes=said["sizes"],
        commit_backends=said["commits"]["backends"],
        commit_sizes=said["commits"]["sizes"],
    )
