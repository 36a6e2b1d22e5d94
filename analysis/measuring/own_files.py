"""A person's file as what is measured of it, and the same of functions that are in memory."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jitcost import backends
from jitcost.errors import BadCallError
from jitcost.measuring.entries import Entry
from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Source
from jitcost.own.kernels import Kernel
from jitcost.own.names import read
from jitcost.own.opening import sources

__all__ = ["chosen", "of_file", "of_functions"]

# An array of so many bytes in a global of a notebook travels with every function that names it.
_LARGE = 10_000_000


def of_file(
    path: Path,
    side: str = "",
    name: str | None = None,
    roots: tuple[str, ...] = (),
    instead_of: str | None = None,
) -> tuple[list[Entry], tuple[str, ...]]:
    """Return what a file has, and a line for each name that is nearly a kernel's.

    Parameters
    ----------
    path : Path
    side : str
        What this state of the file is called, where two are compared.
    name : str, optional
        What the problem of a bare `kernel` is called; by default as the file.
    roots : tuple of str
    instead_of : str, optional
        Where a commit's tree is unpacked, and whose place it takes (`jitcost.own.jobs.Source`).

    Raises
    ------
    BadCallError
        If it cannot be read, or has nothing to measure.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadCallError(f"no file {path}; jitcost demo writes one to begin with") from None
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadCallError(f"{path} cannot be read: {said}") from None
    stem = name or path.stem
    try:
        names = read(text, stem, backends.names())
    except OwnFileError as error:
        raise BadCallError(f"{path.name}: {error}") from None
    entries = [
        Entry(replace(source, roots=roots, instead_of=instead_of), kernel, side)
        for source, kernel in sources(path, stem, names)
    ]
    return [*entries, *_offered(entries)], names.near_misses


def _offered(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield what Numba may make of kernels for any array library: where it has none of its own.

    Where Numba is not installed, nobody is told of what he has not asked for.
    """
    with_numba = {one.kernel.problem for one in entries if one.kernel.backend == "numba"}
    for entry in entries:
        kernel = entry.kernel
        generic = kernel.xp and (kernel.backend, kernel.version) == ("numpy", "")
        if generic and kernel.problem not in with_numba and find_spec("numba") is not None:
            offered = replace(kernel, backend="numba", version="xp")
            yield replace(entry, kernel=offered, offered=True)


def of_functions(
    functions: Mapping[str, Callable[..., Any]],
    settings: Mapping[str, Any],
    problem: str,
    folder: Path,
) -> tuple[list[Entry], tuple[str, ...]]:
    """Return what functions in memory are measured as, and a line for each that takes much along.

    They travel as a pickle.

    Parameters
    ----------
    functions : mapping of str to callable
        By backend, with a version after `__`: `numpy`, `numba__parallel`.
    settings : mapping of str to Any
        What else a file would have: `inputs`, `reference`, `tolerance` …
    problem : str
        What it is called.
    folder : Path
        Where the pickle is put.

    Raises
    ------
    BadCallError
        If a name is no backend's, or a function cannot be handed to another process.
    """
    import cloudpickle  # beside the functions of scripts and notebooks, it is needed for nothing

    kernels, namespace = [], dict(settings)
    for name, function in functions.items():
        backend, _, version = name.partition("__")
        if backend not in backends.names():
            there = ", ".join(backends.names())
            raise BadCallError(f"no backend {backend!r}; there are {there} (…__version)")
        if not callable(function):
            raise BadCallError(f"{name} is no function but {type(function).__name__}")
        kernels.append(Kernel(f"kernel_{name}", problem, backend, version, _takes_xp(function)))
        namespace[f"kernel_{name}"] = function
    path = folder / f"{problem}.pickle"
    large = []
    with path.open("wb") as file:
        for name, value in namespace.items():
            try:
                size = len(cloudpickle.dumps(value))
            except Exception as error:
                said = " ".join(str(error).split())
                raise BadCallError(
                    f"{name.removeprefix('kernel_')} cannot be handed to another process: {said}"
                ) from None
            if size > _LARGE:
                large.append(
                    f"{name.removeprefix('kernel_')} takes {size / 1e6:.0f} MB of globals along to each "
                    "process: hand arrays over by inputs"
                )
        cloudpickle.dump(namespace, file)
    reference = "reference" if settings.get("reference") is not None else None
    source = Source(str(path), problem, "inputs", reference)
    return [Entry(source, kernel) for kernel in kernels], tuple(large)


def chosen(
    entries: Sequence[Entry], *, only: Iterable[str] = (), wanted: Iterable[str] = ()
) -> list[Entry]:
    """Return the entries of some problems and backends; of all where none are named.

    Raises
    ------
    BadCallError
        If there is no such problem or backend.
    """
    problems = _there(only, (entry.kernel.problem for entry in entries), "problem")
    names = {name for one in entries for name in (one.kernel.name, one.kernel.backend)}
    kernels = _there(wanted, names, "kernel on")
    return [
        entry
        for entry in entries
        if (not problems or entry.kernel.problem in problems)
        and (not kernels or {entry.kernel.name, entry.kernel.backend} & kernels)
    ]


def _there(wanted: Iterable[str], there: Iterable[str], what: str) -> set[str]:
    known = list(dict.fromkeys(there))
    found = set(wanted)
    for name in found:
        if name not in known:
            raise BadCallError(f"no {what} {name!r}; there are {', '.join(sorted(known))}")
    return found


def _takes_xp(function: Callable[..., Any]) -> bool:
    try:
        return "xp" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
