"""States of a person's file: which one was measured, and how to have an earlier one back.

Each state that is measured is kept, with what it imports from its folder, in `.jitcost/states/<hash>/`.
"""

from __future__ import annotations

import ast
import contextlib
import datetime
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.files import replacing_folder
from jitcost.measuring.entries import State

__all__ = ["HOME", "earlier", "keep", "refuse_compiled", "state_of"]

# Where results and states of one's own functions are kept, beside the file.
HOME = ".jitcost"

_STATES, _ABOUT = "states", "about.json"

# What cannot be run from the text of an earlier commit.
_COMPILED = (".so", ".pyd", ".dylib")


def state_of(files: Sequence[str], inputs: dict[str, str]) -> State:
    """Return the state that files are in.

    Parameters
    ----------
    files : sequence of str
        A person's file, and what it imports from its folder.
    inputs : dict of str to str
        The name of the function that makes each problem's inputs.
    """
    first = Path(files[0])
    digest = hashlib.sha1(usedforsecurity=False)
    for path in map(Path, files):
        digest.update(f"{path.relative_to(first.parent)}\0".encode())
        digest.update(path.read_bytes() + b"\0")
    now = datetime.datetime.now(datetime.UTC)
    tree = ast.parse(first.read_bytes())
    texts = {
        name: ast.dump(node)
        for node in tree.body
        if isinstance(name := getattr(node, "name", None), str)
    }
    made_by = {
        problem: hashlib.sha1(texts.get(name, "").encode(), usedforsecurity=False).hexdigest()[:12]
        for problem, name in inputs.items()
    }
    return State(digest.hexdigest(), now, first.name, made_by)


def keep(home: Path, state: State, files: Sequence[str]) -> None:
    """Keep the text of a state, and when it was measured last."""
    folder = home / _STATES / state.commit
    first = Path(files[0])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with replacing_folder(folder) as fresh:
        for path in map(Path, files):
            target = fresh / path.relative_to(first.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
        about = {"file": first.name, "date": state.date.isoformat()}
        (fresh / _ABOUT).write_text(json.dumps(about))


@contextlib.contextmanager
def earlier(path: Path, what: str) -> Iterator[tuple[Path, str]]:
    """Give another state of a file: `last`, `git:REF`, or another file's name.

    Parameters
    ----------
    path : Path
        The file.
    what : str
        `last` is the state that was measured last and is not today's.

    Yields
    ------
    Path
        A file with that state; what it imports from its folder is beside it.
    str
        What it is called.

    Raises
    ------
    BadCallError
        If there is none.
    """
    if what == "last":
        yield _last(path)
    elif what.startswith("git:"):
        with tempfile.TemporaryDirectory(prefix="jitcost-") as folder:
            yield _of_commit(path, what.removeprefix("git:"), Path(folder))
    else:
        other = Path(what)
        if not other.is_file():
            raise BadCallError(f"no file {what}; --against takes last, git:REF or a file")
        yield other.resolve(), other.name


def _last(path: Path) -> tuple[Path, str]:
    found = []
    for about in (path.parent / HOME / _STATES).glob(f"*/{_ABOUT}"):
        told = json.loads(about.read_text())
        if told["file"] == path.name and not _is_today(path, about.parent):
            found.append((told["date"], about.parent))
    if not found:
        raise BadCallError(
            f"no earlier state of {path.name} was measured; measure it before you change it"
        )
    date, folder = max(found)
    return (
        folder / path.name,
        f"the state of {datetime.datetime.fromisoformat(date).astimezone():%Y-%m-%d %H:%M}",
    )


def _is_today(path: Path, folder: Path) -> bool:
    """Tell whether every file of a state is as it is today."""
    kept = [file for file in folder.rglob("*") if file.is_file() and file.name != _ABOUT]
    today = [path.parent / file.relative_to(folder) for file in kept]
    return all(
        one.is_file() and one.read_bytes() == other.read_bytes()
        for one, other in zip(today, kept, strict=True)
    )


def _of_commit(path: Path, reference: str, folder: Path) -> tuple[Path, str]:
    """Unpack the whole tree of a commit: the file's text alone would import today's modules."""
    top = Path(_git(path.parent, "rev-parse", "--show-toplevel").strip())
    commit = _git(
        path.parent, "rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}"
    ).strip()
    packed = subprocess.run(
        ["git", "archive", commit], cwd=top, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    its = folder / path.resolve().relative_to(top.resolve())
    if not its.is_file():
        raise BadCallError(f"{reference} has no {path.name}")
    return its, f"{reference} ({commit[:8]})"


def refuse_compiled(files: Iterable[str]) -> None:
    """Raise `BadCallError` if a state imports compiled extensions: they are not that commit's."""
    compiled = [Path(file).name for file in files if file.endswith(_COMPILED)]
    if compiled:
        raise BadCallError(
            f"{compiled[0]} is a compiled extension, and both states would run today's; --against "
            "compares sources of Python and Julia only"
        )


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise BadCallError("git is not installed; --against git:REF needs it") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"there is no commit {arguments[-1]}"]
        raise BadCallError(f"git: {said[-1].removeprefix('fatal: ')}")
    return done.stdout
