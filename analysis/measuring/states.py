"""States of a person's file: which one was measured, and how to have an earlier one back.

Each state that is measured is kept, with what it imports from its folder, in `.jitcost/states/<hash>/`.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.files import replacing_folder
from jitcost.measuring import commits
from jitcost.measuring.entries import State
from jitcost.own.behind import behind
from jitcost.own.modules import digest

__all__ = [
    "HOME",
    "Earlier",
    "earlier",
    "keep",
    "origin",
    "refuse_compiled",
    "refuse_todays",
    "state_of",
]

# Where results and states of one's own functions are kept, beside the file.
HOME = ".jitcost"

_STATES, _ABOUT = "states", "about.json"

# What cannot be run from the text of an earlier commit.
_COMPILED = (".so", ".pyd", ".dylib")

# So many files of a commit are named on the line that says where its modules are from.
_NAMED = 8


@dataclass(frozen=True)
class Earlier:
    """Another state of a file than today's.

    Attributes
    ----------
    path : Path
        A file with that state; what it imports from its folder is beside it.
    name : str
        What it is called.
    roots : tuple of str
        Where else its imports are looked for: in the tree of its commit, whose top comes first.
    instead_of : str or None
        Where today's tree is.
    """

    path: Path
    name: str
    roots: tuple[str, ...] = ()
    instead_of: str | None = None


def state_of(path: Path, texts: Mapping[str, bytes], inputs: Mapping[str, str]) -> State:
    """Return the state that files are in.

    Parameters
    ----------
    path : Path
        A person's file.
    texts : mapping of str to bytes
        What is in it, and in what it imports from its folder, in any order.
    inputs : mapping of str to str
        The name of the function that makes each problem's inputs.
    """
    whole = hashlib.sha1(usedforsecurity=False)
    for name in sorted(texts, key=lambda name: (name != str(path), name)):
        whole.update(f"{Path(name).relative_to(path.parent)}\0".encode())
        whole.update(texts[name] + b"\0")
    text = texts[str(path)].decode()
    made_by = {
        problem: digest(behind(text, name).encode())[:12] for problem, name in inputs.items()
    }
    return State(whole.hexdigest(), datetime.datetime.now(datetime.UTC), path.name, made_by)


def keep(home: Path, state: State, path: Path, texts: Mapping[str, bytes]) -> None:
    """Keep the text of a state, and when it was measured last."""
    folder = home / _STATES / state.commit
    folder.parent.mkdir(parents=True, exist_ok=True)
    with replacing_folder(folder) as fresh:
        for name, text in texts.items():
            target = fresh / Path(name).relative_to(path.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
        about = {"file": path.name, "date": state.date.isoformat()}
        (fresh / _ABOUT).write_text(json.dumps(about))


@contextlib.contextmanager
def earlier(path: Path, what: str) -> Iterator[Earlier]:
    """Give another state of a file: `last`, `git:REF`, or another file's name.

    Parameters
    ----------
    path : Path
        The file.
    what : str
        `last` is the state that was measured last and is not today's.

    Yields
    ------
    Earlier

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
        yield Earlier(other.resolve(), other.name)


def _last(path: Path) -> Earlier:
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
    measured = datetime.datetime.fromisoformat(date).astimezone()
    return Earlier(folder / path.name, f"the state of {measured:%Y-%m-%d %H:%M}")


def _is_today(path: Path, folder: Path) -> bool:
    """Tell whether every file of a state is as it is today."""
    kept = [file for file in folder.rglob("*") if file.is_file() and file.name != _ABOUT]
    today = [path.parent / file.relative_to(folder) for file in kept]
    return all(
        one.is_file() and one.read_bytes() == other.read_bytes()
        for one, other in zip(today, kept, strict=True)
    )


def _of_commit(path: Path, reference: str, folder: Path) -> Earlier:
    path, folder = path.resolve(), folder.resolve()
    top = commits.top_of(path.parent)
    commit = commits.commit_of(top, reference)
    commits.unpack(top, commit, folder)
    its = folder / path.relative_to(top)
    if not its.is_file():
        raise BadCallError(f"{reference} has no {path.name}")
    name = f"{reference} ({commit[:8]})"
    return Earlier(its, name, commits.roots(top, folder), str(top))


def refuse_compiled(files: Iterable[str]) -> None:
    """Raise `BadCallError` if a state imports compiled extensions: they are not that commit's."""
    compiled = [Path(file).name for file in files if file.endswith(_COMPILED)]
    if compiled:
        raise BadCallError(
            f"{compiled[0]} is a compiled extension, and both states would run today's; --against "
            "compares sources of Python and Julia only"
        )


def refuse_todays(other: Earlier, files: Iterable[str]) -> None:
    """Raise `BadCallError` if an earlier state imports modules of today's tree.

    The finder of an editable installation may lead there, whatever comes first on the path.
    """
    if other.instead_of is None:
        return
    unpacked, today = Path(other.roots[0]), Path(other.instead_of)
    for file in map(Path, files):
        if file.is_relative_to(today) and not file.is_relative_to(unpacked):
            raise BadCallError(
                f"{file.relative_to(today)} would be today's on both sides: {other.name} imports it "
                "from there (an editable installation? put its folder on PYTHONPATH instead)"
            )


def origin(other: Earlier, files: Iterable[str]) -> str | None:
    """Return a line that says which files of its commit a state is of; None if it is of no commit."""
    if other.instead_of is None:
        return None
    names = [str(Path(file).relative_to(other.roots[0])) for file in files]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"old: {', '.join(names[:_NAMED])}{more} of {other.name}"
