"""A commit's whole tree, unpacked: a file's text alone would import today's modules."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path

from jitcost.errors import BadCallError

__all__ = ["commit_of", "roots", "top_of", "unpack"]


def top_of(folder: Path) -> Path:
    """Return the top of the repository that a folder is in.

    Raises
    ------
    BadCallError
        If it is in none, or git is not installed.
    """
    return Path(_git(folder, "rev-parse", "--show-toplevel").decode().strip()).resolve()


def commit_of(top: Path, reference: str) -> str:
    """Return a commit's hash.

    Raises
    ------
    BadCallError
        If there is no such commit.
    """
    wanted = f"{reference}^{{commit}}"
    return _git(top, "rev-parse", "--verify", "--quiet", wanted).decode().strip()


def unpack(top: Path, commit: str, folder: Path) -> None:
    """Put a commit's files into a folder.

    Raises
    ------
    BadCallError
        If git cannot read them, or they cannot be written; links that lead out of the tree are not.
    """
    packed = _git(top, "archive", commit)
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, OSError) as error:
        said = " ".join(str(error).split())
        raise BadCallError(
            f"{commit[:8]} cannot be unpacked: {said}; --against last or another file does without"
        ) from None


def roots(top: Path, folder: Path) -> tuple[str, ...]:
    """Return where in an unpacked tree imports are looked for.

    That is its top, its `src`, and what is on today's path in the repository: in the same places.

    Parameters
    ----------
    top : Path
        Of the repository.
    folder : Path
        Where its tree is unpacked.
    """
    on_path = (Path(one).resolve() for one in sys.path)
    today = [top, top / "src", *(one for one in on_path if one.is_relative_to(top))]
    unpacked = dict.fromkeys(folder / one.relative_to(top) for one in today)
    return tuple(str(one) for one in unpacked if one.is_dir())


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True)
    except FileNotFoundError:
        raise BadCallError("git is not installed; --against git:REF needs it") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        name = arguments[-1].removesuffix("^{commit}")
        last = said[-1] if said else f"there is no commit {name}"
        raise BadCallError(f"git: {last.removeprefix('fatal: ')}")
    return done.stdout
