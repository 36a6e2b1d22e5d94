"""Wheels: what is in one, and where those are kept that were built here."""

from __future__ import annotations

import email.parser
import hashlib
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from packaging.tags import sys_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

from jitcost.files import replacing

__all__ = ["Wheel", "fingerprint", "keep", "kept", "read"]


@dataclass(frozen=True)
class Wheel:
    """A wheel, and what its metadata says.

    Attributes
    ----------
    path : Path
    name, version : str
        As its author has written them.
    """

    path: Path
    name: str
    version: str


def read(path: Path) -> Wheel:
    """Return what a wheel's metadata says.

    Raises
    ------
    ValueError
        If it is no wheel.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            (inside,) = (
                name for name in archive.namelist() if name.endswith(".dist-info/METADATA")
            )
            text = archive.read(inside).decode("utf-8")
    except (zipfile.BadZipFile, ValueError):
        raise ValueError(f"{path.name} is no wheel") from None
    about = email.parser.HeaderParser().parsestr(text)
    return Wheel(path, str(about["Name"]), str(about["Version"]))


def fingerprint(path: Path) -> str:
    """Return the SHA-256 of a wheel's contents, in hexadecimal digits.

    Of names and contents, not of the file: an archive has the times of its files in it, and what is
    built twice of one folder would be two things.
    """
    total = hashlib.sha256()
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            with archive.open(name) as content:
                total.update(name.encode() + b"\0")
                total.update(hashlib.file_digest(content, "sha256").digest())  # type: ignore[arg-type]
    return total.hexdigest()


def kept(folder: Path, name: str, label: str) -> Wheel | None:
    """Return the wheel of a distribution that is kept under a label, and is for this Python."""
    fitting = frozenset(sys_tags())
    for path in (folder / label).glob("*.whl"):
        its_name, _, _, tags = parse_wheel_filename(path.name)
        if its_name == canonicalize_name(name) and tags & fitting:
            return read(path)
    return None


def keep(wheel: Wheel, folder: Path, label: str) -> Wheel:
    """Put a wheel under its label, unless it is there; return where it is.

    An environment tells by the folder's name what was installed in it.
    """
    if there := kept(folder, wheel.name, label):
        return there
    (folder / label).mkdir(parents=True, exist_ok=True)
    path = folder / label / wheel.path.name
    with replacing(path) as unfinished:
        shutil.copyfile(wheel.path, unfinished)
    return read(path)
