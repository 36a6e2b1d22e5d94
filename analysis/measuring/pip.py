"""Which releases of the history can be installed here: pip says it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from jitcost.errors import BadCallError
from jitcost.store.releases import LATEST, Row

__all__ = ["ImpossibleError", "NoIndexError", "installable", "require_release", "why_impossible"]


class ImpossibleError(Exception):
    """These releases cannot be installed here together; says why."""


class NoIndexError(ImpossibleError):
    """pip has found no release of a library at all, which is rarely due to the one asked for."""


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


def require_release(name: str, version: str) -> None:
    """Raise `BadCallError` if the index has no such release of a library; says which it has.

    Where no index can be asked, nothing is refused: a wheel may be kept here.
    """
    there = _releases(name)
    if not there or version in there:
        return
    like = [one for one in there if one.startswith(f"{version}.")]
    listed = ", ".join((like or there)[:8])
    raise BadCallError(
        f"no release {version} of {name} for this Python; "
        f"there {'are' if like else 'are, the newest first,'} {listed}"
    )


def _releases(name: str) -> list[str]:
    """Return the releases that pip can install here, the newest first; none where it cannot ask."""
    command = [sys.executable, "-m", "pip", "index", "versions", name]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--only-binary=:all:"],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    found = re.search(r"^Available versions: (.*)$", done.stdout, re.MULTILINE)
    return found[1].split(", ") if found else []


def _resolve(requirements: list[str]) -> dict[str, str]:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--report=-"]
    done = subprocess.run(
        [*command, *requirements], capture_output=True, encoding="utf-8", errors="replace"
    )
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
