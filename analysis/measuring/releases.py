"""The environments of the history: which releases of which library, and whether pip can install them.

They are written down in `history.toml`, beside this module.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["ImpossibleError", "NoIndexError", "Row", "Table", "installable", "load"]

LATEST = "latest"

Sizes = Mapping[str, Mapping[str, Sequence[int]]]  # by workload and benchmark class


class ImpossibleError(Exception):
    """These releases cannot be installed here together; says why."""


class NoIndexError(ImpossibleError):
    """pip has found no release of a library at all, which is rarely due to the one asked for."""


@dataclass(frozen=True)
class Row:
    """One environment of the history.

    Attributes
    ----------
    library : str
        The one that it varies.
    versions : dict
        Its release, and those of other libraries that it forces.
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


def installable(row: Row, default: Mapping[str, str]) -> dict[str, str]:
    """Return the versions of a row's environment, `latest` as the release that it is.

    pip resolves them for the Python that runs this, and installs nothing.

    Parameters
    ----------
    row : Row
    default : mapping
        The versions of the default environment.

    Raises
    ------
    ImpossibleError
        If a release does not exist for this Python, or two do not go together.
    """
    wanted = {**default, **row.versions}
    found = _resolve([f"{n}=={v}" if v != LATEST else n for n, v in wanted.items()])
    return {name: found[name] if v == LATEST else v for name, v in wanted.items()}


def _resolve(requirements: list[str]) -> dict[str, str]:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--report=-"]
    done = subprocess.run([*command, *requirements], capture_output=True, text=True)
    if done.returncode:
        raise why_impossible(done.stderr)
    packages: list[dict[str, Any]] = json.loads(done.stdout)["install"]
    return {one["metadata"]["name"]: one["metadata"]["version"] for one in packages}


_NO_RELEASE = re.compile(r"satisfies the requirement (\w+)\S* \(from versions: none\)")
_NOT_FOUND = re.compile(r"No matching distribution found for (\S+)==(\S+)")
_CONFLICT = re.compile(r"ERROR: Cannot install (.+) because ")


def why_impossible(said: str) -> ImpossibleError:
    """Return an error with pip's reason in a few words.

    Parameters
    ----------
    said : str
        What pip has written to standard error.
    """
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = _NO_RELEASE.search(said)
    if found and "Requires-Python" not in said:
        return NoIndexError(
            f"pip finds no release of {found[1]} at all for Python {python}: can it reach an index?"
        )
    if found := _NOT_FOUND.search(said):
        name, version = found.groups()
        needs = re.search(rf"(?<![\d.]){re.escape(version)} Requires-Python ([^;\s]+)", said)
        if needs:
            why = f"{name} {version} needs Python {needs[1]}, and this is {python}"
        else:
            why = f"pip finds no wheel of {name} {version} for Python {python}"
    elif found := _CONFLICT.search(said):
        why = f"{found[1].replace('==', ' ')} do not go together"
    else:
        errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.strip()]
        why = errors[-1] if errors else "pip has failed without a word"
    return ImpossibleError(why)
