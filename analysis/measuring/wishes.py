"""What a person asks for: a release, a range of them, a URL or a path, in a line of text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from jitcost.errors import BadCallError

__all__ = ["Wish", "wish_of"]

_URL = re.compile(r"(\w+\+)?(https?|file|ssh|git)://\S+")
_FILES = (".whl", ".tar.gz", ".zip")

# NAME=VERSION, as asv's matrix would have it, and the newest: neither is PEP 508.
_NAME = r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?:\[[^\]]*\])?)"
_ONE_SIGN = re.compile(rf"^{_NAME}\s*=\s*([^=\s].*)$")
_LATEST = re.compile(rf"^{_NAME}\s*==\s*latest$")
_NAMED = re.compile(rf"{_NAME}\s*[@<>=!~;]")


@dataclass(frozen=True)
class Wish:
    """What a text asks for.

    Attributes
    ----------
    said : str
        The text.
    name : str
        The distribution's; empty where only what is built can tell.
    extras : str
        In brackets, or empty.
    specifier : packaging.specifiers.SpecifierSet
        Which releases will do; of several the newest is meant.
    target : str
        A URL or an absolute path; empty for a release.
    """

    said: str
    name: str
    extras: str
    specifier: SpecifierSet
    target: str

    @property
    def exact(self) -> str:
        """The only release that will do; empty where there may be several."""
        pins = list(self.specifier)
        if len(pins) != 1 or pins[0].operator != "==" or pins[0].version.endswith(".*"):
            return ""
        return str(Version(pins[0].version))


def wish_of(said: str, names: Mapping[str, str] | None, base: Path) -> Wish:
    """Read a text.

    Parameters
    ----------
    said : str
        As PEP 508 has it; or NAME=VERSION, NAME==latest, a path or a URL.
    names : mapping or None
        The distributions that may be asked for, with the names that they have in a message by those
        that packaging compares; None: any.
    base : Path
        What a relative path begins at.

    Raises
    ------
    BadCallError
        If it is nothing of that; if it names a file that is not there, or another distribution.
    """
    text = _LATEST.sub(r"\1", _ONE_SIGN.sub(r"\1==\2", said.strip()))
    if not _NAMED.match(text) and (target := _target(text, base)):
        return Wish(said, "", "", SpecifierSet(), target)
    try:
        asked = Requirement(text)
    except InvalidRequirement:
        raise _unreadable(said, names) from None
    arbitrary = any(
        one.operator == "===" for one in asked.specifier
    )  # compared as a text: no version
    unknown = names is not None and canonicalize_name(asked.name) not in names
    target = _target(asked.url, base) if asked.url else ""
    if unknown or asked.marker or arbitrary or (asked.url and not target):
        raise _unreadable(said, names)
    extras = f"[{','.join(sorted(asked.extras))}]" if asked.extras else ""
    return Wish(said, asked.name, extras, asked.specifier, target)


def _target(text: str, base: Path) -> str:
    """Return the URL or the absolute path that a text is; empty if it is neither."""
    if _URL.fullmatch(text):
        return text
    if "/" not in text and not text.startswith((".", "~")) and not text.endswith(_FILES):
        return ""
    path = base / Path(text).expanduser()
    if not path.exists():
        raise BadCallError(f"{text}: no such file or folder")
    return str(path.resolve())


def _unreadable(said: str, names: Mapping[str, str] | None) -> BadCallError:
    known = f"; the names are {', '.join(names.values())}" if names else ""
    return BadCallError(
        f"{said}: give NAME==VERSION, NAME (the newest), 'NAME>=VERSION,<VERSION', 'NAME @ URL', or "
        f"the path of a wheel or of a source folder{known}"
    )
