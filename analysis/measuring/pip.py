"""What can be installed here, which releases there are, and what becomes of a source: pip says it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from jitcost.errors import BadCallError
from jitcost.measuring.installing import Source
from jitcost.store.releases import LATEST, Row

__all__ = [
    "ImpossibleError",
    "NoIndexError",
    "commit_of",
    "installable",
    "newest",
    "options_of",
    "releases_between",
    "require_release",
    "wheel_of",
    "why_impossible",
]


class ImpossibleError(Exception):
    """These releases cannot be installed here together; says why."""


class NoIndexError(ImpossibleError):
    """pip has found no release of a library at all, which is rarely due to the one asked for."""


def options_of(index_urls: Sequence[str], pre: bool) -> tuple[str, ...]:
    """Return pip's options for indexes besides its own, and for pre-releases."""
    urls = tuple(f"--extra-index-url={url}" for url in index_urls)
    return (*urls, "--pre") if pre else urls


def installable(
    row: Row, default: Mapping[str, str], sources: Mapping[str, Source] | None = None
) -> dict[str, str]:
    """Return the versions of a row's environment, `latest` as the release that it is.

    pip resolves them for the Python that runs this, and installs nothing.

    Parameters
    ----------
    row : Row
    default : mapping
        The versions of the default environment.
    sources : mapping, optional
        Where the row's versions come from that asv cannot install by itself, by library.

    Raises
    ------
    ImpossibleError
        If a release does not exist for this Python, or two do not go together.
    """
    wanted = {**default, **row.versions}
    given = {n: f"{n}=={v}" if v != LATEST else n for n, v in wanted.items()}
    given |= {name: source.requirement for name, source in (sources or {}).items()}
    options = [one for source in (sources or {}).values() for one in source.options]
    found = _resolve([*given.values()], *dict.fromkeys(options))
    return {name: found[name] if v == LATEST else v for name, v in wanted.items()}


def newest(requirement: str, options: Sequence[str] = ()) -> str:
    """Return the newest release that meets a requirement and was not withdrawn.

    Raises
    ------
    ImpossibleError
        If there is none for this Python.
    """
    (version,) = _resolve([requirement], "--no-deps", *options).values()
    return version


def require_release(name: str, version: str, options: Sequence[str] = ()) -> None:
    """Raise `BadCallError` if the index has no such release of a library; says which it has.

    Where no index can be asked, nothing is refused: a wheel may be kept here.
    """
    pre = ["--pre"] if Version(version).is_prerelease else []
    _require(name, version, _releases(name, dict.fromkeys([*options, *pre])))


def _require(name: str, version: str, there: Sequence[str]) -> None:
    if not there or version in there:
        return
    like = [one for one in there if one.startswith(f"{version}.")]
    listed = ", ".join((like or there)[:8])
    raise BadCallError(
        f"no release {version} of {name} for this Python; "
        f"there {'are' if like else 'are, the newest first,'} {listed}"
    )


def releases_between(
    name: str, earlier: str, later: str, *, pre: bool = False, index_urls: Sequence[str] = ()
) -> list[str]:
    """Return the releases that can be installed here from one to another, in order, both included.

    Those that were withdrawn are among them: pip lists them, and installs one that is asked for.

    Parameters
    ----------
    name : str
        The library.
    earlier, later : str
        Two of its releases.
    pre : bool
        Whether to list pre-releases between them, too.
    index_urls : sequence of str
        Indexes that pip is to ask besides its own.

    Raises
    ------
    BadCallError
        If one of the two is not there, or comes after the other; or if there is no index to ask.
    """
    try:
        low, high = Version(earlier), Version(later)
    except InvalidVersion as error:
        raise BadCallError(f"{error}: give two releases of {name}") from None
    if low > high:
        raise BadCallError(f"{name} {earlier} comes after {later}; give the earlier release first")
    ends = {str(low), str(high)}
    options = options_of(index_urls, pre or low.is_prerelease or high.is_prerelease)
    there = {str(Version(one)): one for one in _releases(name, options)}
    if not there:
        raise BadCallError(f"pip finds no release of {name} at all: can it reach an index?")
    for end in (str(low), str(high)):
        _require(name, end, [*there])
    between = [
        version
        for version in map(Version, there)
        if low <= version <= high and (pre or not version.is_prerelease or str(version) in ends)
    ]
    return [there[str(version)] for version in sorted(between)]


def commit_of(url: str) -> tuple[str, str, str]:
    """Return what a URL of git's leads to at present.

    Returns
    -------
    exact : str
        The URL with the whole commit.
    commit, name : str
        The commit's hash, and the distribution that is built from it.

    Raises
    ------
    ImpossibleError
        If git cannot get it, or what it has cannot be built.
    """
    (about,) = _report([url], "--no-deps")
    origin = about["download_info"]
    commit = origin["vcs_info"]["commit_id"]
    folder = f"#subdirectory={origin['subdirectory']}" if origin.get("subdirectory") else ""
    return f"git+{origin['url']}@{commit}{folder}", commit, about["metadata"]["name"]


def wheel_of(target: str, folder: Path) -> Path:
    """Build what a URL or a path leads to, without its dependencies; return the wheel.

    Parameters
    ----------
    target : str
    folder : Path
        Where to put it: an empty folder.

    Raises
    ------
    ImpossibleError
        If it cannot be built, or is not for this Python.
    """
    _pip("wheel", "--no-deps", f"--wheel-dir={folder}", target)
    (built,) = folder.glob("*.whl")
    return built


def _releases(name: str, options: Iterable[str] = ()) -> list[str]:
    """Return the releases that pip can install here, the newest first; none where it cannot ask."""
    try:
        said = _pip("index", "versions", name, "--only-binary=:all:", *options, quiet=False)
    except ImpossibleError:
        return []
    found = re.search(r"^Available versions: (.*)$", said, re.MULTILINE)
    return found[1].split(", ") if found else []


def _resolve(requirements: Iterable[str], *options: str) -> dict[str, str]:
    """Return the versions that pip would install, by name; only what is built already."""
    packages = _report(requirements, "--only-binary=:all:", *options)
    return {one["metadata"]["name"]: one["metadata"]["version"] for one in packages}


def _report(requirements: Iterable[str], *options: str) -> list[dict[str, Any]]:
    said = _pip("install", "--dry-run", "--ignore-installed", "--report=-", *options, *requirements)
    packages: list[dict[str, Any]] = json.loads(said)["install"]
    return packages


def _pip(*args: str, quiet: bool = True) -> str:
    """Call the pip of this Python; return what it has said, or raise `ImpossibleError`."""
    command = [sys.executable, "-m", "pip", *args, "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, "--quiet"] if quiet else command,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},  # nobody would see what git asks for
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        raise why_impossible(done.stderr)
    return done.stdout


_NO_RELEASE = re.compile(r"satisfies the requirement (\w+)\S* \(from versions: none\)")
_NOT_FOUND = re.compile(r"No matching distribution found for (\S+)==(\S+)")
_CONFLICT = re.compile(r"ERROR: Cannot install (.+) because ")

# What a build, or git, said last before it gave up.
_BUILD = re.compile(r"^ +(\S.*)\n +\[end of output\]", re.MULTILINE)
_GIT = re.compile(r"^ *(?:fatal|error): (pathspec .*|.*repository.*)", re.MULTILINE)


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
    elif found := _GIT.search(said) or _BUILD.search(said):
        why = found[1]
    else:
        errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.strip()]
        why = errors[-1] if errors else "pip has failed without a word"
    return ImpossibleError(why)
