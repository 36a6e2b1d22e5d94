"""The libraries that backends need: which distribution brings them, and whether it is here."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterable, Iterator

from jitcost import backends

__all__ = ["here", "installed", "libraries", "library_of"]

_PIP = "python -m pip install "


def library_of(backend: str) -> str | None:
    """Return the distribution that a backend's library comes from; None where it needs none.

    It is the one that the backend itself says how to get by.
    """
    name = backend.partition("__")[0]
    how = "numpy" if name == "numpy" else backends.get(name).how_to_get.removeprefix(_PIP)
    return how if how and " " not in how else None


def libraries(names: Iterable[str]) -> Iterator[str]:
    """Yield what these backends need, each once: NumPy, which all do, at last."""
    found = dict.fromkeys(map(library_of, names))
    yield from (one for one in found if one not in (None, "numpy"))
    yield "numpy"


def here(library: str) -> str | None:
    """Return the version of a distribution that is installed; None where it is not."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


def installed(names: Iterable[str], say: Callable[[str], object]) -> tuple[str, ...]:
    """Return the backends, with or without a version, whose library is installed; say which are not."""
    kept, missing = [], dict[str, list[str]]()
    for name in names:
        library = library_of(name)
        if library is not None and here(library) is None:
            missing.setdefault(library, []).append(name)
        else:
            kept.append(name)
    for library, its in missing.items():
        say(f"without {', '.join(its)}: {library} is not installed; {_PIP}{library}")
    return tuple(kept)
