"""From what a person asks for to what pip is given: releases, nightlies, wheels, git and folders."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from jitcost.errors import BadCallError
from jitcost.measuring import pip, wheels
from jitcost.measuring.configuration import pinned
from jitcost.measuring.installing import Source
from jitcost.measuring.wishes import Wish, wish_of

__all__ = ["Source", "resolved"]


def resolved(
    texts: Sequence[str],
    settings: dict[str, Any],
    *,
    work: Path,
    index_urls: Sequence[str] = (),
    pre: bool = False,
    base: Path | None = None,
    any_name: bool = False,
) -> dict[str, Source]:
    """Return the sources that texts ask for, by the requirement that they stand for.

    What is no release is built once, into a wheel, and filed under the wheel's version with a label
    of what it is: `0.12.0.dev1+1a2b3c4d`, the first eight letters of git's commit, or of the
    fingerprint of the wheel's contents. A folder that has changed gets another label.

    Parameters
    ----------
    texts : sequence of str
        As a person has written them; see `wishes`.
    settings : dict
        asv's configuration, whose matrix has the requirements.
    work : Path
        In whose folder `wheels` they are kept.
    index_urls : sequence of str
        Indexes that pip is to ask besides its own.
    pre : bool
        Whether a pre-release may be the newest.
    base : Path, optional
        What a relative path begins at; by default the current folder.
    any_name : bool
        Whether libraries may be named that the matrix has not.

    Raises
    ------
    BadCallError
        If a text cannot be read, names a library twice or one that the environment has not, or if
        pip cannot get what it names.
    """
    keys: dict[str, str] = {
        canonicalize_name(key.removeprefix("pip+")): key for key in pinned(settings)
    }
    names = None if any_name else {name: key.removeprefix("pip+") for name, key in keys.items()}
    asked = [wish_of(text, names, base or Path.cwd()) for text in texts]
    options = pip.options_of(index_urls, pre)
    found: dict[str, Source] = {}
    for wish in asked:
        source = _source(wish, options, work / "wheels")
        name = canonicalize_name(source.name)
        if names is not None and name not in names:
            known = ", ".join(names.values())
            raise BadCallError(f"{wish.said} is {source.name}; the names are {known}")
        key = keys.get(name, source.name)
        if key in found:
            raise BadCallError(f"{wish.said} is {source.name}, which {found[key].said} is, too")
        found[key] = source
    return found


def _source(wish: Wish, options: tuple[str, ...], folder: Path) -> Source:
    try:
        if wish.target:
            return _built(wish, options, folder)
        version = wish.exact
        if version:
            pip.require_release(wish.name, version, options)
        else:
            version = pip.newest(f"{wish.name}{wish.specifier}", options)
    except (pip.ImpossibleError, ValueError, OSError) as error:
        raise BadCallError(f"{wish.said}: {error}") from None
    return Source(wish.name, version, f"{wish.name}{wish.extras}=={version}", wish.said, options)


def _built(wish: Wish, options: tuple[str, ...], folder: Path) -> Source:
    """Return the source that is a wheel in `folder`, which is built if it is not there."""
    target, label, wheel = wish.target, "", None
    if target.startswith("git+"):
        target, commit, name = pip.commit_of(target)
        label = commit[:8]
        wheel = wheels.kept(folder, name, label)
    if wheel is None:
        with tempfile.TemporaryDirectory() as scratch:
            made = wheels.read(pip.wheel_of(target, Path(scratch)))
            label = label or wheels.fingerprint(made.path)[:8]
            wheel = wheels.keep(made, folder, label)
    if wish.name and canonicalize_name(wish.name) != canonicalize_name(wheel.name):
        raise BadCallError(f"{wish.said} is {wheel.name} and not {wish.name}")
    return Source(
        name=wheel.name,
        version=f"{_public(wheel)}+{label}",
        requirement=f"{wheel.name}{wish.extras} @ {wheel.path.resolve().as_uri()}",
        said=wish.said,
        options=options,
        built_from=target if "://" in target else Path(target).as_uri(),
    )


def _public(wheel: wheels.Wheel) -> str:
    try:
        return Version(wheel.version).public
    except InvalidVersion:
        raise ValueError(f"{wheel.version!r} of {wheel.path.name} is no version") from None
