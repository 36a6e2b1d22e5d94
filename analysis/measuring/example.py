"""The example that a person begins with: a problem in one file, on several backends."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.files import write_atomically

__all__ = ["NAME", "example", "write_example"]

NAME = "rbf.py"


def example() -> str:
    """Return its text: data of this package, since it is a person's file and none of its modules."""
    path = importlib.resources.files("jitcost.own").joinpath(f"{NAME}.txt")
    return path.read_text(encoding="utf-8")


def write_example(folder: Path) -> tuple[Path, bool]:
    """Write the example into a folder, unless it is there.

    Returns
    -------
    Path
        The file.
    bool
        Whether it was written just now.

    Raises
    ------
    BadCallError
        If another file has its name, or the folder cannot be written to.
    """
    path = folder / NAME
    try:
        if not path.exists():
            write_atomically(path, example())
            return path, True
        if path.read_text(encoding="utf-8") != example():
            raise BadCallError(
                f"{path} is there already, and is another file; change into an empty folder"
            )
    except UnicodeDecodeError:
        raise BadCallError(f"{path} is there already, and is no text; move it away") from None
    except OSError as error:
        raise BadCallError(f"cannot write {path}: {error.strerror}") from None
    return path, False
